"""A megabyte stays fluid, the first paint is early and nothing jumps, the scripts are small.

A busy machine adds to the time that passes, and never takes from it. So the times of this file are
the best of a few tries, or processor time of the page's main thread, to which others add little.
Where the best is too slow while others keep the machine busy, the test is skipped and says so.
What is close to its limit on a slow machine is asked for by `-m quiet`.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playground import Playground
from playwright.sync_api import Browser, BrowserContext, Page, expect

MEGABYTE = 1_000_000
SHOWN_MILLISECONDS = 500
KEY_MILLISECONDS = 50
KEYS = 12
FIRST_PAINT_MILLISECONDS = 1_000
SCRIPT_KILOBYTES = 90
SLOWED = 4
TRIES = 3

# Pastes as a user does, and tells how many milliseconds later the first tokens of the text are
# there, and those of all of it.
PASTE = """async (text) => {
  const box = document.querySelector("#text");
  const panel = document.querySelector(".tokens-panel");
  box.focus();
  box.select();
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  const start = performance.now();
  const init = { clipboardData, bubbles: true, cancelable: true };
  box.dispatchEvent(new ClipboardEvent("paste", init));
  const frame = () => new Promise(requestAnimationFrame);
  const tokens = () => Number(panel.querySelector(".chip")?.getAttribute("aria-setsize"));
  while (tokens() < 1_000) await frame();
  const first = performance.now() - start;
  while (panel.getAttribute("aria-busy") !== "false") await frame();
  await frame();
  return [first, performance.now() - start];
}"""

# From the key's first event to the end of the frame that shows it.
WATCH_KEYS = """() => {
  window.keys = [];
  document.querySelector("#text").addEventListener("keydown", (event) => {
    requestAnimationFrame(() => setTimeout(() => keys.push(performance.now() - event.timeStamp)));
  });
}"""

WATCH_PAINT = """
window.shifts = [];
const told = ({ x, y, width, height }) => [x, y, width, height].join(" ");
new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries())
    for (const { node, previousRect, currentRect } of sources) {
      const name = `${node?.nodeName} ${node?.className} ${node?.textContent.slice(0, 30)}`;
      window.shifts.push(`${value}: ${name}, ${told(previousRect)} to ${told(currentRect)}`);
    }
}).observe({ type: "layout-shift", buffered: true });
"""


@pytest.fixture(scope="module")
def megabyte(text_lines: dict[str, list[str]]) -> str:
    """A megabyte of UTF-8: a book, then many languages, over and over."""
    names = [name for name in text_lines if name in ("botchan", "udhr")] or list(text_lines)
    content = "\n".join(line for name in names for line in text_lines[name][:6_000]).encode()
    content *= 1 + MEGABYTE // len(content)
    return content[:MEGABYTE].decode(errors="ignore")


def pastes(playground: Playground, text: str) -> Iterator[tuple[float, float]]:
    """Milliseconds until the first tokens of a pasted text are there, and until all are."""
    for i in range(TRIES):
        first, all_ = playground.page.evaluate(PASTE, text)
        yield first, all_
        # The box holds a section of a long text: a link replaces all of it.
        playground.page.evaluate(f"location.hash = 'text=short+again+{i}&models=unigram'")
        expect(playground.text).to_have_value(f"short again {i}")
        playground.wait()


def test_a_pasted_megabyte_is_shown_at_once(playground: Playground, megabyte: str) -> None:
    firsts = [first for first, _ in pastes(playground, megabyte)]
    print(f"  1 MB pasted: the first tokens after {told(firsts)} ms")
    assert_below(SHOWN_MILLISECONDS, min(firsts))


@pytest.mark.quiet
def test_all_tokens_of_a_pasted_megabyte_are_there_at_once(
    playground: Playground, megabyte: str
) -> None:
    alls = [all_ for _, all_ in pastes(playground, megabyte)]
    print(f"  1 MB pasted: all tokens after {told(alls)} ms")
    assert_below(SHOWN_MILLISECONDS, min(alls))


def assert_below(limit: float, milliseconds: float) -> None:
    """Nothing is said of a machine that has more to do than it has processors."""
    load = os.getloadavg()[0]
    processors = os.cpu_count() or 1
    if milliseconds >= limit and load > 1.5 * processors:
        pytest.skip(
            f"{milliseconds:.0f} ms, where {limit} are the limit, on a machine that is busy with "
            f"{load:.0f} tasks on {processors} processors: measure again when it is quiet"
        )
    assert milliseconds < limit


def told(times: list[float]) -> str:
    return ", ".join(f"{time:.0f}" for time in times)


def main_thread_tasks(trace: bytes) -> Iterator[float]:
    """Processor time of each task of the page's main thread, in milliseconds."""
    events: list[dict[str, Any]] = json.loads(trace)["traceEvents"]
    main = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    for event in events:
        if (
            event["name"] == "ThreadControllerImpl::RunTask"
            and (event["pid"], event["tid"]) in main
        ):
            yield event.get("tdur", 0) / 1000


