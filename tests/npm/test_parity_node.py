"""WebAssembly in Node gives the ids, the offsets and the converted models of native Python."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from records import (
    IDS,
    OFFSETS,
    PAIRS_OF_OFFSETS,
    count_mismatches,
    expected_numbers,
    lines_of,
    to_utf16,
    write_lines,
)
from spmlite import SentencePieceProcessor, _native, set_random_generator_seed
from steps import node

Run = Callable[..., str]
Models = dict[str, Path]
Texts = dict[str, list[str]]
CountPairs = Callable[[str, int, int], None]

PAIRS = 200_000
PAIRS_TOLD = 4_000
MODELS_OF_MANY_LINES = 8

UNIGRAM, BPE = 1, 2  # ModelType of the schema


def mismatches_in_node(
    run: Run, package: Path, models: Sequence[Path], lines: list[str], folder: Path, width: int
) -> int:
    """Of what wasm/test/encode_lines.mjs makes of the lines with each model."""
    texts = folder / "lines.json"
    write_lines(lines, texts)
    mode = "ids" if width == IDS else "offsets"
    script = package / "test" / "encode_lines.mjs"
    run("node", script, texts, folder, mode, *models, cwd=package)
    mismatches = 0
    for number, model in enumerate(models):
        found = np.fromfile(folder / str(number), dtype=np.int32)
        mismatches += count_mismatches(found, expected_numbers(model, lines, width), width)
    return mismatches


def test_ids_in_node_are_those_of_python(
    model_paths: Models,
    text_lines: Texts,
    package: Path,
    run: Run,
    tmp_path: Path,
    count_pairs: CountPairs,
    tell_matrix: Callable[[str, str, str], None],
) -> None:
    models = list(model_paths.values())
    lines = lines_of(text_lines, -(-PAIRS // len(models)))
    mismatches = mismatches_in_node(run, package, models, lines, tmp_path, IDS)
    pairs = len(lines) * len(models)
    count_pairs(f"ids of {len(models)} models from .model", pairs, mismatches)
    assert mismatches == 0
    assert pairs >= PAIRS
    what = f"ids of {pairs:,} pairs of a model and a line; offsets as in the other engines"
    tell_matrix("Node of the system", node.find_or_get().version, what)


def test_offsets_in_node_are_those_of_python(
    spm_fb_paths: Models,
    text_lines: Texts,
    package: Path,
    run: Run,
    tmp_path: Path,
    count_pairs: CountPairs,
    pytestconfig: pytest.Config,
) -> None:
    """Of few lines with all models or, with --node-lines, of many with eight."""
    count = pytestconfig.getoption("--node-lines")
    models = list(spm_fb_paths.values())
    if count:
        models = varied(spm_fb_paths, MODELS_OF_MANY_LINES)
    lines = lines_of(text_lines, count or -(-PAIRS_OF_OFFSETS // len(models)))
    mismatches = mismatches_in_node(run, package, models, lines, tmp_path, OFFSETS)
    pairs = len(lines) * len(models)
    what = f"ids and offsets of {len(lines):,} lines, {len(models)} models from .spm.fb"
    count_pairs(what, pairs, mismatches)
    assert mismatches == 0
    assert pairs >= PAIRS_OF_OFFSETS


def varied(models: Models, count: int) -> list[Path]:
    """Some of them, the largest first, for those are what people use."""
    return sorted(models.values(), key=lambda path: -path.stat().st_size)[:count]


def in_all_units(text: str, told: dict[str, Any]) -> dict[str, Any]:
    """What Python tells of tokens in characters, as the Node script tells it."""
    pairs = told["offsets"]
    in_bytes = [0, *accumulate(len(character.encode()) for character in text)]
    return {
        "ids": told["ids"],
        "pieces": told["pieces"],
        "surfaces": [text[begin:end] for begin, end in pairs],
        "offsets": [
            [offset for pair in pairs for offset in pair],
            to_utf16(text, pairs),
            [in_bytes[offset] for pair in pairs for offset in pair],
        ],
    }


def draw(processor: SentencePieceProcessor, line: str, seed: int) -> list[int]:
    set_random_generator_seed(seed)
    drawn = processor.sample_encode_as_ids(line, alpha=0.3, nbest_size=-1 if seed % 2 == 0 else 8)
    assert isinstance(drawn, list)
    return drawn


def best(processor: SentencePieceProcessor, line: str) -> list[dict[str, Any]]:
    results, scores = processor._processor.nbest(line, 0, _native.IDS, 4)
    return [{"ids": ids, "score": score} for ids, score in zip(results, scores, strict=True)]


def expected_of(processor: SentencePieceProcessor, line: str, number: int) -> dict[str, Any]:
    """What wasm/test/tell_lines.mjs tells, by native Python."""
    encoded = processor.encode(line, return_type="offset_mapping")
    decoded = processor.decode(encoded["ids"], return_type="offset_mapping")
    kind = processor._processor.model_type()
    return {
        "encoded": in_all_units(line, encoded),
        "decoded": {"text": decoded["text"], **in_all_units(decoded["text"], decoded)},
        "streamed": decoded["text"],
        "drawn": draw(processor, line, number) if kind in (UNIGRAM, BPE) else None,
        "best": best(processor, line) if kind == UNIGRAM else None,
    }


def test_all_that_node_tells_is_what_python_tells(
    spm_fb_paths: Models,
    text_lines: Texts,
    package: Path,
    run: Run,
    tmp_path: Path,
    count_pairs: CountPairs,
) -> None:
    lines = lines_of(text_lines, -(-PAIRS_TOLD // len(spm_fb_paths)))
    texts = tmp_path / "lines.json"
    write_lines(lines, texts)
    script = package / "test" / "tell_lines.mjs"
    run("node", script, texts, tmp_path, *spm_fb_paths.values(), cwd=package)
    mismatches = []
    counts = dict.fromkeys(("encoded", "decoded", "streamed", "drawn", "best"), 0)
    for file, (name, model) in enumerate(spm_fb_paths.items()):
        processor = SentencePieceProcessor(model)
        # Not splitlines(): JSON.stringify leaves U+2028 and U+0085 as they are.
        told = [
            json.loads(line) for line in (tmp_path / str(file)).read_text("utf-8").split("\n")[:-1]
        ]
        for number, (line, found) in enumerate(zip(lines, told, strict=True)):
            for what, value in expected_of(processor, line, number).items():
                counts[what] += value is not None
                if found[what] != value:
                    mismatches.append((name, what, line))
    for what, pairs in counts.items():
        wrong = [one for one in mismatches if one[1] == what]
        count_pairs(f"{what}, of {len(spm_fb_paths)} models", pairs, len(wrong))
    assert mismatches == []
    assert min(counts.values()) >= 1_000


def test_models_are_converted_to_the_same_bytes(
    model_paths: Models,
    spm_fb_paths: Models,
    package: Path,
    run: Run,
    tmp_path: Path,
    count_pairs: CountPairs,
) -> None:
    run(
        "node", package / "test" / "convert_model.mjs", tmp_path, *model_paths.values(), cwd=package
    )
    mismatches = [
        name
        for number, name in enumerate(model_paths)
        if (tmp_path / str(number)).read_bytes() != spm_fb_paths[name].read_bytes()
    ]
    count_pairs("converted models, byte by byte", len(model_paths), len(mismatches))
    assert mismatches == []
