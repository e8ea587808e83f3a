"""Two files that need nothing else: dist/sentencepiece_lite.h and .cc."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from steps import compiler_cache, compilers

CHECKOUT = Path(__file__).resolve().parents[2]
AMALGAMATE = CHECKOUT / "scripts" / "amalgamate.py"
RECIPES = Path(__file__).with_name("recipes")
SEED = CHECKOUT.parent / "shared" / "seeds" / "001_0659f22262844614.txt"
RUNTIME, CONVERTER = "sentencepiece_lite", "sentencepiece_model_converters"
# A file that includes both sources, as builds that put many files into one do.
BOTH = "both"
WARNINGS = ("-Wall", "-Wextra", "-Werror")
NO_EXCEPTIONS = ("-fno-exceptions", "-fno-rtti")
AT_ONCE = 2

# Where a recipe begins and what it ends before, in the lines of the seed.
RECIPE_LINES = {
    "quick_start": ("#include <iostream>", "---"),
    "batching": ("sentencepiece::lite::SentencePieceLiteProcessor processor(model_data);", "6.3."),
    "safe_boundary": ("// Pseudocode: Parallel document encoding", "6.4."),
    "cache": ('#include "sentencepiece_lite.h"\n#include "cached_sentencepiece_lite.h"', "---"),
}


def amalgamate(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, AMALGAMATE, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def run(command: list[str | Path], folder: Path) -> str:
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | compiler_cache.variables(),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    return done.stdout


def gcc() -> Path:
    found = compilers.compiler()
    if not found.version.startswith("gcc"):
        pytest.skip(f"the compiler here is {found.version}, not g++")
    return found.executable


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the amalgamation and nothing else."""
    folder = tmp_path_factory.mktemp("dist")
    made = amalgamate("--output", folder)
    assert made.returncode == 0, made.stderr
    return folder


