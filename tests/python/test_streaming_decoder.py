"""What a streaming decoder gives, joined, is what `decode` gives for all the ids."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
import spmlite

CountPairs = Callable[[str, int, int], None]

SEQUENCES_PER_MODEL = 300
LONGEST = 40


def random_ids(
    processor: spmlite.SentencePieceProcessor, random_source: random.Random
) -> list[int]:
    """Ids of any kind, with runs of bytes, which are rare among all."""
    size = len(processor)
    all_ids = range(size)
    byte_ids = [id for id in range(min(size, 1000)) if processor.is_byte(id)] or all_ids
    first_ids = range(min(size, 300))
    return [
        random_source.choice(random_source.choice((all_ids, byte_ids, first_ids)))
        for _ in range(random_source.randrange(LONGEST))
    ]


def stream(decoder: spmlite.StreamingDecoder, ids: list[int]) -> str:
    return "".join(map(decoder.add, ids)) + decoder.finish()


def test_the_parts_joined_are_the_whole(
    model_paths: dict[str, Path], count_pairs: CountPairs
) -> None:
    random_source = random.Random(7)
    compared = 0
    differences = []
    for name, path in model_paths.items():
        processor = spmlite.SentencePieceProcessor(model_file=path)
        decoder = processor.streaming_decoder()
        for _ in range(SEQUENCES_PER_MODEL):
            ids = random_ids(processor, random_source)
            compared += 1
            if stream(decoder, ids) != processor.decode(ids):
                differences.append((name, ids))
    count_pairs(f"{len(model_paths)} models", compared, len(differences))
    assert not differences, differences[:3]


def test_what_was_given_out_never_changes(
    model_paths: dict[str, Path], count_pairs: CountPairs
) -> None:
    """At every split the text so far begins the text of all ids."""
    random_source = random.Random(8)
    compared = 0
    for path in model_paths.values():
        processor = spmlite.SentencePieceProcessor(model_file=path)
        for _ in range(30):
            ids = random_ids(processor, random_source)
            whole = processor.decode(ids)
            decoder = processor.streaming_decoder()
            so_far = ""
            for id in ids:
                so_far += decoder.add(id)
                assert whole.startswith(so_far)
                compared += 1
            assert so_far + decoder.finish() == whole
    count_pairs(f"{len(model_paths)} models, splits", compared, 0)


def test_a_character_is_held_back_until_its_last_byte(
    processor: spmlite.SentencePieceProcessor,
) -> None:
    llama = [processor.piece_to_id(f"<0x{byte:02X}>") for byte in "🦙".encode()]
    decoder = processor.streaming_decoder()
    assert [decoder.add(id) for id in llama] == ["", "", "", "🦙"]
    assert decoder.finish() == ""


def test_a_character_that_is_cut_off_is_replaced(processor: spmlite.SentencePieceProcessor) -> None:
    first = processor.piece_to_id("<0xC3>")
    decoder = processor.streaming_decoder()
    assert decoder.add(first) == ""
    assert decoder.finish() == "\ufffd"
    assert decoder.add(first) + decoder.add(260) == "\ufffd Hello"


def test_after_finish_the_decoder_is_as_new(processor: spmlite.SentencePieceProcessor) -> None:
    decoder = processor.streaming_decoder()
    assert stream(decoder, [260, 261]) == stream(decoder, [260, 261]) == "Hello world"


@pytest.mark.parametrize("id", [-1, 277, 2**31 - 1])
def test_an_id_that_is_not_there_changes_nothing(
    processor: spmlite.SentencePieceProcessor, id: int
) -> None:
    decoder = processor.streaming_decoder()
    decoder.add(260)
    with pytest.raises(IndexError, match=str(id)):
        decoder.add(id)
    assert decoder.add(261) + decoder.finish() == " world"


def test_the_id_is_an_integer(processor: spmlite.SentencePieceProcessor) -> None:
    for wrong in ("a", None, [260], 2**70):
        with pytest.raises(TypeError):
            processor.streaming_decoder().add(wrong)  # type: ignore[arg-type]


def test_the_model_lives_as_long_as_the_decoder(model_path: Path) -> None:
    decoder = spmlite.SentencePieceProcessor(model_file=model_path).streaming_decoder()
    assert stream(decoder, [260, 261]) == "Hello world"
