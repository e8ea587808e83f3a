"""The SentencePiece models of the notebooks.

On a computer `sentencepiece` trains them, when they are asked for. A browser has no trainer: there
`spmlite` reads those that were trained before and lie beside the notebooks.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

if sys.platform == "emscripten":
    from spmlite import SentencePieceProcessor
else:
    from sentencepiece import SentencePieceProcessor, SentencePieceTrainer

CORPUS = {"low": 5, "lower": 2, "newest": 3, "widest": 2}
SENTENCES = [word for word, count in CORPUS.items() for _ in range(count)]

ALPHABET = 12  # the ten letters, the space's mark, and the unknown piece

# How many pieces each learns beyond these, unless asked for another number.
JOINS = {"lesson_unigram": 3, "lesson_bpe": 12, "lesson_bytes": 4}


def train(name: str, joins: int | None = None) -> bytes:
    """The content of the `.model` file that `sentencepiece` makes of the corpus.

    A Unigram model ends up with fewer pieces than asked for where the corpus has no more.
    """
    byte_fallback = name == "lesson_bytes"
    content = io.BytesIO()
    SentencePieceTrainer.train(
        sentence_iterator=iter(SENTENCES),
        model_writer=content,
        model_type="unigram" if name == "lesson_unigram" else "bpe",
        vocab_size=ALPHABET + (JOINS[name] if joins is None else joins) + 256 * byte_fallback,
        hard_vocab_limit=False,
        byte_fallback=byte_fallback,
        bos_id=-1,
        eos_id=-1,
        minloglevel=2,
    )
    return content.getvalue()


def trained(name: str, joins: int | None = None) -> SentencePieceProcessor:
    """One of the models that JOINS names; in a browser with as many pieces as it has there."""
    if sys.platform == "emscripten":
        return SentencePieceProcessor(model_file=f"{name}.model")
    return SentencePieceProcessor(model_proto=train(name, joins))


def real() -> SentencePieceProcessor | None:
    """The reader's own `tokenizer.model`, if one lies beside the notebooks."""
    file = Path("tokenizer.model")
    return SentencePieceProcessor(model_file=str(file)) if file.exists() else None
