"""The lite runtime that is published with SentencePiece, built from the source archive on PyPI.

Natively it is compiled with our own spm_bench.cc, and for WebAssembly with an interface that our
own JavaScript drives: what differs between the two engines is the engine.
"""

from __future__ import annotations

import tarfile
from collections.abc import Callable
from pathlib import Path

from .. import cache, compilers, console, emscripten, flatbuffers, pypi, test_data
from ..environment import CHECKOUT
from ..sources import fingerprint

SOURCE = f"sentencepiece-{test_data.SENTENCEPIECE.version}/sentencepiece/"
PARTS = ("lite/", "third_party/rapidhash/")
RUNTIME = ("lite/sentencepiece_lite.cc", "lite/cached_sentencepiece_lite.cc")
DRIVERS = Path(__file__).parent / "drivers"
TOOLS = CHECKOUT / "core" / "tools"

NATIVE_FLAGS = ("-std=c++20", "-O3", "-DNDEBUG", "-DSPMLITE_BENCH_PUBLISHED_LITE", "-pthread")
# As fast as it was found to become; ours is linked with the same memory and without more.
WASM_FLAGS = (*emscripten.COMPILER_FLAGS, "-O3", *emscripten.LINKER_FLAGS)


def sources() -> Path:
    """The folder `sentencepiece` of the archive, as far as it is needed."""

    def fetch(draft: Path) -> None:
        with console.step("the lite runtime from PyPI's sentencepiece"):
            archive = pypi.source(test_data.SENTENCEPIECE, draft)
            with tarfile.open(archive) as tar:
                for member in tar:
                    content = tar.extractfile(member)
                    name = member.name.removeprefix(SOURCE)
                    if content and name.startswith(PARTS) and ".." not in name:
                        (draft / name).parent.mkdir(parents=True, exist_ok=True)
                        (draft / name).write_bytes(content.read())
            archive.unlink()

    return cache.made_once("bench/lite", test_data.SENTENCEPIECE.requirement(), fetch)


def native() -> Path:
    """spm_bench, compiled against it."""
    compiler = compilers.compiler()

    def compile_into(program: Path, draft: Path) -> None:
        command = [compiler.executable, *NATIVE_FLAGS, *_inputs(draft), f"-I{TOOLS}"]
        console.run([*command, TOOLS / "spm_bench.cc", "-o", program], log="lite-native")

    version = f"{compiler.version} {NATIVE_FLAGS} {fingerprint('core/tools')}"
    return _built("lite_bench", version, compile_into)


def wasm() -> Path:
    """A module with the interface of our own."""
    compiler = emscripten.find_or_get()
    ours = CHECKOUT / "wasm" / "src"

    def compile_into(module: Path, draft: Path) -> None:
        command: list[str | Path] = [compiler.compiler, *WASM_FLAGS, *_inputs(draft), f"-I{ours}"]
        command += [DRIVERS / "lite_abi.cc", ours / "memory.cc", "-o", module]
        console.run(command, log="lite-wasm", env=compiler.environment())

    places = ("wasm/src", "scripts/steps/bench/drivers/lite_abi.cc")
    return _built(
        "lite.wasm", f"{compiler.version} {WASM_FLAGS} {fingerprint(*places)}", compile_into
    )


def _inputs(draft: Path) -> list[str | Path]:
    """Its sources and where they find their headers, one of which is generated."""
    folder, schema = sources(), flatbuffers.find_or_get()
    fbs = folder / "lite" / "sentencepiece_lite.fbs"
    console.run([schema.flatc, "--cpp", "--gen-object-api", "-o", draft, fbs], log="lite-flatc")
    include = (folder / "lite", folder, draft, schema.include)
    return [*(f"-I{place}" for place in include), *(folder / source for source in RUNTIME)]


def _built(name: str, version: str, compile_into: Callable[[Path, Path], None]) -> Path:
    def make(draft: Path) -> None:
        with console.step(f"{name}, the published lite runtime"):
            compile_into(draft / name, draft)

    return cache.made_once(f"bench/{name}", version, make) / name
