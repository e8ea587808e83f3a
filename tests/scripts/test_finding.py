"""Finding tools: what is taken, what is refused, and what is said then."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest
from steps import chromium, console, emscripten, node, pyodide_build, test_data
from steps.stop import Stop


def make_emscripten(folder: Path, version: str) -> Path:
    folder.mkdir(parents=True)
    (folder / "emscripten-version.txt").write_text(f'"{version}"\n', encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("version", "is_taken"), [("3.1.68", False), ("3.1.69", True), ("5.0.3", True)]
)
def test_emscripten_of_the_emsdk_variable(
    version: str, is_taken: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_emscripten(tmp_path / "upstream" / "emscripten", version)
    monkeypatch.setenv("EMSDK", str(tmp_path))
    found = emscripten._in_emsdk_variable()
    assert (found is not None) == is_taken
    if found is not None:
        assert (found.version, found.origin) == (version, "$EMSDK")
        assert found.environment()["PATH"].startswith(str(found.bin))


def test_no_emscripten_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable() -> emscripten.Emscripten:
        raise Stop("It cannot be reached.")

    for get in ("_get_emsdk", "_get_from_apt", "_get_for_debian12"):
        monkeypatch.setattr(emscripten, get, unreachable)
    with pytest.raises(Stop, match=r"Emscripten is missing: install 3\.1\.69 or newer"):
        emscripten._get()


def test_a_chromium_named_but_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPMLITE_CHROMIUM", "/no/such/browser")
    with pytest.raises(Stop, match="SPMLITE_CHROMIUM names /no/such/browser"):
        chromium._named()


def test_a_package_cannot_write_outside_its_folder(tmp_path: Path) -> None:
    archive = tmp_path / "bad.tgz"
    with tarfile.open(archive, "w:gz") as tar:
        tar.addfile(tarfile.TarInfo("package/../../outside"), io.BytesIO())
    with pytest.raises(Stop, match="leads out of its folder"):
        node._unpack(archive, tmp_path / "folder", "package/")


def test_npm_ci_runs_only_when_the_lock_file_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands: list[object] = []
    monkeypatch.setattr(console, "run", lambda command, **_: commands.append(command))
    monkeypatch.setattr(
        node, "find_or_get", lambda: node.Node(tmp_path / "node", ("npm",), "20.0.0", "PATH")
    )
    (tmp_path / "package-lock.json").write_text("{}", encoding="utf-8")
    node.npm_ci(tmp_path)
    node.npm_ci(tmp_path)
    assert len(commands) == 1
    (tmp_path / "package-lock.json").write_text('{"name": "changed"}', encoding="utf-8")
    node.npm_ci(tmp_path)
    assert len(commands) == 2


def test_macros_take_the_names_of_the_host_and_the_values_of_the_target() -> None:
    host = "#define SIZEOF_LONG 8\n/* #undef HAVE_A */\n#define HAVE_B 1\n#define OTHER 1\n"
    config = pyodide_build._target_config(host, {"SIZEOF_LONG": 4, "HAVE_A": 1, "HAVE_B": 0})
    assert config.splitlines() == [
        "#define SIZEOF_LONG 4",
        "#define HAVE_A 1",
        "/* #undef HAVE_B */",
        "/* #undef OTHER */",
    ]


def test_paragraphs_of_a_page(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(
        "<title>no</title><h1>A &amp; b</h1><ol><li>one\n  two<li><p>three</p></ol>",
        encoding="utf-8",
    )
    assert test_data._paragraphs(page) == "A & b\none two\nthree\n"
