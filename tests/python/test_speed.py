"""What a call of Python adds to the engine's own time, for a short text and for many lines.

Its times mean something on a machine with nothing else to do: `pytest -m quiet`.
"""

from __future__ import annotations

import json
import subprocess
import time
import timeit
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
import spmlite
from steps.test_data import TestData

CHECKOUT = Path(__file__).resolve().parents[2]
BENCH = CHECKOUT / "build" / "spm_bench"
TEXT = "The house on a hill."
CALLS = 5_000
ROUNDS = 20
LIMIT = 1.5  # microseconds over the engine's
LINES = 100_000
LEAST_SHARE = 0.7  # of the engine's speed on the same lines


@pytest.mark.quiet
def test_a_short_text_takes_little_more_than_the_engine(model_path: Path) -> None:
    """In each round every call has its turn; the best round of each counts.

    The engine's time is that of the native module's own method, which makes the list of ids.
    """
    oracle = sentencepiece.SentencePieceProcessor(model_file=str(model_path))
    ours = spmlite.SentencePieceProcessor(model_file=str(model_path))
    native = ours._processor
    engine = {
        "ids": lambda: native.encode_ids(TEXT, 0),
        "pieces": lambda: native.encode_pieces(TEXT, 0),
    }
    calls: dict[str, tuple[str, Callable[[Any], object]]] = {
        "encode(text)": ("ids", lambda p: p.encode(TEXT)),
        "encode(text, out_type=int)": ("ids", lambda p: p.encode(TEXT, out_type=int)),
        "encode(text, return_type=int)": ("ids", lambda p: p.encode(TEXT, return_type=int)),
        "encode(text, add_bos=True)": ("ids", lambda p: p.encode(TEXT, add_bos=True)),
        "encode_as_ids(text)": ("ids", lambda p: p.encode_as_ids(TEXT)),
        "encode(text, out_type=str)": ("pieces", lambda p: p.encode(TEXT, out_type=str)),
    }
    timers = {("engine", name): timeit.Timer(call) for name, call in engine.items()}
    for name, (_, call) in calls.items():
        timers["ours", name] = timeit.Timer(partial(call, ours))
        timers["oracle", name] = timeit.Timer(partial(call, oracle))
    best = dict.fromkeys(timers, float("inf"))
    for _ in range(ROUNDS):
        for key, timer in timers.items():
            best[key] = min(best[key], timer.timeit(CALLS) / CALLS * 1e6)
    over = {name: best["ours", name] - best["engine", kind] for name, (kind, _) in calls.items()}
    for name, (kind, _) in calls.items():
        print(
            f"{name}: {best['ours', name]:.2f} us, {over[name]:.2f} over the engine's "
            f"{best['engine', kind]:.2f}; the oracle {best['oracle', name]:.2f}"
        )
    assert len(TEXT) == 20
    assert max(over.values()) <= LIMIT


@pytest.mark.quiet
def test_a_list_of_100_000_lines_is_encoded_nearly_as_fast_as_by_the_engine(
    data: TestData, spm_fb_paths: dict[str, Path], tmp_path: Path
) -> None:
    """English, Gemma 3, numpy out, one thread; the engine in a program of its own.

    Both with the token cache as the lines have left it before, in turn, the best of three.
    """
    model = spm_fb_paths.get("gemma3") or spm_fb_paths.get("shared/gemma3_rebuilt")
    if model is None or not BENCH.is_file():
        pytest.skip("needs Gemma 3, from a registry, and build/spm_bench: scripts/build native")
    english = data.texts.get("shared/english") or data.texts["botchan"]
    some = [line for line in english.read_text("utf-8").split("\n") if line]
    lines = [f"{copy} {line}" for copy in range(-(-LINES // len(some))) for line in some][:LINES]
    text = tmp_path / "lines.txt"
    text.write_text("\n".join(lines), "utf-8", newline="\n")
    processor = spmlite.SentencePieceProcessor(model_file=model, num_threads=1)
    processor.encode(lines, return_type="numpy")
    rate = engine = 0.0
    for _ in range(3):
        start = time.perf_counter()
        processor.encode(lines, return_type="numpy")
        rate = max(rate, text.stat().st_size / 1e6 / (time.perf_counter() - start))
        options = [f"--model={model}", f"--text={text}", "--mode=line", "--reps=2"]
        run = subprocess.run([BENCH, *options], capture_output=True, text=True, check=True)
        engine = max(engine, json.loads(run.stdout.strip().split("\n")[-1])["warm_mb_s"])
    print(
        f"{len(lines):,} lines to numpy: {rate:.0f} MB/s, {rate / engine:.2f} of the engine's "
        f"{engine:.0f}; asked: at least {LEAST_SHARE}"
    )
    assert rate >= LEAST_SHARE * engine
