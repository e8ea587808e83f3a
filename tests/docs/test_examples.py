"""Each command and each piece of code in README.md and docs/ is run, where a small model lies.

What cannot be run has a line `<!-- not run: REASON -->` above it; the reason is printed. Calls of
the checkout's own scripts, which build, test and measure for minutes, are not made again: each
script must be there and its --help must know the options and, where it lists them, the names.
wasm/README.md is run by tests/npm.
"""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from steps import compilers, environment, node, scale
from steps.stop import Stop

from . import script_help
from .examples import Block, blocks, compilation_unit, program, script_calls

CHECKOUT = Path(__file__).resolve().parents[2]
PAGES = [
    *(CHECKOUT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
    *(CHECKOUT / name for name in ("py/README.md", "web/README.md")),
    *sorted((CHECKOUT / "docs").rglob("*.md")),
]
SECONDS = 300
# What is shown, and not run: output, usage, files of other tools.
SHOWN = {"", "text", "html", "json", "toml", "ini", "gitattributes", "mermaid", "console"}
RUN = {"python", "sh", "js", "ts", "cpp"}
# What a page says in words, or leaves to the reader, before its first block.
BEFORE_PYTHON = {
    "python.md": """
import spmlite as spm
path = "tokenizer.model"
content = open(path, "rb").read()
""",
    "scale.md": """
import pyarrow, pyarrow.parquet
pyarrow.parquet.write_table(pyarrow.table({"text": ["Hello world", None]}), "corpus.parquet")
""",
}
BEFORE_CPP = """
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>
static const std::string file = [] {
  std::string content(1 << 24, 0);
  FILE* in = std::fopen("tokenizer.spm.fb", "rb");
  content.resize(std::fread(content.data(), 1, content.size(), in));
  std::fclose(in);
  return content;
}();
static const std::string_view mapped_file = file;
"""
NEEDS_ARROW = {"scale.md"}

CountPairs = Callable[[str, int, int], None]


@pytest.fixture(scope="module")
def model(model_paths: dict[str, Path]) -> Path:
    """One of 32,000 pieces, where the registries gave it."""
    return model_paths.get("mistral_v1") or next(iter(model_paths.values()))


@pytest.fixture
def folder(model: Path, tmp_path: Path) -> Path:
    """What the pages' examples find: a model as three files, some text, a table of it."""
    from spmlite import _native

    shutil.copy(model, tmp_path / "tokenizer.model")
    (tmp_path / "tokenizer.spm.fb").write_bytes(_native.convert(model.read_bytes()))
    (tmp_path / "tokenizer.json").write_text(json.dumps(small_tokenizer_json()), "utf-8")
    (tmp_path / "corpus.txt").write_text("Hello world\nEs war einmal.\n" * 200, "utf-8")
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "spmlite").symlink_to(CHECKOUT / "wasm", target_is_directory=True)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    return tmp_path


def small_tokenizer_json() -> dict[str, object]:
    """A BPE model with byte fallback, as Hugging Face writes Llama 2's."""
    special = ["<unk>", "<s>", "</s>"]
    letters = ["▁", *"abcdefghijklmnopqrstuvwxyz"]
    merges = [["▁", "a"], ["l", "o"], ["lo", "w"]]
    pieces = [
        *special,
        *(f"<0x{byte:02X}>" for byte in range(256)),
        *map("".join, merges),
        *letters,
    ]
    added = [
        {"id": number, "content": piece, "special": True, "normalized": False}
        for number, piece in enumerate(special)
    ]
    return {
        "version": "1.0",
        "added_tokens": added,
        "normalizer": {
            "type": "Sequence",
            "normalizers": [
                {"type": "Prepend", "prepend": "▁"},
                {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
            ],
        },
        "model": {
            "type": "BPE",
            "unk_token": "<unk>",
            "fuse_unk": True,
            "byte_fallback": True,
            "vocab": {piece: number for number, piece in enumerate(pieces)},
            "merges": merges,
        },
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(CHECKOUT)))
def test_the_examples_of_a_page_run(page: Path, folder: Path, count_pairs: CountPairs) -> None:
    if not page.exists():
        pytest.skip(f"there is no {page.name}")
    found = blocks(page)
    unknown = [block.place for block in found if block.language not in RUN | SHOWN]
    assert not unknown, f"of a language that is neither run nor shown: {unknown}"
    run = [block for block in found if block.language in RUN and not block.not_run]
    for block in run:
        if block.language == "sh":
            run_shell(block, folder)
        elif block.language in ("js", "ts"):
            run_javascript(block, folder)
        elif block.language == "cpp":
            run_cpp(block, folder)
    run_python(page, [block for block in run if block.language == "python"], folder)
    if run or any(block.not_run for block in found):
        not_run = "; ".join(
            f"line {block.line}: {block.not_run}" for block in found if block.not_run
        )
        count_pairs(f"blocks run{', but for ' if not_run else ''}{not_run}", len(run), 0)


