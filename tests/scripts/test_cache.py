"""The cache folder: made once, whole or not at all, and only of what was pinned."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from steps import cache
from steps.stop import Stop


def write_file(folder: Path) -> None:
    (folder / "file").write_text("content", encoding="utf-8")


def refuse(folder: Path) -> None:
    pytest.fail(f"{folder} was made a second time")


def test_a_folder_is_made_once(cache_folder: Path) -> None:
    folder = cache.made_once("part/of", "1", write_file)
    assert folder == cache_folder / "part" / "of"
    assert cache.made_once("part/of", "1", refuse) == folder
    assert (folder / "file").read_text(encoding="utf-8") == "content"


def test_another_version_takes_its_place() -> None:
    folder = cache.made_once("part", "1", write_file)
    cache.made_once("part", "2", lambda draft: (draft / "other").touch())
    assert (folder / "other").exists()
    assert not (folder / "file").exists()


def test_a_failure_leaves_the_old_folder_and_no_draft() -> None:
    folder = cache.made_once("part", "1", write_file)

    def fail(draft: Path) -> None:
        write_file(draft)
        raise Stop("The network is gone.")

    with pytest.raises(Stop):
        cache.made_once("part", "2", fail)
    assert cache.is_complete(folder, "1")
    assert [entry.name for entry in folder.parent.glob(".part*")] == []


def test_what_a_killed_script_left_is_cleared_away(cache_folder: Path) -> None:
    left_over = cache_folder / ".part.x1y2"
    left_over.mkdir(parents=True)
    cache.made_once("part", "1", write_file)
    assert not left_over.exists()


def test_an_interrupted_folder_in_place_is_made_anew() -> None:
    folder = cache.root() / "environment"
    folder.mkdir(parents=True)
    (folder / "half").touch()
    cache.made_in_place("environment", "1", write_file)
    assert not (folder / "half").exists()
    assert cache.is_complete(folder, "1")


def test_a_changed_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "wheel.whl"
    file.write_bytes(b"content")
    cache.check_sha256(file, hashlib.sha256(b"content").hexdigest())
    with pytest.raises(Stop, match=r"wheel\.whl has the digest .* instead of the pinned"):
        cache.check_sha256(file, hashlib.sha256(b"other").hexdigest())


def test_npm_notation_of_digests(tmp_path: Path) -> None:
    file = tmp_path / "package.tgz"
    file.write_bytes(b"")
    empty = (
        "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs"
        "6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="
    )
    cache.check_integrity(file, empty)
    with pytest.raises(Stop):
        cache.check_integrity(file, empty.replace("z4Ph", "aaaa"))


def test_package_managers_keep_their_caches_below_ours(cache_folder: Path) -> None:
    env = cache.environment()
    for name in ("PIP_CACHE_DIR", "npm_config_cache"):
        assert Path(env[name]).is_relative_to(cache_folder)
