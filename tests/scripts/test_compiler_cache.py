"""The compiler cache: what one checkout has compiled, another need not; a release does without."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from steps import apt, cache, compiler_cache, compilers, release

CMAKE_LISTS = """\
cmake_minimum_required(VERSION 3.20)
project(small LANGUAGES CXX)
add_library(small STATIC "${CMAKE_SOURCE_DIR}/small.cc")
target_include_directories(small PRIVATE "${CMAKE_SOURCE_DIR}/include")
"""


@pytest.fixture(autouse=True)
def looked_for_anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing is installed for a test, and nothing that it found outlives it."""
    monkeypatch.setattr(apt, "can_install", lambda: False)
    monkeypatch.delenv("CCACHE_DISABLE", raising=False)
    compiler_cache.find_or_get.cache_clear()
    yield
    compiler_cache.find_or_get.cache_clear()


@pytest.fixture
def ccache() -> compiler_cache.CompilerCache:
    """This machine's."""
    found = compiler_cache.find_or_get()
    if found is None:
        pytest.skip("no ccache here: scripts/toolchain installs it where apt has it")
    return found


def write_checkout(folder: Path) -> Path:
    (folder / "include").mkdir(parents=True)
    (folder / "CMakeLists.txt").write_text(CMAKE_LISTS, encoding="utf-8")
    (folder / "include" / "small.h").write_text("int small();\n", encoding="utf-8")
    source = '#include "small.h"\nint small() { return 1; }\n'
    (folder / "small.cc").write_text(source, encoding="utf-8")
    return folder


def build(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Configure and build it as scripts/build does."""
    monkeypatch.setattr(compiler_cache, "CHECKOUT", checkout)
    cmake, folder = compilers.cmake().executable, checkout / "build"
    configure: list[str | Path] = [cmake, "-S", checkout, "-B", folder, "-G", "Ninja"]
    configure.append(f"-DCMAKE_MAKE_PROGRAM={compilers.ninja().executable}")
    configure += compiler_cache.cmake_options()
    env = cache.environment() | compiler_cache.variables()
    for command in (configure, [cmake, "--build", folder]):
        subprocess.run(command, env=env, check=True, capture_output=True)


def counts(ccache: compiler_cache.CompilerCache) -> tuple[int, int]:
    """How often it knew the answer, and how often not."""
    env = os.environ | compiler_cache.variables()
    command = [ccache.executable, "--print-stats"]
    printed = subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout
    told = dict(line.split("\t") for line in printed.splitlines())
    return (
        int(told["direct_cache_hit"]) + int(told["preprocessed_cache_hit"]),
        int(told["cache_miss"]),
    )


def test_what_one_checkout_compiled_another_is_given(
    ccache: compiler_cache.CompilerCache,
    cache_folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, other = tmp_path / "one", tmp_path / "another-of-a-longer-name"
    build(write_checkout(one), monkeypatch)
    assert (cache_folder / "ccache").is_dir()
    hits, misses = counts(ccache)
    assert misses >= 1
    build(write_checkout(other), monkeypatch)
    again = counts(ccache)
    print(f"ccache {ccache.version}: {again[0]} hits, {again[1]} misses")
    assert again == (hits + 1, misses)
    objects = [next(folder.rglob("small.cc.o")).read_bytes() for folder in (one, other)]
    assert objects[0] == objects[1]


def test_other_sources_are_compiled(
    ccache: compiler_cache.CompilerCache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = write_checkout(tmp_path / "one"), write_checkout(tmp_path / "other")
    build(one, monkeypatch)
    hits, misses = counts(ccache)
    # Of the same length and age: neither counts.
    header, times = other / "include" / "small.h", (one / "include" / "small.h").stat()
    header.write_text("int smaLl();\n", encoding="utf-8")
    os.utime(header, ns=(times.st_atime_ns, times.st_mtime_ns))
    build(other, monkeypatch)
    assert counts(ccache) == (hits, misses + 1)


def test_the_callers_own_settings_hold(
    ccache: compiler_cache.CompilerCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CCACHE_DIR", "/of/the/caller")
    monkeypatch.setenv("EM_COMPILER_WRAPPER", "")
    variables = compiler_cache.variables()
    assert (variables["CCACHE_DIR"], variables["EM_COMPILER_WRAPPER"]) == ("/of/the/caller", "")


@pytest.mark.parametrize("reason", ["it is switched off", "it is not there"])
def test_without_it_builds_go_on(
    reason: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if reason == "it is switched off":
        monkeypatch.setenv("CCACHE_DISABLE", "1")
    else:
        monkeypatch.setenv("PATH", "")
    assert compiler_cache.variables() == {}
    # Named all the same, for a folder that was built with it.
    assert compiler_cache.cmake_options() == [
        "-DCMAKE_C_COMPILER_LAUNCHER=",
        "-DCMAKE_CXX_COMPILER_LAUNCHER=",
    ]
    said = capsys.readouterr().out.splitlines()
    assert len(said) == (0 if reason == "it is switched off" else 1)


def test_both_builds_of_a_release_do_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def look(source: Path, out: Path) -> None:
        seen.append((os.environ["CCACHE_DISABLE"], compiler_cache.find_or_get()))

    monkeypatch.setattr(release, "export", lambda commit, folder: None)
    monkeypatch.setitem(release.PARTS, "looking", look)
    release.build_twice("HEAD", ["looking"], tmp_path)
    assert seen == [("1", None), ("1", None)]
    assert "CCACHE_DISABLE" not in os.environ
