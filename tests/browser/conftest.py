"""Chromium, the built site on a loopback address, and pages that may do nothing forbidden."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(CHECKOUT / "scripts"), str(Path(__file__).parent)]

from lesson import Lesson  # noqa: E402
from playground import Playground  # noqa: E402
from playwright.sync_api import Browser, BrowserContext, expect  # noqa: E402
from steps import site  # noqa: E402

SITE = CHECKOUT / "web" / "dist"
# How long a busy machine may take for what is usually there at once.
MILLISECONDS = 60_000
expect.set_options(timeout=MILLISECONDS)

# Runs before anything of the page, in every page.
WATCH = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => {
  window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`);
});
"""


@pytest.fixture(scope="session")
def site_folder() -> Path:
    if not (SITE / "index.html").exists():
        pytest.skip("there is no web/dist/: scripts/build makes it")
    return SITE


@pytest.fixture(scope="session")
def site_address(site_folder: Path) -> Iterator[str]:
    with site.served(site_folder) as address:
        yield address


# Not for the whole session: one process can have one Playwright at a time, and other tests want
# theirs.
@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser that has been nowhere yet."""
    with browser.new_context() as context:
        context.set_default_timeout(MILLISECONDS)
        context.add_init_script(WATCH)
        yield context


@pytest.fixture
def open_playground(
    context: BrowserContext, site_address: str
) -> Iterator[Callable[..., Playground]]:
    """Opens the playground; in the end, no page may have reported anything."""
    reports: list[str] = []

    def open_one(address: str = site_address) -> Playground:
        page = context.new_page()
        page.on("console", lambda message: reports.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: reports.append(f"uncaught: {error}"))
        playground = Playground(page)
        playground.open(address)
        return playground

    yield open_one
    violations = [line for page in context.pages for line in page.evaluate("window.violations")]
    assert violations == []
    assert reports == []


@pytest.fixture
def playground(open_playground: Callable[..., Playground]) -> Playground:
    return open_playground()


@pytest.fixture
def lesson(context: BrowserContext, site_address: str) -> Iterator[Lesson]:
    """The lesson; in the end, it may have reported nothing either."""
    page = context.new_page()
    reports: list[str] = []
    page.on("console", lambda message: reports.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: reports.append(f"uncaught: {error}"))
    lesson = Lesson(page, site_address)
    lesson.open()
    yield lesson
    assert page.evaluate("window.violations") == []
    assert reports == []
