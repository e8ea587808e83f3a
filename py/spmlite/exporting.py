"""A SentencePiece `.model` as a `tokenizer.json`, which Hugging Face's `tokenizers` loads.

What SentencePiece says in a flag is a step there, and what is built into SentencePiece must be
spelled out: in which order pairs are joined, that user-defined pieces stay whole. What cannot be
said is refused. docs/formats.md tells where the ids differ nevertheless.
"""

from __future__ import annotations

import base64
import json
import re
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, NoReturn, TypeAlias

from spmlite import _native, wire
from spmlite.model_proto import ModelType, Piece, PieceType

_MARK = "▁"

_Json: TypeAlias = dict[str, Any]

# Fields of ModelProto and its specs, by sentencepiece_model.proto.
_TRAINER_SPEC, _NORMALIZER_SPEC, _DENORMALIZER_SPEC = 2, 3, 5
_MODEL_TYPE, _WHITESPACE_AS_SUFFIX, _BYTE_FALLBACK, _UNK_SURFACE = 3, 24, 35, 44
_CHARSMAP, _ADD_DUMMY_PREFIX, _REMOVE_EXTRA_WHITESPACES, _ESCAPE_WHITESPACES = 2, 3, 4, 5

# The characters that mean something in a regular expression outside brackets.
_SPECIAL: Final = re.compile(r"[\\.^$|?*+()\[\]{}]")


@dataclass
class _Model:
    """What a `.model` says, as far as a tokenizer.json can say it."""

    pieces: list[Piece]
    model_type: ModelType = ModelType.UNIGRAM
    byte_fallback: bool = False
    treat_whitespace_as_suffix: bool = False
    unk_surface: str = " \u2047 "
    charsmap: bytes = b""
    add_dummy_prefix: bool = True
    remove_extra_whitespaces: bool = True
    escape_whitespaces: bool = True

    def of_type(self, type: PieceType) -> list[str]:
        """The texts of the pieces of a type, by id."""
        return [piece.text for piece in self.pieces if piece.type is type]

    def kept_whole(self) -> list[str]:
        """The user-defined pieces that a text can hold, by id.

        Where pieces are looked for, a space is "▁" already: those with a space match nothing.
        """
        return [text for text in self.of_type(PieceType.USER_DEFINED) if " " not in text]


def to_tokenizer_json(model: bytes) -> bytes:
    """Write a model as a tokenizer.json.

    Args:
        model: the content of a `.model`.

    Returns:
        The content of the file: BPE or Unigram with the same ids. Control pieces and the unknown
        one are its special tokens; no ids are put around a text.

    Raises:
        ValueError: this is no `.model`, or `tokenizers` cannot do what it says; the message names
            the field or the piece.

    >>> exported = json.loads(to_tokenizer_json(model_path.read_bytes()))
    >>> exported["model"]["type"], exported["model"]["byte_fallback"]
    ('BPE', True)
    """
    read = _read(model)
    _check(read)
    tokenizer = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": list(_added_tokens(read)),
        "normalizer": {"type": "Sequence", "normalizers": list(_normalizers(read))},
        "pre_tokenizer": _pre_tokenizer(read),
        "post_processor": None,
        "decoder": {"type": "Sequence", "decoders": list(_decoders(read))},
        "model": _bpe(read) if read.model_type is ModelType.BPE else _unigram(read),
    }
    return json.dumps(tokenizer, ensure_ascii=False).encode()


def _refuse(message: str) -> NoReturn:
    raise ValueError(f"tokenizer.json cannot say this: {message}")


# --- reading ---


def _read(content: bytes) -> _Model:
    model = _Model(pieces=_read_pieces(content))
    for spec in wire.fields(content):
        if spec.number == _TRAINER_SPEC:
            _read_trainer_spec(model, spec.content)
        elif spec.number == _NORMALIZER_SPEC:
            _read_normalizer_spec(model, spec.content)
        elif spec.number == _DENORMALIZER_SPEC:
            _refuse_denormalizer(spec.content)
    return model


def _read_pieces(content: bytes) -> list[Piece]:
    _, texts, scores, types = _native.read_model(content)
    by_number = {int(type): type for type in PieceType}
    pieces = []
    rows = zip(texts, struct.iter_unpack("<f", scores), types, strict=True)
    for id, (text, (score,), type) in enumerate(rows):
        try:
            pieces.append(Piece(text.decode(), score, by_number[type]))
        except UnicodeDecodeError:
            _refuse(f"piece {id} is not UTF-8")
    return pieces


