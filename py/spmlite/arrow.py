"""Arrow columns: texts in, ids out, and back, without a Python object for each row.

Columns come and go through Arrow's PyCapsule interface, which pyarrow, polars, DuckDB and pandas
speak; none of them is needed for the import. The text is read where it lies, and whoever takes the
result takes its memory as it is.

>>> import pyarrow
>>> ids = encode(pyarrow.array(["Hello world", None, "Hello"]), processor)
>>> pyarrow.array(ids).to_pylist()
[[260, 261], None, [260]]
>>> pyarrow.array(decode(ids, processor)).to_pylist()
['Hello world', None, 'Hello']
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, overload, runtime_checkable

from spmlite import _native

if TYPE_CHECKING:
    from spmlite.processor import SentencePieceProcessor

# PyArrow has no types that mypy could read.
PyArrowArray: TypeAlias = Any

# The longest list, or string, that 32 bits count.
_MAX_END: Final = 2**31 - 1
# What makes every column large.
_ALWAYS_LARGE: Final = -1


@runtime_checkable
class ArrayLike(Protocol):
    """A column in one piece, such as `pyarrow.Array`."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        """The column in capsules: its type, and its content."""


@runtime_checkable
class StreamLike(Protocol):
    """A column in chunks, such as `pyarrow.ChunkedArray`, `polars.Series` or `pandas.Series`."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The column in a capsule, as a stream of chunks."""


class _Column:
    """What `Array` and `ChunkedArray` have in common."""

    def __init__(self, data: _native.ArrowData) -> None:
        self._data = data

    def __arrow_c_schema__(self) -> object:
        """The type, in a capsule."""
        return self._data.schema()

    def __len__(self) -> int:
        """The number of rows."""
        return self._data.size()

    @property
    def null_count(self) -> int:
        """How many rows are null."""
        return self._data.null_count()

    def __repr__(self) -> str:
        """Such as <spmlite.arrow.Array of 3 rows, 1 of them null>."""
        name = f"spmlite.arrow.{type(self).__name__}"
        return f"<{name} of {len(self)} rows, {self.null_count} of them null>"


class Array(_Column):
    """A column in one piece, for any library that takes Arrow: `pyarrow.array`, `polars.Series`.

    It never changes; any number of threads may use it.
    """

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        """The column in capsules; another schema is not heeded, as the interface allows."""
        del requested_schema
        return self._data.schema(), self._data.array()

    def to_pyarrow(self) -> PyArrowArray:
        """A `pyarrow.Array` of the same memory."""
        import pyarrow

        return pyarrow.array(self)


class ChunkedArray(_Column):
    """A column in chunks, for `pyarrow.chunked_array`, `polars.Series` and the like.

    It never changes; any number of threads may use it.
    """

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The column in a capsule; another schema is not heeded, as the interface allows."""
        del requested_schema
        return self._data.stream()

    def to_pyarrow(self) -> PyArrowArray:
        """A `pyarrow.ChunkedArray` of the same memory."""
        import pyarrow

        return pyarrow.chunked_array(self)


@overload
def encode(
    array: ArrayLike,
    processor: SentencePieceProcessor,
    *,
    add_bos: bool | None = None,
    add_eos: bool | None = None,
    reverse: bool | None = None,
    num_threads: int | None = None,
    large: bool = False,
) -> Array: ...
@overload
def encode(
    array: StreamLike,
    processor: SentencePieceProcessor,
    *,
    add_bos: bool | None = None,
    add_eos: bool | None = None,
    reverse: bool | None = None,
    num_threads: int | None = None,
    large: bool = False,
) -> ChunkedArray: ...
def encode(
    array: ArrayLike | StreamLike,
    processor: SentencePieceProcessor,
    *,
    add_bos: bool | None = None,
    add_eos: bool | None = None,
    reverse: bool | None = None,
    num_threads: int | None = None,
    large: bool = False,
) -> Array | ChunkedArray:
    """Turn a column of texts into one of ids, `list<int32>`, row by row.

    Args:
        array: strings (or bytes) of any Arrow layout, also in a dictionary, or a table with such a
            column alone. A stream of n chunks gives n chunks. Bytes that are no UTF-8 become
            U+FFFD.
        processor: whose `add_bos`, `add_eos`, `reverse` and `num_threads` count where they are not
            given here.
        add_bos: put the id that begins a sentence in front of each row.
        add_eos: put the one that ends a sentence at the end of each row.
        reverse: give the ids of each row from last to first (before bos and eos are added).
        num_threads: how many threads share the work; below 0, one a core.
        large: give `large_list<int32>` always, and not only where a chunk has 2**31 ids or more.

    Returns:
        A column of as many rows; null where the text is. Besides it and the input, the call takes
        the memory of a token cache a thread (1.5 MB) and of some shares of the text (64 KB each).

    Raises:
        TypeError: this is no Arrow column, or none of texts.
        ValueError: a text is longer than 2 GiB (the message says in which row), or the model has no
            bos or eos.
        RuntimeError: no model is loaded, or a stream broke off.
    """
    options = (
        _native.ADD_BOS * _given(add_bos, processor._add_bos)
        | _native.ADD_EOS * _given(add_eos, processor._add_eos)
        | _native.REVERSE * _given(reverse, processor._reverse)
    )
    return _convert(array, _native.encode_arrow, processor, options, num_threads, large)


@overload
def decode(
    array: ArrayLike,
    processor: SentencePieceProcessor,
    *,
    num_threads: int | None = None,
    large: bool = False,
) -> Array: ...
@overload
def decode(
    array: StreamLike,
    processor: SentencePieceProcessor,
    *,
    num_threads: int | None = None,
    large: bool = False,
) -> ChunkedArray: ...
def decode(
    array: ArrayLike | StreamLike,
    processor: SentencePieceProcessor,
    *,
    num_threads: int | None = None,
    large: bool = False,
) -> Array | ChunkedArray:
    """Turn a column of ids into one of texts, `utf8`, row by row.

    Args:
        array: `list`, `large_list` or `fixed_size_list` of integers of any size, or a table with
            such a column alone. A stream of n chunks gives n chunks.
        processor: whose `num_threads` counts where it is not given here.
        num_threads: how many threads share the work; below 0, one a core.
        large: give `large_utf8` always, and not only where a chunk has 2**31 bytes or more.

    Returns:
        A column of as many rows; null where the row of ids is.

    Raises:
        TypeError: this is no Arrow column, or none of lists of integers.
        IndexError: an id is not in the model; the message says in which row.
        ValueError: one of a row's ids is null.
        RuntimeError: no model is loaded, or a stream broke off.
    """
    return _convert(array, _native.decode_arrow, processor, 0, num_threads, large)


def _given(value: bool | None, otherwise: bool) -> bool:
    return bool(otherwise if value is None else value)


def _convert(
    array: ArrayLike | StreamLike,
    convert: _native.ConvertArrow,
    processor: SentencePieceProcessor,
    options: int,
    num_threads: int | None,
    large: bool,
) -> Array | ChunkedArray:
    native = processor._processor
    threads = processor._resolve_num_threads(num_threads)
    max_end = _ALWAYS_LARGE if large else _MAX_END
    if isinstance(array, ArrayLike):
        return Array(convert(native, array.__arrow_c_array__(), options, threads, max_end))
    if isinstance(array, StreamLike):
        return ChunkedArray(convert(native, array.__arrow_c_stream__(), options, threads, max_end))
    raise TypeError(
        f"expected an Arrow column, got {type(array).__name__}, which has neither "
        "__arrow_c_array__ nor __arrow_c_stream__: make it one, as by pyarrow.array"
    )
