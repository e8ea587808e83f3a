"""Models, and the text that the engines read from Parquet files."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import spmlite

sys.path.insert(0, str(Path(__file__).parents[2] / "python"))

from tiny_model import tiny_model

FILES = 4


@pytest.fixture(scope="session")
def processor() -> spmlite.SentencePieceProcessor:
    """A small model that knows two words and all bytes."""
    return spmlite.SentencePieceProcessor(model_proto=tiny_model())


@pytest.fixture(scope="session")
def texts(pytestconfig: pytest.Config) -> list[str | None]:
    """One for each row; some null, some empty."""
    numbers = random.Random(5)
    words = ("Hello", "world", "wörld", "🦙", "hello", "spam")
    rows: list[str | None] = []
    for row in range(pytestconfig.getoption("rows")):
        if row % 97 == 5:
            rows.append(None)
        else:
            rows.append(" ".join(numbers.choices(words, k=row % 11)) + f" {row}" * (row % 3))
    return rows


@pytest.fixture(scope="session")
def parquet(tmp_path_factory: pytest.TempPathFactory, texts: list[str | None]) -> Path:
    """A folder of Parquet files with the columns `row`, 0 and up, and `text`."""
    folder = tmp_path_factory.mktemp("parquet")
    table = pa.table({"row": pa.array(range(len(texts)), pa.int64()), "text": texts})
    share = -(-len(texts) // FILES)
    for file in range(FILES):
        part = table.slice(file * share, share)
        pq.write_table(part, folder / f"part-{file}.parquet", row_group_size=10_000)
    return folder


@pytest.fixture(scope="session")
def expected(
    texts: list[str | None], processor: spmlite.SentencePieceProcessor
) -> list[list[int] | None]:
    """The ids of each row, as the class gives them one list at a time."""
    ids = iter(processor.encode([text for text in texts if text is not None]))
    return [None if text is None else next(ids) for text in texts]
