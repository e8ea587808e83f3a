"""Spark with two workers on this machine, of which one is killed."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import spmlite
import spmlite.spark
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import ArrayType, IntegerType

WORKERS = 2
ATTEMPTS = 4

Ids = list[list[int] | None]


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    session = (
        # In local mode a task is tried once, unless it is said otherwise.
        SparkSession.builder.master(f"local[{WORKERS},{ATTEMPTS}]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.local.dir", str(tmp_path_factory.mktemp("spark")))
        .config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "5000")
        # So small that there are several tasks for each worker.
        .config("spark.sql.files.maxPartitionBytes", "1m")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture(scope="module")
def frame(spark: SparkSession, parquet: Path) -> DataFrame:
    return spark.read.parquet(str(parquet))


def check(encoded: DataFrame, frame: DataFrame, expected: Ids) -> None:
    """Nothing is lost or doubled, and the order is that of the frame."""
    table = encoded.toArrow()
    rows = table["row"].to_pylist()
    assert rows == frame.select("row").toArrow()["row"].to_pylist()
    assert sorted(rows) == list(range(len(expected)))
    assert table["ids"].to_pylist() == [expected[row] for row in rows]


def test_parquet_through_two_workers(
    frame: DataFrame, processor: spmlite.SentencePieceProcessor, expected: Ids
) -> None:
    encoded = spmlite.spark.encode(frame, processor, "text", "ids")
    assert encoded.schema["ids"].dataType == ArrayType(IntegerType())
    check(encoded, frame, expected)


def test_the_example_of_the_page(
    spark: SparkSession,
    example: Callable[[str, dict[str, str]], str],
    expected: Ids,
    tmp_path: Path,
) -> None:
    exec(example("import spmlite, spmlite.spark", {}), {"spark": spark})
    table = pq.read_table(tmp_path / "ids").sort_by("row")
    assert table["row"].to_pylist() == list(range(len(expected)))
    assert table["ids"].to_pylist() == expected


def test_a_worker_is_killed(
    spark: SparkSession,
    frame: DataFrame,
    processor: spmlite.SentencePieceProcessor,
    expected: Ids,
    tmp_path: Path,
) -> None:
    model = spark.sparkContext.broadcast(processor)
    encode_batches = spmlite.spark.encoder(model, "text", "ids")
    victim = tmp_path / "victim"

    def die_once(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for number, batch in enumerate(encode_batches(batches)):
            if number == 1 and not victim.exists():
                victim.touch()
                os.kill(os.getpid(), signal.SIGKILL)
            yield batch

    schema = spmlite.spark.encode(frame, processor, "text", "ids").schema
    check(frame.mapInArrow(die_once, schema), frame, expected)
    assert victim.exists()


def test_a_worker_makes_one_processor(
    spark: SparkSession, frame: DataFrame, processor: spmlite.SentencePieceProcessor
) -> None:
    """However many tasks and batches there are: those of one process share it."""
    model = spark.sparkContext.broadcast(processor)

    def name_processor(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for _ in batches:
            yield pa.record_batch({"name": [f"{os.getpid()} {id(model.value)}"]})

    names = frame.mapInArrow(name_processor, "name string").toArrow()["name"].to_pylist()
    processes = {name.split()[0] for name in names}
    print(f"{len(names)} batches, {len(processes)} processes, {len(set(names))} processors")
    assert len(names) > len(processes)
    assert len(set(names)) == len(processes)


def test_back_to_text(spark: SparkSession, processor: spmlite.SentencePieceProcessor) -> None:
    rows = [[260, 261], None, [], [260]]
    frame = spark.createDataFrame([(row,) for row in rows], "ids array<int>")
    decoded = spmlite.spark.decode(frame, processor, "ids", "text").collect()
    assert [row["text"] for row in decoded] == ["Hello world", None, "", "Hello"]
