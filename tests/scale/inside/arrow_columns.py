"""Arrow columns in and out: every layout of text, every library, every error."""

from __future__ import annotations

import doctest
import random
import re
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import spmlite
import spmlite.arrow
from spmlite import _native
from tiny_model import tiny_model

Ids = list[list[int] | None]

TEXTS = ["Hello world", None, "Hello", "", "é🦙 is longer than twelve bytes", " world ", None] * 40
LAYOUTS = {
    "utf8": pa.string(),
    "large_utf8": pa.large_string(),
    "string_view": pa.string_view(),
    "binary": pa.binary(),
    "large_binary": pa.large_binary(),
    "binary_view": pa.binary_view(),
    "dictionary of utf8": pa.dictionary(pa.int8(), pa.string()),
    "dictionary of large_utf8": pa.dictionary(pa.uint32(), pa.large_string()),
}
LISTS = {
    "list": pa.list_(pa.int32()),
    "large_list": pa.large_list(pa.int32()),
    "list of int64": pa.list_(pa.int64()),
    "large_list of uint16": pa.large_list(pa.uint16()),
}


@pytest.fixture(scope="session")
def ids(processor: spmlite.SentencePieceProcessor) -> Ids:
    return [None if text is None else processor.encode(text) for text in TEXTS]


def as_list(column: spmlite.arrow.Array | spmlite.arrow.ChunkedArray) -> list[Any]:
    """The rows, after pyarrow has checked every buffer."""
    array = column.to_pyarrow()
    array.validate(full=True)
    assert len(array) == len(column)
    assert array.null_count == column.null_count
    return array.to_pylist()


# --- Layouts ---


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_of_text_whole_and_sliced(
    processor: spmlite.SentencePieceProcessor, ids: Ids, layout: str
) -> None:
    array = pa.array(TEXTS).cast(LAYOUTS[layout])
    for begin, end in ((0, len(TEXTS)), (1, 9), (8, 20), (13, 13), (3, len(TEXTS))):
        column = spmlite.arrow.encode(array[begin:end], processor)
        assert as_list(column) == ids[begin:end]
        assert column.to_pyarrow().type == pa.list_(pa.int32())


def test_a_dictionary_may_hold_null_and_be_sliced(
    processor: spmlite.SentencePieceProcessor,
) -> None:
    words = pa.array(["unused", "Hello", None, "world"])[1:]
    array = pa.DictionaryArray.from_arrays(pa.array([0, 1, None, 2, 0], pa.int32()), words)
    expected = [[260], None, None, [261], [260]]
    expected[3] = processor.encode("world")
    assert as_list(spmlite.arrow.encode(array, processor)) == expected
    assert as_list(spmlite.arrow.encode(array[2:], processor)) == expected[2:]


def test_a_column_of_nulls(processor: spmlite.SentencePieceProcessor) -> None:
    assert as_list(spmlite.arrow.encode(pa.nulls(3), processor)) == [None] * 3


def test_chunks_stay_chunks(processor: spmlite.SentencePieceProcessor, ids: Ids) -> None:
    array = pa.array(TEXTS)
    chunked = pa.chunked_array([array[:5], array[:0], array[5:]])
    column = spmlite.arrow.encode(chunked, processor)
    assert as_list(column) == ids
    assert [len(chunk) for chunk in column.to_pyarrow().chunks] == [5, 0, len(TEXTS) - 5]
    assert as_list(spmlite.arrow.decode(column, processor)) == as_list(
        spmlite.arrow.decode(spmlite.arrow.encode(array, processor), processor)
    )


def test_a_stream_without_chunks_is_a_column_without_rows(
    processor: spmlite.SentencePieceProcessor,
) -> None:
    column = spmlite.arrow.encode(pa.chunked_array([], pa.string()), processor)
    assert as_list(column) == []
    assert column.to_pyarrow().type == pa.list_(pa.int32())
    assert as_list(spmlite.arrow.decode(column, processor)) == []


@pytest.mark.parametrize("layout", LISTS)
def test_every_layout_of_ids(
    processor: spmlite.SentencePieceProcessor, ids: Ids, layout: str
) -> None:
    array = pa.array(ids, LISTS[layout])
    expected = [None if row is None else processor.decode(row) for row in ids]
    assert as_list(spmlite.arrow.decode(array, processor)) == expected
    sliced = spmlite.arrow.decode(array[9:60], processor)
    assert as_list(sliced) == expected[9:60]
    assert sliced.to_pyarrow().type == pa.string()


