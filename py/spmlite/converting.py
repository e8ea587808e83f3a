"""`convert_to_flatbuffer`: a `.model` as a `.spm.fb`, under the oracle's name."""

from __future__ import annotations

import os
from pathlib import Path

from spmlite.model_file import SerializesToString, StrOrBytesPath, to_spm_fb


def convert_to_flatbuffer(
    model_file: StrOrBytesPath | None = None,
    model_proto: bytes | SerializesToString | None = None,
    serialized_model_proto: bytes | None = None,
    output_file: StrOrBytesPath | None = None,
    skip_char_bigrams: bool = False,
    treat_null_byte_as_unused: bool = False,
    allow_unsupported_model_type: bool = False,
) -> bytes | None:
    """Turn a model into a `.spm.fb`, which loads without being read.

    Args:
        model_file: the path of a model file of any kind (docs/formats.md).
        model_proto: instead, its content in bytes, or a protobuf `ModelProto`.
        serialized_model_proto: instead, its content in bytes.
        output_file: where to write the result; else it is returned.
        skip_char_bigrams: has no effect: what tells where a text may be cut is small here.
        treat_null_byte_as_unused: has no effect: a NUL beside byte pieces is always UNUSED.
        allow_unsupported_model_type: has no effect: WORD and CHAR models are supported.

    Returns:
        The content of the `.spm.fb`, or nothing where it was written.

    Raises:
        ValueError: not exactly one model is given, or it is none.
        RuntimeError: the file cannot be read.

    >>> SentencePieceProcessor.from_proto(convert_to_flatbuffer(model_path)).encode("Hello")
    [260]
    """
    del skip_char_bigrams, treat_null_byte_as_unused, allow_unsupported_model_type
    sources = (model_file, model_proto, serialized_model_proto)
    if sum(source is not None for source in sources) != 1:
        raise ValueError("give one of model_file, model_proto and serialized_model_proto")
    if output_file is not None and not os.fspath(output_file):
        raise ValueError("output_file is empty")
    content = _read(*sources)
    try:
        converted = to_spm_fb(content)
    except RuntimeError as error:
        raise ValueError(str(error)) from None
    if output_file is None:
        return converted
    Path(os.fsdecode(output_file)).write_bytes(converted)
    return None


def _read(
    model_file: StrOrBytesPath | None,
    model_proto: bytes | SerializesToString | None,
    serialized_model_proto: bytes | None,
) -> bytes:
    if model_file is not None:
        if not os.fspath(model_file):
            raise ValueError("model_file is empty")
        try:
            return Path(os.fsdecode(model_file)).read_bytes()
        except OSError as error:
            raise RuntimeError(f"{os.fsdecode(model_file)}: {error.strerror}") from None
    if model_proto is not None:
        if isinstance(model_proto, SerializesToString):
            return model_proto.SerializeToString()
        if not isinstance(model_proto, bytes):
            raise TypeError(f"model_proto is {type(model_proto).__name__}, not bytes or ModelProto")
        return model_proto
    if not isinstance(serialized_model_proto, bytes):
        raise TypeError(
            f"serialized_model_proto is {type(serialized_model_proto).__name__}, not bytes"
        )
    return serialized_model_proto
