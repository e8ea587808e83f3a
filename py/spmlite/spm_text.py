"""`.spm` files: a model as text that people can read, compare and review.

A line for each id: the piece in base64, its score, its type; docs/spm.md tells the format. Reading
and writing are the converter's, in C++; here is what it takes from Python: the charsmaps that have
names, and a second reader, which knows nothing of the first one, to verify what was written.
"""

from __future__ import annotations

import hashlib
import re
from array import array
from binascii import a2b_base64
from collections.abc import Mapping
from typing import NamedTuple

from spmlite import _native
from spmlite.charsmaps import named_charsmap

RECIPES = ("gemma", "llama2", "t5")

# The names of the charsmaps that come with sentencepiece.
_RULES = ("nmt_nfkc", "nfkc", "nmt_nfkc_cf", "nfkc_cf")
# The recipe that names one.
_RULE_OF_RECIPE = {"t5": b"nmt_nfkc"}
_RULE = re.compile(
    rb"^[ \t]*#?[ \t]*(?:de)?normalizer_spec\.precompiled_charsmap:[ \t]*"
    rb"rule:([^\s]*)(?:[ \t]+sha256:([0-9a-f]*))?",
    re.MULTILINE,
)
_FIELD = re.compile(
    rb"^[ \t]*#[ \t]*(?:\.spm |(?:(?:trainer|normalizer|denormalizer)_spec|model)\.\w)",
    re.MULTILINE,
)


class Vocabulary(NamedTuple):
    """The pieces of a model, by their ids."""

    pieces: list[bytes]
    scores: array[float]
    # A byte each: the number of its PieceType.
    types: bytes


def to_model_proto(
    content: bytes, recipe: str = "", fields: Mapping[str, str] | None = None
) -> bytes:
    r"""Convert the content of a `.spm`.

    Args:
        content: the file's content.
        recipe: for a plain file, which has no header: `gemma`, `llama2` or `t5`, to say what it
            lacks. Gemma's are known without.
        fields: fields of the header by name, such as `normalizer_spec.add_dummy_prefix`, with their
            values as they are written there. They replace what the file or the recipe says.

    Returns:
        The bytes of a `.model` file, for `sentencepiece` or `spmlite`.

    Raises:
        ValueError: this is no `.spm`, or it lacks what is not given. The message names the line.

    >>> model = to_model_proto(b"PHVuaz4= 0.0 2\n", fields={"trainer_spec.model_type": "CHAR"})
    >>> to_model_proto(b"PHVuaz4= 0,0 2\n")
    Traceback (most recent call last):
        ...
    ValueError: line 1 has the score 0,0, which is no float32
    """
    lines = "".join(f"{name}: {value}\n" for name, value in (fields or {}).items())
    charsmap = _charsmap_that_is_named(content, recipe, lines)
    return _native.spm_text_to_model(content, recipe, lines, charsmap)


def from_model_proto(
    model: bytes, plain: bool = False, comments: bool = False, charsmap_by_name: bool = False
) -> bytes:
    r"""Write the content of a `.model` as a `.spm`, and read it back in two ways.

    Args:
        model: the file's content.
        plain: leave the header out, and with it all that is no piece.
        comments: show each piece and its type behind its line. Readers that do not know of
            comments cannot read that.
        charsmap_by_name: write the normalizer's rules as a name where they are those of the
            installed `sentencepiece`. The file is shorter, and then needs that package.

    Returns:
        The bytes of a `.spm` file.

    Raises:
        ValueError: this is no `.model`, or it holds what a `.spm` cannot.
        RuntimeError: what was read back is not what was written.

    >>> from_model_proto(model_path.read_bytes(), plain=True).splitlines()[:2]
    [b'PHVuaz4= 0.0 2', b'PHM+ 0.0 3']
    """
    rule = _rule_of(model) if charsmap_by_name else ""
    text = _native.model_to_spm_text(model, plain, comments, rule)
    verify(model, text)
    return text


