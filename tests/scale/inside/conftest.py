"""Models, and the text that the engines read from Parquet files."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import spmlite

sys.path.insert(0, str(Path(__file__).parents[2] / "python"))
sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))

from examples import blocks
from tiny_model import tiny_model

PAGE = Path(__file__).parents[3] / "docs" / "scale.md"
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


@pytest.fixture
def example(parquet: Path, tmp_path: Path) -> Callable[[str, dict[str, str]], str]:
    """Gives the code of docs/scale.md that begins with a text, with some parts replaced.

    What it reads and writes lies in the test's own folder: an engine that was started before has a
    current folder of its own.
    """
    (tmp_path / "tokenizer.model").write_bytes(tiny_model())
    places = {
        '"tokenizer.model"': repr(str(tmp_path / "tokenizer.model")),
        '"corpus/"': repr(f"{parquet}/"),
        '"ids/"': repr(f"{tmp_path / 'ids'}/"),
    }

    def give(begin: str, parts: dict[str, str]) -> str:
        (code,) = (block.text for block in blocks(PAGE) if block.text.startswith(begin))
        for part, instead in parts.items():
            assert code.count(part) == 1, f"{part} is not in {code}"
            code = code.replace(part, instead)
        for place, instead in places.items():
            code = code.replace(place, instead)
        return code

    return give
