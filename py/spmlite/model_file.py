"""Model files: told apart by their content, and made ready for the core."""

from __future__ import annotations

import enum
import mmap
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple, Protocol, TypeAlias, runtime_checkable

from spmlite import _native

StrOrBytesPath: TypeAlias = str | bytes | os.PathLike[str] | os.PathLike[bytes]


class ReadsBytes(Protocol):
    """A file that is open in binary mode, or what reads like one."""

    def read(self) -> bytes:
        """All that is left of it."""


@runtime_checkable
class SerializesToString(Protocol):
    """A protobuf message."""

    def SerializeToString(self) -> bytes:
        """The message in bytes."""


# Enough of a file to tell what it is.
_HEAD = 512
_GGUF = b"GGUF"
_SPML = b"SPML"  # our file identifier, at bytes 4 to 8 of a FlatBuffers file

_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)

# A line of the `.vocab` that SentencePiece's trainer writes beside a `.model`.
_VOCAB_LINE = re.compile(rb"[^\t\n]+\t-?[0-9.]+(?:e[-+]?[0-9]+)?\r?\n")

# By their first bytes, files that often stand where a model should: how they are called.
_STRANGERS = {
    b"<": "an HTML or XML page: the download of the model went wrong",
    b"version https://git-lfs": "a pointer of Git LFS: fetch the model itself with `git lfs pull`",
    b"PK\x03\x04": "a zip archive: unpack it first",
    b"\x1f\x8b": "compressed with gzip: unpack it first",
}


class ModelKind(enum.Enum):
    """The kinds of files that a model comes in."""

    SPM_FB = ".spm.fb"
    MODEL = ".model"
    SPM = ".spm"
    TOKENIZER_JSON = "tokenizer.json"
    GGUF = "GGUF"


def kind_of(content: bytes) -> ModelKind:
    """The kind of a model file, by its first bytes.

    Raises:
        RuntimeError: the content is of none of the kinds; the message says what it seems to be.

    >>> kind_of(b'{"version": "1.0"}')
    <ModelKind.TOKENIZER_JSON: 'tokenizer.json'>
    """
    head = content[:_HEAD].removeprefix(b"\xef\xbb\xbf").lstrip()
    if not content:
        raise RuntimeError("the file is empty")
    if has_checksum(content):
        return ModelKind.SPM_FB
    if _VOCAB_LINE.match(head):
        raise RuntimeError(
            "this is no model but a .vocab, SentencePiece's list of the pieces, which says neither "
            "their types nor how texts are normalized: load the .model that was made with it"
        )
    for start, name in _STRANGERS.items():
        if head.startswith(start) and (_is_text(head) or not start.startswith(b"<")):
            raise RuntimeError(f"this is no model but {name}")
    if head.startswith(b"{") and _is_text(head):
        return ModelKind.TOKENIZER_JSON
    # Its first byte may be a multiple of 4, so this comes before .spm.fb.
    if _native.is_spm_text(content[:_HEAD]):
        return ModelKind.SPM
    if content[:4] == _GGUF:
        return ModelKind.GGUF
    # ModelProto has the fields 1 to 5, all of protobuf's wire type 2. FlatBuffers begins with an
    # offset, which is a multiple of 4.
    if content[0] in (1 << 3 | 2, 2 << 3 | 2, 3 << 3 | 2, 4 << 3 | 2, 5 << 3 | 2):
        return ModelKind.MODEL
    if content[0] % 4 == 0:
        return ModelKind.SPM_FB
    raise RuntimeError(
        "this is neither a .model, nor a .spm.fb, a .spm, a tokenizer.json or a GGUF file"
    )


def _is_text(head: bytes) -> bool:
    """Whether there are no control characters but white space.

    A .model may begin as a text does; after a hundred bytes or so it has a score, of tag 21.
    """
    return not any(byte < ord(" ") and byte not in b"\t\n\f\r" for byte in head)


def has_checksum(head: bytes) -> bool:
    """Whether a `.spm.fb` has a checksum, which loading has checked then: ours have.

    >>> has_checksum(bytes(4) + b"SPML")
    True
    """
    return head[4:8] == _SPML


def to_spm_fb(content: bytes, name: str | None = None) -> bytes:
    """The content of a model file of any kind as that of a `.spm.fb`.

    Args:
        content: of the file.
        name: how warnings call the file.

    Raises:
        RuntimeError: the content is no model; the message says what is wrong with it.
    """
    kind = kind_of(content)
    if kind is ModelKind.SPM_FB:
        return content
    return _native.convert(to_model(content, name))