def verify(model: bytes, text: bytes) -> None:
    """Check that a `.spm` says what a `.model` says, in both directions.

    Forward: a reader of a few lines of Python finds the pieces, scores (bit for bit) and types.
    Backward: the `.model` made from the text has them too, and all fields of the specs, if the
    text has a header.

    Raises:
        RuntimeError: it does not; the message names the first id or the field.
        ValueError: one of them cannot be read.
    """
    header, expected = read_vocabulary(model)
    compare("read line by line", expected, read_lines(text))
    fields = {"trainer_spec.model_type": "UNIGRAM"} if is_plain(text) else {}
    again = to_model_proto(text, fields=fields)
    if again == model:
        return
    header_again, found = read_vocabulary(again)
    compare("turned back into a .model", expected, found)
    if header_again != header and not is_plain(text):
        lines = zip(header.split("\n"), header_again.split("\n"), strict=False)
        first = next((line for line, other in lines if line != other), "a field at the end")
        raise RuntimeError(f"the .spm, turned back into a .model, differs in: {first[:200]}")


def read_lines(text: bytes) -> Vocabulary:
    """The pieces, scores and types of a `.spm`, and nothing of its header.

    Raises:
        ValueError: a line is not what it should be.
    """
    pieces: list[bytes] = []
    scores = array("f")
    types = bytearray()
    for line in text.split(b"\n"):
        if line and not line.startswith(b"#"):
            piece, score, type = line.split(None, 3)[:3]
            pieces.append(a2b_base64(piece))
            scores.append(float(score))
            types.append(int(type))
    return Vocabulary(pieces, scores, bytes(types))


def is_plain(content: bytes) -> bool:
    """Whether a `.spm` has no header.

    >>> is_plain(b"# by hand"), is_plain(b"# .spm 1")
    (True, False)
    """
    return _FIELD.search(content) is None


def read_vocabulary(content: bytes) -> tuple[str, Vocabulary]:
    """The header, a line for each field that is there, and the pieces of a `.model`.

    Raises:
        ValueError: this is no `.model`.
    """
    header, pieces, scores, types = _native.read_model(content)
    return header, Vocabulary(pieces, array("f", scores), types)


def compare(how: str, expected: Vocabulary, found: Vocabulary) -> None:
    """Check that two vocabularies are the same, the scores bit for bit.

    Raises:
        RuntimeError: they are not; the message says `how` the second one was found, and the id.
    """
    # Numbers that are equal may differ in their bits.
    if (
        expected.pieces == found.pieces
        and expected.scores.tobytes() == found.scores.tobytes()
        and expected.types == found.types
    ):
        return
    size = min(len(expected.pieces), len(found.pieces))
    differing = (
        id
        for id in range(size)
        if expected.pieces[id] != found.pieces[id]
        or expected.scores[id : id + 1].tobytes() != found.scores[id : id + 1].tobytes()
        or expected.types[id] != found.types[id]
    )
    raise RuntimeError(f"the .spm, {how}, differs at id {next(differing, size)}")


def _rule_of(model: bytes) -> str:
    """What stands for a model's charsmap: its name and digest, or nothing where it has no name."""
    header, *_ = _native.read_model(model)
    found = re.search(r"^# normalizer_spec\.precompiled_charsmap: (.+)$", header, re.MULTILINE)
    if not found:
        return ""
    charsmap = a2b_base64(found[1])
    for name in _RULES:
        if _charsmap_of_rule(name) == charsmap:
            return f"{name} sha256:{hashlib.sha256(charsmap).hexdigest()}"
    return ""


def _charsmap_that_is_named(content: bytes, recipe: str, fields: str) -> bytes:
    named = _RULE.search(fields.encode())
    if not named and b"rule:" in content:  # which is fast, and rare
        named = _RULE.search(content)
    if not named:
        return _charsmap_of_rule(_RULE_OF_RECIPE.get(recipe, b"identity").decode())
    name = named[1].decode(errors="replace")
    charsmap = _charsmap_of_rule(name)
    digest = hashlib.sha256(charsmap).hexdigest()
    if named[2] and named[2].decode() != digest:
        raise ValueError(
            f"the rules of {name} that are here (sha256 {digest}) are not those that the file "
            f"means ({named[2].decode()}): another version of sentencepiece has them"
        )
    return charsmap


def _charsmap_of_rule(name: str) -> bytes:
    try:
        return named_charsmap(name)
    except RuntimeError as error:
        raise ValueError(str(error)) from None
