"""The wheel for Pyodide, in each current line of Pyodide, under Node."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import spmlite

CountPairs = Callable[[str, int, int], None]
RunNode = Callable[..., str]

PAIRS = 10_000
# One of each kind, as far as they are there: BPE and Unigram, `.model` and mapped `.spm.fb`.
MODELS = ("mistral_v1", "trained_unigram", "kyoto_ja_unigram_8000")
MAPPED_MODELS = ("gemma3", "shared/t5_base")


def test_imports_are_what_pyodide_exports(
    wheel: Path, folder: Path, run_node: RunNode, tmp_path: Path
) -> None:
    """A break shows here without Python being run."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".so"))
        module = Path(archive.extract(name, tmp_path))
    found = json.loads(run_node("missing_imports.mjs", folder / "pyodide.asm.wasm", module))
    print(f"{found['imports']} imports, {len(found['missing'])} of them missing")
    assert found["imports"] > 0
    assert found["missing"] == []


def test_ids_are_those_of_native_python(
    wheel: Path,
    folder: Path,
    run_node: RunNode,
    model_paths: dict[str, Path],
    spm_fb_paths: dict[str, Path],
    text_lines: dict[str, list[str]],
    tmp_path: Path,
    count_pairs: CountPairs,
) -> None:
    models = [model_paths[name] for name in MODELS if name in model_paths]
    models += [spm_fb_paths[name] for name in MAPPED_MODELS if name in spm_fb_paths]
    share = -(-PAIRS // len(models) // len(text_lines))
    lines = [
        line for source in text_lines.values() for line in source[:: max(1, len(source) // share)]
    ]
    texts, output = tmp_path / "lines.json", tmp_path / "ids"
    texts.write_text(json.dumps(lines))
    facts = run_node("encode_lines.mjs", folder, wheel, texts, output, *models)

    expected = np.concatenate(
        [
            np.concatenate(([len(ids)], ids))
            for model in models
            for ids in spmlite.SentencePieceProcessor(model_file=model).encode(
                lines, return_type="numpy"
            )
        ]
    )
    found = np.fromfile(output, dtype=np.int32)
    compared = len(lines) * len(models)
    same = np.array_equal(found, expected)
    count_pairs(f"{len(models)} models; {facts.strip()}", compared, 0 if same else compared)
    assert same
    assert compared >= PAIRS
