"""The recipe of docs/scale.md for Hugging Face's datasets."""

from __future__ import annotations

from pathlib import Path

import datasets
import pyarrow as pa
import pytest
import spmlite
import spmlite.arrow


@pytest.mark.parametrize("num_proc", [None, 2])
def test_the_recipe(
    parquet: Path,
    processor: spmlite.SentencePieceProcessor,
    expected: list[list[int] | None],
    tmp_path: Path,
    num_proc: int | None,
) -> None:
    files = sorted(map(str, parquet.glob("*.parquet")))
    dataset = datasets.Dataset.from_parquet(files, cache_dir=str(tmp_path))

    def add_ids(table: pa.Table) -> pa.Table:
        ids = spmlite.arrow.encode(table["text"], processor, num_threads=1)
        return table.append_column("ids", ids.to_pyarrow())

    encoded = dataset.with_format("arrow").map(add_ids, batched=True, num_proc=num_proc)
    table = encoded.with_format("arrow")[:]
    assert table["row"].to_pylist() == list(range(len(expected)))
    assert table["ids"].to_pylist() == expected
