"""Spark: texts to ids, and back, by the workers of a cluster.

The model goes to the workers once, as a broadcast, each makes one processor of it, and batches stay
in Arrow::

    processor = spmlite.SentencePieceProcessor(model_file="tokenizer.model")
    frame = spmlite.spark.encode(frame, processor, "text", "ids")
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from pyspark.sql.types import ArrayType, DataType, IntegerType, StringType, StructField, StructType

from spmlite import arrow

if TYPE_CHECKING:
    from spmlite.processor import SentencePieceProcessor

# pyspark.Broadcast, pyspark.sql.DataFrame and pyarrow.RecordBatch.
Broadcast: TypeAlias = Any
DataFrame: TypeAlias = Any
Batches: TypeAlias = Iterator[Any]


def encode(
    frame: DataFrame, processor: SentencePieceProcessor, source: str, target: str
) -> DataFrame:
    """The frame with a column of ids added, `array<int>`; see `spmlite.arrow.encode`.

    Args:
        frame: of a classic session (Spark Connect has no broadcasts).
        processor: whose `add_bos`, `add_eos` and `reverse` count.
        source: the column of texts to read.
        target: the column to add.
    """
    model = frame.sparkSession.sparkContext.broadcast(processor)
    schema = _added(frame, target, ArrayType(IntegerType()))
    return frame.mapInArrow(encoder(model, source, target), schema)


def decode(
    frame: DataFrame, processor: SentencePieceProcessor, source: str, target: str
) -> DataFrame:
    """The frame with a column of texts added; the arguments are those of `encode`."""
    model = frame.sparkSession.sparkContext.broadcast(processor)
    schema = _added(frame, target, StringType())
    return frame.mapInArrow(decoder(model, source, target), schema)


def encoder(model: Broadcast, source: str, target: str) -> Callable[[Batches], Batches]:
    """What `encode` gives to `mapInArrow`; one thread, as Spark starts a task for each core."""
    return _over_batches(arrow.encode, model, source, target)


def decoder(model: Broadcast, source: str, target: str) -> Callable[[Batches], Batches]:
    """The same of `decode`."""
    return _over_batches(arrow.decode, model, source, target)


def _over_batches(
    convert: Callable[..., arrow.Array | arrow.ChunkedArray],
    model: Broadcast,
    source: str,
    target: str,
) -> Callable[[Batches], Batches]:
    def convert_batches(batches: Batches) -> Batches:
        for batch in batches:
            column = convert(batch[source], model.value, num_threads=1)
            yield batch.append_column(target, column.to_pyarrow())

    return convert_batches


def _added(frame: DataFrame, name: str, type_: DataType) -> StructType:
    return StructType([*frame.schema.fields, StructField(name, type_)])
