"""The types of models and of pieces, by the numbers of sentencepiece_model.proto."""

from __future__ import annotations

import enum


class PieceType(enum.IntEnum):
    """What a piece is for (ModelProto.SentencePiece.Type)."""

    NORMAL = 1
    UNKNOWN = 2
    CONTROL = 3
    USER_DEFINED = 4
    UNUSED = 5
    BYTE = 6


class ModelType(enum.IntEnum):
    """How a text is cut into pieces (TrainerSpec.ModelType)."""

    UNIGRAM = 1
    BPE = 2
    WORD = 3
    CHAR = 4
