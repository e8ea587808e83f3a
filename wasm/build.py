#!/usr/bin/env python3
"""Build the npm package `spmlite`: the WebAssembly modules and the TypeScript, into wasm/dist.

What was made from the same sources by the same tools is left as it is.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - older ones get this sentence, not a traceback
    sys.exit("Stopped: the project's scripts need Python 3.11 or newer; start them with that.")

import os
import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
sys.path.insert(0, str(PACKAGE.parent / "scripts"))

from steps import console, emscripten, flatbuffers, node  # noqa: E402
from steps.environment import CHECKOUT  # noqa: E402
from steps.sources import fingerprint, when_changed  # noqa: E402

DIST = PACKAGE / "dist"
BUILD = CHECKOUT / "build" / "wasm"
SCHEMA = "core/schema/sentencepiece_lite.fbs"

# Nothing is worth the vectors that a compiler finds; linking all as one is 2 KB less (gzip).
COMPILER_FLAGS = (
    *emscripten.COMPILER_FLAGS,
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-flto",
    "-Wall",
    "-Wextra",
    "-Werror",
)
# No imports either; see src/memory.cc. What was compiled for speed stays so; -Oz keeps what is
# linked from being inlined, 1.5 KB of 55.
LINKER_FLAGS = ("-Oz", "-flto", *emscripten.LINKER_FLAGS)
# -O2 makes the runtime 2 KB larger (gzip), over the limit.
USUAL = "-Os"
# What runs once for a model is made smaller still, and so is what runs rarely.
MADE_SMALL = {
    *("model.cc", "lattice.cc", "nbest.cc", "sampling.cc", "spans.cc"),
    *("splitting.cc", "streaming_decoder.cc"),
    *("abi.cc", "sampling_abi.cc", "convert_abi.cc", "readers_abi.cc", "memory.cc"),
    *("json.cc", "tokenizer_json.cc", "tokenizer_json_merges.cc", "tokenizer_json_spaces.cc"),
    *("model_proto_writer.cc", "spm_text_reader.cc", "spm_text_fields.cc", "decimal.cc"),
    *("base64.cc", "charsmap.cc", "from_flatbuffer.cc", "spm_text_writer.cc"),
}
# What takes most of a conversion.
MADE_FAST = {"direct_mappings.cc", "trie_builder.cc"}
# Conversions copy megabytes. (For the short texts of the runtime, memory.copy is slow.)
OF_CONVERSIONS = ("-mbulk-memory",)
# V8 compiles for speed what is called often, not what runs for long: a function that is called
# for each piece must not become a part of the one that is called once.
CONVERTER_LINKER_FLAGS = (
    *OF_CONVERSIONS,
    "-sBINARYEN_EXTRA_PASSES=--one-caller-inline-max-function-size=1",
)

# The runtime, and apart from it what most pages never download: the runtime with n-best and
# sampling, the converter, and the readers of tokenizer.json and .spm. Each with its C interface and
# the folders of C++ below that.
MODULES = {
    "spmlite.wasm": (("abi.cc",), ("core/src", "core/extra")),
    "spmlite-sampling.wasm": (("abi.cc", "sampling_abi.cc"), ("core/src", "core/extra")),
    "spmlite-convert.wasm": (("convert_abi.cc",), ("core/src", "core/convert")),
    "spmlite-readers.wasm": (("readers_abi.cc",), ("core/src", "core/convert")),
}
INCLUDE = ("core/include", "core/src", "core/extra", "core/convert", "wasm/src")


def build_modules() -> None:
    """Compile and link the modules unless they are up to date."""
    compiler, schema = emscripten.find_or_get(), flatbuffers.find_or_get()
    version = (
        f"{fingerprint(*INCLUDE, SCHEMA, 'wasm/build.py')} {compiler.version} {schema.version}"
    )

    def make() -> None:
        with console.step("WebAssembly modules"):
            console.run([schema.flatc, "--cpp", "-o", BUILD, CHECKOUT / SCHEMA], log="flatc")
            compile_sources()
            for name in MODULES:
                link(name)

    when_changed("wasm-modules", version, DIST / list(MODULES)[-1], make)


def compile_sources() -> None:
    """Compile each source once, into an object file of its name in the build folder."""
    sources = sorted({source for name in MODULES for source in sources_of(name)})
    include = [f"-I{folder}" for folder in (*(CHECKOUT / folder for folder in INCLUDE), BUILD)]
    include.append(f"-isystem{flatbuffers.find_or_get().include}")

    def compile_one(source: Path) -> None:
        arguments = [*flags_of(source), *COMPILER_FLAGS, *include, "-c", source]
        run_compiler(arguments, log=f"em++-{source.stem}")

    with ThreadPoolExecutor(os.cpu_count()) as pool:  # ccache takes one source a time
        list(pool.map(compile_one, sources))


def flags_of(source: Path) -> tuple[str, ...]:
    """What this source alone is compiled with."""
    level = "-O2" if source.name in MADE_FAST else USUAL
    if source.name in MADE_SMALL:
        level = "-Oz"
    return (level, *OF_CONVERSIONS) if source.parent.name == "convert" else (level,)


def link(name: str) -> None:
    """Link a module and put it into dist/."""
    objects = [BUILD / f"{source.stem}.o" for source in sources_of(name)]
    flags = CONVERTER_LINKER_FLAGS if "core/convert" in MODULES[name][1] else ()
    run_compiler([*LINKER_FLAGS, *flags, *objects, "-o", BUILD / name], log=f"em++-{name}")
    shutil.copyfile(BUILD / name, DIST / name)


def sources_of(name: str) -> list[Path]:
    """The C++ files that a module is made from."""
    interface, folders = MODULES[name]
    sources = [PACKAGE / "src" / source for source in (*interface, "memory.cc")]
    for folder in folders:
        sources += sorted((CHECKOUT / folder).glob("*.cc"))
    return sources


def run_compiler(arguments: Sequence[str | Path], log: str) -> None:
    """Run em++ in the build folder."""
    compiler = emscripten.find_or_get()
    command = [compiler.compiler, *arguments]
    console.run(command, log=log, cwd=BUILD, env=compiler.environment())


def build_typescript() -> None:
    """Make dist/'s scripts and types of ts/, in seconds; nothing of an older build stays there."""
    for old in (path for path in DIST.iterdir() if path.suffix not in (".wasm", "")):
        old.unlink()
    for folder in (path for path in DIST.iterdir() if path.is_dir()):
        shutil.rmtree(folder)
    node.npm_ci(PACKAGE)
    found = node.find_or_get()
    command = [*found.npm, "run", "build"]
    console.run(command, log="npm-build-wasm", cwd=PACKAGE, env=found.environment())


def copy_licenses() -> None:
    """Copy them to where npm packs them from: the package's own folder."""
    for name in ("LICENSE", "NOTICE"):
        shutil.copyfile(CHECKOUT / name, DIST / name)
    (DIST / "LICENSES").mkdir()
    for text in sorted((CHECKOUT / "LICENSES").glob("*.txt")):
        shutil.copyfile(text, DIST / "LICENSES" / text.name)


def main() -> int:
    """Build what is out of date."""
    for folder in (DIST, BUILD):
        folder.mkdir(parents=True, exist_ok=True)
    build_modules()
    build_typescript()
    copy_licenses()
    return 0


if __name__ == "__main__":
    sys.exit(console.exit_code(main))
