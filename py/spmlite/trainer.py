"""`SentencePieceTrainer`: the oracle's name, which says where training is."""

from __future__ import annotations

from typing import NoReturn

from spmlite.camel_case import with_camel_case


@with_camel_case()
class SentencePieceTrainer:
    """Not here: spmlite runs models, the package `sentencepiece` trains them.

    >>> SentencePieceTrainer.train(input="corpus.txt", model_prefix="m", vocab_size=1000)
    Traceback (most recent call last):
        ...
    NotImplementedError: spmlite does not train models: use SentencePieceTrainer of the package
    sentencepiece (pip install sentencepiece), whose .model files spmlite loads
    """

    @staticmethod
    def train(arg: str | None = None, logstream: object = None, **kwargs: object) -> NoReturn:
        """Raise NotImplementedError."""
        del arg, logstream, kwargs
        raise NotImplementedError(
            "spmlite does not train models: use SentencePieceTrainer of the package\n"
            "sentencepiece (pip install sentencepiece), whose .model files spmlite loads"
        )
