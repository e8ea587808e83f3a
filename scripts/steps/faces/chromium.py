"""Encode a text on the site's page, in Chromium: ADDRESS CHROMIUM ARGUMENTS MODEL TEXT ROUNDS."""

import json
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

# `spmlite` is what the page leaves in its console: its own Tokenizer.
ENCODE = """async ([input, text, rounds]) => {
  let start = performance.now();
  const tokenizer = await spmlite.Tokenizer.load(input.files[0]);
  const loadMs = performance.now() - start;
  let ids;
  start = performance.now();
  for (let i = 0; i < rounds; i++) ids = tokenizer.encode(text);
  const encodeUs = ((performance.now() - start) * 1e3) / rounds;
  tokenizer.free();
  return { ids: [...ids], load_ms: loadMs, encode_us: encodeUs };
}"""

address, executable, arguments, model, text_file, rounds = sys.argv[1:]
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=executable, args=json.loads(arguments))
    page = browser.new_page()
    page.goto(address)
    # A function: the page's policy forbids what would evaluate an expression anew each time.
    page.wait_for_function("() => window.spmlite !== undefined")
    chooser = page.evaluate_handle(
        "() => Object.assign(document.createElement('input'), { type: 'file' })"
    )
    element = chooser.as_element()
    assert element is not None
    element.set_input_files(model)
    text = Path(text_file).read_text(encoding="utf-8")
    print(json.dumps(page.evaluate(ENCODE, [chooser, text, int(rounds)])))
    browser.close()
