"""Encodes a text with one tokenizer of Python and prints one line of JSON.

    python python_engine.py ENGINE MODEL TEXT line|doc PASSES

The text is encoded PASSES times on one thread, in each of the ways that the engine has to take
it; the best way counts. The first pass of a fresh engine is `cold_mb_s`, the best of the others
`warm_mb_s`.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

Ids = Sequence[int]
Encode = Callable[[list[str]], Sequence[Ids]]
Load = Callable[[Path], dict[str, Encode]]


def spmlite(model: Path) -> dict[str, Encode]:
    """Ours, each line by a call of its own, and all by one."""
    return _drop_in("spmlite", model)


def sentencepiece(model: Path) -> dict[str, Encode]:
    """The oracle, which has the same interface."""
    return _drop_in("sentencepiece", model)


def _drop_in(package: str, model: Path) -> dict[str, Encode]:
    processor = importlib.import_module(package).SentencePieceProcessor(model_file=str(model))
    options: dict[str, Any] = {"return_type": "numpy"}
    return {
        "calls": lambda texts: [processor.encode(text, **options) for text in texts],
        "batch": lambda texts: list(processor.encode(texts, num_threads=1, **options)),
    }


def gigatoken(model: Path) -> dict[str, Encode]:
    """From a tokenizer.json."""
    tokenizer = importlib.import_module("gigatoken").Tokenizer.from_json(model.read_bytes())
    return {
        "calls": lambda texts: [tokenizer.encode(text) for text in texts],
        "batch": lambda texts: tokenizer.encode_batch(texts, parallel=False),
    }


def tokenizers(model: Path) -> dict[str, Encode]:
    """Hugging Face's, from a tokenizer.json, or from a `.model` of Unigram."""
    library = importlib.import_module("tokenizers")
    if model.suffix == ".json":
        tokenizer = library.Tokenizer.from_file(str(model))
    else:
        tokenizer = _unigram(library, model)
    return {
        "calls": lambda texts: [
            tokenizer.encode(text, add_special_tokens=False).ids for text in texts
        ],
        "batch": lambda texts: [
            encoding.ids
            for encoding in tokenizer.encode_batch_fast(texts, add_special_tokens=False)
        ],
    }


def _unigram(library: Any, model: Path) -> Any:  # noqa: ANN401 - of a package without types
    """As transformers converts T5: the charsmap, spaces squeezed, and marks for spaces."""
    messages = importlib.import_module("sentencepiece.sentencepiece_model_pb2")
    proto = messages.ModelProto.FromString(model.read_bytes())
    tokenizer = library.Tokenizer(
        library.models.Unigram(
            [(piece.piece, piece.score) for piece in proto.pieces],
            proto.trainer_spec.unk_id,
            byte_fallback=proto.trainer_spec.byte_fallback,
        )
    )
    steps: list[Any] = []
    if proto.normalizer_spec.precompiled_charsmap:
        charsmap = proto.normalizer_spec.precompiled_charsmap
        steps.append(library.normalizers.Precompiled(charsmap))
    if proto.normalizer_spec.remove_extra_whitespaces:
        steps.append(library.normalizers.Strip())
        steps.append(library.normalizers.Replace(library.Regex(" {2,}"), " "))
    tokenizer.normalizer = library.normalizers.Sequence(steps)
    scheme = "always" if proto.normalizer_spec.add_dummy_prefix else "never"
    tokenizer.pre_tokenizer = library.pre_tokenizers.Metaspace("▁", scheme)
    return tokenizer


def kitoken(model: Path) -> dict[str, Encode]:
    """From the `.model`."""
    library = importlib.import_module("kitoken")
    tokenizer = library.Kitoken.from_sentencepiece_file(str(model))
    return {
        "calls": lambda texts: [tokenizer.encode(text) for text in texts],
        "batch": lambda texts: tokenizer.encode_all(texts),
    }