def _read_trainer_spec(model: _Model, content: bytes) -> None:
    by_number = {int(type): type for type in ModelType}
    for part in wire.fields(content):
        if part.number == _MODEL_TYPE:
            # A number that has no meaning is as if absent.
            model.model_type = by_number.get(part.content[0], model.model_type)
        elif part.number == _WHITESPACE_AS_SUFFIX:
            model.treat_whitespace_as_suffix = part.content != b"\0"
        elif part.number == _BYTE_FALLBACK:
            model.byte_fallback = part.content != b"\0"
        elif part.number == _UNK_SURFACE:
            model.unk_surface = part.content.decode(errors="replace")


def _read_normalizer_spec(model: _Model, content: bytes) -> None:
    for part in wire.fields(content):
        if part.number == _CHARSMAP:
            model.charsmap = part.content
        elif part.number == _ADD_DUMMY_PREFIX:
            model.add_dummy_prefix = part.content != b"\0"
        elif part.number == _REMOVE_EXTRA_WHITESPACES:
            model.remove_extra_whitespaces = part.content != b"\0"
        elif part.number == _ESCAPE_WHITESPACES:
            model.escape_whitespaces = part.content != b"\0"


def _refuse_denormalizer(content: bytes) -> None:
    if any(part.number == _CHARSMAP and part.content for part in wire.fields(content)):
        _refuse("denormalizer_spec.precompiled_charsmap, rules for texts that are decoded")


def _check(model: _Model) -> None:
    if model.model_type not in (ModelType.BPE, ModelType.UNIGRAM):
        _refuse(f"trainer_spec.model_type is {model.model_type.name}; BPE and UNIGRAM can be said")
    if model.treat_whitespace_as_suffix:
        _refuse("trainer_spec.treat_whitespace_as_suffix is true")
    if not model.escape_whitespaces:
        _refuse("normalizer_spec.escape_whitespaces is false")
    if not model.of_type(PieceType.UNKNOWN):
        _refuse("no piece is of type UNKNOWN")
    _check_user_defined(model)


def _check_user_defined(model: _Model) -> None:
    """Refuse pieces that the normalizer would change there; here it leaves them alone."""
    if model.remove_extra_whitespaces:
        for text in model.of_type(PieceType.USER_DEFINED):
            if "  " in text:
                _refuse(
                    f"the user-defined piece {text!r} keeps spaces that follow one another, which "
                    "normalizer_spec.remove_extra_whitespaces drops elsewhere"
                )
    rules = _native.decompile_charsmap(model.charsmap) if model.charsmap else []
    firsts = {before[0] for before, _ in rules}
    befores = {before for before, _ in rules}
    for text in model.of_type(PieceType.USER_DEFINED):
        for begin in (i for i, character in enumerate(text) if character in firsts):
            for end in range(begin + 1, len(text) + 1):
                if text[begin:end] in befores:
                    _refuse(
                        f"the user-defined piece {text!r} holds {text[begin:end]!r}, which the "
                        "normalizer's rules replace elsewhere"
                    )


# --- what happens before the model ---


def _normalizers(model: _Model) -> Iterator[_Json]:
    if model.charsmap:
        charsmap = base64.b64encode(model.charsmap).decode()
        yield {"type": "Precompiled", "precompiled_charsmap": charsmap}
    if model.remove_extra_whitespaces:
        yield _replace(r"\A +", "")
        yield _replace(" {2,}", " ")
    if model.add_dummy_prefix:
        yield {"type": "Prepend", "prepend": _MARK}
    yield {"type": "Replace", "pattern": {"String": " "}, "content": _MARK}
    if model.remove_extra_whitespaces:
        yield _replace(rf"{_MARK}+\z", "")


def _replace(pattern: str, content: str) -> _Json:
    return {"type": "Replace", "pattern": {"Regex": pattern}, "content": content}


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)


def _are_tokens(model: _Model) -> bool:
    """Whether user-defined pieces can be tokens that are looked for in the normalized text.

    Such tokens are normalized as if they were a text, so that must not change them. Otherwise they
    are cut out by a regular expression, which takes long where there are many.
    """
    return not (model.charsmap or model.add_dummy_prefix or model.remove_extra_whitespaces)


def _added_tokens(model: _Model) -> Iterator[_Json]:
    are_tokens = _are_tokens(model) and model.model_type is ModelType.BPE
    kept_whole = set(model.kept_whole() if are_tokens else ())
    for id, piece in enumerate(model.pieces):
        # Not the unknown one: a text that spells it out does not get its id.
        is_special = piece.type is PieceType.CONTROL
        if is_special or (piece.type is PieceType.USER_DEFINED and piece.text in kept_whole):
            yield {
                "id": id,
                "content": piece.text,
                "single_word": False,
                "lstrip": False,
                "rstrip": False,
                "normalized": not is_special,
                "special": is_special,
            }


