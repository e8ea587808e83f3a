"""The tool spm_bench: its ids are the oracle's; compiled against lite, it reads our models."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
from steps import test_data
from steps.stop import Stop

CHECKOUT = Path(__file__).resolve().parents[2]
TOOL = CHECKOUT / "build" / ("spm_bench.exe" if sys.platform == "win32" else "spm_bench")
RATES = ("plain_mb_s", "cold_mb_s", "warm_mb_s", "normalize_mb_s", "decode_mb_s", "load_ms")
HEAP_LIMIT = 16_384
CountPairs = Callable[[str, int, int], None]


def run(tool: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    words = [str(word) for word in (tool, *arguments)]
    return subprocess.run(words, capture_output=True, text=True, check=False)


def bench(tool: Path, model: Path, text: Path, *more: str) -> dict[str, Any]:
    done = run(tool, "--model", model, "--text", text, "--reps", "1", *more)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def hash_of(ids: Iterable[int]) -> str:
    """FNV-1a over ids of 32 bits each."""
    value = 1469598103934665603
    for number in ids:
        value = ((value ^ number) * 1099511628211) % 2**64
    return f"{value:016x}"


def oracle_ids(model: Path, text: Path, mode: str) -> list[int]:
    processor = sentencepiece.SentencePieceProcessor(model_file=str(model))
    content = text.read_bytes().decode()
    texts = [line for line in content.split("\n") if line] if mode == "line" else [content]
    return [number for ids in processor.encode(texts) for number in ids]


@pytest.fixture(scope="session")
def tool() -> Path:
    if not TOOL.exists():
        pytest.skip("build/spm_bench is not there: scripts/build makes it")
    return TOOL


@pytest.fixture(scope="session")
def models(model_paths: dict[str, Path]) -> dict[str, Path]:
    """Those of the registries and those trained here: one of each kind."""
    return {name: path for name, path in model_paths.items() if not name.startswith("shared/")}


@pytest.mark.parametrize("mode", ["line", "doc"])
def test_the_hash_is_that_of_the_oracles_ids(
    tool: Path, mode: str, models: dict[str, Path], botchan: Path, count_pairs: CountPairs
) -> None:
    compared = ("mistral_v1", "trained_unigram", "trained_bpe_suffix", "trained_word")
    wrong = []
    for name in compared:
        if name not in models:
            continue
        found = bench(tool, models[name], botchan, "--mode", mode)
        expected = oracle_ids(models[name], botchan, mode)
        if (found["tokens"], found["hash"]) != (len(expected), hash_of(expected)):
            wrong.append(name)
        assert found["cached_is_the_same"]
    count_pairs(f"spm_bench on botchan, {mode}", len(compared), len(wrong))
    assert not wrong


def test_every_figure_is_there(tool: Path, spm_fb_paths: dict[str, Path], botchan: Path) -> None:
    found = bench(tool, next(iter(spm_fb_paths.values())), botchan)
    assert found["mode"] == "line"
    lines = [line for line in botchan.read_bytes().split(b"\n") if line]
    assert (found["texts"], found["bytes"]) == (len(lines), sum(map(len, lines)))
    assert all(found[key] > 0 for key in RATES)
    assert 0 < found["load_trusted_ms"] < found["load_ms"]
    if sys.platform == "linux":
        assert found["peak_kb"] > 0


def test_a_loaded_model_holds_less_than_16_kb_of_heap(
    tool: Path, spm_fb_paths: dict[str, Path], botchan: Path
) -> None:
    heaps = {
        name: bench(tool, blob, botchan, "--size", "100")["heap_bytes"]
        for name, blob in spm_fb_paths.items()
        if not name.startswith("shared/")
    }
    if None in heaps.values():
        pytest.skip("the C library does not tell what is on the heap")
    print(heaps)
    assert max(heaps.values()) < HEAP_LIMIT


def test_threads_and_sizes(tool: Path, spm_fb_paths: dict[str, Path], botchan: Path) -> None:
    blob = next(iter(spm_fb_paths.values()))
    one = bench(tool, blob, botchan, "--mode", "doc", "--size", "1000")
    two = bench(tool, blob, botchan, "--mode", "doc", "--size", "1000", "--threads", "2")
    assert one["bytes"] == 1000
    assert (two["threads"], two["hash"]) == (2, one["hash"])
    size = botchan.stat().st_size
    repeated = bench(tool, blob, botchan, "--mode", "doc", "--size", str(size + 1000))
    assert size < repeated["bytes"] <= size + 1000


def test_mistakes_are_named(tool: Path, botchan: Path, tmp_path: Path) -> None:
    assert run(tool).stderr == "spm_bench: --model=VALUE is missing; see --help\n"
    given = ("--model", "m", "--text", "t")
    assert run(tool, *given, "--mode", "all").stderr == "spm_bench: --mode is line or doc\n"
    assert run(tool, *given, "--reps", "0").stderr == "spm_bench: --reps is at least 1\n"
    assert run(tool, *given).stderr == "spm_bench: cannot read m\n"
    broken = tmp_path / "broken.model"
    broken.write_bytes(b"no model")
    assert run(tool, "--model", broken, "--text", botchan).stderr.startswith(
        f"spm_bench: {broken}: "
    )


@pytest.fixture(scope="session")
def lite_tool() -> Path:
    from steps.bench import lite

    try:
        return lite.native()
    except Stop as stop:
        pytest.skip(f"the published lite runtime could not be built: {stop}")


def test_lite_reads_our_models_as_its_own(
    lite_tool: Path,
    models: dict[str, Path],
    spm_fb_paths: dict[str, Path],
    data: test_data.TestData,
    tmp_path: Path,
    count_pairs: CountPairs,
) -> None:
    """Where lite agrees with the oracle on the blob of its own converter, it does so on ours."""
    text = tmp_path / "text.txt"
    lines = [
        line
        for name in ("botchan", "udhr")
        if name in data.texts
        for line in data.texts[name].read_text(encoding="utf-8").split("\n")[::60]
    ]
    text.write_text("\n".join(lines), encoding="utf-8", newline="\n")
    agreeing, others = 0, []
    for name, model in models.items():
        published = tmp_path / f"{name}.fb"
        try:
            sentencepiece.convert_to_flatbuffer(model_file=str(model), output_file=str(published))
        except ValueError:  # it knows no WORD and CHAR
            continue
        expected = hash_of(oracle_ids(model, text, "line"))
        if bench(lite_tool, published, text)["hash"] != expected:
            continue
        agreeing += 1
        if bench(lite_tool, spm_fb_paths[name], text)["hash"] != expected:
            others.append(name)
    count_pairs("lite on our models", agreeing, len(others))
    assert agreeing > 0
    assert not others
