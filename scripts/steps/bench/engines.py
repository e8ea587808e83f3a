"""Everything that tokenizes here: how each is started, and why one is missing."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from .. import environment, node
from ..environment import CHECKOUT
from ..stop import Stop
from . import inputs, lite, peers

DRIVERS = Path(__file__).parent / "drivers"
Command = list[str | Path]


class NotAsked(Exception):
    """An engine is not measured on a point, since nobody asks."""


@dataclass(frozen=True)
class Point:
    """What an engine is given: one bar of a chart, one cell of a table."""

    text: inputs.Text
    model: inputs.Model
    mode: str
    """`line` or `doc`."""
    threads: int = 1
    size: int = 0
    """The bytes that the text is cut or repeated to; 0 for the text as it is."""

    @property
    def name(self) -> str:
        """Tells points apart in results."""
        more = f" {self.threads} threads" if self.threads > 1 else ""
        more += f" {self.size} bytes" if self.size else ""
        return f"{self.text.name} {self.model.name} {self.mode}{more}"


@dataclass(frozen=True)
class Engine:
    """One tokenizer, in one way to use it."""

    name: str
    title: str
    command: Callable[[Point, int], Command]
    """For a point and the number of passes; a Stop says why there is none. May raise NotAsked."""
    most_bytes: int = 0
    """Slow ones get so much of a text; 0 for all of it."""
    where: str = "native"
    """`native`, `python` or `node`."""
    passes: int = 2
    """In one round."""
    own_ids: bool = False
    """Its vocabulary is another, so that its ids mean nothing here."""


def all_engines() -> list[Engine]:
    """Ours beside each peer."""
    return [*_native(), *_in_python(), *_in_node()]


def _native() -> list[Engine]:
    return [
        Engine(
            name + ("" if cache == "medium" else f"-{cache}"),
            f"{title}, cache {cache}",
            functools.partial(_spm_bench, name, cache),
            passes=3,
        )
        for cache in ("medium", "large")
        for name, title in (("spmlite", "spmlite, C++"), ("lite", "lite, C++"))
    ]


def _spm_bench(name: str, cache: str, point: Point, passes: int) -> Command:
    ours = name == "spmlite"
    program = CHECKOUT / "build" / "spm_bench" if ours else lite.native()
    blob = point.model.ours if ours else _published(point)
    return [
        program,
        *("--model", blob, "--text", point.text.path, "--mode", point.mode),
        *("--reps", str(passes), "--cache", cache),
        *("--threads", str(point.threads), "--size", str(point.size)),
    ]


def _published(point: Point) -> Path:
    if point.model.published is None:
        raise Stop(f"sentencepiece's converter does not convert {point.model.name}.")
    return point.model.published


def _in_python() -> list[Engine]:
    def engine(name: str, title: str, command: Callable[[Point, int], Command]) -> Engine:
        return Engine(name, title, command, SLOW.get(name, 0), "python", own_ids=name == "tiktoken")

    return [
        engine("spmlite-python", "spmlite, Python", _dev_python("spmlite")),
        engine("sentencepiece", "sentencepiece, Python", _dev_python("sentencepiece")),
        engine("gigatoken", "gigatoken", _peer("gigatoken", _json_of)),
        engine("tokenizers", "Hugging Face tokenizers", _peer("tokenizers", _json_or_proto)),
        engine("kitoken", "kitoken", _peer("kitoken", lambda point: point.model.proto)),
        engine("tiktoken", "tiktoken (o200k_base)", _peer("tiktoken", _openai)),
    ]


# In bytes; a pass of each takes a second or so.
SLOW = {
    "tokenizers": 1_000_000,
    "kitoken": 2_000_000,
    "hf-tokenizers-js": 50_000,
    "sentencepiece-js": 500_000,
}


def _dev_python(name: str) -> Callable[[Point, int], Command]:
    """In the checkout's environment, which has ours and the oracle."""

    def command(point: Point, passes: int) -> Command:
        model = point.model.ours if name == "spmlite" else point.model.proto
        return _python(environment.find_or_get().python, name, model, point, passes)

    return command


def _peer(name: str, model: Callable[[Point], Path]) -> Callable[[Point, int], Command]:
    return lambda point, passes: _python(peers.python(), name, model(point), point, passes)


def _python(python: Path, name: str, model: Path, point: Point, passes: int) -> Command:
    driver = DRIVERS / "python_engine.py"
    return [python, driver, name, model, point.text.path, point.mode, str(passes)]


def _json_of(point: Point) -> Path:
    found = inputs.tokenizer_json(point.model)
    if found is None:
        raise Stop(f"there is no tokenizer.json of {point.model.name}, which is no BPE model.")
    return found


def _json_or_proto(point: Point) -> Path:
    return inputs.tokenizer_json(point.model) or point.model.proto


def _openai(point: Point) -> Path:
    if point.model.name != "gemma3":
        raise NotAsked  # its ids are its own: once for each text is enough
    return peers.tiktoken_vocabulary()


def _in_node() -> list[Engine]:
    def engine(name: str, title: str, driver: str, model: Callable[[Point], Path]) -> Engine:
        command = functools.partial(_node, driver, model)
        return Engine(
            name, title, command, SLOW.get(name, 0), "node", own_ids=name == "gpt-tokenizer"
        )

    lites = [
        engine(f"node-{name}", f"{title}, WASM", name, _published)
        for name, title in (
            ("lite-plain", "lite, no cache"),
            ("lite", "lite, cache medium"),
            ("lite-large", "lite, cache large"),
        )
    ]
    return [
        engine("node-spmlite", "spmlite, WASM", "spmlite", lambda point: point.model.ours),
        *lites,
        engine("hf-tokenizers-js", "@huggingface/tokenizers", "hf-tokenizers-js", _json_of),
        engine(
            "sentencepiece-js",
            "@agnai/sentencepiece-js",
            "sentencepiece-js",
            lambda point: point.model.proto,
        ),
        engine("gpt-tokenizer", "gpt-tokenizer (o200k_base)", "gpt-tokenizer", _openai),
    ]


def _node(driver: str, model: Callable[[Point], Path], point: Point, passes: int) -> Command:
    if point.model.name != "gemma3" or point.text.name not in ("english", "japanese", "botchan"):
        raise NotAsked
    is_lite = driver.startswith("lite")
    is_peer = not is_lite and driver != "spmlite"
    return [
        *(node.find_or_get().executable, DRIVERS / "node_engine.mjs", driver, model(point)),
        *(point.text.path, point.mode, str(passes), CHECKOUT / "wasm"),
        peers.node_modules() if is_peer else CHECKOUT,
        lite.wasm() if is_lite else "",
    ]