@pytest.mark.parametrize("item", [pa.int32(), pa.int8(), pa.uint64()])
def test_ids_in_lists_of_one_size(
    processor: spmlite.SentencePieceProcessor, item: pa.DataType
) -> None:
    rows = [[100, 101, 102], None, [72, 75, 78], [1, 2, 3]]
    array = pa.array(rows, pa.list_(item, 3))
    expected = [None if row is None else processor.decode(row) for row in rows]
    assert as_list(spmlite.arrow.decode(array, processor)) == expected
    assert as_list(spmlite.arrow.decode(array[1:], processor)) == expected[1:]


def test_values_that_begin_within_their_buffer(processor: spmlite.SentencePieceProcessor) -> None:
    values = pa.array([7, 260, 261, 260], pa.int32())[1:]
    array = pa.ListArray.from_arrays(pa.array([0, 2, 3], pa.int32()), values)
    assert as_list(spmlite.arrow.decode(array, processor)) == ["Hello world", "Hello"]


# --- Large columns ---


def test_large_on_demand(processor: spmlite.SentencePieceProcessor, ids: Ids) -> None:
    array = pa.array(TEXTS)
    column = spmlite.arrow.encode(array, processor, large=True)
    assert column.to_pyarrow().type == pa.large_list(pa.int32())
    assert as_list(column) == ids
    texts = spmlite.arrow.decode(column, processor, large=True)
    assert texts.to_pyarrow().type == pa.large_string()
    assert as_list(texts) == as_list(spmlite.arrow.decode(column, processor))
    empty = spmlite.arrow.encode(array[:0], processor, large=True)
    assert empty.to_pyarrow().type == pa.large_list(pa.int32())


def test_a_column_becomes_large_where_its_values_are_too_many(
    processor: spmlite.SentencePieceProcessor,
) -> None:
    """As beyond 2**31 ids, with a limit that a test can reach."""
    array = pa.array(["Hello world " * 3000, None, "Hello"] * 40)
    expected = as_list(spmlite.arrow.encode(array, processor))
    total = sum(len(row) for row in expected if row)
    for limit, is_large in ((10, True), (total - 1, True), (total, False)):
        source = array.__arrow_c_array__()
        data = _native.encode_arrow(processor._processor, source, 0, 2, limit)
        assert data.is_large() == is_large
        assert as_list(spmlite.arrow.Array(data)) == expected


def test_all_chunks_are_large_where_one_is(processor: spmlite.SentencePieceProcessor) -> None:
    chunked = pa.chunked_array([["Hello"], ["Hello world " * 20, None], ["Hello"]])
    source = chunked.__arrow_c_stream__()
    data = _native.encode_arrow(processor._processor, source, 0, 1, 10)
    column = spmlite.arrow.ChunkedArray(data)
    assert column.to_pyarrow().type == pa.large_list(pa.int32())
    assert as_list(column) == as_list(spmlite.arrow.encode(chunked, processor))


# --- Options ---


@pytest.mark.parametrize("add_bos", [False, True])
@pytest.mark.parametrize("add_eos", [False, True])
@pytest.mark.parametrize("reverse", [False, True])
def test_options_are_those_of_the_class(
    processor: spmlite.SentencePieceProcessor, add_bos: bool, add_eos: bool, reverse: bool
) -> None:
    options = {"add_bos": add_bos, "add_eos": add_eos, "reverse": reverse}
    expected = [None if text is None else processor.encode(text, **options) for text in TEXTS]
    array = pa.array(TEXTS)
    assert as_list(spmlite.arrow.encode(array, processor, **options)) == expected
    of_options = spmlite.SentencePieceProcessor(model_proto=tiny_model(), **options)
    assert as_list(spmlite.arrow.encode(array, of_options)) == expected


@pytest.mark.parametrize("num_threads", [0, 1, 2, 5, 64, -1])
def test_the_number_of_threads_changes_nothing(
    processor: spmlite.SentencePieceProcessor, num_threads: int
) -> None:
    numbers = random.Random(1)
    words = ["Hello", "world", "x" * 50, "é" * 4000]
    texts = [
        None if row % 50 == 3 else " ".join(numbers.choices(words, (900, 900, 90, 1), k=row % 40))
        for row in range(2000)
    ]
    rows = processor.encode([text for text in texts if text is not None], num_threads=1)
    in_order = iter(rows)
    expected = [None if text is None else next(in_order) for text in texts]
    column = spmlite.arrow.encode(pa.array(texts), processor, num_threads=num_threads)
    assert as_list(column) == expected
    decoded = as_list(spmlite.arrow.decode(column, processor, num_threads=num_threads))
    assert [text for text in decoded if text is not None] == processor.decode(rows)


# --- Libraries ---