def run_shell(block: Block, folder: Path) -> None:
    calls, rest = script_calls(block.text)
    for words in calls:
        check_call(block, words)
    if rest.strip():
        finish(block, ["bash", "-euo", "pipefail", "-c", rest], folder)


def check_call(block: Block, words: list[str]) -> None:
    """The script is there, and says of itself that it knows the options and names."""
    assert (CHECKOUT / words[0]).is_file(), f"{block.place}: there is no {words[0]}"
    unknown = help_of(words[0]).mistakes(words[1:])
    assert not unknown, f"{block.place}: {words[0]} knows no {', '.join(unknown)}"


@functools.cache
def help_of(script: str) -> script_help.ScriptHelp:
    done = subprocess.run(
        [sys.executable, CHECKOUT / script, "--help"],
        env=os.environ | script_help.WIDE,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, f"{script} --help: {done.stderr}"
    return script_help.parsed(done.stdout)


@pytest.mark.parametrize(
    ("call", "unknown"),
    [
        ("scripts/bench --model gemma3 --rounds 2", ["--model", "gemma3"]),
        ("scripts/bench --models --texts english", ["english"]),
        ("scripts/build python wasm", []),
        ("scripts/build pyhton", ["pyhton"]),
        ("scripts/release sdist nmp --commit=v0.1.0", ["nmp"]),
        ("scripts/bench-scale ray sparks --rounds 1", ["sparks"]),
        ("scripts/demo playground --check", ["playground"]),
        ("scripts/test --only-check tests/docs", ["--only-check"]),
    ],
)
def test_a_call_that_a_script_does_not_know_is_found(call: str, unknown: list[str]) -> None:
    script, *words = call.split()
    assert help_of(script).mistakes(words) == unknown


def run_javascript(block: Block, folder: Path) -> None:
    file = folder / f"example-{block.line}.{'mjs' if block.language == 'js' else 'mts'}"
    file.write_text(block.text, "utf-8")
    finish(block, [node.find_or_get().executable, file], folder)


def run_cpp(block: Block, folder: Path) -> None:
    library = CHECKOUT / "build" / "libspmlite.a"
    if not library.exists():
        pytest.skip("there is no build/libspmlite.a: scripts/build makes it")
    source = folder / f"example-{block.line}.cc"
    text = compilation_unit(block, BEFORE_CPP) + "\nint main() { return example(); }\n"
    source.write_text(text, "utf-8")
    include = [f"-I{CHECKOUT / 'core' / name}" for name in ("include", "extra", "convert")]
    libraries = [CHECKOUT / "build" / "libspmlite_convert.a", library]
    compiler = compilers.compiler().executable
    options = ["-std=c++20", "-Wall", "-Wextra", "-Werror", "-Wno-unused"]
    command = [compiler, *options, *include, source, *libraries, "-o", folder / "example"]
    finish(block, command, folder)
    finish(block, [folder / "example"], folder)


def run_python(page: Path, its_blocks: list[Block], folder: Path) -> None:
    """One after the other, in one program, as a reader would type them."""
    if not its_blocks:
        return
    python = sys.executable
    if page.name in NEEDS_ARROW:
        try:
            python = str(scale.with_package().python)
        except Stop as stop:
            pytest.skip(str(stop))
    source = folder / "example.txt"
    source.write_text(program(its_blocks), "utf-8")
    starter = (
        "import pathlib, sys; page, source, before = sys.argv[1:]; names = {}; exec(before, names);"
        "exec(compile(pathlib.Path(source).read_text('utf-8'), page, 'exec'), names)"
    )
    before = BEFORE_PYTHON.get(page.name, "")
    finish(its_blocks[0], [python, "-c", starter, page.name, source, before], folder)


def finish(block: Block, command: list[str | Path], folder: Path) -> None:
    """Run a command to its end, which must be a good one."""
    programs = environment.find_or_get().python.parent
    variables = environment.find_or_get().variables()
    variables["PATH"] = os.pathsep.join((str(programs), str(CHECKOUT / "build"), variables["PATH"]))
    done = subprocess.run(
        command,
        cwd=folder,
        env=variables,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    shown = f"{block.text}\n--- {block.place}\n{done.stdout[-2000:]}{done.stderr[-4000:]}"
    assert done.returncode == 0, shown
