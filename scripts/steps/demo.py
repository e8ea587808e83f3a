"""One model, one text, the ids of sentencepiece everywhere; then the playground."""

from __future__ import annotations

import argparse
import json
import threading
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from . import build, cache, chromium, console, environment, node, pyodide, site, test_data
from .environment import CHECKOUT
from .sources import fingerprint
from .stop import Stop

FACES = Path(__file__).parent / "faces"
TEXT = FACES / "text.txt"
ROUNDS = "200"
ORACLE = f"sentencepiece {test_data.SENTENCEPIECE.version} itself"
# How the test data is called by people.
NAMES = {"gemma3": "Gemma 3", **dict.fromkeys(test_data.MISTRAL_MODELS, "Mistral")}
WIDTH = 96


@dataclass(frozen=True)
class Model:
    """What is encoded with: a .spm.fb, and the .model of the same folder that it was made from."""

    name: str
    fb: Path

    @property
    def proto(self) -> Path:
        """The .model, which is what sentencepiece reads."""
        return self.fb.with_name("model.model")


@dataclass(frozen=True)
class Face:
    """One way to run the tokenizer, and the command that encodes the text with it."""

    name: str
    command: Callable[[Model, str], list[str | Path]]


@dataclass(frozen=True)
class Result:
    """What came out of a face."""

    name: str
    ids: list[int]
    load_ms: float
    encode_us: float
    pieces: list[str]
    """Those of the ids; of faces in Python alone."""


def main() -> int:
    """Encode everywhere and compare; without --check, open the playground as well."""
    parser = argparse.ArgumentParser(prog="scripts/demo", description=__doc__)
    parser.add_argument("--check", action="store_true", help="stop after the comparison")
    parser.add_argument("--port", type=int, default=8765, help="of the playground (8765)")
    arguments = parser.parse_args()
    build.build(["python", "wasm", "web", "pyodide"])
    shown = model()
    oracle, *results = encode_everywhere(shown)
    print_pieces(shown, oracle)
    if not print_results(oracle, results):
        return 1
    print_next(arguments.check)
    if not arguments.check:
        open_playground(arguments.port)
    return 0


def model() -> Model:
    """Gemma 3, or a Mistral model without npm."""
    data = test_data.find_or_get()
    sources = data.tokenizers | data.models
    name = next((name for name in NAMES if name in sources), None)
    if name is None:
        raise Stop(f"there is no model to show: {'; '.join(data.missing.values())}")
    source = sources[name]
    venv = environment.find_or_get()

    def convert(folder: Path) -> None:
        with console.step(f"{source.name} to .model and .spm.fb"):
            program: list[str | Path] = [venv.python, "-m", "spmlite", "convert"]
            plain = folder / "model.model"
            console.run([*program, source, plain], log="convert")
            console.run([*program, plain, folder / "model.spm.fb"], log="convert")

    version = f"{source} {fingerprint('core', 'py')}"
    return Model(NAMES[name], cache.made_once("demo", version, convert) / "model.spm.fb")


def encode_everywhere(model: Model) -> list[Result]:
    """The text, encoded by sentencepiece; then natively, in Node, in Chromium and in Pyodide."""
    with site.served(CHECKOUT / "web" / "dist") as address:
        return [encode(face, model, address) for face in faces()]


def faces() -> list[Face]:
    """The original and the four, with what each of them needs."""
    venv = environment.find_or_get()
    engine = node.find_or_get()
    browser = chromium.find_or_get()
    options = json.dumps(browser.arguments)
    wheel = next((CHECKOUT / "dist" / "pyodide").glob("*.whl"))
    version = pyodide.VERSIONS[1]
    python = pyodide.find_or_get(version)
    native = FACES / "native.py"
    return [
        Face(
            ORACLE,
            lambda model, _: [venv.python, native, "sentencepiece", model.proto, TEXT, ROUNDS],
        ),
        Face(
            "native Python",
            lambda model, _: [venv.python, native, "spmlite", model.fb, TEXT, ROUNDS],
        ),
        Face(
            f"WebAssembly in Node {engine.version}",
            lambda model, _: [
                *(engine.executable, FACES / "node.mjs"),
                *(CHECKOUT / "wasm", model.fb, TEXT, ROUNDS),
            ],
        ),
        Face(
            "the page in Chromium",
            lambda model, address: [
                *(venv.python, FACES / "chromium.py", address),
                *(browser.executable, options, model.fb, TEXT, ROUNDS),
            ],
        ),
        Face(
            f"Pyodide {version} in Node",
            lambda model, _: [
                *(engine.executable, FACES / "pyodide.mjs"),
                *(python, wheel, native, model.fb, TEXT, ROUNDS),
            ],
        ),
    ]


def encode(face: Face, model: Model, address: str) -> Result:
    """Run one of them."""
    with console.step(face.name):
        log = "demo-" + face.name.replace(" ", "-")
        printed = console.run(face.command(model, address), log=log, timeout=300)
    found = json.loads(printed.strip().splitlines()[-1])
    pieces = found.get("pieces", [])
    return Result(face.name, found["ids"], found["load_ms"], found["encode_us"], pieces)


def print_pieces(model: Model, oracle: Result) -> None:
    """Print the text, and the first of its pieces above their ids."""
    text = TEXT.read_text(encoding="utf-8")
    size = model.fb.stat().st_size / 1e6
    console.say(f"\n{text}\n{len(text.encode())} bytes of text, encoded with {model.name}")
    console.say(
        f"(a model of {size:.1f} MB as .spm.fb), are {len(oracle.ids)} ids, of which the first:"
    )
    pieces, ids = "", ""
    for piece, id in zip(oracle.pieces, oracle.ids, strict=True):
        width = max(len(piece), len(str(id))) + 2
        if len(pieces) + width > WIDTH or "\n" in piece:
            break
        pieces += piece.ljust(width)
        ids += str(id).ljust(width)
    console.say(f"  {pieces.rstrip()}\n  {ids.rstrip()}")


def print_results(oracle: Result, results: list[Result]) -> bool:
    """Print the times of each, and whether all have the ids of sentencepiece."""
    console.say(f"\n  {'':28} {'load':>10} {'encode':>12}   ids")
    for result in (oracle, *results):
        ids = "the same" if result.ids == oracle.ids else "OTHERS"
        console.say(
            f"  {result.name:28} {result.load_ms:7.1f} ms {result.encode_us:9.1f} µs   "
            f"{ids if result is not oracle else 'what they should be'}"
        )
    console.say("  load: until the model is ready; encode: all of the text, once loaded (median).")
    agree = all(result.ids == oracle.ids for result in results)
    console.say(
        f"\nAll {len(results)} have the ids of sentencepiece: {len(oracle.ids)} each."
        if agree
        else "\nThey do not agree: see the ids in the logs."
    )
    return agree


def print_next(stopped: bool) -> None:
    """Print what was built and how it is used."""
    console.say(
        f"""
What was built, to be used in projects of your own:
  Python       pip install {build.wheel()}
  JavaScript   npm install {CHECKOUT / "wasm"}
  shell        {environment.find_or_get().program("spmlite")} --help"""
    )
    if stopped:
        console.say("  the page     scripts/demo opens the playground, and ends with Ctrl-C")


def open_playground(port: int) -> None:
    """Serve the site until the user interrupts."""
    with site.served(CHECKOUT / "web" / "dist", port) as address:
        console.say(f"The playground is at {address} ; Ctrl-C ends it.")
        webbrowser.open(address)
        threading.Event().wait()
