#!/usr/bin/env python3
"""Make the amalgamation in dist/: the C++ of the project as files that need nothing else.

`sentencepiece_lite.h` and `.cc` are the runtime, its cache and what core/extra adds;
`sentencepiece_model_converters.h` and `.cc`, which are for programs that convert models, the
converter. FlatBuffers is part of each `.cc`, under a name of its own, so that a program may use
another version of it. The other headers have the names that programs may include instead, as they
do where the library is installed. The same sources give the same bytes.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - older ones get this sentence, not a traceback
    sys.exit("Stopped: the project's scripts need Python 3.11 or newer; start them with that.")

import argparse
import re
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from steps import console, flatbuffers
from steps.environment import CHECKOUT
from steps.stop import Stop

SCHEMA = CHECKOUT / "core" / "schema" / "sentencepiece_lite.fbs"
FOLDERS = tuple(CHECKOUT / "core" / name for name in ("include", "src", "extra", "convert"))
INCLUDE = re.compile(r'\s*#\s*include\s+"(?P<name>[^"]+)"')
CONDITION = re.compile(r"\s*#\s*(?P<word>if|ifdef|ifndef|endif)\b")
# A header's guard is a condition around all of it.
GUARD_DEPTH = 1
# What becomes of FlatBuffers: no other of the program has its names. Its static functions are no
# longer in a header, where it is no matter when nothing calls them.
NAMESPACE = "sentencepiece::lite::flatbuffers"
CHANGES = (
    (re.compile(r"^(\s*)namespace flatbuffers \{"), rf"\1namespace {NAMESPACE} {{"),
    (re.compile(r"(?<!\w)::flatbuffers::"), f"::{NAMESPACE}::"),
    (re.compile(r"\bFLATBUFFERS_"), "SPMLITE_FLATBUFFERS_"),
    (re.compile(r"^static inline "), "inline "),
)


@dataclass(frozen=True)
class Pair:
    """A header and a source file of the amalgamation, and what they are made of."""

    name: str
    what: str
    headers: tuple[str, ...]
    """Those of the source tree that become the header, the one with its name first."""
    folders: tuple[str, ...]
    """Those whose sources become the source file."""


PAIRS = (
    Pair(
        "sentencepiece_lite",
        "the runtime with its cache, sampling, n-best, streaming decoder and splitting",
        (
            "sentencepiece_lite.h",
            "cached_sentencepiece_lite.h",
            "sentencepiece_extra.h",
            "splitting.h",
        ),
        ("src", "extra"),
    ),
    Pair(
        "sentencepiece_model_converters",
        "the converter from .model to .spm.fb, beside sentencepiece_lite.h",
        (
            "sentencepiece_model_converters.h",
            "charsmap.h",
            "from_flatbuffer.h",
            "model_proto.h",
            "spm_text.h",
            "tokenizer_json.h",
        ),
        ("convert",),
    ),
)


@dataclass
class Inliner:
    """Puts files in the place of the lines that include them, each once."""

    folders: Sequence[Path]
    known: set[str] = field(default_factory=set)
    """Names of headers that are there already."""
    kept: set[str] = field(default_factory=set)
    """Names of headers that stay files of their own."""

    def inline(self, file: Path) -> Iterator[str]:
        """The lines of a file, with those of all that it includes."""
        yield f"// ==== {self.origin(file)}"
        depth = 0
        for line in guarded(file):
            if condition := CONDITION.match(line):
                depth += -1 if condition["word"] == "endif" else 1
            include = INCLUDE.match(line)
            if include is None:
                yield changed(line)
            elif depth <= GUARD_DEPTH:
                yield from self.include(include["name"])
            elif self.find(include["name"]) is None:
                yield line  # for compilers that lack what the standard has
            else:
                raise Stop(f"{file} has `{line}` under a condition, so it cannot be inlined once")
        yield ""

    def include(self, name: str) -> Iterator[str]:
        """What stands in the place of an include of the header."""
        if name in self.known:
            return
        self.known.add(name)
        found = self.find(name)
        if name in self.kept:
            yield f'#include "{name}"'
        elif found is not None:
            yield from self.inline(found)
        else:
            raise Stop(f"{name} is included, but is in none of {', '.join(map(str, self.folders))}")

    def find(self, name: str) -> Path | None:
        """The file of a header."""
        return next((path for place in self.folders if (path := place / name).is_file()), None)

    def origin(self, file: Path) -> str:
        """How a file is called in the amalgamation: without where this checkout is."""
        for folder in (CHECKOUT, *self.folders):
            if file.is_relative_to(folder):
                return file.relative_to(folder).as_posix()
        raise Stop(f"{file} belongs neither to the project nor to FlatBuffers")


def guarded(file: Path) -> list[str]:
    """The lines of a file, a guard by name in place of `#pragma once`, which is for headers alone.

    It is for programs that are compiled with both source files as one.
    """
    lines = file.read_text(encoding="utf-8").splitlines()
    if "#pragma once" not in lines:
        return lines
    at = lines.index("#pragma once")
    guard = f"SPMLITE_CORE_{file.stem.upper()}_H_"
    opening = [f"#ifndef {guard}", f"#define {guard}"]
    return [*lines[:at], *opening, *lines[at + 1 :], "", f"#endif  // {guard}"]


def changed(line: str) -> str:
    """A line as it is in the amalgamation."""
    for pattern, replacement in CHANGES:
        line = pattern.sub(replacement, line)
    return line


def make(generated: Path, flatbuffers_include: Path) -> dict[str, str]:
    """The files by name, of what flatc has made of the schema and FlatBuffers' headers."""
    files: dict[str, str] = {}
    for pair in PAIRS:
        files[f"{pair.name}.h"] = text([*about(pair.what), *header(pair)])
        inner = (*FOLDERS, generated, flatbuffers_include)
        files[f"{pair.name}.cc"] = text([*about(pair.what), *licence(), *source(pair, inner)])
        for name in pair.headers[1:]:
            note = f"// For programs that include this name; {pair.name}.h holds it."
            files[name] = text([note, f'#include "{pair.name}.h"'])
    return files


