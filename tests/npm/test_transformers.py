"""spmlite/transformers gives what the tokenizers of Transformers.js give, for the same model."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from records import lines_of, write_lines
from steps import node
from steps.stop import Stop

HERE = Path(__file__).parent
# One script, with all that it needs but the tensors that it wraps.
TRANSFORMERS = (
    "@huggingface/transformers",
    "4.3.2",
    "sha512-V3+dqf3iWlRYJ9I9GreM3zGQd0lAXnno"
    "PeddmkOQYWAEE4l/+Fi6p7tx/qVUJlKQgLXGim2W76rTOzz+eC0i7g==",
)
SCRIPT = "dist/transformers.js"
ONNX = (
    "onnxruntime-common",
    "1.30.0",
    "sha512-7fdVWjAID1dVhH/G8qK3APARunV4VkBF"
    "oCQAP7qp4Wkab0mrorvmc+sqiT+mKXOzDqdjN5j+/Z9nb4gzNPWcyA==",
)
LINES = 40
LONGEST = 300

Run = Callable[..., str]
CountPairs = Callable[[str, int, int], None]


def test_calls_give_what_transformers_js_gives(
    gemma_tokenizer_json: Path,
    model_paths: dict[str, Path],
    text_lines: dict[str, list[str]],
    installed: Path,
    run: Run,
    tmp_path: Path,
    count_pairs: CountPairs,
) -> None:
    try:
        script = node.package(*TRANSFORMERS, only=SCRIPT) / SCRIPT
        onnx = node.package(*ONNX)
    except Stop as stop:
        pytest.skip(f"Transformers.js cannot be had: {stop}")
    shutil.copy(HERE / "pages" / "compare_transformers.mjs", installed)
    lines = [line[:LONGEST] for line in lines_of(text_lines, LINES) if line]
    write_lines(lines, tmp_path / "lines.json")
    config = gemma_tokenizer_json.with_name("tokenizer_config.json")
    files = (gemma_tokenizer_json, config, model_paths["gemma3"], tmp_path / "lines.json")
    printed = run("node", "compare_transformers.mjs", script, onnx, *files, cwd=installed)
    found = json.loads(next(line for line in printed.splitlines() if line.startswith("{")))
    count_pairs("calls of Gemma 3's tokenizer", found["compared"], len(found["differing"]))
    assert found["differing"] == []
    assert found["compared"] >= 300