@pytest.fixture(scope="module")
def objects(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What compilers made of it, each in a folder that was empty: NAME-COMPILER-OPTIONS.o."""
    folder = tmp_path_factory.mktemp("objects")
    clang = compilers.fuzzing_compiler().executable
    variants: list[tuple[str, Path, tuple[str, ...]]] = [
        (RUNTIME, gcc(), ("-std=c++20",)),
        (RUNTIME, gcc(), ("-std=c++23", *NO_EXCEPTIONS)),
        (RUNTIME, clang, ("-std=c++20", *NO_EXCEPTIONS)),
        (RUNTIME, clang, ("-std=c++23",)),
        (CONVERTER, gcc(), ("-std=c++20",)),
        (BOTH, clang, ("-std=c++23", *NO_EXCEPTIONS)),
    ]

    def compile_one(variant: tuple[str, Path, tuple[str, ...]]) -> None:
        name, compiler, options = variant
        kind = "clang" if compiler == clang else "gcc"
        alone = folder / f"{name}-{kind}-{'-'.join(option.strip('-') for option in options)}"
        alone.mkdir()
        for part in (RUNTIME, CONVERTER) if name == BOTH else (RUNTIME, name):
            shutil.copyfile(dist / f"{part}.h", alone / f"{part}.h")
            shutil.copyfile(dist / f"{part}.cc", alone / f"{part}.cc")
        if name == BOTH:
            both = f'#include "{RUNTIME}.cc"\n#include "{CONVERTER}.cc"\n'
            (alone / f"{name}.cc").write_text(both, "utf-8")
        output = Path(f"{alone}.o")
        command = [*compiler_cache.launcher(), compiler, *options, *WARNINGS]
        run([*command, "-c", f"{name}.cc", "-o", output], alone)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(compile_one, variants))
    return folder


def test_it_compiles_alone_by_both_compilers_in_two_standards_with_and_without_exceptions(
    objects: Path,
) -> None:
    made = sorted(file.name for file in objects.glob("*.o"))
    print(*made, sep="\n")
    assert len(made) == 6


def test_it_leaves_no_name_outside_its_namespace(objects: Path) -> None:
    """So that a program may link FlatBuffers of another version."""
    nm = shutil.which("nm")
    if nm is None:
        pytest.skip("there is no nm on PATH")
    count = 0
    for file in objects.glob("*.o"):
        for line in run([nm, "--defined-only", "--extern-only", "--demangle", file], objects).split(
            "\n"
        ):
            name = line[19:]  # after address and kind
            count += 1
            assert not re.search(r"(?<!lite::)\bflatbuffers::", name), name
    assert count > 1000


def test_it_includes_the_standard_library_and_itself_alone(dist: Path) -> None:
    for file in dist.iterdir():
        text = file.read_text("utf-8")
        own = set(re.findall(r'^#\s*include "(.*)"', text, re.MULTILINE))
        assert own <= {f"{RUNTIME}.h", f"{CONVERTER}.h"}, file.name


def test_it_carries_the_licences(dist: Path) -> None:
    licence = (CHECKOUT / "LICENSE").read_text("utf-8")
    for name in (RUNTIME, CONVERTER):
        text = (dist / f"{name}.cc").read_text("utf-8")
        comment = "\n".join(re.findall(r"^// ?(.*)$", text, re.MULTILINE))
        assert licence.strip() in comment
        assert text.count("Copyright 2021 Google Inc. All rights reserved.") > 10


def test_the_same_sources_give_the_same_bytes(dist: Path, tmp_path: Path) -> None:
    assert amalgamate("--output", tmp_path).returncode == 0
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == {
        file.name: file.read_bytes() for file in dist.iterdir()
    }
    assert not re.search(re.escape(str(CHECKOUT)), (dist / f"{RUNTIME}.cc").read_text("utf-8"))


def test_what_scripts_build_has_made_is_fresh() -> None:
    checked = amalgamate("--check")
    assert checked.returncode == 0, checked.stderr


def test_the_check_names_the_line_that_is_not_fresh(dist: Path, tmp_path: Path) -> None:
    stale = shutil.copytree(dist, tmp_path / "stale")
    file = stale / f"{RUNTIME}.cc"
    lines = file.read_text("utf-8").split("\n")
    lines[999] += " "
    file.write_text("\n".join(lines), "utf-8")
    checked = amalgamate("--check", "--output", stale)
    assert checked.returncode == 2
    assert f"{RUNTIME}.cc, line 1000, is not what the sources give" in checked.stderr
    (stale / f"{CONVERTER}.h").unlink()
    file.write_text("\n".join(lines)[:-1], "utf-8")
    assert amalgamate("--check", "--output", stale).returncode == 2


def recipe(name: str) -> tuple[str, str]:
    """Includes and statements of a recipe, as the seed has them."""
    seed = SEED.read_text("utf-8")
    begin, end = RECIPE_LINES[name]
    lines = seed[seed.index(begin) :].split(f"\n{end}")[0].split("\n")
    prose = next((i for i, line in enumerate(lines) if line.startswith("•")), len(lines))
    includes = [line for line in lines[:prose] if line.startswith("#include")]
    statements = [line for line in lines[:prose] if not line.startswith("#include")]
    return "\n".join(includes) + "\n", "\n".join(statements) + "\n"


@pytest.fixture
def run_recipe(
    dist: Path, objects: Path, spm_fb_paths: dict[str, Path], tmp_path: Path
) -> Callable[..., list[str]]:
    """Compiles a recipe against the amalgamation and runs it beside a model.spm.fb."""

    def run_it(name: str, *arguments: str, model: str) -> list[str]:
        if not SEED.is_file():
            pytest.skip("../shared/seeds is not there, which has the recipes")
        includes, statements = recipe(name)
        (tmp_path / f"{name}.includes").write_text(includes, "utf-8")
        (tmp_path / f"{name}.statements").write_text(statements, "utf-8")
        shutil.copyfile(spm_fb_paths[model], tmp_path / "model.spm.fb")
        source = [RECIPES / f"{name}.cc", objects / f"{RUNTIME}-gcc-std=c++20.o"]
        options = ["-std=c++20", *WARNINGS, "-fopenmp", f"-I{dist}", f"-I{tmp_path}"]
        run([gcc(), *options, *source, "-o", tmp_path / name], tmp_path)
        return run([tmp_path / name, *arguments], tmp_path).splitlines()

    return run_it


def oracle_ids(model: Path, *texts: str) -> list[str]:
    import sentencepiece

    processor = sentencepiece.SentencePieceProcessor(model_file=str(model))
    return ["".join(f"{id} " for id in processor.encode(text)) for text in texts]


def text_of(lines: dict[str, list[str]]) -> str:
    return " ".join(lines["botchan"][:200])


def test_the_quick_start_gives_the_oracles_ids_and_the_text(
    run_recipe: Callable[..., list[str]], model_paths: dict[str, Path]
) -> None:
    told = run_recipe("quick_start", model="mistral_v1")
    assert told == [*oracle_ids(model_paths["mistral_v1"], "hello world"), "hello world"]


def test_batching_gives_the_oracles_ids(
    run_recipe: Callable[..., list[str]], model_paths: dict[str, Path]
) -> None:
    told = run_recipe("batching", model="mistral_v1")
    assert told == oracle_ids(model_paths["mistral_v1"], "sentence one", "sentence two")


def test_chunks_between_safe_boundaries_give_the_oracles_ids(
    run_recipe: Callable[..., list[str]],
    model_paths: dict[str, Path],
    text_lines: dict[str, list[str]],
) -> None:
    text = text_of(text_lines)
    ids, chunks = run_recipe("safe_boundary", text, model="mistral_v1")
    assert [ids] == oracle_ids(model_paths["mistral_v1"], text)
    print(f"{chunks} chunks of {len(text.encode())} bytes")
    assert int(chunks) > 1000


def test_the_cache_gives_the_oracles_ids(
    run_recipe: Callable[..., list[str]],
    model_paths: dict[str, Path],
    text_lines: dict[str, list[str]],
) -> None:
    text = text_of(text_lines)
    assert run_recipe("cache", text, model="mistral_v1") == oracle_ids(
        model_paths["mistral_v1"], text
    )
