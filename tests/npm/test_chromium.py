"""The package in Chromium, from plain files: no bundler, no server of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, sync_playwright
from steps import chromium, site

TEXT = "ab c é🦙 \ud83e ab"

# The tiny model's ids of a text, loaded as a .model from bytes.
ENCODE = """async (text) => {
  const { Tokenizer } = await import("/dist/index.js");
  const { tinyModel } = await import("/test/tiny_model.mjs");
  const tokenizer = await Tokenizer.load(tinyModel());
  return [...tokenizer.encode(text)];
}"""
# The same, converted first and then loaded as a .spm.fb by way of a Blob's address.
ENCODE_CONVERTED = """async (text) => {
  const { Tokenizer } = await import("/dist/index.js");
  const { convert } = await import("/dist/converter.js");
  const { tinyModel } = await import("/test/tiny_model.mjs");
  const blob = new Blob([await convert({ name: "tiny", bytes: tinyModel() })]);
  const tokenizer = await Tokenizer.load(URL.createObjectURL(blob));
  return [...tokenizer.encode(text)];
}"""
LOAD_FOREIGN = """async (address) => {
  const { Tokenizer } = await import("/dist/index.js");
  return Tokenizer.load(address).then(() => "loaded", (error) => [error.code, error.message]);
}"""
IDS = [8, 3, 6, 3, 9, 10, 3, 11, 8]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    found = chromium.find_or_get()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=found.executable, args=list(found.arguments)
        )
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser, package: Path) -> Iterator[Page]:
    """A page of a server that knows nothing but the package's files."""
    with site.served(package) as address, browser.new_page() as page:
        page.goto(f"{address}dist/")
        yield page


def requested_names(page: Page) -> list[str]:
    """The names of the files that the page asks for from now on."""
    names: list[str] = []
    page.on("request", lambda request: names.append(request.url.rpartition("/")[2]))
    return names


def test_a_model_is_converted_and_used(page: Page) -> None:
    assert page.evaluate(ENCODE, TEXT) == IDS
    assert page.evaluate(ENCODE_CONVERTED, TEXT) == IDS


def test_importing_asks_for_no_module(page: Page) -> None:
    names = requested_names(page)
    page.evaluate('import("/dist/index.js")')
    assert "index.js" in names
    assert not [name for name in names if name.endswith(".wasm")]


def test_the_converter_is_asked_for_when_a_model_needs_it(page: Page) -> None:
    names = requested_names(page)
    page.evaluate(LOAD_FOREIGN, "/package.json")
    assert [name for name in names if name.endswith(".wasm")] == ["spmlite.wasm"]
    page.evaluate(ENCODE, TEXT)
    page.evaluate(ENCODE, TEXT)
    assert sorted(name for name in names if name.endswith(".wasm")) == [
        "spmlite-convert.wasm",
        "spmlite.wasm",
    ]


def test_a_server_that_does_not_know_webassembly(page: Page) -> None:
    def with_wrong_type(route: Route) -> None:
        response = route.fetch()
        headers = response.headers | {"content-type": "application/octet-stream"}
        route.fulfill(response=response, headers=headers)

    page.route("**/*.wasm", with_wrong_type)
    assert page.evaluate(ENCODE, TEXT) == IDS


def test_a_module_that_is_missing(page: Page) -> None:
    page.route("**/*.wasm", lambda route: route.fulfill(status=404, body="no"))
    code, message = page.evaluate(LOAD_FOREIGN, "/package.json")
    assert code == "SOURCE"
    assert "spmlite.wasm cannot be fetched: the server answered 404" in message


def test_pages_instead_of_models(page: Page) -> None:
    code, message = page.evaluate(LOAD_FOREIGN, "/no/such.model")
    assert code == "SOURCE"
    assert "404" in message
    code, message = page.evaluate(LOAD_FOREIGN, "/dist/")
    assert code == "INVALID_MODEL"
    assert "HTML" in message
