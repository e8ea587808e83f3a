"""axe finds no violation in the lesson, light and dark, wide and narrow."""

from __future__ import annotations

from typing import Literal

import pytest
from lesson import Lesson
from playwright.sync_api import expect
from test_accessibility import RUN_AXE, SPREAD_HUES, axe

__all__ = ["axe"]


@pytest.mark.parametrize("width", [1280, 320])
@pytest.mark.parametrize("colors", ["light", "dark"])
def test_axe_finds_nothing(
    lesson: Lesson, axe: str, colors: Literal["light", "dark"], width: int
) -> None:
    page = lesson.page
    page.emulate_media(color_scheme=colors)
    page.set_viewport_size({"width": width, "height": 800})
    for summary in page.locator("summary").all():
        summary.click()
    page.get_by_role("checkbox", name="Leave when you can").first.check()
    lesson.lab("Three trainers").get_by_label("Probe word").fill("lowz")
    expect(lesson.lab("There and back").locator(".verdict").last).to_contain_text("comes back")
    page.evaluate(axe)
    for _ in range(2):
        result = page.evaluate(RUN_AXE)
        assert result["found"] == []
        assert result["passed"] > 25, "axe looked at nothing"
        page.evaluate(SPREAD_HUES)
