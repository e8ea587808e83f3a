"""The oracle's `SentencePieceText`, written in protobuf's wire format without protobuf.

Fields and numbers: sentencepiece.proto of the oracle.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from typing import Any, TypeAlias

from spmlite.wire import varint

# A class that is not there before it is asked for.
Message: TypeAlias = Any
Spans: TypeAlias = tuple[list[int], list[bytes], list[tuple[int, int]]]

_BYTES = 2  # the wire type of texts and messages
_FLOAT = 5


def serialize(text: str | bytes, spans: Spans) -> bytes:
    """The message of one text: `spans` are its ids, and its pieces and spans in bytes."""
    return _serialize(_as_bytes(text), spans)


def serialize_nbest(text: str | bytes, results: Iterable[Spans], scores: Iterable[float]) -> bytes:
    """An `NBestSentencePieceText`: a message with a score for each way to cut the text."""
    content = _as_bytes(text)
    return b"".join(
        _field(1, _serialize(content, spans) + _tag(3, _FLOAT) + struct.pack("<f", score))
        for spans, score in zip(results, scores, strict=True)
    )


def serialize_decoded(
    text: bytes,
    decoded: bytes,
    ids: list[int],
    pieces: list[bytes],
    offsets: list[tuple[int, int]],
) -> bytes:
    """The message of what `decode` gave; the spans are of `decoded`, before a denormalizer."""
    return _field(1, text) + b"".join(
        _piece(id, piece, _field(3, decoded[begin:end]), begin, end)
        for id, piece, (begin, end) in zip(ids, pieces, offsets, strict=True)
    )


def parse(serialized: bytes) -> Message:
    """A `SentencePieceText` of protobuf.

    Raises:
        ImportError: protobuf is not installed.
    """
    from spmlite.sentencepiece_pb2 import SentencePieceText

    return SentencePieceText.FromString(serialized)


def parse_nbest(serialized: bytes) -> Message:
    """An `NBestSentencePieceText` of protobuf; see `parse`."""
    from spmlite.sentencepiece_pb2 import NBestSentencePieceText

    return NBestSentencePieceText.FromString(serialized)


def _serialize(text: bytes, spans: Spans) -> bytes:
    parts = [_field(1, text)]
    following = 0  # bytes of a character that are still to come
    for id, piece, (begin, end) in zip(*spans, strict=True):
        following = following - 1 if following else _bytes_to_follow(piece)
        # Of the bytes that spell one character the last alone has a surface.
        surface = b"" if following and begin == end else _field(3, text[begin:end])
        parts.append(_piece(id, piece, surface, begin, end))
    return b"".join(parts)


def _piece(id: int, piece: bytes, surface: bytes, begin: int, end: int) -> bytes:
    span = _number(4, begin) + _number(5, end)
    return _field(2, _field(1, piece) + _number(2, id) + surface + span)


def _bytes_to_follow(piece: bytes) -> int:
    """After a byte piece that begins a character: how many belong to it."""
    if not (len(piece) == len("<0x00>") and piece.startswith(b"<0x") and piece.endswith(b">")):
        return 0
    first = int(piece[3:5], 16)
    return (first >= 0xC0) + (first >= 0xE0) + (first >= 0xF0)


def _as_bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


def _field(number: int, content: bytes) -> bytes:
    return _tag(number, _BYTES) + varint(len(content)) + content


def _number(number: int, value: int) -> bytes:
    return _tag(number, 0) + varint(value)


def _tag(number: int, wire_type: int) -> bytes:
    return varint(number << 3 | wire_type)