def to_model(content: bytes, name: str | None = None) -> bytes:
    """The content of a model file of any kind as that of a `.model`.

    That of a `.spm.fb` lacks what is lost on the way there: how the model was trained.

    Args:
        content: of the file.
        name: how warnings call the file.

    Raises:
        RuntimeError: the content is no model; the message says what is wrong with it.
    """
    kind = kind_of(content)
    if kind is ModelKind.SPM_FB:
        return _native.convert_back(content)
    if kind is ModelKind.MODEL:
        return content
    if kind is ModelKind.GGUF:
        return _gguf_to_model(content)
    # Few need these, and importing them takes longer than all else.
    try:
        if kind is ModelKind.SPM:
            from spmlite import spm_text

            return spm_text.to_model_proto(content)
        from spmlite import tokenizer_json

        return tokenizer_json.to_model_proto(content, name or kind.value)
    except ValueError as error:
        raise RuntimeError(str(error)) from None


def read_file(path: Path) -> bytes:
    """The content of a model file; of a GGUF file that of the `.model` that it holds.

    Behind that a GGUF file may have many gigabytes, which are not read.

    Raises:
        OSError: there is no such file.
        RuntimeError: the file is no model.
    """
    with path.open("rb") as file:
        if file.read(len(_GGUF)) == _GGUF:
            with _mapped(file) as content:
                return _gguf_to_model(content)
    return path.read_bytes()


def _gguf_to_model(content: bytes | mmap.mmap) -> bytes:
    from spmlite import gguf

    try:
        return gguf.to_model_proto(content)
    except ValueError as error:
        raise RuntimeError(str(error)) from None


class LoadedModel(NamedTuple):
    """A model, ready for use, and what is known of where it comes from."""

    processor: _native.Processor
    # The `.model` it was made from; a `.spm.fb` does not hold that.
    proto: bytes | None = None
    # The file it was in.
    name: str | None = None


def load_file(source: StrOrBytesPath | ReadsBytes) -> LoadedModel:
    """Load a model file of any kind, by its path or open for reading bytes.

    A `.spm.fb` on disk is mapped into memory, not read.

    Raises:
        RuntimeError: there is no such file, or it is no model. The message begins with the path.
    """
    if not isinstance(source, str | bytes | os.PathLike):
        return load_content(_read(source))
    name = os.fsdecode(source)
    path = path_of(name)
    try:
        with path.open("rb") as file:
            return _map_or_read(file, name)._replace(name=path.name)
    except OSError as error:
        raise RuntimeError(f"{name}: {error.strerror}") from None
    except RuntimeError as error:
        raise RuntimeError(named(name, error)) from None


def named(name: str | Path, error: Exception) -> str:
    """What is wrong with a file, behind its name.

    Where the name says what kind of file it is, the sentence does not say so again.

    >>> named("a.json", ValueError("tokenizer.json: model is missing or no object"))
    'a.json: model is missing or no object'
    """
    sentence = str(error)
    for kind, ending in ((ModelKind.TOKENIZER_JSON, ".json"), (ModelKind.GGUF, ".gguf")):
        if str(name).endswith(ending):
            sentence = sentence.removeprefix(f"{kind.value}: ")
    return f"{name}: {sentence}"


def path_of(name: str) -> Path:
    """The path of a file that is to be read.

    Raises:
        RuntimeError: the name is none of a file, but empty or an address.

    >>> path_of("https://example.org/tokenizer.model")
    Traceback (most recent call last):
        ...
    RuntimeError: https://example.org/tokenizer.model: this is an address; download the file first
    """
    if not name:
        raise RuntimeError("the name of a file is empty")
    if _ADDRESS.match(name) and not Path(name).exists():
        raise RuntimeError(f"{name}: this is an address; download the file first")
    return Path(name)


def load_content(content: bytes, name: str | None = None) -> LoadedModel:
    """Load a model from the content of a file of any kind.

    Args:
        content: of the file.
        name: how warnings call the file.

    Raises:
        RuntimeError: the content is no model.
    """
    if kind_of(content) is ModelKind.SPM_FB:
        return LoadedModel(_native.Processor(content))
    return _load_proto(to_model(content, name))


def _load_proto(proto: bytes) -> LoadedModel:
    return LoadedModel(_native.Processor(_native.convert(proto)), proto)


def _map_or_read(file: BinaryIO, name: str) -> LoadedModel:
    head = file.read(_HEAD)
    kind = kind_of(head)
    if kind is ModelKind.SPM_FB:
        # A pipe cannot be mapped.
        with suppress(OSError, ValueError):
            return LoadedModel(_native.Processor(_mapped(file)))
    if kind is ModelKind.GGUF:
        # Its front alone is read; behind that there may be many gigabytes.
        with suppress(OSError), _mapped(file) as content:
            return _load_proto(_gguf_to_model(content))
    return load_content(head + file.read(), name)


def _mapped(file: BinaryIO) -> mmap.mmap:
    return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _read(file: ReadsBytes) -> bytes:
    if not hasattr(file, "read"):
        raise TypeError(f"a model file is a path or an open file, not {type(file).__name__}")
    content = file.read()
    if not isinstance(content, bytes):
        raise TypeError("a model file must be open in binary mode; this one reads as text")
    return content