def header(pair: Pair) -> Iterator[str]:
    """The public headers as one."""
    inliner = Inliner(FOLDERS, kept={other.headers[0] for other in PAIRS if other is not pair})
    for name in pair.headers:
        yield from inliner.include(name)


def source(pair: Pair, folders: Sequence[Path]) -> Iterator[str]:
    """The sources and all that they include, as one."""
    yield from (f'#include "{pair.name}.h"', "")
    inliner = Inliner(folders, {name for other in PAIRS for name in other.headers})
    for name in pair.folders:
        for file in sorted((CHECKOUT / "core" / name).glob("*.cc")):
            yield from inliner.inline(file)


def licence() -> list[str]:
    """That of the project and of FlatBuffers, as a comment."""
    lines = (CHECKOUT / "LICENSE").read_text(encoding="utf-8").splitlines()
    return [*(f"// {line}".rstrip() for line in lines), ""]


def about(what: str) -> list[str]:
    """What stands at the top of each file."""
    with (CHECKOUT / "pyproject.toml").open("rb") as stream:
        version = tomllib.load(stream)["project"]["version"]
    return [
        f"// spmlite {version}: {what}.",
        "//",
        "// Made by scripts/amalgamate.py from what the lines of ==== name: change it there.",
        "// Needs a C++20 compiler, with or without exceptions and RTTI, and nothing else.",
        "//",
        "// Copyright 2026 The spmlite authors. SPDX-License-Identifier: Apache-2.0",
        "// What says so is of FlatBuffers, Copyright 2021 Google Inc., under the same licence. It",
        "// was changed: its namespace and macros have other names, and none of its functions is",
        "// static.",
        "",
    ]


def text(lines: Sequence[str]) -> str:
    """Lines as the text of a file, of empty ones never more than one together."""
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines).rstrip("\n") + "\n")


def difference(files: dict[str, str], folder: Path) -> str:
    """In which file and line a folder is not what the sources give, or an empty string."""
    for name, expected in files.items():
        file = folder / name
        if not file.is_file():
            return f"{file} is missing"
        lines = file.read_text(encoding="utf-8").splitlines()
        pairs = enumerate(zip(lines, expected.splitlines(), strict=False), start=1)
        changed = next((number for number, (here, there) in pairs if here != there), None)
        if changed is not None or file.read_text(encoding="utf-8") != expected:
            number = min(len(lines), len(expected.splitlines())) if changed is None else changed
            return f"{file}, line {number}, is not what the sources give"
    return ""


def write(files: dict[str, str], folder: Path) -> None:
    """Write what has changed, so that nothing is compiled in vain, and say what that was."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        file = folder / name
        is_fresh = file.is_file() and file.read_text(encoding="utf-8") == content
        if not is_fresh:
            file.write_text(content, encoding="utf-8", newline="\n")
        lines = content.count("\n")
        console.say(f"  {file}: {'fresh' if is_fresh else 'written'}, {lines:,} lines")


def main() -> int:
    """Make the files, or check those that are there."""
    parser = argparse.ArgumentParser(prog="scripts/amalgamate.py", description=__doc__)
    parser.add_argument("--output", type=Path, default=CHECKOUT / "dist", metavar="FOLDER")
    parser.add_argument("--flatc", type=Path, metavar="FILE", help="FlatBuffers' compiler")
    parser.add_argument(
        "--flatbuffers", type=Path, metavar="FOLDER", help="above flatbuffers/flatbuffers.h"
    )
    parser.add_argument(
        "--check", action="store_true", help="change nothing; fail unless the folder is fresh"
    )
    arguments = parser.parse_args()
    flatc, include = arguments.flatc, arguments.flatbuffers
    if (flatc is None) != (include is None):
        parser.error("--flatc and --flatbuffers go together: both are of one version")
    if flatc is None:
        found = flatbuffers.find_or_get()
        flatc, include = found.flatc, found.include
    with tempfile.TemporaryDirectory() as folder:
        console.run([flatc, "--cpp", "-o", folder, SCHEMA], log="flatc")
        files = make(Path(folder), include)
    if not arguments.check:
        write(files, arguments.output)
        return 0
    fault = difference(files, arguments.output)
    if fault:
        raise Stop(f"{fault}: run `scripts/amalgamate.py`.")
    console.say(f"  {arguments.output}: {len(files)} files, all fresh")
    return 0


if __name__ == "__main__":
    sys.exit(console.exit_code(main))
