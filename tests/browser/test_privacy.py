"""Nothing goes anywhere: the policy forbids it, and the page does not try."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playground import Playground
from playwright.sync_api import BrowserContext, expect


def test_every_request_is_a_plain_get_from_the_sites_own_folder(
    context: BrowserContext, open_playground: Callable[..., Playground], site_address: str
) -> None:
    requests: list[tuple[str, str]] = []
    context.on("request", lambda request: requests.append((request.method, request.url)))
    playground = open_playground()
    playground.store_for_offline()
    playground.type("a secret")
    playground.use("Demo BPE")
    assert len(requests) >= 5
    for method, url in requests:
        assert method == "GET"
        assert url.startswith(site_address)
        assert urlsplit(url).query == ""
    assert context.cookies() == []


def test_the_policy_allows_the_sites_own_files_and_nothing_else(site_folder: Path) -> None:
    page = (site_folder / "index.html").read_text(encoding="utf-8")
    meta = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert meta is not None
    policy = dict(part.strip().split(" ", 1) for part in meta[1].replace("&#39;", "'").split(";"))
    assert policy.pop("default-src") == "'none'"
    assert policy.pop("script-src") == "'self' 'wasm-unsafe-eval'"
    assert set(policy.values()) <= {"'self'", "'none'"}
    # It holds from the first tag on.
    assert page.index("Content-Security-Policy") < page.index("<script")


@pytest.mark.parametrize("page_name", ["", "lesson.html"])
def test_the_licences_are_a_click_away(
    context: BrowserContext, site_address: str, page_name: str
) -> None:
    page = context.new_page()
    page.goto(site_address + page_name)
    page.get_by_role("link", name="what of others is in it").click()
    expect(page.get_by_text("preact, MIT License")).to_be_visible()
    page.go_back()
    page.get_by_role("link", name="Apache License 2.0").click()
    expect(page.get_by_text("TERMS AND CONDITIONS")).to_be_visible()


@pytest.mark.parametrize(
    "attempt",
    [
        "document.head.append(Object.assign(document.createElement('script'), {text: '1'}))",
        "setTimeout('1')",
        "fetch('http://127.0.0.1:9/').catch(() => {})",
    ],
)
def test_the_watch_for_violations_sees_one(
    context: BrowserContext, site_address: str, attempt: str
) -> None:
    page = context.new_page()
    page.goto(site_address)
    page.evaluate(f"() => {{ {attempt} }}")
    page.wait_for_function("() => window.violations.length > 0")
