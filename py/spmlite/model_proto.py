"""Writes `.model` files: serialized `sentencepiece.ModelProto` messages.

The fields and their numbers are those of sentencepiece_model.proto; only those that a tokenizer
needs are here.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from spmlite.model_types import ModelType as ModelType
from spmlite.model_types import PieceType as PieceType
from spmlite.wire import varint


class Piece(NamedTuple):
    """One entry of the vocabulary; its id is its place there."""

    text: str
    score: float
    type: PieceType = PieceType.NORMAL


@dataclass(frozen=True)
class SpecialPiece:
    """A piece that callers ask for by its role, and its id, -1 for none."""

    id: int
    text: str


@dataclass(frozen=True)
class ModelProto:
    """A model, as far as a tokenizer needs it."""

    pieces: list[Piece]
    model_type: ModelType
    byte_fallback: bool
    unk: SpecialPiece
    bos: SpecialPiece
    eos: SpecialPiece
    pad: SpecialPiece
    add_dummy_prefix: bool
    remove_extra_whitespaces: bool
    # The rules of the normalizer, compiled; without any it does no more than to treat spaces.
    precompiled_charsmap: bytes = b""

    def serialize(self) -> bytes:
        """The bytes of a `.model` file."""
        return b"".join(
            (
                _pieces(self.pieces),
                _length_delimited(2, self._trainer_spec()),
                _length_delimited(3, self._normalizer_spec()),
            )
        )

    def _trainer_spec(self) -> bytes:
        specials = (self.unk, self.bos, self.eos, self.pad)
        return b"".join(
            (
                _number(3, self.model_type),
                _number(4, len(self.pieces)),
                _number(35, self.byte_fallback),
                *(_number(40 + i, special.id) for i, special in enumerate(specials)),
                *(
                    _length_delimited(45 + i, special.text.encode())
                    for i, special in enumerate(specials)
                ),
            )
        )

    def _normalizer_spec(self) -> bytes:
        # The names that sentencepiece's trainer gives: of no rules, and of rules from a file.
        name = b"user_defined" if self.precompiled_charsmap else b"identity"
        return b"".join(
            (
                _length_delimited(1, name),
                _length_delimited(2, self.precompiled_charsmap),
                _number(3, self.add_dummy_prefix),
                _number(4, self.remove_extra_whitespaces),
                _number(5, True),
            )
        )


def _pieces(pieces: Iterable[Piece]) -> bytes:
    """Field 1 of the model, once for each piece."""
    # The score is field 2, four bytes wide: its tag is 2 << 3 | 5.
    pack_score = struct.Struct("<Bf").pack
    types = {type: _number(3, type) for type in PieceType}
    types[PieceType.NORMAL] = b""  # the default
    return b"".join(
        _length_delimited(
            1,
            _length_delimited(1, piece.text.encode())
            + pack_score(2 << 3 | 5, piece.score)
            + types[piece.type],
        )
        for piece in pieces
    )


def _length_delimited(field: int, content: bytes) -> bytes:
    return varint(field << 3 | 2) + varint(len(content)) + content


def _number(field: int, value: int) -> bytes:
    return varint(field << 3) + varint(value)
