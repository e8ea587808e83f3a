"""How fast a model is on texts of one's own."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from spmlite.processor import SentencePieceProcessor


class Speed(NamedTuple):
    """The best of several runs."""

    what: str
    seconds: float
    megabytes_per_second: float
    tokens_per_second: float


def measure(
    path: Path, lines: list[str], seconds: float, threads: int, with_sentencepiece: bool
) -> list[Speed]:
    """Encode and decode lines again and again.

    Args:
        path: the model.
        lines: the texts.
        seconds: how long each way is tried at least.
        threads: how many threads share the work; below 0, one a core.
        with_sentencepiece: measure that as well, in the same process.

    Raises:
        RuntimeError: the model cannot be loaded, or `sentencepiece` is not there.
    """
    ours = SentencePieceProcessor(path, num_threads=threads)
    rows = ours.encode(lines, return_type="numpy")
    size = sum(len(line.encode()) for line in lines)
    tokens = sum(map(len, rows))
    ways: list[tuple[str, Callable[[], Any]]] = [
        ("encode to numpy", lambda: ours.encode(lines, return_type="numpy")),
        ("encode to lists", lambda: ours.encode(lines)),
        ("count", lambda: ours.count(lines)),
        ("decode", lambda: ours.decode(rows)),
    ]
    if with_sentencepiece:
        theirs = _sentencepiece(ours, threads)
        ways += [
            ("sentencepiece: encode to numpy", lambda: theirs.encode(lines, return_type="numpy")),
            ("sentencepiece: decode", lambda: theirs.decode(rows)),
        ]
    speeds = []
    for what, run in ways:
        best = _best(run, seconds)
        speeds.append(Speed(what, best, size / best / 1e6, tokens / best))
    return speeds


def _best(run: Callable[[], Any], seconds: float) -> float:
    """The time of the fastest run."""
    started = time.perf_counter()
    best = float("inf")
    while True:
        before = time.perf_counter()
        run()
        after = time.perf_counter()
        best = min(best, after - before)
        if after - started > seconds:
            return best


def _sentencepiece(ours: SentencePieceProcessor, threads: int) -> Any:  # noqa: ANN401
    try:
        import sentencepiece
    except ImportError:
        raise RuntimeError(
            "the comparison needs sentencepiece: pip install sentencepiece==0.2.3"
        ) from None
    return sentencepiece.SentencePieceProcessor(
        model_proto=ours.serialized_model_proto(), num_threads=threads
    )
