"""One model, one text, the same ids everywhere; then the playground."""

from __future__ import annotations

import argparse
import json
import textwrap
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


@dataclass(frozen=True)
class Face:
    """One way to run the tokenizer, and the command that encodes the text with it."""

    name: str
    command: Callable[[Path, str], list[str | Path]]


@dataclass(frozen=True)
class Result:
    """What came out of a face."""

    name: str
    ids: list[int]
    load_ms: float
    encode_us: float


def main() -> int:
    """Encode everywhere and compare; without --check, open the playground as well."""
    parser = argparse.ArgumentParser(prog="scripts/demo", description=__doc__)
    parser.add_argument("--check", action="store_true", help="do not open the playground")
    parser.add_argument("--port", type=int, default=8765, help="of the playground (8765)")
    arguments = parser.parse_args()
    build.build(["python", "wasm", "web", "pyodide"])
    model = model_file()
    results = encode_everywhere(model)
    agree = print_results(model, results)
    if not agree:
        return 1
    if not arguments.check:
        open_playground(arguments.port)
    return 0


def model_file() -> Path:
    """Gemma 3, or a Mistral model without npm, as model.spm.fb beside its model.model."""
    data = test_data.find_or_get()
    sources = list(data.tokenizers.values()) + [
        path for name, path in data.models.items() if name.startswith("mistral")
    ]
    if not sources:
        raise Stop(f"there is no model to show: {'; '.join(data.missing.values())}")
    source = sources[0]
    venv = environment.find_or_get()

    def convert(folder: Path) -> None:
        with console.step(f"{source.name} to .model and .spm.fb"):
            program: list[str | Path] = [venv.python, "-m", "spmlite", "convert"]
            plain = folder / "model.model"
            console.run([*program, source, plain], log="convert")
            console.run([*program, plain, folder / "model.spm.fb"], log="convert")

    version = f"{source} {fingerprint('core', 'py')}"
    return cache.made_once("demo", version, convert) / "model.spm.fb"


def encode_everywhere(model: Path) -> list[Result]:
    """The text, encoded natively, in Node, in Chromium and in Pyodide."""
    with site.served(CHECKOUT / "web" / "dist") as address:
        return [encode(face, model, address) for face in faces()]


def faces() -> list[Face]:
    """The four, with what each of them needs."""
    venv = environment.find_or_get()
    engine = node.find_or_get()
    browser = chromium.find_or_get()
    options = json.dumps(browser.arguments)
    wheel = next((CHECKOUT / "dist" / "pyodide").glob("*.whl"))
    version = pyodide.VERSIONS[1]
    python = pyodide.find_or_get(version)
    native = FACES / "native.py"
    return [
        Face("native Python", lambda model, _: [venv.python, native, model, TEXT, ROUNDS]),
        Face(
            f"WebAssembly in Node {engine.version}",
            lambda model, _: [
                *(engine.executable, FACES / "node.mjs"),
                *(CHECKOUT / "wasm", model, TEXT, ROUNDS),
            ],
        ),
        Face(
            "the page in Chromium",
            lambda model, address: [
                *(venv.python, FACES / "chromium.py", address),
                *(browser.executable, options, model, TEXT, ROUNDS),
            ],
        ),
        Face(
            f"Pyodide {version} in Node",
            lambda model, _: [
                *(engine.executable, FACES / "pyodide.mjs"),
                *(python, wheel, native, model, TEXT, ROUNDS),
            ],
        ),
    ]


def encode(face: Face, model: Path, address: str) -> Result:
    """Run one of them."""
    with console.step(face.name):
        log = "demo-" + face.name.replace(" ", "-")
        printed = console.run(face.command(model, address), log=log, timeout=300)
    found = json.loads(printed.strip().splitlines()[-1])
    return Result(face.name, found["ids"], found["load_ms"], found["encode_us"])


def print_results(model: Path, results: list[Result]) -> bool:
    """Print the ids once, the times of each, and whether all agree."""
    first = results[0]
    text = TEXT.read_text(encoding="utf-8")
    console.say(f"\n{text}\n{len(first.ids)} ids of {len(text.encode())} bytes, natively:")
    console.say(
        textwrap.fill(
            " ".join(map(str, first.ids)), 96, initial_indent="  ", subsequent_indent="  "
        )
    )
    console.say(f"\n  {'':28} {'load':>10} {'encode':>12}   ids")
    for result in results:
        same = "the same" if result.ids == first.ids else "OTHERS"
        console.say(
            f"  {result.name:28} {result.load_ms:7.1f} ms {result.encode_us:9.1f} µs   {same}"
        )
    agree = all(result.ids == first.ids for result in results)
    size = model.stat().st_size / 1e6
    console.say(
        f"\nThe four agree: {len(first.ids)} ids each, from one model of {size:.1f} MB."
        if agree
        else "\nThey do not agree: see the ids in the logs."
    )
    return agree


def open_playground(port: int) -> None:
    """Serve the site until the user interrupts."""
    with site.served(CHECKOUT / "web" / "dist", port) as address:
        console.say(f"The playground is at {address} ; Ctrl-C ends it.")
        webbrowser.open(address)
        threading.Event().wait()
