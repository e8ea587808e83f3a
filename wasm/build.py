#!/usr/bin/env python3
"""Build the npm package `spmlite`: both WebAssembly modules and the TypeScript, into wasm/dist.

What was made from the same sources by the same tools is left as it is.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - older ones get this sentence, not a traceback
    sys.exit("Stopped: the project's scripts need Python 3.11 or newer; start them with that.")

import shutil
from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
sys.path.insert(0, str(PACKAGE.parent / "scripts"))

from steps import console, emscripten, flatbuffers, node  # noqa: E402
from steps.environment import CHECKOUT  # noqa: E402
from steps.sources import fingerprint, when_changed  # noqa: E402

DIST = PACKAGE / "dist"
BUILD = CHECKOUT / "build" / "wasm"
SCHEMA = "core/schema/sentencepiece_lite.fbs"

COMPILER_FLAGS = (
    "-std=c++20",
    "-O3",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-threadsafe-statics",
    "-fvisibility=hidden",
    "-DNDEBUG",
    "-Wall",
    "-Wextra",
    "-Werror",
)
# No JavaScript of Emscripten's, and no imports; see src/memory.cc. A small memory to begin with,
# since each tokenizer has its own, and the stack at its low end, where overflowing it traps.
LINKER_FLAGS = (
    "--no-entry",
    "-sSTANDALONE_WASM",
    "-sALLOW_MEMORY_GROWTH",
    "-sINITIAL_MEMORY=1MB",
    "-sMALLOC=emmalloc",
    "-Wl,--stack-first",
)


@dataclass(frozen=True)
class Module:
    """A WebAssembly module: its file in dist/, its C interface, and the folders of C++ below it."""

    name: str
    interface: str
    folders: tuple[str, ...]


RUNTIME = Module("spmlite.wasm", "abi.cc", ("core/src",))
# Apart, so that a page that loads `.spm.fb` never downloads it.
CONVERTER = Module("spmlite-convert.wasm", "convert_abi.cc", ("core/src", "core/convert"))


def build_module(module: Module) -> None:
    """Compile a module unless it is up to date."""
    compiler, schema = emscripten.find_or_get(), flatbuffers.find_or_get()
    places = ("core/include", SCHEMA, *module.folders, "wasm/src", "wasm/build.py")
    version = f"{fingerprint(*places)} {compiler.version} {schema.version}"

    def make() -> None:
        with console.step(f"wasm/dist/{module.name}"):
            console.run([schema.flatc, "--cpp", "-o", BUILD, CHECKOUT / SCHEMA], log="flatc")
            output = BUILD / module.name
            command = [compiler.compiler, *COMPILER_FLAGS, *LINKER_FLAGS, *inputs(module)]
            command += [f"-I{BUILD}", f"-isystem{schema.include}", "-o", output]
            env = compiler.environment()
            console.run(command, log=f"em++-{output.stem}", cwd=BUILD, env=env)
            shutil.copyfile(output, DIST / module.name)

    when_changed(module.name, version, DIST / module.name, make)


def inputs(module: Module) -> list[str | Path]:
    """The arguments that say what a module is compiled from."""
    folders = [CHECKOUT / folder for folder in module.folders]
    headers = (CHECKOUT / "core" / "include", PACKAGE / "src", *folders)
    sources = [PACKAGE / "src" / module.interface, PACKAGE / "src" / "memory.cc"]
    for folder in folders:
        sources += sorted(folder.glob("*.cc"))
    return [*(f"-I{folder}" for folder in headers), *sources]


def build_typescript() -> None:
    """Compile ts/ into dist/, which takes a second; nothing of an older build stays there."""
    for old in (*DIST.glob("*.js"), *DIST.glob("*.d.ts")):
        old.unlink()
    node.npm_ci(PACKAGE)
    found = node.find_or_get()
    command = [*found.npm, "run", "build"]
    console.run(command, log="tsc-wasm", cwd=PACKAGE, env=found.environment())


def copy_licenses() -> None:
    """Copy them to where npm packs them from: the package's own folder."""
    for name in ("LICENSE", "NOTICE"):
        shutil.copyfile(CHECKOUT / name, DIST / name)


def main() -> int:
    """Build what is out of date."""
    for folder in (DIST, BUILD):
        folder.mkdir(parents=True, exist_ok=True)
    build_module(RUNTIME)
    build_module(CONVERTER)
    build_typescript()
    copy_licenses()
    return 0


if __name__ == "__main__":
    sys.exit(console.exit_code(main))