def tiktoken(model: Path) -> dict[str, Encode]:
    """With OpenAI's vocabulary, in the JSON of npm's tiktoken: text does not fit to other ids."""
    found = json.loads(model.read_bytes())
    encoding = importlib.import_module("tiktoken").Encoding(
        "o200k_base",
        pat_str=found["pat_str"],
        mergeable_ranks=dict(_ranks(found["bpe_ranks"])),
        special_tokens=found["special_tokens"],
    )
    return {
        "calls": lambda texts: [encoding.encode_ordinary(text) for text in texts],
        "numpy": lambda texts: [encoding.encode_to_numpy(t, disallowed_special=()) for t in texts],
    }


def _ranks(lines: str) -> list[tuple[bytes, int]]:
    """A line is `! RANK TOKEN TOKEN ...`: the tokens in base64, the first one's rank."""
    import base64

    ranks = []
    for line in lines.splitlines():
        if not line:
            continue
        _, first, *tokens = line.split(" ")
        ranks += [(base64.b64decode(t), int(first) + i) for i, t in enumerate(tokens)]
    return ranks


ENGINES: dict[str, Load] = {
    "spmlite": spmlite,
    "sentencepiece": sentencepiece,
    "gigatoken": gigatoken,
    "tokenizers": tokenizers,
    "kitoken": kitoken,
    "tiktoken": tiktoken,
}


def hash_of(encoded: Sequence[Ids]) -> tuple[int, str]:
    """How many ids there are, and spm_bench's hash of them."""
    value, count = 1469598103934665603, 0
    for ids in encoded:
        for number in map(int, ids):
            value = ((value ^ number) * 1099511628211) & 0xFFFFFFFFFFFFFFFF
            count += 1
    return count, f"{value:016x}"


def measure(encode: Encode, texts: list[str], passes: int) -> tuple[list[float], Sequence[Ids]]:
    """The seconds of each pass, and the ids."""
    seconds = []
    encoded: Sequence[Ids] = []
    for _ in range(passes):
        start = time.perf_counter()
        encoded = encode(texts)
        seconds.append(time.perf_counter() - start)
    return seconds, encoded


def peak_kb() -> int | None:
    """The most memory that was resident."""
    try:
        status = Path("/proc/self/status").read_text(encoding="utf-8")
    except OSError:
        return None
    lines = [line for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(lines[0].split()[1]) if lines else None


def main() -> None:
    """Measure and print."""
    name, model, path, mode, passes = sys.argv[1:]
    content = Path(path).read_bytes().decode("utf-8")
    texts = [line for line in content.split("\n") if line] if mode == "line" else [content]
    megabytes = sum(len(text.encode()) for text in texts) / 1e6
    cold: dict[str, float] = {}
    warm: dict[str, float] = {}
    start = time.perf_counter()
    engine = ENGINES[name](Path(model))
    load_ms = (time.perf_counter() - start) * 1e3
    encoded: Sequence[Ids] = []
    for way in list(engine):
        engine[way](["a"])  # some make tables at their first call, which is loading
        seconds, encoded = measure(engine[way], texts, int(passes))
        cold[way] = megabytes / seconds[0]
        warm[way] = megabytes / min(seconds[1:] or seconds)
        # The next way begins with a fresh one, so that a cache inside it is empty.
        engine = ENGINES[name](Path(model)) if len(cold) < len(engine) else engine
    tokens, hash_value = hash_of(encoded)
    best = max(warm, key=lambda way: warm[way])
    result = {
        "engine": name,
        "mode": mode,
        "texts": len(texts),
        "bytes": round(megabytes * 1e6),
        "tokens": tokens,
        "hash": hash_value,
        "cold_mb_s": round(max(cold.values()), 3),
        "warm_mb_s": round(warm[best], 3),
        "way": best,
        "load_ms": round(load_ms, 3),
        "peak_kb": peak_kb(),
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
