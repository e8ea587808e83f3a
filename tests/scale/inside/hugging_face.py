"""The recipe of docs/scale.md for Hugging Face's datasets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import datasets
import pytest
import spmlite
import spmlite.arrow


@pytest.mark.parametrize("num_proc", [None, 2])
def test_the_example_of_the_page(
    example: Callable[[str, dict[str, str]], str],
    parquet: Path,
    processor: spmlite.SentencePieceProcessor,
    expected: list[list[int] | None],
    tmp_path: Path,
    num_proc: int | None,
) -> None:
    """In fewer processes than it has there."""
    files = sorted(map(str, parquet.glob("*.parquet")))
    dataset = datasets.Dataset.from_parquet(files, cache_dir=str(tmp_path))
    names = {"dataset": dataset, "processor": processor, "spmlite": spmlite}
    exec(example("def add_ids", {"num_proc=8": f"num_proc={num_proc}"}), names)
    table = names["dataset"].with_format("arrow")[:]
    assert table["row"].to_pylist() == list(range(len(expected)))
    assert table["ids"].to_pylist() == expected
