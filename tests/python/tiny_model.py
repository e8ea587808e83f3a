"""A BPE model with byte fallback, small enough to be made when it is needed."""

from __future__ import annotations

from collections.abc import Iterable

from spmlite.model_proto import ModelProto, ModelType, Piece, PieceType, SpecialPiece

WORDS = ("▁Hello", "▁world")


def tiny_model(more: Iterable[Piece] = ()) -> bytes:
    """The bytes of its `.model`: <unk>, <s>, </s>, the bytes, "▁", two words with their parts.

    And `more` pieces at the end.
    """
    pieces = [
        Piece("<unk>", 0, PieceType.UNKNOWN),
        Piece("<s>", 0, PieceType.CONTROL),
        Piece("</s>", 0, PieceType.CONTROL),
        *(Piece(f"<0x{byte:02X}>", 0, PieceType.BYTE) for byte in range(256)),
        Piece("▁", -100),
    ]
    pieces += [Piece(word, -rank) for rank, word in enumerate(WORDS)]
    parts = dict.fromkeys(word[:end] for word in WORDS for end in range(2, len(word)))
    pieces += [Piece(part, -10 - rank) for rank, part in enumerate(parts)]
    letters = sorted(set("".join(WORDS)) - {"▁"})
    pieces += [Piece(letter, -50 - rank) for rank, letter in enumerate(letters)]
    return ModelProto(
        pieces=[*pieces, *more],
        model_type=ModelType.BPE,
        byte_fallback=True,
        unk=SpecialPiece(0, "<unk>"),
        bos=SpecialPiece(1, "<s>"),
        eos=SpecialPiece(2, "</s>"),
        pad=SpecialPiece(-1, "<pad>"),
        add_dummy_prefix=True,
        remove_extra_whitespaces=False,
    ).serialize()
