"""After the first visit the page needs no network, wherever it is served from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playground import Playground
from playwright.sync_api import BrowserContext, expect
from steps import site


def check_works(playground: Playground) -> None:
    playground.wait()
    playground.type("free and equal")
    assert len(playground.ids()) > 0


def test_it_works_offline_after_the_first_visit(
    context: BrowserContext,
    open_playground: Callable[..., Playground],
    site_folder: Path,
    tmp_path: Path,
) -> None:
    with site.served(site_folder) as address:
        playground = open_playground(address)
        playground.store_for_offline()
    # The server is gone; this takes away the network as well.
    context.set_offline(True)
    playground.page.reload()
    check_works(playground)
    playground.use("Demo BPE")
    # Offline, too, it says which file is no model: and to know, nothing is to be fetched.
    playground.open_bytes("cut.model", b"\x0a\x05\x0a\x03abc")
    expect(playground.problem).to_contain_text("cut.model")


def test_a_model_file_is_converted_offline(
    context: BrowserContext,
    open_playground: Callable[..., Playground],
    site_folder: Path,
    model_paths: dict[str, Path],
) -> None:
    with site.served(site_folder) as address:
        playground = open_playground(address)
        playground.store_for_offline()
    context.set_offline(True)
    playground.page.reload()
    playground.wait()
    model = next(path for path in model_paths.values() if path.suffix == ".model")
    playground.open_files(model)
    expect(playground.column(model.name).panel).to_be_visible()
    check_works(playground)


def test_it_works_in_a_folder_of_a_site_offline_too(
    context: BrowserContext,
    open_playground: Callable[..., Playground],
    site_folder: Path,
    tmp_path: Path,
) -> None:
    (tmp_path / "some").mkdir()
    (tmp_path / "some" / "where").symlink_to(site_folder, target_is_directory=True)
    with site.served(tmp_path) as address:
        playground = open_playground(f"{address}some/where/")
        check_works(playground)
        playground.store_for_offline()
    context.set_offline(True)
    playground.page.reload()
    check_works(playground)


def test_a_new_build_is_shown_at_the_next_visit(
    open_playground: Callable[..., Playground], site_folder: Path, tmp_path: Path
) -> None:
    for file in site_folder.iterdir():
        if file.name != "index.html":
            (tmp_path / file.name).symlink_to(file)
    page = (site_folder / "index.html").read_text(encoding="utf-8")
    (tmp_path / "index.html").write_text(page, encoding="utf-8")
    with site.served(tmp_path) as address:
        playground = open_playground(address)
        playground.store_for_offline()
        newer = page.replace("<title>spmlite playground", "<title>a newer playground")
        (tmp_path / "index.html").write_text(newer, encoding="utf-8")
        playground.page.reload()
        expect(playground.page).to_have_title("a newer playground")