def _pre_tokenizer(model: _Model) -> _Json | None:
    if not _cuts_out(model):
        return None
    longest_first = sorted(model.kept_whole(), key=len, reverse=True)
    pattern = "|".join(map(_escaped, longest_first))
    return {
        "type": "Split",
        "pattern": {"Regex": pattern},
        "behavior": "Isolated",
        "invert": False,
    }


def _cuts_out(model: _Model) -> bool:
    """Whether user-defined pieces are cut out of the text; Unigram has them by their scores."""
    return model.model_type is ModelType.BPE and not _are_tokens(model) and bool(model.kept_whole())


def _decoders(model: _Model) -> Iterator[_Json]:
    yield {"type": "Replace", "pattern": {"String": _MARK}, "content": " "}
    unknown = model.of_type(PieceType.UNKNOWN)[0].replace(_MARK, " ")
    yield _replace(rf"\A{_escaped(unknown)}\z", model.unk_surface)
    if model.byte_fallback:
        yield {"type": "ByteFallback"}
    yield {"type": "Fuse"}
    if model.add_dummy_prefix:
        yield {"type": "Strip", "content": " ", "start": 1, "stop": 0}


# --- the model ---


def _texts(model: _Model) -> list[str]:
    """The pieces by id; no text can hold one with a space, which so is never used."""
    return [
        f"{piece.text} (unused)" if piece.type is PieceType.UNUSED else piece.text
        for piece in model.pieces
    ]


def _unigram(model: _Model) -> _Json:
    vocab = [
        [text, _unigram_score(piece)]
        for text, piece in zip(_texts(model), model.pieces, strict=True)
    ]
    types = [piece.type for piece in model.pieces]
    return {
        "type": "Unigram",
        "unk_id": types.index(PieceType.UNKNOWN),
        "vocab": vocab,
        "byte_fallback": model.byte_fallback,
    }


def _unigram_score(piece: Piece) -> float:
    if piece.type is PieceType.NORMAL:
        return piece.score
    if piece.type is PieceType.USER_DEFINED:
        # What SentencePiece takes in place of the score, in float32.
        size = len(piece.text.encode())
        (score,) = struct.unpack("<f", struct.pack("<f", 0.1 * (size - 1)))
        return float(score)
    # The lowest score is that of a piece which is used; unknown characters get less.
    return 0.0


def _bpe(model: _Model) -> _Json:
    normal = {piece.text: piece.score for piece in model.pieces if piece.type is PieceType.NORMAL}
    _check_characters(normal)
    _check_unused(model, normal)
    best_first = sorted(normal, key=normal.__getitem__, reverse=True)
    return {
        "type": "BPE",
        "dropout": None,
        "unk_token": model.of_type(PieceType.UNKNOWN)[0],
        "continuing_subword_prefix": None,
        "end_of_word_suffix": None,
        "fuse_unk": True,
        "byte_fallback": model.byte_fallback,
        # What is cut out stays whole: the whole of a text that is a piece is that piece.
        "ignore_merges": _cuts_out(model),
        "vocab": {text: id for id, text in enumerate(_texts(model))},
        "merges": [list(pair) for text in best_first for pair in _pairs(text, normal)],
    }


def _pairs(text: str, normal: dict[str, float]) -> Iterator[tuple[str, str]]:
    for end in range(1, len(text)):
        left, right = text[:end], text[end:]
        if left in normal and right in normal:
            yield left, right


def _check_characters(normal: Iterable[str]) -> None:
    """SentencePiece joins characters that are no pieces; there all that is joined is a piece."""
    characters = {text for text in normal if len(text) == 1}
    for text in normal:
        missing = next((character for character in text if character not in characters), None)
        if missing is not None:
            _refuse(f"the piece {text!r} holds {missing!r}, which alone is no piece")


def _check_unused(model: _Model, normal: dict[str, float]) -> None:
    """SentencePiece joins pairs to UNUSED pieces too, and takes those apart in the end."""
    for text in model.of_type(PieceType.UNUSED):
        pair = next(_pairs(text, normal), None)
        if pair is not None:
            _refuse(
                f"the piece {text!r}, which is UNUSED, is joined from {pair[0]!r} and {pair[1]!r}"
            )
