"""axe finds no violation, whatever the page shows, light and dark, wide and narrow."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from playground import Playground

AXE = Path(__file__).resolve().parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"

RUN_AXE = """async () => {
  const { violations, passes } = await axe.run();
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary}`));
  return { found, passed: passes.length };
}"""

# An id gives a token any hue: this gives the tokens hues all around the circle.
SPREAD_HUES = """() => {
  const chips = [...document.querySelectorAll(".chip")];
  chips.forEach((chip, i) => chip.style.setProperty("--hue", String((360 * i) / chips.length)));
}"""


@pytest.fixture(scope="module")
def axe() -> str:
    if not AXE.exists():
        pytest.skip("axe-core is not there: `npm ci` in web/ brings it")
    return AXE.read_text(encoding="utf-8")


def check(playground: Playground, axe: str) -> None:
    playground.page.evaluate(axe)
    result = playground.page.evaluate(RUN_AXE)
    assert result["found"] == []
    assert result["passed"] > 15, "axe looked at nothing"


@pytest.mark.parametrize("width", [1280, 320])
@pytest.mark.parametrize("colors", ["light", "dark"])
def test_axe_finds_nothing(
    open_playground: Callable[..., Playground],
    axe: str,
    colors: Literal["light", "dark"],
    width: int,
) -> None:
    playground = open_playground()
    playground.page.emulate_media(color_scheme=colors)
    playground.page.set_viewport_size({"width": width, "height": 800})
    # Short, since axe looks at each token for itself.
    playground.type("All human beings, café 👋\n人間 हैं")
    for view in ("Pieces", "Ids", "Bytes"):
        playground.choose(view)
        check(playground, axe)
    playground.choose("Pieces")
    playground.model("Demo BPE").check()
    playground.column("Demo BPE").wait()
    playground.page.get_by_label("Limit in tokens").fill("9")
    playground.page.get_by_role("button", name="Next difference").click()
    playground.column("Demo BPE").tokens.nth(2).click()
    playground.page.get_by_label("Merge tree").wait_for()
    playground.tokens.nth(3).hover()
    playground.ids_to_decode.fill("no ids")
    playground.open_bytes("page.model", b"<!doctype html>")
    playground.page.locator(".problem").wait_for()
    check(playground, axe)
    playground.page.evaluate(SPREAD_HUES)
    check(playground, axe)


def test_axe_would_find_something(playground: Playground, axe: str) -> None:
    playground.page.evaluate("document.body.append(document.createElement('textarea'))")
    playground.page.evaluate(axe)
    assert any("label" in line for line in playground.page.evaluate(RUN_AXE)["found"])
