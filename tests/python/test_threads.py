"""One processor in many threads, and the GIL let go."""

from __future__ import annotations

import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest
import spmlite

THREADS = 8
TEXT = "Hello wörld, Hello world! " * 40


@pytest.fixture
def lines() -> list[str]:
    return [TEXT[start : start + 1 + start % 90] for start in range(900)]


def test_threads_share_a_processor(
    processor: spmlite.SentencePieceProcessor, lines: list[str]
) -> None:
    expected = [processor.encode(line) for line in lines]
    texts = processor.decode(expected)

    def work(number: int) -> bool:
        own = lines[number:] + lines[:number]
        ids = expected[number:] + expected[:number]
        return (
            [processor.encode(line) for line in own] == ids
            and processor.encode(own, num_threads=2) == ids
            and processor.decode(ids) == texts[number:] + texts[:number]
        )

    with ThreadPoolExecutor(THREADS) as pool:
        assert all(pool.map(work, range(THREADS)))


def test_processors_are_made_and_freed_in_many_threads(
    processor: spmlite.SentencePieceProcessor,
) -> None:
    """Of one file, at the same time as others use theirs."""
    content = processor.serialized_model_proto()
    expected = processor.encode(TEXT)

    def work(number: int) -> bool:
        del number
        return all(
            spmlite.SentencePieceProcessor(model_proto=content).encode(TEXT) == expected
            for _ in range(20)
        )

    with ThreadPoolExecutor(THREADS) as pool:
        assert all(pool.map(work, range(THREADS)))


@pytest.mark.parametrize("num_threads", [0, 1, 2, 7, 1024, 10**12, -(10**12)])
def test_the_number_of_threads_changes_nothing(
    processor: spmlite.SentencePieceProcessor, lines: list[str], num_threads: int
) -> None:
    lines = lines * 4
    expected: Any = processor.encode(lines, num_threads=1)
    assert processor.encode(lines, num_threads=num_threads) == expected
    arrays = processor.encode(lines, return_type="numpy", num_threads=num_threads)
    assert [array.tolist() for array in arrays] == expected
    assert processor.encode(lines, return_type=str, num_threads=num_threads) == [
        processor.id_to_piece(ids) for ids in expected
    ]
    assert processor.decode(expected, num_threads=num_threads) == processor.decode(
        expected, num_threads=1
    )


@pytest.mark.parametrize("as_list", [False, True])
def test_other_threads_run_during_a_long_call(
    processor: spmlite.SentencePieceProcessor, as_list: bool
) -> None:
    """While one thread encodes, another counts: with the GIL held it could not."""
    text = TEXT * 8000
    counted: list[float] = []
    done = threading.Event()

    def count() -> None:
        while not done.is_set():
            counted.append(time.perf_counter())
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    begin = time.perf_counter()
    processor.encode([text] if as_list else text, return_type="numpy", num_threads=1)
    end = time.perf_counter()
    done.set()
    counter.join()
    during = sum(begin < moment < end for moment in counted)
    print(f"{during} ticks in {end - begin:.3f} s of encoding")
    assert during >= 5


def test_a_list_may_change_while_it_is_encoded(
    processor: spmlite.SentencePieceProcessor,
) -> None:
    texts = [TEXT * 50 + str(number) for number in range(200)]
    expected = processor.encode(list(texts))
    done = threading.Event()

    def clear() -> None:
        while not done.is_set() and texts:
            texts.pop()
            time.sleep(0)

    changer = threading.Thread(target=clear)
    changer.start()
    found = processor.encode(texts)
    done.set()
    changer.join()
    assert found == expected[: len(found)]


def test_nothing_leaks(processor: spmlite.SentencePieceProcessor) -> None:
    """As many references after many calls as before them."""
    text, pieces = "Hello wörld", ["▁Hello", "nothing"]

    def calls() -> None:
        for return_type in (int, str, bytes, "numpy", "offset_mapping"):
            processor.encode(text, return_type=return_type)
            processor.encode([text, text], return_type=return_type)
        processor.decode([260, 261])
        processor.decode(pieces)
        processor.normalize(text, with_offsets=True)
        processor.piece_to_id(pieces)
        for wrong in ([10**6], [text, 1], [[1], [text]]):
            with suppress(IndexError, TypeError):
                processor.decode(wrong)

    calls()
    before = sys.getrefcount(text), sys.getrefcount(pieces), sys.getrefcount(pieces[0])
    blocks = sys.getallocatedblocks()
    for _ in range(200):
        calls()
    after = sys.getrefcount(text), sys.getrefcount(pieces), sys.getrefcount(pieces[0])
    assert after == before
    assert sys.getallocatedblocks() - blocks < 200
