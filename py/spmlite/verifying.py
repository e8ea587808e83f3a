"""The deep check of a model: more than loading tells, in the time that it takes."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from spmlite import model_file
from spmlite.model_file import ModelKind
from spmlite.processor import SentencePieceProcessor

# So many differences are told; the rest is counted.
_MOST_TOLD = 3
# So many texts are compared at a time.
_BATCH = 1000


class Finding(NamedTuple):
    """One thing that was looked at."""

    what: str
    looked_at: int
    # Empty where all is well.
    faults: list[str]

    @property
    def is_well(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults


def verify(path: Path) -> Iterator[Finding]:
    """Load a model and look each of its pieces up.

    Raises:
        RuntimeError: it cannot be loaded; the message says why.
    """
    processor = SentencePieceProcessor(path)
    with path.open("rb") as file:
        head = file.read(8)
    yield Finding("bytes of a structure that holds together", path.stat().st_size, [])
    if model_file.kind_of(head) is ModelKind.SPM_FB:
        # What loads has passed it; files of the published converter have none.
        has_checksum = model_file.has_checksum(head)
        yield Finding("checksum" if has_checksum else "checksums", int(has_checksum), [])
    pieces = list(processor)
    found = processor.piece_to_id(pieces)
    faults = (
        f"piece {id} is {piece!r}, which is looked up as {other}"
        for id, (piece, other) in enumerate(zip(pieces, found, strict=True))
        if other != id
    )
    yield _finding("pieces that are found by their text", len(pieces), faults)
    texts = [text for id, text in enumerate(pieces) if not processor.is_control(id)]
    ids = processor.encode(texts)
    in_range = (
        f"{text!r} has an id out of range"
        for text, row in zip(texts, ids, strict=True)
        if not all(0 <= id < len(processor) for id in row)
    )
    yield _finding("pieces that are encoded as texts", len(texts), in_range)


def compare(path: Path, original: Path | None, texts: Iterable[str]) -> Iterator[Finding]:
    """Compare a model with what `sentencepiece` makes of it.

    Args:
        path: the model.
        original: the `.model` that a `.spm.fb` was made from; without it `sentencepiece` gets what
            the model itself says.
        texts: what to encode, besides the pieces themselves.

    Raises:
        RuntimeError: `sentencepiece` is not installed, or there is no `.model` to load in it.
    """
    try:
        import sentencepiece
    except ImportError:
        raise RuntimeError(
            "the comparison needs sentencepiece: pip install sentencepiece==0.2.3"
        ) from None
    ours = SentencePieceProcessor(path)
    source = ours if original is None else SentencePieceProcessor(original)
    theirs = sentencepiece.SentencePieceProcessor(model_proto=source.serialized_model_proto())
    yield from _compare_pieces(ours, theirs)
    own = [text.replace("▁", " ") for text in ours]
    variants = [unicodedata.normalize("NFD", text) for text in own if not text.isascii()]
    yield from _compare_texts(ours, theirs, [*own, *variants, *texts])


def _compare_pieces(ours: SentencePieceProcessor, theirs: Any) -> Iterator[Finding]:  # noqa: ANN401
    if len(ours) != len(theirs):
        fault = f"{len(ours)} pieces here, {len(theirs)} in sentencepiece"
        yield Finding("pieces as in sentencepiece", len(ours), [fault])
        return
    ids = list(range(len(ours)))
    for name in ("id_to_piece", "get_score", "is_control", "is_unknown", "is_unused", "is_byte"):
        pairs = zip(getattr(ours, name)(ids), getattr(theirs, name)(ids), strict=True)
        faults = (
            f"{name}({id}) is {mine!r} here, {other!r} in sentencepiece"
            for id, (mine, other) in enumerate(pairs)
            if mine != other
        )
        yield _finding(f"{name} as in sentencepiece", len(ids), faults)


def _compare_texts(
    ours: SentencePieceProcessor,
    theirs: Any,  # noqa: ANN401 - another module's class
    texts: list[str],
) -> Iterator[Finding]:
    faults = []
    for begin in range(0, len(texts), _BATCH):
        batch = texts[begin : begin + _BATCH]
        mine, other = ours.encode(batch), theirs.encode(batch)
        faults += [
            f"{text!r} is {a} here, {b} in sentencepiece"
            for text, a, b in zip(batch, mine, other, strict=True)
            if a != b
        ]
        decoded = zip(ours.decode(mine), theirs.decode(mine), batch, strict=True)
        faults += [
            f"the ids of {text!r} are decoded as {a!r} here, {b!r} in sentencepiece"
            for a, b, text in decoded
            if a != b
        ]
    yield _finding("texts encoded and decoded as in sentencepiece", len(texts), faults)


def _finding(what: str, looked_at: int, faults: Iterable[str]) -> Finding:
    faults = list(faults)
    more = len(faults) - _MOST_TOLD
    told = faults[:_MOST_TOLD] + ([f"and {more:,} more"] if more > 0 else [])
    return Finding(what, looked_at, told)
