"""The vocabulary in a GGUF file, as llama.cpp has it, to a SentencePiece `.model`.

The format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md. A tokenizer is among the
metadata at its front, so that the tensors behind are never read. The keys, what is taken for those
that are missing, and the names of the kinds of tokenizers are those of llama.cpp (gguf-py's
constants.py, src/llama-vocab.cpp).
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple, NoReturn, TypeAlias, TypeVar

from spmlite.model_proto import ModelProto, ModelType, Piece, PieceType, SpecialPiece

MAGIC: Final = b"GGUF"

_Content: TypeAlias = bytes | mmap.mmap
# The value of a key is of any of the format's types.
_Value: TypeAlias = Any
_Metadata: TypeAlias = dict[str, _Value]
_Element = TypeVar("_Element", str, float, int)

_OLDEST_VERSION, _NEWEST_VERSION = 2, 3
_PREFIX = "tokenizer.ggml."

# The types of values, by their numbers: how `struct` reads them.
_SCALARS = dict(enumerate(("B", "b", "H", "h", "I", "i", "f", "?"))) | {10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
# The format sets no limit; arrays of arrays are rare.
_DEEPEST_ARRAY = 16


class _Kind(NamedTuple):
    """A kind of tokenizer that is SentencePiece's, and what is taken for keys that are missing."""

    model_type: ModelType
    add_space_prefix: bool
    special_ids: dict[str, int]


_KINDS = {
    "llama": _Kind(ModelType.BPE, True, {"unknown": 0, "bos": 1, "eos": 2}),
    "t5": _Kind(ModelType.UNIGRAM, False, {"padding": 0, "eos": 1, "unknown": 2}),
}
# The other kinds, for the message that refuses them.
_STRANGERS = {
    "gpt2": "byte-level BPE, as GPT-2, Llama 3 and Qwen have it",
    "gemma4": "BPE by a list of merges: convert its tokenizer.json instead",
    "bert": "WordPiece, as BERT has it",
    "rwkv": "RWKV's",
    "plamo2": "PLaMo-2's",
    "none": "a model without a tokenizer",
    "no_vocab": "a model without a tokenizer",
}


@dataclass(frozen=True)
class GgufTokenizer:
    """What a GGUF file tells of its tokenizer, where that is SentencePiece's."""

    model: ModelProto
    # Whether texts get these ids by default, which a `.model` cannot say; None where the file
    # does not say it either.
    add_bos: bool | None
    add_eos: bool | None


def to_model_proto(content: _Content) -> bytes:
    """Convert the vocabulary of a GGUF file.

    Args:
        content: the file, in memory or mapped into it; only its front is read.

    Returns:
        The bytes of a `.model` file, for `sentencepiece` or `spmlite`.

    Raises:
        ValueError: this is no GGUF file, or its tokenizer is not one of SentencePiece; the
            message names the key.

    >>> to_model_proto(b"GGUF" + bytes(20))
    Traceback (most recent call last):
        ...
    ValueError: GGUF: the file has version 0; versions 2 and 3 can be read
    """
    return read_tokenizer(content).model.serialize()


def read_tokenizer(content: _Content) -> GgufTokenizer:
    """The tokenizer of a GGUF file; arguments and errors are those of `to_model_proto`."""
    metadata = _Reader(content).metadata()
    kind = _kind(metadata)
    pieces = _pieces(metadata, _special_id(metadata, kind, "unknown"))
    if kind.model_type is ModelType.BPE:
        _check_ranks(pieces)
    special = partial(_special, metadata, kind, pieces)
    flag = partial(_flag, metadata)
    model = ModelProto(
        pieces=pieces,
        model_type=kind.model_type,
        byte_fallback=any(piece.type is PieceType.BYTE for piece in pieces),
        unk=special("unknown", "<unk>", PieceType.UNKNOWN),
        bos=special("bos", "<s>", PieceType.CONTROL),
        eos=special("eos", "</s>", PieceType.CONTROL),
        pad=special("padding", "<pad>", PieceType.CONTROL),
        add_dummy_prefix=flag("add_space_prefix", kind.add_space_prefix),
        remove_extra_whitespaces=flag("remove_extra_whitespaces", False),
        precompiled_charsmap=_charsmap(metadata),
    )
    return GgufTokenizer(model, flag("add_bos_token", None), flag("add_eos_token", None))


def _refuse(message: str) -> NoReturn:
    raise ValueError(f"GGUF: {message}")


