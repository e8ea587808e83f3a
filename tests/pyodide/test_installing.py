"""The wheel, installed from a server on this machine: by micropip and by loadPackage."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import spmlite
from playwright.sync_api import Browser, Page, expect
from steps import site

RunNode = Callable[..., str]

CHECKOUT = Path(__file__).resolve().parents[2]
EXAMPLE = CHECKOUT / "docs" / "pyodide"
TEXT = "Hello wörld, 🦙!"
MILLISECONDS = 120_000


@pytest.fixture(scope="module")
def model(spm_fb_paths: dict[str, Path]) -> Path:
    """One of 32,000 pieces, where the registries gave it."""
    return spm_fb_paths.get("mistral_v1") or next(iter(spm_fb_paths.values()))


@pytest.fixture(scope="module")
def ids(model: Path) -> list[int]:
    return spmlite.SentencePieceProcessor(model_file=model).encode(TEXT)


@pytest.fixture(scope="module")
def server(
    wheel: Path,
    folder: Path,
    helper_wheels: dict[str, Path],
    model: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[str]:
    """The address of a folder laid out as docs/pyodide.md says."""
    root = tmp_path_factory.mktemp("site")
    shutil.copytree(EXAMPLE, root, dirs_exist_ok=True)
    (root / "pyodide").symlink_to(folder, target_is_directory=True)
    wheels = [helper_wheels[name] for name in ("packaging", "micropip", "tqdm")] + [wheel]
    (root / "wheels").mkdir()
    for path in wheels:
        shutil.copy(path, root / "wheels")
    names = [path.name for path in wheels]
    (root / "wheels" / "index.json").write_text(json.dumps(names), encoding="utf-8")
    shutil.copy(model, root / "model.spm.fb")
    with site.served(root) as address:
        yield address


@pytest.fixture(scope="module")
def open_page(browser: Browser) -> Iterator[Callable[[str], Page]]:
    """Opens a page in Chromium; in the end, none may have thrown anything."""
    thrown: list[str] = []

    def open_one(address: str) -> Page:
        page = browser.new_page()
        page.set_default_timeout(MILLISECONDS)
        page.on("pageerror", lambda error: thrown.append(str(error)))
        page.goto(address)
        return page

    yield open_one
    assert thrown == []


def wheel_urls(address: str, *wheels: Path) -> list[str]:
    return [f"{address}wheels/{path.name}" for path in wheels]


def test_micropip_in_node(
    server: str,
    folder: Path,
    wheel: Path,
    helper_wheels: dict[str, Path],
    model: Path,
    ids: list[int],
    run_node: RunNode,
) -> None:
    helpers = [helper_wheels[name] for name in ("micropip", "packaging", "tqdm")]
    urls = wheel_urls(server, *helpers, wheel)
    found = json.loads(run_node("install_wheels.mjs", folder, model, TEXT, *urls))
    print(f"import {found['import_ms']:.0f} ms, model loaded in {found['load_ms']:.0f} ms")
    assert found["ids"] == ids
    assert found["version"] == spmlite.__version__


def test_load_package_in_chromium(
    server: str,
    wheel: Path,
    helper_wheels: dict[str, Path],
    ids: list[int],
    open_page: Callable[[str], Page],
) -> None:
    page = open_page(f"{server}wheels/")  # any page of the server will do
    program = """async ([server, urls, text]) => {
      const { loadPyodide } = await import(`${server}pyodide/pyodide.mjs`);
      const pyodide = await loadPyodide();
      await pyodide.loadPackage(urls, { messageCallback() {} });
      const model = await fetch(`${server}model.spm.fb`);
      pyodide.FS.writeFile("/model.spm.fb", new Uint8Array(await model.arrayBuffer()));
      pyodide.globals.set("text", text);
      const ids = pyodide.runPython(`
import spmlite
spmlite.SentencePieceProcessor(model_file="/model.spm.fb").encode(text)
`);
      return ids.toJs();
    }"""
    urls = wheel_urls(server, helper_wheels["tqdm"], wheel)
    assert page.evaluate(program, [server, urls, TEXT]) == ids


def test_the_example_page_in_chromium(
    server: str, ids: list[int], open_page: Callable[[str], Page]
) -> None:
    """It installs with micropip, and encodes what is typed."""
    page = open_page(server)
    expect(page.get_by_text("pieces, in Python")).to_be_visible(timeout=MILLISECONDS)
    page.get_by_label("Text").fill(TEXT)
    expect(page.get_by_label("Ids")).to_have_text(" ".join(map(str, ids)))
