"""WebAssembly in Node gives the ids, the offsets and the converted models of native Python."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from records import lines_of, records_in, to_utf16, write_lines
from spmlite import SentencePieceProcessor, _native, set_random_generator_seed

Run = Callable[..., str]
Models = dict[str, Path]
Texts = dict[str, list[str]]
CountPairs = Callable[[str, int, int], None]

PAIRS = 120_000
PAIRS_TOLD = 4_000

UNIGRAM, BPE = 1, 2  # ModelType of the schema


def records_from_node(
    run: Run, package: Path, model: Path, lines: list[str], folder: Path, *mode: str
) -> Iterator[Any]:
    """What wasm/test/encode_lines.mjs gives: an array for each line."""
    texts, output = folder / "lines.json", folder / "numbers"
    write_lines(lines, texts)
    run("node", package / "test" / "encode_lines.mjs", model, texts, output, *mode, cwd=package)
    yield from records_in(np.fromfile(output, dtype=np.int32), 5 if mode else 1)


def test_ids_in_node_are_those_of_python(
    model_paths: Models,
    text_lines: Texts,
    package: Path,
    run: Run,
    tmp_path: Path,
    count_pairs: CountPairs,
) -> None:
    lines = lines_of(text_lines, -(-PAIRS // len(model_paths)))
    mismatches = []
    for name, model in model_paths.items():
        expected = SentencePieceProcessor(model).encode(list(lines), return_type="numpy")
        found = records_from_node(run, package, model, lines, tmp_path)
        mismatches += [
            (name, line)
            for line, one, other in zip(lines, expected, found, strict=True)
            if not np.array_equal(one, other)
        ]
    pairs = len(lines) * len(model_paths)
    count_pairs(f"ids of {len(model_paths)} models from .model", pairs, len(mismatches))
    assert mismatches == []
    assert pairs >= 100_000


def test_offsets_in_node_are_those_of_python(
    spm_fb_paths: Models,
    record_lines: list[str],
    expected_records: dict[str, list[list[int]]],
    package: Path,
    run: Run,
    tmp_path: Path,
    count_pairs: CountPairs,
) -> None:
    mismatches = []
    for name, model in spm_fb_paths.items():
        found = records_from_node(run, package, model, record_lines, tmp_path, "offsets")
        mismatches += [
            (name, line)
            for line, record, expected in zip(
                record_lines, found, expected_records[name], strict=True
            )
            if record.tolist() != expected
        ]
    pairs = len(record_lines) * len(spm_fb_paths)
    count_pairs(f"offsets of {len(spm_fb_paths)} models from .spm.fb", pairs, len(mismatches))
    assert mismatches == []
    assert pairs >= 10_000


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
    texts, output = tmp_path / "lines.json", tmp_path / "told.json"
    write_lines(lines, texts)
    mismatches = []
    counts = dict.fromkeys(("encoded", "decoded", "streamed", "drawn", "best"), 0)
    for name, model in spm_fb_paths.items():
        processor = SentencePieceProcessor(model)
        run("node", package / "test" / "tell_lines.mjs", model, texts, output, cwd=package)
        told = [json.loads(line) for line in output.read_text().splitlines()]
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
    mismatches = []
    for name, model in model_paths.items():
        output = tmp_path / "converted.spm.fb"
        run("node", package / "test" / "convert_model.mjs", model, output, cwd=package)
        if output.read_bytes() != spm_fb_paths[name].read_bytes():
            mismatches.append(name)
    count_pairs("converted models, byte by byte", len(model_paths), len(mismatches))
    assert mismatches == []