class _Reader:
    """Reads the metadata from the front of a file."""

    def __init__(self, content: _Content) -> None:
        self._content = content
        self._place = 0

    def metadata(self) -> _Metadata:
        """All keys and their values."""
        if self._bytes(len(MAGIC)) != MAGIC:
            _refuse('the file does not begin with "GGUF"')
        version = self._scalar("I")
        if not _OLDEST_VERSION <= version <= _NEWEST_VERSION:
            swapped = version > 0 and version & 0xFFFF == 0
            name = "numbers of the other byte order" if swapped else f"version {version}"
            known = f"versions {_OLDEST_VERSION} and {_NEWEST_VERSION} can be read"
            _refuse(f"the file has {name}; {known}")
        _, count = self._scalar("Q"), self._scalar("Q")
        return {self._text(): self._value(self._scalar("I")) for _ in range(count)}

    def _value(self, type: int) -> _Value:
        if type == _STRING:
            return self._text()
        if type == _ARRAY:
            return self._array()
        return self._scalar(self._format(type))

    def _array(self, depth: int = 1) -> list[_Value]:
        if depth > _DEEPEST_ARRAY:
            _refuse(f"more than {_DEEPEST_ARRAY} arrays are in one another, at byte {self._place}")
        type, count = self._scalar("I"), self._scalar("Q")
        if count > len(self._content):
            self._refuse_cut_off()
        if type == _STRING:
            return [self._text() for _ in range(count)]
        if type == _ARRAY:
            return [self._array(depth + 1) for _ in range(count)]
        layout = struct.Struct(f"<{count}{self._format(type)}")
        return list(layout.unpack(self._bytes(layout.size)))

    def _format(self, type: int) -> str:
        if type not in _SCALARS:
            _refuse(f"there is no type of values {type}, at byte {self._place - 4}")
        return _SCALARS[type]

    def _scalar(self, format: str) -> _Value:
        layout = struct.Struct("<" + format)
        return layout.unpack(self._bytes(layout.size))[0]

    def _text(self) -> str:
        content = self._bytes(int.from_bytes(self._bytes(8), "little"))
        try:
            return content.decode()
        except UnicodeDecodeError:
            _refuse(f"the text before byte {self._place} is not UTF-8")

    def _bytes(self, count: int) -> bytes:
        end = self._place + count
        if end > len(self._content):
            self._refuse_cut_off()
        found = self._content[self._place : end]
        self._place = end
        return found

    def _refuse_cut_off(self) -> NoReturn:
        _refuse(f"the file is cut off: it has {len(self._content)} bytes, its metadata has more")


def _kind(metadata: _Metadata) -> _Kind:
    name = metadata.get(_PREFIX + "model")
    if name is None:
        _refuse(f"there is no {_PREFIX}model: the file holds no tokenizer")
    if name not in _KINDS:
        stranger = f" ({_STRANGERS[name]})" if name in _STRANGERS else ""
        known = " and ".join(f'"{known}"' for known in _KINDS)
        _refuse(f'{_PREFIX}model is "{name}"{stranger}; only {known} are SentencePiece\'s')
    return _KINDS[name]


def _array(metadata: _Metadata, name: str, type: type[_Element]) -> list[_Element]:
    value = metadata.get(_PREFIX + name)
    if value is None:
        _refuse(f"there is no {_PREFIX}{name}")
    # The values of an array are of one type.
    if not (isinstance(value, list) and isinstance(next(iter(value), type()), type)):
        _refuse(f"{_PREFIX}{name} is no array of {type.__name__}")
    return value


def _flag(metadata: _Metadata, name: str, default: bool | None) -> Any:  # noqa: ANN401 - bool | None
    value = metadata.get(_PREFIX + name, default)
    if value is not default and not isinstance(value, bool):
        _refuse(f"{_PREFIX}{name} is neither true nor false")
    return value


def _charsmap(metadata: _Metadata) -> bytes:
    if _PREFIX + "precompiled_charsmap" not in metadata:
        return b""
    values = _array(metadata, "precompiled_charsmap", int)
    # Some writers take bytes for signed ones.
    return bytes(value & 0xFF for value in values)


def _pieces(metadata: _Metadata, unknown: int) -> list[Piece]:
    texts = _array(metadata, "tokens", str)
    scores = _array(metadata, "scores", float)
    types = _piece_types(_array(metadata, "token_type", int), unknown)
    if not len(texts) == len(scores) == len(types):
        _refuse(
            f"{_PREFIX}tokens, scores and token_type differ in length: "
            f"{len(texts)}, {len(scores)} and {len(types)}"
        )
    return [
        # Of user-defined ones llama.cpp's converter spells spaces out.
        Piece(text.replace(" ", "▁") if type is PieceType.USER_DEFINED else text, score, type)
        for text, score, type in zip(texts, scores, types, strict=True)
    ]


def _piece_types(numbers: list[int], unknown: int) -> list[PieceType]:
    by_number = {int(type): type for type in PieceType}
    try:
        types = [by_number[number] for number in numbers]
    except KeyError as error:
        _refuse(f"{_PREFIX}token_type holds {error}, which is no type of a token")
    # Some files (Phi 3's) give ids that nothing uses that type, and the unknown one another.
    types = [PieceType.UNUSED if type is PieceType.UNKNOWN else type for type in types]
    if 0 <= unknown < len(types) and types[unknown] in (PieceType.UNUSED, PieceType.CONTROL):
        types[unknown] = PieceType.UNKNOWN
    return types


def _check_ranks(pieces: Iterable[Piece]) -> None:
    """Refuse a vocabulary that was made without its scores: they tell what is merged first."""
    scores = [piece.score for piece in pieces if piece.type is PieceType.NORMAL]
    if len(scores) > 1 and len(set(scores)) == 1:
        _refuse(
            f"all {_PREFIX}scores are {scores[0]:g}: the order of merges was lost when the file "
            "was made; convert the .model or the tokenizer.json that it was made from"
        )


def _special_id(metadata: _Metadata, kind: _Kind, role: str) -> int:
    id = metadata.get(f"{_PREFIX}{role}_token_id", kind.special_ids.get(role, -1))
    if not isinstance(id, int):
        _refuse(f"{_PREFIX}{role}_token_id is no number")
    return id


def _special(
    metadata: _Metadata,
    kind: _Kind,
    pieces: list[Piece],
    role: str,
    default: str,
    type: PieceType,
) -> SpecialPiece:
    """The piece of a role; one of another type plays none, as in SentencePiece."""
    id = _special_id(metadata, kind, role)
    if 0 <= id < len(pieces) and pieces[id].type is type:
        return SpecialPiece(id, pieces[id].text)
    return SpecialPiece(-1, default)
