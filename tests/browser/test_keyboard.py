"""The keyboard alone does everything."""

from __future__ import annotations

from pathlib import Path

import spmlite as spm
from playground import Playground
from playwright.sync_api import expect

FOCUSED = """() => {
  const it = document.activeElement;
  const label = it.labels?.[0]?.innerText ?? it.innerText;
  return (it.getAttribute("aria-label") ?? label ?? "").trim();
}"""


def tab_to(playground: Playground, name: str, most: int = 40) -> None:
    """Press Tab until what has this name has the focus."""
    passed = []
    for _ in range(most):
        playground.page.keyboard.press("Tab")
        focused = playground.page.evaluate(FOCUSED)
        passed.append(focused)
        if focused.startswith(name):
            return
    raise AssertionError(f"Tab does not come to {name}, but to {passed}")


def test_a_visit_without_a_pointer(playground: Playground, site_folder: Path) -> None:
    keys = playground.page.keyboard
    tab_to(playground, "Demo BPE")
    keys.press("Space")
    expect(playground.column("Demo BPE").panel).to_be_visible()
    tab_to(playground, "Text")
    keys.press("Control+A")
    keys.type("born free café")
    column = playground.column("Demo BPE")
    column.wait()
    processor = spm.SentencePieceProcessor(
        model_file=str(site_folder / "models" / "demo_bpe.spm.fb")
    )
    assert column.ids() == processor.encode("born free café")
    tab_to(playground, "Next difference")
    keys.press("Enter")
    tab_to(playground, "Limit in tokens")
    keys.press("Control+A")
    keys.type("3")
    expect(column.panel.locator(".fit")).to_contain_text("Too long")
    tab_to(playground, "Pieces")
    keys.press("ArrowRight")
    expect(playground.page.get_by_role("radio", name="Ids")).to_be_checked()
    tab_to(playground, "Tokens of Demo BPE")
    keys.press("End")
    expect(column.card).to_contain_text(f"token {len(column.ids())} of")
    tab_to(playground, "Take the ids of the text")
    keys.press("Enter")
    tab_to(playground, "Ids")
    keys.press("End")
    tab_to(playground, "Merge tree")
    tab_to(playground, "Dropout")
    keys.press("ArrowUp")
    expect(playground.page.get_by_label("Dropout")).to_have_value("0.15")


def test_the_focus_is_always_to_be_seen(playground: Playground) -> None:
    shown = """() => {
      const it = document.activeElement;
      const at = (element) => getComputedStyle(element).outlineStyle !== "none";
      return at(it) || at(it.parentElement) || (it.nextElementSibling && at(it.nextElementSibling));
    }"""
    seen = 0
    for _ in range(20):
        playground.page.keyboard.press("Tab")
        if playground.page.evaluate("document.activeElement === document.body"):
            break
        assert playground.page.evaluate(shown), playground.page.evaluate(FOCUSED)
        seen += 1
    print(f"  {seen} elements in a row")
    assert seen >= 10
