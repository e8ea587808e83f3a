"""Protobuf's wire format, read without protobuf.

https://protobuf.dev/programming-guides/encoding/
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

VARINT, EIGHT_BYTES, BYTES, FOUR_BYTES = 0, 1, 2, 5  # wire types

_WIDTHS = {EIGHT_BYTES: 8, FOUR_BYTES: 4}


class Field(NamedTuple):
    """One field of a message, as it is there."""

    number: int
    wire_type: int
    # The content of BYTES; else the value in the bytes that it has there.
    content: bytes

    def serialize(self) -> bytes:
        """The bytes of the field in a message."""
        size = varint(len(self.content)) if self.wire_type == BYTES else b""
        return varint(self.number << 3 | self.wire_type) + size + self.content


def fields(message: bytes) -> Iterator[Field]:
    r"""The fields of a message in their order.

    Raises:
        ValueError: this is no message; the text names the byte where it stops being one.

    >>> list(fields(bytes([8, 1, 18, 2, 65, 66])))
    [Field(number=1, wire_type=0, content=b'\x01'), Field(number=2, wire_type=2, content=b'AB')]
    """
    place = 0
    while place < len(message):
        begin = place
        tag, place = _read_varint(message, place)
        wire_type = tag & 7
        if wire_type == VARINT:
            start = place
            _, end = _read_varint(message, place)
        elif wire_type == BYTES:
            size, start = _read_varint(message, place)
            end = start + size
        elif wire_type in _WIDTHS:
            start, end = place, place + _WIDTHS[wire_type]
        else:
            raise ValueError(f"byte {begin} is no field of a protobuf message")
        if tag >> 3 == 0 or end > len(message):
            raise ValueError(f"byte {begin} is no field of a protobuf message")
        yield Field(tag >> 3, wire_type, message[start:end])
        place = end


def _read_varint(message: bytes, place: int) -> tuple[int, int]:
    """A number, and where it ends."""
    value = shift = 0
    while place < len(message) and shift < 64:
        byte = message[place]
        place += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, place
        shift += 7
    raise ValueError(f"a number before byte {place} has no end")


def varint(value: int) -> bytes:
    """Seven bits a byte, the lowest first; a negative number as its 64 bits."""
    if 0 <= value < 0x80:
        return bytes((value,))
    value &= 0xFFFFFFFFFFFFFFFF
    encoded = bytearray()
    while value >= 0x80:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)