def test_polars(processor: spmlite.SentencePieceProcessor, ids: Ids) -> None:
    column = spmlite.arrow.encode(pl.Series(TEXTS), processor)
    series = pl.Series(column)
    assert series.dtype == pl.List(pl.Int32)
    assert series.to_list() == ids
    categories = pl.Series(TEXTS, dtype=pl.Categorical)
    assert pl.Series(spmlite.arrow.encode(categories, processor)).to_list() == ids
    frame = pl.DataFrame({"text": TEXTS}).with_columns(ids=series)
    texts = pl.Series(spmlite.arrow.decode(frame["ids"], processor))
    assert texts.to_list() == as_list(spmlite.arrow.decode(column, processor))


def test_pandas(processor: spmlite.SentencePieceProcessor, ids: Ids) -> None:
    column = spmlite.arrow.encode(pd.Series(TEXTS), processor)
    assert as_list(column) == ids
    series = pd.Series(column.to_pyarrow().to_pandas(types_mapper=pd.ArrowDtype))
    decoded = as_list(spmlite.arrow.decode(series, processor))
    assert decoded == as_list(spmlite.arrow.decode(column, processor))


def test_duckdb(processor: spmlite.SentencePieceProcessor, ids: Ids) -> None:
    connection = duckdb.connect()
    connection.register("source", pa.table({"text": TEXTS}))
    relation = connection.sql("SELECT text FROM source")
    column = spmlite.arrow.encode(relation, processor)
    assert as_list(column) == ids
    connection.register("result", pa.table({"ids": column.to_pyarrow()}))
    counted = connection.sql("SELECT count(*), sum(len(ids)) FROM result").fetchall()
    assert counted == [(len(TEXTS), sum(len(row) for row in ids if row))]


def test_a_table_of_one_column(processor: spmlite.SentencePieceProcessor, ids: Ids) -> None:
    table = pa.table({"text": TEXTS})
    assert as_list(spmlite.arrow.encode(table, processor)) == ids
    (batch,) = table.to_batches()
    assert as_list(spmlite.arrow.encode(batch[9:50], processor)) == ids[9:50]


def test_another_library_may_take_the_items_alone(
    processor: spmlite.SentencePieceProcessor, ids: Ids
) -> None:
    """The memory lives as long as the last part of it."""
    values = spmlite.arrow.encode(pa.array(TEXTS), processor).to_pyarrow().values
    assert values.to_pylist() == [id for row in ids if row for id in row]
    again = spmlite.arrow.encode(pa.array(TEXTS), processor)
    first, second = again.to_pyarrow(), again.to_pyarrow()
    assert first.buffers()[1].address == second.buffers()[1].address
    assert np.shares_memory(first.values.to_numpy(), second.values.to_numpy())


def test_a_capsule_serves_once(processor: spmlite.SentencePieceProcessor) -> None:
    class Again:
        def __init__(self, array: pa.Array) -> None:
            self.capsules = array.__arrow_c_array__()

        def __arrow_c_array__(self, requested_schema: object = None) -> object:
            return self.capsules

    used = Again(pa.array(["Hello"]))
    pa.array(used)
    with pytest.raises(ValueError, match="'arrow_schema' was used before: export anew"):
        spmlite.arrow.encode(used, processor)


# --- Errors ---


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (pa.array([1]), "expected a column of strings, got one of the Arrow type 'l'"),
        (pa.array([["a"]]), "expected a column of strings, got one of the Arrow type '\\+l'"),
        (pa.chunked_array([[1.5]]), "expected a column of strings, got one of the Arrow type 'g'"),
        (pa.table({"a": ["x"], "b": ["y"]}), "expected one column, got 2: select one"),
        (pa.array([1, 1]).dictionary_encode(), "expected a column of strings"),
        (["Hello"], "expected an Arrow column, got list, .* as by pyarrow.array"),
    ],
)
def test_what_is_no_column_of_texts(
    processor: spmlite.SentencePieceProcessor, column: object, message: str
) -> None:
    with pytest.raises(TypeError, match=message):
        spmlite.arrow.encode(column, processor)


@pytest.mark.parametrize(
    ("rows", "type_", "error", "message"),
    [
        ([[1], [2, 999]], pa.list_(pa.int32()), IndexError, "row 1: id 999 is out of range"),
        ([[1], None, [-1]], pa.list_(pa.int32()), IndexError, "row 2: id -1 is out of range"),
        ([[2**40]], pa.list_(pa.int64()), IndexError, "row 0: id -2147483648 is out of range"),
        ([[1], [2, None]], pa.list_(pa.int32()), ValueError, "row 1: one of its ids is null"),
        ([1], pa.int32(), TypeError, "expected a column of lists of integers"),
        ([["a"]], pa.list_(pa.string()), TypeError, "expected a column of lists of integers"),
    ],
)
def test_what_is_no_column_of_ids(
    processor: spmlite.SentencePieceProcessor,
    rows: list[Any],
    type_: pa.DataType,
    error: type[Exception],
    message: str,
) -> None:
    with pytest.raises(error, match=message):
        spmlite.arrow.decode(pa.array(rows, type_), processor)


