"""The package in Chromium, from plain files: no bundler, no server of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from bundled import TOKENIZER_JSON, TOKENIZER_JSON_IDS
from playwright.sync_api import Browser, Page, Route
from steps import site

TEXT = "ab c é🦙 \ud83e ab"

# The tiny model's ids of a text, loaded as a .model from bytes.
ENCODE = """async (text) => {
  const { Tokenizer } = await import("/dist/external.js");
  const { tinyModel } = await import("/test/tiny_model.mjs");
  const tokenizer = await Tokenizer.load(tinyModel());
  return [...tokenizer.encode(text)];
}"""
# The same, converted first and then loaded as a .spm.fb by way of a Blob's address.
ENCODE_CONVERTED = """async (text) => {
  const { convert, Tokenizer } = await import("/dist/index.js");
  const { tinyModel } = await import("/test/tiny_model.mjs");
  const blob = new Blob([await convert(tinyModel())]);
  const tokenizer = await Tokenizer.load(URL.createObjectURL(blob));
  return [...tokenizer.encode(text)];
}"""
# The same by two workers, as a batch.
ENCODE_IN_WORKERS = """async (text) => {
  const { WorkerTokenizer } = await import("/dist/worker.js");
  const { tinyModel } = await import("/test/tiny_model.mjs");
  const tokenizer = await WorkerTokenizer.load(tinyModel(), { workers: 2 });
  const [, ids] = await tokenizer.encodeBatch(["ab", text]);
  tokenizer.free();
  return [...ids];
}"""
# From an address, by way of the Cache API.
LOAD_KEPT = """async () => {
  const { Tokenizer } = await import("/dist/index.js");
  const tokenizer = await Tokenizer.load("/build/tiny.model", { cache: true });
  return [...tokenizer.encode("ab")];
}"""
# What could not be loaded, and what is kept of it.
LOAD_DAMAGED = """async () => {
  const { Tokenizer } = await import("/dist/index.js");
  const load = Tokenizer.load("/build/damaged.spm.fb", { cache: true });
  const code = await load.then(() => "loaded", (error) => error.code);
  return [code, (await (await caches.open("spmlite")).keys()).map(({ url }) => url)];
}"""
MODEL = """async () => {
  const { tinyModel } = await import("/test/tiny_model.mjs");
  return [...tinyModel()];
}"""
# A tokenizer.json, from an address.
LOAD_JSON = """async () => {
  const { Tokenizer } = await import("/dist/external.js");
  return [...(await Tokenizer.load("/build/tokenizer.json")).encode("b ax")];
}"""
LOAD_FOREIGN = """async (address) => {
  const { Tokenizer } = await import("/dist/external.js");
  return Tokenizer.load(address).then(() => "loaded", (error) => [error.code, error.message]);
}"""
IDS = [8, 3, 6, 3, 9, 10, 3, 11, 8]


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


@pytest.mark.parametrize("script", ["index.js", "external.js", "worker.js"])
def test_importing_asks_for_no_module(page: Page, script: str) -> None:
    names = requested_names(page)
    page.evaluate(f'import("/dist/{script}")')
    assert sorted(names) == ["errors.js", script]


def test_inlined_modules_are_scripts(page: Page) -> None:
    names = requested_names(page)
    assert page.evaluate(ENCODE_CONVERTED, TEXT) == IDS
    assert not [name for name in names if name.endswith(".wasm")]
    assert "spmlite-convert.packed.js" in names
    assert "spmlite-sampling.packed.js" not in names


def test_a_strict_content_security_policy(page: Page) -> None:
    def with_policy(route: Route) -> None:
        policy = "default-src 'none'; connect-src 'self' blob:; worker-src 'self'; "
        policy += "script-src 'self' 'wasm-unsafe-eval'"
        response = route.fetch()
        headers = response.headers | {"content-security-policy": policy}
        route.fulfill(response=response, headers=headers)

    page.route("**/dist/", with_policy)
    page.reload()
    refused = page.evaluate("Promise.resolve().then(() => fetch('data:,')).catch(() => 'refused')")
    assert refused == "refused"
    assert page.evaluate(ENCODE, TEXT) == IDS
    assert page.evaluate(ENCODE_CONVERTED, TEXT) == IDS
    assert page.evaluate(ENCODE_IN_WORKERS, TEXT) == IDS


def test_workers_share_what_there_is_to_do(page: Page) -> None:
    assert page.evaluate(ENCODE_IN_WORKERS, TEXT) == IDS


def test_a_model_is_kept_in_the_cache_api(page: Page) -> None:
    model = page.evaluate(MODEL)
    page.route("**/build/tiny.model", lambda route: route.fulfill(body=bytes(model)))
    first = page.evaluate(LOAD_KEPT)
    names = requested_names(page)
    second = page.evaluate(LOAD_KEPT)
    assert first == second == [8]
    assert names == []


def test_what_could_not_be_loaded_is_not_kept(page: Page) -> None:
    page.route("**/build/damaged.spm.fb", lambda route: route.fulfill(body=b"\x08\0\0\0SPML" * 9))
    for _ in range(2):  # the second time it would be believed
        assert page.evaluate(LOAD_DAMAGED) == ["INVALID_MODEL", []]


def test_the_converter_is_asked_for_when_a_model_needs_it(page: Page) -> None:
    names = requested_names(page)
    page.evaluate(LOAD_FOREIGN, "/dist/errors.js")
    assert [name for name in names if name.endswith(".wasm")] == ["spmlite.wasm"]
    page.evaluate(ENCODE, TEXT)
    page.evaluate(ENCODE, TEXT)
    assert sorted(name for name in names if name.endswith(".wasm")) == [
        "spmlite-convert.wasm",
        "spmlite.wasm",
    ]


def test_a_tokenizer_json_asks_for_the_readers_too(page: Page) -> None:
    page.route("**/build/tokenizer.json", lambda route: route.fulfill(json=TOKENIZER_JSON))
    names = requested_names(page)
    assert page.evaluate(LOAD_JSON) == TOKENIZER_JSON_IDS
    assert sorted(name for name in names if name.endswith(".wasm")) == [
        "spmlite-convert.wasm",
        "spmlite-readers.wasm",
        "spmlite.wasm",
    ]


def test_readers_that_are_missing(page: Page) -> None:
    page.route("**/build/tokenizer.json", lambda route: route.fulfill(json=TOKENIZER_JSON))
    page.route("**/spmlite-readers.wasm", lambda route: route.fulfill(status=404, body="no"))
    code, message = page.evaluate(LOAD_FOREIGN, "/build/tokenizer.json")
    assert code == "SOURCE"
    assert "spmlite-readers.wasm cannot be fetched: the server answered 404" in message


def test_a_server_that_does_not_know_webassembly(page: Page) -> None:
    def with_wrong_type(route: Route) -> None:
        response = route.fetch()
        headers = response.headers | {"content-type": "application/octet-stream"}
        route.fulfill(response=response, headers=headers)

    page.route("**/*.wasm", with_wrong_type)
    assert page.evaluate(ENCODE, TEXT) == IDS


def test_a_module_that_is_missing(page: Page) -> None:
    page.route("**/*.wasm", lambda route: route.fulfill(status=404, body="no"))
    code, message = page.evaluate(LOAD_FOREIGN, "/dist/errors.js")
    assert code == "SOURCE"
    assert "spmlite.wasm cannot be fetched: the server answered 404" in message


def test_pages_instead_of_models(page: Page) -> None:
    code, message = page.evaluate(LOAD_FOREIGN, "/no/such.model")
    assert code == "SOURCE"
    assert "404" in message
    code, message = page.evaluate(LOAD_FOREIGN, "/dist/")
    assert code == "INVALID_MODEL"
    assert "HTML" in message
