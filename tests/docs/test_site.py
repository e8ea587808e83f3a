"""The documentation's site: all pages, links that lead somewhere, nothing from strangers."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

CHECKOUT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(CHECKOUT / "scripts"))

from steps import documentation, sbom, site  # noqa: E402
from steps.stop import Stop  # noqa: E402

PAGES = ["README.md", *documentation.PAGES]
PAGES += [str(path.relative_to(CHECKOUT)) for path in sorted((CHECKOUT / "docs").rglob("*.md"))]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as strictly as mkdocs does it."""
    try:
        documentation.find_or_get()
    except Stop as stop:
        pytest.skip(str(stop))
    out = tmp_path_factory.mktemp("docs")
    documentation.build(out)
    return out


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    with site.served(folder) as address:
        yield address


def html_of(page: str) -> str:
    """A README is the first page of its folder."""
    path = Path(page)
    name = "index.html" if path.stem == "README" else f"{path.stem}.html"
    return path.with_name(name).as_posix()


def test_each_page_is_there_and_in_the_list_of_pages(folder: Path) -> None:
    first = (folder / "index.html").read_text("utf-8")
    for page in PAGES:
        assert (folder / html_of(page)).is_file(), page
        assert f'href="{html_of(page)}"' in first or page == "README.md", page
    print(f"{len(PAGES)} pages")


def test_the_licences_lie_beside_it(folder: Path) -> None:
    assert {"LICENSE", "NOTICE", "LICENSES"} <= {path.name for path in folder.iterdir()}


def test_a_link_that_leads_nowhere_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "page.md").write_text("[this](not-there.md), `[that](nor-this.md)`")
    monkeypatch.setattr(documentation, "CHECKOUT", tmp_path)
    with pytest.raises(Stop, match=r"page\.md links to not-there\.md"):
        documentation.for_the_site(Path("page.md"), set())


def test_nothing_comes_from_strangers_and_the_search_finds(
    address: str, page_without_strangers: Page
) -> None:
    page = page_without_strangers
    for name in map(html_of, ("README.md", "docs/python.md", "wasm/README.md")):
        page.goto(f"{address}{name}")
        assert page.title().endswith("spmlite"), name
    page.goto(f"{address}CONTRIBUTING.html")
    page.get_by_placeholder("Search").click()
    page.keyboard.type("streaming")
    expect(page.locator(".md-search-result__item").first).to_contain_text("Python", timeout=30_000)


def test_the_theme_has_no_packages_beside_those_listed(folder: Path) -> None:
    """As the maps of its scripts and styles name them; LICENSES/components.toml has the list."""
    maps = [json.loads(file.read_text("utf-8")) for file in (folder / "assets").rglob("*.map")]
    sources = [source for one in maps for source in one["sources"]]
    packages = {found[1] for one in sources if (found := re.search(r"node_modules/([^/]+)/", one))}
    listed = {one["name"] for one in sbom.components() if "docs" in one["artefacts"]}
    print(f"{len(packages)} packages: {', '.join(sorted(packages))}")
    assert packages
    assert packages <= listed