def test_the_first_of_all_wrong_rows_is_named(processor: spmlite.SentencePieceProcessor) -> None:
    rows = [[260] * 100] * 10_000
    for row in (6234, 6235, 9999):
        rows[row] = [5, 7000]
    column = pa.chunked_array([rows[:4000], rows[4000:]], pa.list_(pa.int32()))
    for _ in range(5):
        with pytest.raises(IndexError, match="row 6234: id 7000 is out of range"):
            spmlite.arrow.decode(column, processor, num_threads=3)


def test_a_stream_that_breaks_off(processor: spmlite.SentencePieceProcessor) -> None:
    def batches() -> Iterator[pa.RecordBatch]:
        yield pa.record_batch({"text": ["Hello"]})
        raise OSError("the disk is gone")

    reader = pa.RecordBatchReader.from_batches(pa.schema({"text": pa.string()}), batches())
    with pytest.raises(RuntimeError, match=r"the Arrow stream broke off: .*the disk is gone"):
        spmlite.arrow.encode(reader, processor)


def test_without_a_model(processor: spmlite.SentencePieceProcessor) -> None:
    with pytest.raises(RuntimeError, match="no model is loaded"):
        spmlite.arrow.encode(pa.array(["a"]), spmlite.SentencePieceProcessor())


# --- Threads and memory ---


def test_other_threads_run_meanwhile(processor: spmlite.SentencePieceProcessor) -> None:
    array = pa.array(["Hello wörld, Hello world! " * 400] * 400)
    ticks: list[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    ticker = threading.Thread(target=tick)
    ticker.start()
    begin = time.perf_counter()
    spmlite.arrow.encode(array, processor, num_threads=1)
    end = time.perf_counter()
    done.set()
    ticker.join()
    during = sum(begin < moment < end for moment in ticks)
    print(f"{during} ticks in {end - begin:.3f} s")
    assert during >= 5


def memory(field: str) -> int:
    """Bytes of this process: VmRSS, those in memory now, VmHWM, the most there were."""
    status = Path("/proc/self/status").read_text()
    found = re.search(rf"^{field}:\s+(\d+) kB$", status, re.MULTILINE)
    assert found
    return int(found[1]) * 1024


ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc, which Linux has")


@ON_LINUX
def test_memory_is_input_and_output_and_64_mb(processor: spmlite.SentencePieceProcessor) -> None:
    array = pa.concat_arrays([pa.array([f"{row} wörld, é" for row in range(1000)])] * 1500)
    for name, convert in (("encode", spmlite.arrow.encode), ("decode", spmlite.arrow.decode)):
        Path("/proc/self/clear_refs").write_text("5")  # VmHWM begins anew
        before = memory("VmRSS")
        column = convert(array, processor)
        grown = memory("VmHWM") - before
        array = column.to_pyarrow()
        print(f"{name}: {array.nbytes / 1e6:.0f} MB made, {grown / 1e6:.0f} MB more at most")
        assert grown < array.nbytes + 64e6


@ON_LINUX
def test_nothing_leaks(processor: spmlite.SentencePieceProcessor) -> None:
    """The process is no larger after many calls than after some."""
    texts = pa.array(["Hello world " * 1000] * 10)
    wrong = pa.chunked_array([[[260]], [[7000]]], pa.list_(pa.int32()))

    def calls() -> None:
        column = spmlite.arrow.encode(texts, processor)
        chunked = spmlite.arrow.encode(pa.chunked_array([texts, texts]), processor)
        for made in (column, chunked):
            spmlite.arrow.decode(made, processor)
            made.__arrow_c_schema__()
        column.__arrow_c_array__()
        chunked.__arrow_c_stream__()
        with pytest.raises(IndexError):
            spmlite.arrow.decode(wrong, processor)

    for _ in range(10):
        calls()
    before, blocks = memory("VmRSS"), sys.getallocatedblocks()
    for _ in range(100):
        calls()
    assert memory("VmRSS") - before < 8e6
    assert sys.getallocatedblocks() - blocks < 1000


def test_examples(processor: spmlite.SentencePieceProcessor) -> None:
    results = doctest.testmod(spmlite.arrow, extraglobs={"processor": processor})
    assert results.attempted > 0
    assert results.failed == 0
