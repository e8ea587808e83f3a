"""Control pieces that are spelled out in a text.

To a model, `<s>` in a text is a text like any other. Who trusts a text, such as a chat that a
program put together, may have such pieces taken for what they are called.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from spmlite import _native
from spmlite.model_types import PieceType

# What the native module gives for a text: see `_native.pyi`.
Shaped: TypeAlias = Any
EncodeBatch: TypeAlias = Callable[[Sequence[str | bytes]], Iterable[Shaped]]


class _Control(NamedTuple):
    id: int
    piece: str
    length: int  # in the text


class ControlPieces:
    """The pieces that are recognized; of those that begin at the same place, the longest."""

    def __init__(self, processor: _native.Processor, pieces: Iterable[str] | bool) -> None:
        """Choose from a model's control pieces: some of them, or all.

        Raises:
            ValueError: one is no control piece of the model; the message names it.
        """
        if pieces is True:
            ids = range(processor.vocab_size())
            controls = [id for id, is_control in enumerate(processor.is_control(ids)) if is_control]
            self._ids = {processor.id_to_piece(id): id for id in controls}
        else:
            self._ids = {piece: _control_id(processor, piece) for piece in pieces or ()}
        longest_first = sorted(self._ids, key=len, reverse=True)
        pattern = "|".join(map(re.escape, longest_first)) or r"(?!)"
        self._pattern = re.compile(pattern)
        self._pattern_of_bytes = re.compile(pattern.encode())

    def encode(
        self, texts: Sequence[str | bytes], shape: int, as_bytes: bool, encode: EncodeBatch
    ) -> list[Shaped]:
        """What `encode` makes of texts, with the ids of control pieces among those of the rest.

        What lies between two control pieces is encoded as a text of its own.

        Args:
            texts: all of str or all of bytes.
            shape: what is made of each: `_native.IDS`, `PIECES` or `SPANS`.
            as_bytes: whether pieces are bytes.
            encode: makes it of a batch.
        """
        cut = [self._cut(text) for text in texts]
        plain = [part for parts in cut for part in parts if not isinstance(part, _Control)]
        encoded = iter(encode(plain) if plain else ())
        join = _join_spans if shape == _native.SPANS else _join_lists
        return [
            join(
                [
                    _of_control(part, shape, as_bytes)
                    if isinstance(part, _Control)
                    else next(encoded)
                    for part in parts
                ],
                parts,
            )
            for parts in cut
        ]

    def _cut(self, text: str | bytes) -> list[str | bytes | _Control]:
        """A text in its parts; those that are empty are left out."""
        parts: list[str | bytes | _Control] = []
        end = 0
        for begin, until, piece in self._occurrences(text):
            parts += [text[end:begin]] if begin > end else []
            parts.append(_Control(self._ids[piece], piece, until - begin))
            end = until
        return parts + ([text[end:]] if end < len(text) else [])

    def _occurrences(self, text: str | bytes) -> Iterable[tuple[int, int, str]]:
        if isinstance(text, str):
            return ((*match.span(), match[0]) for match in self._pattern.finditer(text))
        return (
            (*match.span(), match[0].decode()) for match in self._pattern_of_bytes.finditer(text)
        )


def _control_id(processor: _native.Processor, piece: str) -> int:
    id = processor.piece_to_id(piece)
    if processor.piece_type(id) != PieceType.CONTROL or processor.id_to_piece(id) != piece:
        raise ValueError(f"control_pieces: {piece!r} is no control piece of this model")
    return id


def _of_control(control: _Control, shape: int, as_bytes: bool) -> Shaped:
    piece = control.piece.encode() if as_bytes else control.piece
    if shape == _native.SPANS:
        return [control.id], [piece], [(0, control.length)]
    return [piece if shape == _native.PIECES else control.id]


def _join_lists(results: list[Shaped], parts: Sequence[object]) -> Shaped:
    del parts
    return list(chain.from_iterable(results))


def _join_spans(results: list[Shaped], parts: Sequence[str | bytes | _Control]) -> Shaped:
    """Spans of the parts as spans of the whole."""
    ids: list[int] = []
    pieces: list[str | bytes] = []
    spans: list[tuple[int, int]] = []
    begin = 0
    for (part_ids, part_pieces, part_spans), part in zip(results, parts, strict=True):
        ids += part_ids
        pieces += part_pieces
        spans += [(begin + first, begin + last) for first, last in part_spans]
        begin += part.length if isinstance(part, _Control) else len(part)
    return ids, pieces, spans


def pack(ids: list[int]) -> bytes:
    """Ids as bytes of int32, as the native module packs them."""
    return array("i", ids).tobytes()
