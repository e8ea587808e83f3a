#!/usr/bin/env python3
"""Measure how many documents are tokenized wrongly when a vocabulary loses its types or scores.

    python scripts/measure_dropped_types.py --model gemma3.model english.txt code.txt
    python scripts/measure_dropped_types.py --model gemma3.model --size 0 a-folder-of-sources

What `.tiktoken` files keep of a SentencePiece vocabulary is the pieces and their order. Each way of
losing the rest is made into a model of its own, and sentencepiece encodes every document with it
and with the original. It needs the packages spmlite and sentencepiece: in a checkout `scripts/build
python`, then .venv/bin/python. docs/spm.md has the results.
"""

import argparse
import io
import sys
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


def main() -> int:
    """Print a line for each way."""
    options = _parser().parse_args()
    model = model_file.to_model(options.model.read_bytes())
    documents = [text for path in options.texts for text in _documents(path, options.size)]
    original = sentencepiece.SentencePieceProcessor(model_proto=model).encode(documents)
    tokens = sum(map(len, original))
    print(f"{len(documents):,} documents, {sum(map(len, documents)):,} characters, {tokens:,} ids")
    for name, change in WAYS.items():
        processor = sentencepiece.SentencePieceProcessor(model_proto=_changed(model, change))
        found = processor.encode(documents)
        wrong = sum(one != other for one, other in zip(original, found, strict=True))
        more = sum(map(len, found)) / tokens - 1
        share = wrong / len(documents)
        print(f"{name:<42} {wrong:>6,} wrong, {share:6.1%}; {more:+.2%} ids")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", type=Path, required=True, help="a model file of any kind")
    parser.add_argument(
        "--size",
        type=int,
        default=4000,
        help="cut texts into documents of so many characters, at line ends; 0: each file is one",
    )
    parser.add_argument("texts", type=Path, nargs="+", help="files, or folders of files")
    return parser


def _documents(path: Path, size: int) -> Iterator[str]:
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if not file.is_file():
            continue
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


if __name__ == "__main__":
    sys.exit(main())
