"""Hugging Face's `tokenizer.json` to a SentencePiece `.model`, for BPE with byte fallback.

Such files (Gemma, Llama 2, Mistral) were made from SentencePiece models and hold all that is needed
to make one again. What differs is how it is said:

- SentencePiece joins any two neighbours whose concatenation is a piece, the best score first; the
  file lists the pairs, the best first. So a piece scores the negative rank of its pairs.
- SentencePiece's user-defined pieces are the file's added tokens.
- SentencePiece writes spaces as "▁" and may put one in front; the file spells out both.

A tokenizer that does anything else is refused: its ids would not come out.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn, TypeAlias

from spmlite.model_proto import ModelProto, ModelType, Piece, PieceType, SpecialPiece

SPACE_MARK = "▁"

_BYTES = tuple(f"<0x{byte:02X}>" for byte in range(256))

# A tokenizer.json does not tell which of its special tokens begin, end or fill up a sentence; these
# are the names in use.
_BOS = ("<s>", "<bos>")
_EOS = ("</s>", "<eos>")
_PAD = ("<pad>",)

_Json: TypeAlias = Any
_Object: TypeAlias = dict[str, Any]


def to_model_proto(tokenizer_json: bytes | str) -> bytes:
    """Convert the content of a `tokenizer.json`.

    Args:
        tokenizer_json: the file's content. Added tokens beyond `model.vocab` are no pieces of a
            SentencePiece model: they are left out, with a warning that names them.

    Returns:
        The bytes of a `.model` file, for `sentencepiece` or `spmlite`.

    Raises:
        ValueError: this is no tokenizer.json, or not one of a BPE model with byte fallback that
            SentencePiece could have made. The message names the field.

    >>> to_model_proto('{"model": {"type": "WordPiece"}}')
    Traceback (most recent call last):
        ...
    ValueError: tokenizer.json: model.type is "WordPiece"; only "BPE" can be converted
    """
    tokenizer = _parse(tokenizer_json)
    model = _object(tokenizer, "model")
    _check_model(model)
    whitespace = _Whitespace()
    whitespace.read_normalizer(tokenizer.get("normalizer"))
    whitespace.read_pre_tokenizer(tokenizer.get("pre_tokenizer"))
    if not whitespace.marks_spaces:
        _refuse('neither normalizer nor pre_tokenizer writes spaces as "▁"')
    added = [_AddedToken.read(token, i) for i, token in enumerate(_list(tokenizer, "added_tokens"))]
    texts = _vocabulary(_object(model, "vocab", "model."), added)
    _warn_of_tokens_left_out(token.content for token in added if token.id >= len(texts))
    specials = _Specials.find(texts, added, model.get("unk_token"))
    types = _types(texts, added, specials)
    scores = _scores(texts, types, _list(model, "merges", "model."))
    return ModelProto(
        pieces=[Piece(*piece) for piece in zip(texts, scores, types, strict=True)],
        model_type=ModelType.BPE,
        byte_fallback=True,
        unk=specials.unk,
        bos=specials.bos,
        eos=specials.eos,
        pad=specials.pad,
        add_dummy_prefix=whitespace.marks_front,
        remove_extra_whitespaces=False,
    ).serialize()


def _refuse(message: str) -> NoReturn:
    raise ValueError(f"tokenizer.json: {message}")


def _quoted(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _parse(tokenizer_json: bytes | str) -> _Object:
    try:
        tokenizer = json.loads(tokenizer_json)
    except ValueError as error:
        _refuse(f"this is not JSON: {error}")
    if not isinstance(tokenizer, dict):
        _refuse("the file holds no JSON object")
    return tokenizer


def _object(container: _Object, name: str, path: str = "") -> _Object:
    value = container.get(name)
    if not isinstance(value, dict):
        _refuse(f"{path}{name} is missing or no object")
    return value


def _list(container: _Object, name: str, path: str = "") -> list[_Json]:
    value = container.get(name)
    if not isinstance(value, list):
        _refuse(f"{path}{name} is missing or no list")
    return value


def _check_model(model: _Object) -> None:
    # Old files leave the type of a BPE model out.
    type = model.get("type", "BPE" if "merges" in model else None)
    if type != "BPE":
        _refuse(f'model.type is {_quoted(type)}; only "BPE" can be converted')
    for field in ("continuing_subword_prefix", "end_of_word_suffix", "ignore_merges"):
        if model.get(field):
            _refuse(f"model.{field} is {_quoted(model[field])}, which SentencePiece does not know")
    if model.get("byte_fallback") is not True:
        _refuse("model.byte_fallback is not true; only BPE with byte fallback can be converted")


@dataclass
class _Whitespace:
    """What normalizer and pre_tokenizer do to spaces; anything else that they do is refused."""

    marks_spaces: bool = False
    marks_front: bool = False

    def read_normalizer(self, normalizer: _Json) -> None:
        is_sequence = isinstance(normalizer, dict) and normalizer.get("type") == "Sequence"
        for step in normalizer.get("normalizers", []) if is_sequence else [normalizer]:
            if step == {"type": "Prepend", "prepend": SPACE_MARK}:
                self.marks_front = True
            elif step == {"type": "Replace", "pattern": {"String": " "}, "content": SPACE_MARK}:
                self.marks_spaces = True
            elif step is not None:
                _refuse(
                    f"normalizer has the step {_quoted(step)}; "
                    'only those that write "▁" for a space can be converted'
                )

    def read_pre_tokenizer(self, pre_tokenizer: _Json) -> None:
        step = pre_tokenizer if isinstance(pre_tokenizer, dict) else {}
        if step.get("type") == "Metaspace" and step.get("replacement") == SPACE_MARK:
            self.marks_spaces = True
            # `add_prefix_space` is what older files have in place of `prepend_scheme`.
            older = "always" if step.get("add_prefix_space") else "never"
            self.marks_front |= step.get("prepend_scheme", older) != "never"
        # Where spaces have become "▁", nothing is split at them.
        elif pre_tokenizer is not None and not (
            self.marks_spaces
            and step.get("type") == "Split"
            and step.get("pattern") == {"String": " "}
        ):
            _refuse(f"pre_tokenizer is {_quoted(pre_tokenizer)}, which SentencePiece does not know")


@dataclass(frozen=True)
class _AddedToken:
    id: int
    content: str
    special: bool
    # What else is asked for: a match of whole words, or with the spaces around it.
    has_conditions: bool

    @classmethod
    def read(cls, token: _Json, index: int) -> _AddedToken:
        if not isinstance(token, dict):
            _refuse(f"added_tokens[{index}] is no object")
        id, content = token.get("id"), token.get("content")
        if not isinstance(id, int) or not isinstance(content, str):
            _refuse(f"added_tokens[{index}] lacks an id or a content")
        conditions = any(token.get(name) for name in ("single_word", "lstrip", "rstrip"))
        return cls(id, content, bool(token.get("special")), conditions)


def _vocabulary(vocab: _Object, added: Iterable[_AddedToken]) -> list[str]:
    """The pieces by id; an added token may fill a gap, but what lies beyond the end is left out."""
    by_id = {id: text for text, id in vocab.items()}
    size = 1 + max((id for id in by_id if isinstance(id, int)), default=-1)
    for token in added:
        if token.id < size:
            by_id.setdefault(token.id, token.content)
            if by_id[token.id] != token.content:
                _refuse(
                    f"id {token.id} is {_quoted(by_id[token.id])} in model.vocab and "
                    f"{_quoted(token.content)} in added_tokens"
                )
    missing = next((id for id in range(size) if id not in by_id), None)
    if missing is not None or len(by_id) != size:
        _refuse(f"model.vocab does not use each of the ids 0 to {size - 1} once (id {missing})")
    return [by_id[id] for id in range(size)]


def _warn_of_tokens_left_out(contents: Iterable[str]) -> None:
    names = ", ".join(map(_quoted, contents))
    if names:
        warnings.warn(f"tokenizer.json: left out, as not in model.vocab: {names}", stacklevel=3)


@dataclass(frozen=True)
class _Specials:
    unk: SpecialPiece
    bos: SpecialPiece
    eos: SpecialPiece
    pad: SpecialPiece

    @classmethod
    def find(cls, texts: list[str], added: Iterable[_AddedToken], unk_token: _Json) -> _Specials:
        ids = {
            token.content: token.id for token in added if token.special and token.id < len(texts)
        }

        def special(names: tuple[str, ...], default: str) -> SpecialPiece:
            text = next((name for name in names if name in ids), default)
            return SpecialPiece(ids.get(text, -1), text)

        unk = SpecialPiece(-1, "<unk>")
        if unk_token is not None:
            if unk_token not in texts:
                _refuse(f"model.unk_token is {_quoted(unk_token)}, which is not in model.vocab")
            unk = SpecialPiece(texts.index(unk_token), unk_token)
        return cls(unk, special(_BOS, "<s>"), special(_EOS, "</s>"), special(_PAD, "<pad>"))


def _types(texts: list[str], added: Iterable[_AddedToken], specials: _Specials) -> list[PieceType]:
    by_text = dict.fromkeys(texts, PieceType.NORMAL)
    for text in _BYTES:
        if text not in by_text:
            _refuse(f"model.vocab lacks {_quoted(text)}: byte fallback needs all 256 bytes")
        by_text[text] = PieceType.BYTE
    for token in added:
        if token.id < len(texts):
            by_text[token.content] = PieceType.USER_DEFINED
    for special in (specials.bos, specials.eos, specials.pad):
        if special.id >= 0:
            by_text[special.text] = PieceType.CONTROL
    if specials.unk.id >= 0:
        by_text[specials.unk.text] = PieceType.UNKNOWN
    for token in added:
        if by_text.get(token.content) is PieceType.USER_DEFINED:
            _check_user_defined(token)
    return [by_text[text] for text in texts]


def _check_user_defined(token: _AddedToken) -> None:
    if token.has_conditions:
        _refuse(
            f"the added token {_quoted(token.content)} has single_word, lstrip or rstrip, "
            "which SentencePiece does not know"
        )
    if " " in token.content:
        _refuse(
            f"the added token {_quoted(token.content)} holds a space, "
            'which SentencePiece writes as "▁"'
        )


def _scores(texts: list[str], types: list[PieceType], merges: list[_Json]) -> list[float]:
    """The negative rank of each normal piece among the merges; what is not merged comes last."""
    normal = [text for text, type in zip(texts, types, strict=True) if type is PieceType.NORMAL]
    pairs = _pairs_by_result(set(normal), merges)
    _check_complete(normal, pairs, texts, types)
    ranked = list(pairs) + [text for text in normal if text not in pairs]
    scores = {text: -float(rank) for rank, text in enumerate(ranked)}
    return [
        scores[text] if type is PieceType.NORMAL else 0.0
        for text, type in zip(texts, types, strict=True)
    ]


def _pairs_by_result(results: set[str], merges: list[_Json]) -> dict[str, list[str]]:
    """For each of the results, best first, the left sides of the pairs that are merged into it."""
    lefts: dict[str, list[str]] = {}
    last = ""
    for index, (left, right) in enumerate(_read_merges(merges)):
        result = left + right
        if result not in results:
            continue
        if result != last and result in lefts:
            _refuse(
                f"model.merges[{index}] makes {_quoted(result)} again, further down: "
                "in SentencePiece all pairs that make a piece have its one score"
            )
        lefts.setdefault(result, []).append(left)
        last = result
    return lefts


def _read_merges(merges: list[_Json]) -> Iterator[tuple[str, str]]:
    for index, merge in enumerate(merges):
        pair = merge.split(" ") if isinstance(merge, str) else merge
        try:
            left, right = pair
        except (TypeError, ValueError):
            _refuse(f"model.merges[{index}] is {_quoted(merge)} instead of a pair")
        yield left, right


def _check_complete(
    normal: Iterable[str], pairs: dict[str, list[str]], texts: list[str], types: list[PieceType]
) -> None:
    """Refuse a tokenizer that leaves apart what SentencePiece would join."""
    joinable = {
        text
        for text, type in zip(texts, types, strict=True)
        if type is PieceType.NORMAL or type is PieceType.USER_DEFINED
    }
    nothing: list[str] = []
    for text in normal:
        lefts = pairs.get(text, nothing)
        for end in range(1, len(text)):
            left = text[:end]
            if left in joinable and text[end:] in joinable and left not in lefts:
                _refuse(
                    f"model.merges does not join {_quoted(left)} and {_quoted(text[end:])}, though "
                    f"{_quoted(text)} is in model.vocab: SentencePiece would join them"
                )