@dataclass
class Typing:
    """Milliseconds: of each key until a frame showed it, and of the main thread's own time."""

    until_frame: list[float]
    of_keys: list[float]
    of_tasks: list[float]
    """The longest first."""


@pytest.fixture
def typing(browser: Browser, playground: Playground, megabyte: str) -> Typing:
    """What some keys in the midst of a megabyte took."""
    page = playground.page
    page.evaluate(PASTE, megabyte)
    print(f"  {playground.count('tokens').inner_text()} tokens")
    page.evaluate("document.querySelector('#text').setSelectionRange(900, 900)")
    # The first key meets code that was never run.
    page.keyboard.press("x")
    playground.wait()
    page.evaluate(WATCH_KEYS)
    client = page.context.new_cdp_session(page)
    client.send("Performance.enable")
    busy = []
    browser.start_tracing(
        page=page, categories=["toplevel", "disabled-by-default-devtools.timeline"]
    )
    for _ in range(KEYS):
        metrics = client.send("Performance.getMetrics")["metrics"]
        busy.append(next(m["value"] for m in metrics if m["name"] == "ThreadTime"))
        page.keyboard.press("x")
        page.wait_for_timeout(100)
    playground.wait()
    tasks = sorted(main_thread_tasks(browser.stop_tracing()), reverse=True)
    each = [1000 * (after - before) for before, after in pairwise(busy)]
    found = Typing(page.evaluate("window.keys"), each, tasks)
    print(
        f"  {KEYS} keys into 1 MB: from key to frame {statistics.median(found.until_frame):.0f} ms "
        f"(median); processor time of the main thread {statistics.median(each):.0f} ms a key "
        f"(median), {told(tasks[:3])} ms its longest of {len(tasks)} tasks"
    )
    return found


def test_typing_into_a_megabyte_holds_no_frame_up(typing: Typing) -> None:
    assert len(typing.until_frame) == KEYS
    assert_below(KEY_MILLISECONDS, statistics.median(typing.of_keys))


@pytest.mark.quiet
def test_typing_into_a_megabyte_has_no_long_task(typing: Typing) -> None:
    assert_below(KEY_MILLISECONDS, typing.of_tasks[0])


def test_the_page_is_there_before_any_script(browser: Browser, site_address: str) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(site_address)
        expect(page.get_by_text("Loading Demo Unigram")).to_be_visible()
        expect(page.locator("#text")).to_have_value(re.compile("^All human beings"))
        # The policy would refuse its styles.
        expect(page.locator("[style]")).to_have_count(0)


def slow_visit(context: BrowserContext, site_address: str) -> Page:
    """The page once all of it is there, on a slowed processor."""
    page = context.new_page()
    client = context.new_cdp_session(page)
    client.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    playground = Playground(page)
    playground.open(site_address)
    playground.store_for_offline()
    expect(playground.round_trip).to_contain_text("Decoding")
    expect(page.locator(".cuts").first).to_be_visible()
    return page


def test_nothing_jumps_on_a_slow_machine(context: BrowserContext, site_address: str) -> None:
    context.add_init_script(WATCH_PAINT)
    for _ in range(TRIES):
        page = slow_visit(context, site_address)
        assert page.evaluate("window.shifts") == []
        page.close()


def test_the_first_paint_is_early_on_a_slow_machine(
    context: BrowserContext, site_address: str
) -> None:
    paints = []
    for _ in range(TRIES):
        page = slow_visit(context, site_address)
        paints.append(
            page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
        )
        page.close()
    print(f"  first paint after {told(paints)} ms, the processor slowed {SLOWED} times")
    assert_below(FIRST_PAINT_MILLISECONDS, min(paints))


def test_the_scripts_are_small(site_folder: Path) -> None:
    """All of the playground's, workers included, which is more than one visit fetches."""
    assets = (site_folder / "assets").glob("*.js")
    sizes = {
        script.name: len(gzip.compress(script.read_bytes())) / 1000
        for script in assets
        if not script.name.startswith("lesson")
    }
    print(f"  {sum(sizes.values()):.1f} KB: {sizes}")
    assert len(sizes) >= 3
    assert sum(sizes.values()) < SCRIPT_KILOBYTES
