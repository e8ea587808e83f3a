"""Control pieces that are recognized in a text, by those who ask for it."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy
import pytest
import spmlite
from tiny_model import Piece, PieceType, tiny_model

CONTROLS = ["<s>", "</s>", "<s><s>"]
TEXT = "<s>Hello world</s>é<s><s><s>"


@pytest.fixture(scope="module")
def chat_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model with one more control piece, that begins as another does."""
    path = tmp_path_factory.mktemp("chat") / "chat.model"
    path.write_bytes(tiny_model([Piece("<s><s>", 0, PieceType.CONTROL)]))
    return path


@pytest.fixture(scope="module")
def chat(chat_path: Path) -> spmlite.SentencePieceProcessor:
    return spmlite.SentencePieceProcessor(chat_path, control_pieces=CONTROLS)


def test_a_text_is_a_text_unless_it_is_asked_for(
    chat_path: Path, chat: spmlite.SentencePieceProcessor
) -> None:
    plain = spmlite.SentencePieceProcessor(chat_path)
    assert not {1, 2, 277} & set(plain.encode(TEXT))
    assert chat.encode(TEXT, control_pieces=False) == plain.encode(TEXT)
    assert plain.encode(TEXT, control_pieces=True) == chat.encode(TEXT)


def test_what_lies_between_is_a_text_of_its_own(chat: spmlite.SentencePieceProcessor) -> None:
    """The longest piece counts, and nothing is lost or added."""
    é = chat.encode("é")
    assert chat.encode(TEXT) == [1, 260, 261, 2, *é, 277, 1]
    assert chat.encode([TEXT, "", "<s>", "Hello"]) == [chat.encode(TEXT), [], [1], [260]]
    assert chat.encode(TEXT.encode()) == chat.encode(TEXT)
    assert chat.encode("Hello", control_pieces=["</s>"]) == [260]
    assert chat.encode(TEXT, control_pieces=["</s>"])[-1] != 1


def test_every_return_type(chat: spmlite.SentencePieceProcessor) -> None:
    ids = chat.encode(TEXT)
    pieces = ["<s>", "▁Hello", "▁world", "</s>", "▁", "<0xC3>", "<0xA9>", "<s><s>", "<s>"]
    assert chat.encode(TEXT, return_type=str) == pieces
    assert chat.encode(TEXT, return_type=bytes) == [piece.encode() for piece in pieces]
    numbers = chat.encode([TEXT], return_type="numpy")[0]
    assert numbers.dtype == numpy.int32
    assert numbers.tolist() == ids
    message = chat.encode(TEXT, return_type="proto")
    assert [(piece.piece, piece.id) for piece in message.pieces] == list(
        zip(pieces, ids, strict=True)
    )
    for piece in message.pieces:
        assert piece.surface in ("", TEXT.encode()[piece.begin : piece.end].decode())


@pytest.mark.parametrize("text", [TEXT, TEXT.encode()])
def test_offsets_are_of_the_whole_text(text: Any, chat: spmlite.SentencePieceProcessor) -> None:  # noqa: ANN401
    mapping = chat.encode(text, return_type="offset_mapping")
    surfaces = [text[begin:end] for begin, end in mapping["offsets"]]
    assert type(text)().join(surfaces) == text
    for piece, surface in zip(mapping["pieces"], surfaces, strict=True):
        if surface[:1] in ("<", b"<"):
            assert piece == surface


def test_bos_eos_and_reverse_are_around_the_whole(chat: spmlite.SentencePieceProcessor) -> None:
    ids = chat.encode(TEXT)
    assert chat.encode(TEXT, add_bos=True, add_eos=True, reverse=True) == [1, *ids[::-1], 2]
    pieces = chat.encode("Hello<s>", return_type=str, add_bos=True, add_eos=True)
    assert pieces == ["<s>", "▁Hello", "<s>", "</s>"]


def test_drawn_tokens(chat: spmlite.SentencePieceProcessor) -> None:
    drawn = chat.sample_encode_as_pieces("<s>Hello</s>", alpha=1.0)
    assert drawn == ["<s>", "▁", *"Hello", "</s>"]


def test_it_outlives_pickling_and_another_model(
    chat: spmlite.SentencePieceProcessor, chat_path: Path
) -> None:
    again = pickle.loads(pickle.dumps(chat))
    assert again.encode(TEXT) == chat.encode(TEXT)
    again.load(chat_path)
    assert again.encode(TEXT) == chat.encode(TEXT)


def test_only_control_pieces_are_any(chat_path: Path) -> None:
    plain = spmlite.SentencePieceProcessor(chat_path)
    for piece in ("▁Hello", "<unk>", "nothing", ""):
        with pytest.raises(ValueError, match="is no control piece of this model"):
            plain.encode("Hello", control_pieces=[piece])
    with pytest.raises(ValueError, match="offsets count"):
        plain.encode_as_offset_mapping("Hello", control_pieces=True, offset_unit="utf16")
