"""Models that are none: one sentence that names the file and what is wrong, and no crash."""

from __future__ import annotations

import os
import random
import threading
from pathlib import Path

import pytest
import spmlite
from spmlite import _native, model_file
from spmlite.model_file import ModelKind

STRANGERS = {
    b"": "the file is empty",
    b"<!DOCTYPE html><html><head>": "this is no model but an HTML or XML page",
    b"<unk>\t0\n<s>\t0\n": "this is no model but a .vocab, SentencePiece's list of the pieces",
    "▁the\t-3.25\n".encode(): "load the .model that was made with it",
    b"\n\n  <html>": "this is no model but an HTML or XML page",
    b"\xef\xbb\xbf<?xml version='1.0'?>": "this is no model but an HTML or XML page",
    b"version https://git-lfs.github.com/spec/v1\n": "a pointer of Git LFS",
    b"PK\x03\x04" + bytes(100): "a zip archive",
    b"\x1f\x8b\x08" + bytes(100): "compressed with gzip",
    b"GGUF" + bytes(100): "GGUF: the file has version 0; versions 2 and 3 can be read",
    b"Not Found": "neither a .model, nor a .spm.fb, a .spm, a tokenizer.json or a GGUF file",
    b'{"error": "Not Found"}': "tokenizer.json: model is missing",
    b"{": "tokenizer.json: this is not JSON",
}


@pytest.fixture(scope="module")
def blob(model_path: Path) -> bytes:
    return _native.convert(model_path.read_bytes())


def load_failure(content: bytes, path: Path) -> str:
    """The sentence that a file of this content gives, the same however it is loaded."""
    path.write_bytes(content)
    with pytest.raises(RuntimeError) as from_file:
        spmlite.SentencePieceProcessor(model_file=path)
    message = str(from_file.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    if content:  # an empty model_proto counts as none
        with pytest.raises(RuntimeError) as from_bytes:
            spmlite.SentencePieceProcessor(model_proto=content)
        assert message == f"{path}: {from_bytes.value}"
    return message


@pytest.mark.parametrize("content", STRANGERS, ids=repr)
def test_a_foreign_file(content: bytes, tmp_path: Path) -> None:
    assert STRANGERS[content] in load_failure(content, tmp_path / "a.model")


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    for path, reason in ((tmp_path / "no", "No such file"), (tmp_path, "Is a directory")):
        with pytest.raises(RuntimeError, match=reason):
            spmlite.SentencePieceProcessor(model_file=path)


def test_the_kinds_of_model_files(model_path: Path, blob: bytes) -> None:
    assert model_file.kind_of(model_path.read_bytes()) is ModelKind.MODEL
    assert model_file.kind_of(blob) is ModelKind.SPM_FB
    assert model_file.kind_of(b'\n {"model": {}}') is ModelKind.TOKENIZER_JSON
    for path in ("file", b"file"):
        with pytest.raises(RuntimeError, match="file: No such file"):
            model_file.load_file(path)


@pytest.mark.parametrize("kind", [".model", ".spm.fb"])
def test_a_file_cut_off_anywhere(kind: str, model_path: Path, blob: bytes, tmp_path: Path) -> None:
    """Nothing crashes; what loads all the same is whole in all that a model needs."""
    content = model_path.read_bytes() if kind == ".model" else blob
    lengths = {*range(1, 64), *range(64, len(content), 97), len(content) - 1}
    loaded = 0
    for length in lengths:
        try:
            processor = spmlite.SentencePieceProcessor(model_proto=content[:length])
        except RuntimeError as error:
            assert str(error), length
        else:
            loaded += 1
            assert processor.decode(processor.encode("Hello")) == "Hello"
    print(f"{kind}: {len(lengths)} lengths, {loaded} of them load")
    assert loaded <= 2
    assert load_failure(content[: len(content) // 2], tmp_path / f"half{kind}")


@pytest.mark.parametrize("kind", [".model", ".spm.fb"])
def test_a_file_with_bytes_changed(kind: str, model_path: Path, blob: bytes) -> None:
    """It is refused, or works somehow: never a crash."""
    content = model_path.read_bytes() if kind == ".model" else blob
    generator = random.Random(0)
    refused = 0
    for _ in range(1500):
        changed = bytearray(content)
        for _ in range(generator.randrange(1, 4)):
            changed[generator.randrange(len(changed))] = generator.randrange(256)
        try:
            processor = spmlite.SentencePieceProcessor(model_proto=bytes(changed))
            processor.decode(processor.encode("Hello wörld  x\n"))
            processor.id_to_piece(range(len(processor)))
        except (RuntimeError, UnicodeDecodeError):
            refused += 1
    print(f"{kind}: {refused} of 1500 changed files are refused")
    assert refused > 0


def test_a_model_that_contradicts_itself_is_named(tmp_path: Path, model_path: Path) -> None:
    """A message of the core and of the converter reaches Python."""
    twice = model_path.read_bytes() + b"\x0a\x0a\x0a\x08\xe2\x96\x81Hello"
    assert "Hello" in load_failure(twice, tmp_path / "twice.model")


def test_a_blob_lies_where_it_likes(blob: bytes) -> None:
    """The core reads aligned memory: what is not is copied first."""
    for shift in range(9):
        view = memoryview(bytes(shift) + blob)[shift:]
        processor = _native.Processor(view)
        del view
        assert processor.encode_ids("Hello world", 0) == [260, 261]


def test_a_blob_may_come_through_a_pipe(blob: bytes, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(blob,))
    writer.start()
    processor = spmlite.SentencePieceProcessor(model_file=pipe)
    writer.join()
    assert processor.encode("Hello world") == [260, 261]


def test_a_mapped_file_may_be_replaced(blob: bytes, tmp_path: Path) -> None:
    """A file that another takes the place of is still there for who has it open."""
    path = tmp_path / "a.spm.fb"
    path.write_bytes(blob)
    processor = spmlite.SentencePieceProcessor(model_file=path)
    path.unlink()
    path.write_bytes(b"nothing")
    assert processor.encode("Hello world") == [260, 261]
