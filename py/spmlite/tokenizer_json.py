"""Hugging Face's `tokenizer.json` to a SentencePiece `.model`."""

from __future__ import annotations

import warnings

from spmlite import _native


def to_model_proto(tokenizer_json: bytes | str, name: str = "tokenizer.json") -> bytes:
    """Convert the content of a `tokenizer.json` that was made from a SentencePiece model.

    Such files hold all that is needed to make the model again; core/convert/tokenizer_json.h tells
    what they say in another way.

    Args:
        tokenizer_json: the file's content. What of it a model cannot hold is told as a warning,
            above all added tokens beyond `model.vocab`.
        name: how warnings call the file.

    Returns:
        The bytes of a `.model` file, for `sentencepiece` or `spmlite`.

    Raises:
        ValueError: this is no tokenizer.json, or not one of a BPE or Unigram model that
            SentencePiece could have made. The message names the field.

    >>> to_model_proto('{"model": {"type": "WordPiece"}}')
    Traceback (most recent call last):
        ...
    ValueError: tokenizer.json: model.type is "WordPiece"; only "BPE" and "Unigram" can be converted
    """
    model, notes = _native.tokenizer_json_to_model(tokenizer_json)
    for note in notes:
        warnings.warn(f"{name}: {note}", stacklevel=2)
    return model
