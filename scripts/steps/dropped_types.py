"""How many documents are tokenized wrongly when a vocabulary loses its types or scores."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import sentencepiece
from spmlite import model_file, spm_text
from spmlite.model_types import PieceType

NORMAL, USER_DEFINED, CONTROL = PieceType.NORMAL, PieceType.USER_DEFINED, PieceType.CONTROL


class Column(NamedTuple):
    """The score and the type of a piece, as a `.spm` has them."""

    score: str
    type: int


# By name: what is left of a piece with some id.
WAYS: dict[str, Callable[[int, Column], Column]] = {
    "types dropped, scores kept": lambda id, piece: Column(piece.score, merged(piece.type)),
    "scores dropped (merged by id), types kept": lambda id, piece: Column(f"-{id}.0", piece.type),
    "both, as .tiktoken": lambda id, piece: Column(f"-{id}.0", merged(piece.type)),
}


def merged(type: int) -> int:
    """What is matched verbatim, or never, is merged from its parts like all else."""
    return NORMAL if type in (USER_DEFINED, CONTROL) else type


def measure(source: Path, texts: list[Path], size: int) -> None:
    """Print a line for each way.

    Args:
        source: a model file of any kind.
        texts: files, or folders of files; those that are no UTF-8 are left out.
        size: of a document, in characters, or 0 where each file is one.

    Raises:
        OSError: a file cannot be read.
        RuntimeError: the source is no model, or there is no text.
        ValueError: the source is no model.
    """
    model = model_file.to_model(model_file.read_file(source), str(source))
    documents = [text for path in texts for text in _documents(path, size)]
    original = sentencepiece.SentencePieceProcessor(model_proto=model).encode(documents)
    tokens = sum(map(len, original))
    if not tokens:
        raise RuntimeError("there is no text to measure with")
    print(f"{len(documents):,} documents, {sum(map(len, documents)):,} characters, {tokens:,} ids")
    for name, change in WAYS.items():
        processor = sentencepiece.SentencePieceProcessor(model_proto=_changed(model, change))
        found = processor.encode(documents)
        wrong = sum(one != other for one, other in zip(original, found, strict=True))
        more = sum(map(len, found)) / tokens - 1
        share = wrong / len(documents)
        print(f"{name:<42} {wrong:>6,} wrong, {share:6.1%}; {more:+.2%} ids")


def _documents(path: Path, size: int) -> Iterator[str]:
    files = (file for file in sorted(path.rglob("*")) if file.is_file())
    for file in files if path.is_dir() else [path]:
        try:
            text = file.read_bytes().decode()
        except UnicodeDecodeError:
            continue
        if size == 0:
            yield from [text] if text else []
            continue
        document = ""
        for line in io.StringIO(text):
            document += line
            if len(document) >= size:
                yield document
                document = ""
        if document:
            yield document


def _changed(model: bytes, change: Callable[[int, Column], Column]) -> bytes:
    """The model with other scores and types, by way of its text."""
    lines = []
    id = 0
    for line in spm_text.from_model_proto(model).decode().removesuffix("\n").split("\n"):
        if line.startswith("#"):
            lines.append(line)
            continue
        piece, score, type = line.split()
        column = change(id, Column(score, int(type)))
        lines.append(f"{piece} {column.score} {column.type}")
        id += 1
    return spm_text.to_model_proto("".join(f"{line}\n" for line in lines).encode())
