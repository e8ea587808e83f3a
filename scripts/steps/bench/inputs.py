"""The models and texts that are measured on, in the forms that the engines read."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import random
import string
from dataclasses import dataclass
from pathlib import Path

from .. import cache, console, environment, test_data
from ..sources import fingerprint
from ..stop import Stop
from . import peers

# Text and model of each pair that is asked for.
PAIRS = (
    ("english", "gemma3"),
    ("english", "llama2"),
    ("english", "t5_base"),
    ("english", "llmjp_v3.0b1_100k"),
    ("japanese", "gemma3"),
    ("japanese", "llmjp_v3.0b1_100k"),
    ("multilingual", "gemma3"),
    ("code", "gemma3"),
)
# What stands in where the project's shared folder is not there.
OTHER_TEXTS = {"english": "botchan", "multilingual": "udhr"}
OTHER_MODELS = {"llama2": "mistral_v1", "t5_base": "test_model"}

WORST_TEXTS = ("aaaa", "letters", "spaces")
WORST_SIZE = 1_000_000
SEED = 20261130


@dataclass(frozen=True)
class Model:
    """One model in the forms that engines read; `None` for a form that could not be made."""

    name: str
    proto: Path
    """The `.model` file."""
    ours: Path
    """The `.spm.fb` file of our converter."""
    published: Path | None
    """The flatbuffer that sentencepiece's own converter writes, which knows no WORD and CHAR."""
    digest: str
    """Of the `.model`."""


@dataclass(frozen=True)
class Text:
    """UTF-8."""

    name: str
    path: Path


def model(name: str) -> Model:
    """A model by its name, or by the path of its `.model`."""
    proto = _proto(name)
    if proto is None:
        raise Stop(f"there is no model {name}.")
    digest = hashlib.sha256(proto.read_bytes()).hexdigest()
    return _in_all_forms(Path(name).stem, proto, digest)


@functools.cache
def _in_all_forms(name: str, proto: Path, digest: str) -> Model:
    venv = environment.find_or_get()

    def convert(draft: Path) -> None:
        with console.step(f"{name} in the forms that the engines read"):
            ours: list[str | Path] = [venv.python, "-m", "spmlite", "convert"]
            console.run([*ours, proto, draft / "ours.spm.fb"], log="convert")
            command: list[str | Path] = [venv.python, "-c", PUBLISHED_CONVERTER]
            with contextlib.suppress(Stop):
                console.run([*command, proto, draft / "published.fb"], log="convert-published")

    version = f"{digest} {fingerprint('core', 'py')}"
    folder = cache.made_once(f"bench/models/{name}", version, convert)
    published = folder / "published.fb"
    return Model(
        name,
        proto,
        folder / "ours.spm.fb",
        published if published.is_file() else None,
        digest,
    )


PUBLISHED_CONVERTER = """
import sys
import sentencepiece
sentencepiece.convert_to_flatbuffer(model_file=sys.argv[1], output_file=sys.argv[2])
"""


def _proto(name: str) -> Path | None:
    """The `.model` file; Gemma 3 is published as a tokenizer.json, which is converted."""
    if name.endswith(".model"):
        return Path(name).resolve()
    data = test_data.find_or_get()
    for known in (f"shared/{name}", name):
        if known in data.models:
            return data.models[known]
    return _gemma() if name == "gemma3" and "gemma3" in data.tokenizers else None


def _gemma() -> Path:
    source = test_data.find_or_get().tokenizers["gemma3"]
    venv = environment.find_or_get()

    def convert(draft: Path) -> None:
        with console.step("Gemma 3 from tokenizer.json to .model"):
            program: list[str | Path] = [venv.python, "-m", "spmlite", "convert"]
            console.run([*program, source, draft / "gemma3.model"], log="convert")

    version = f"{source} {fingerprint('py/spmlite/tokenizer_json.py')}"
    return cache.made_once("bench/gemma3", version, convert) / "gemma3.model"


def tokenizer_json(model: Model) -> Path | None:
    """As published, else as gigatoken makes it of a BPE model; None for another model."""
    published = test_data.find_or_get().tokenizers.get(model.name)
    if published is not None:
        return published
    python = peers.python()
    try:
        folder = cache.made_once(
            f"bench/tokenizer-json/{model.name}",
            model.digest,
            lambda draft: _convert_to_json(python, model.proto, draft / "tokenizer.json"),
        )
    except Stop:
        return None
    return folder / "tokenizer.json"


def _convert_to_json(python: Path, proto: Path, output: Path) -> None:
    code = (
        "import sys, pathlib\n"
        "from gigatoken._load.sentencepiece import sentencepiece_to_tokenizer_json as convert\n"
        "made = convert(pathlib.Path(sys.argv[1]).read_bytes())\n"
        "made = made if isinstance(made, bytes) else made.encode()\n"
        "pathlib.Path(sys.argv[2]).write_bytes(made)\n"
    )
    console.run([python, "-c", code, proto, output], log="convert-json")


def has_model(name: str) -> bool:
    """Whether a model of this name can be had."""
    return _proto(name) is not None


def text(name: str) -> Text:
    """A text by its name or path, or one that is made here."""
    made = _made_texts()
    if name in made:
        return made[name]
    found = _found_text(name)
    if found is None:
        raise Stop(f"there is no text {name}.")
    return found


def has_text(name: str) -> bool:
    """Whether a text of this name can be had."""
    return _found_text(name) is not None


def _found_text(name: str) -> Text | None:
    texts = test_data.find_or_get().texts
    for known in (f"shared/{name}", name):
        if known in texts:
            return Text(name, texts[known])
    path = Path(name)
    return Text(path.stem, path.resolve()) if path.is_file() else None


@functools.cache
def _made_texts() -> dict[str, Text]:
    """Texts without a single place to cut, and English in ASCII alone."""
    english = _found_text("english") or _found_text("botchan")

    def write(draft: Path) -> None:
        letters = random.Random(SEED).choices(string.ascii_lowercase, k=WORST_SIZE)
        texts = {"aaaa": "a" * WORST_SIZE, "letters": "".join(letters), "spaces": " " * WORST_SIZE}
        if english is not None:
            lines = english.path.read_text(encoding="utf-8").splitlines(keepends=True)
            texts["ascii"] = "".join(filter(str.isascii, lines))
        for name, content in texts.items():
            (draft / f"{name}.txt").write_text(content, encoding="utf-8", newline="\n")

    version = f"{SEED} {english} {fingerprint('scripts/steps/bench/inputs.py')}"
    folder = cache.made_once("bench/texts", version, write)
    return {path.stem: Text(path.stem, path) for path in sorted(folder.glob("*.txt"))}


@functools.cache
def sample(whole: Text, size: int) -> Text:
    """The lines that begin in the first `size` bytes; the text itself when that is all of it."""
    content = whole.path.read_bytes()
    if size <= 0 or len(content) <= size:
        return whole
    end = content.find(b"\n", size)
    version = f"{hashlib.sha256(content).hexdigest()} {size}"

    def write(draft: Path) -> None:
        cut = content[:end] if end >= 0 else content[:size]
        (draft / "text.txt").write_bytes(cut)

    folder = cache.made_once(f"bench/samples/{whole.name}-{size}", version, write)
    return Text(whole.name, folder / "text.txt")
