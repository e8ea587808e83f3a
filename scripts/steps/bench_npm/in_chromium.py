"""How long a page takes until the package is ready, in Chromium and from a server on this machine.

Runs in the checkout's environment, which has Playwright; prints one line of JSON.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from steps import chromium, site

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

READY = "async ([source, options]) => (await import('./ready.js')).ready(source, options)"
Times = dict[str, list[float]]


def main() -> None:
    """Measure the models of a folder, round by round."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dist", type=Path, help="the package's folder dist")
    parser.add_argument("blob", type=Path, help="a .spm.fb file")
    parser.add_argument("proto", type=Path, help="the same as a .model file")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    found = chromium.find_or_get()
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        for target, file in (
            ("dist", arguments.dist),
            ("model.spm.fb", arguments.blob),
            ("model.model", arguments.proto),
            ("ready.js", Path(__file__).parent / "drivers" / "ready.js"),
        ):
            (folder / target).symlink_to(file)
        (folder / "index.html").write_text("<!doctype html><title>ready</title>", "utf-8")
        browser = playwright.chromium.launch(
            executable_path=found.executable, args=list(found.arguments)
        )
        with site.served(folder) as address:
            times = _measure(browser, address, arguments.rounds)
        print(json.dumps({"browser": browser.version, **times}))
        browser.close()


def _measure(browser: Browser, address: str, rounds: int) -> Times:
    """Each visit by a browser that has been nowhere; the second visit's first one apart."""
    times: Times = {"script": [], "flatbuffer": [], "proto": [], "second_visit": []}
    for _ in range(rounds):
        for what, file in (("flatbuffer", "model.spm.fb"), ("proto", "model.model")):
            with browser.new_context() as context:
                script, ready = _visit(context, address, file, keeps=False)
                times["script"].append(script)
                times[what].append(ready)
        with browser.new_context() as context:
            _visit(context, address, "model.model", keeps=True)
            _, ready = _visit(context, address, "model.model", keeps=True)
            times["second_visit"].append(ready)
    return times


def _visit(context: BrowserContext, address: str, file: str, *, keeps: bool) -> tuple[float, float]:
    """What the script took, and from there to the first ids."""
    with context.new_page() as page:
        page.goto(address)
        told = page.evaluate(READY, [file, {"cache": keeps}])
        return float(told["script"]), float(told["milliseconds"])


if __name__ == "__main__":
    main()
