"""`.spm.fb` files that were altered after writing: each is refused, with a sentence."""

from __future__ import annotations

import random
import struct
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
import spmlite

CountPairs = Callable[[str, int, int], None]

MUTATIONS = 20_000
BLOBS = 3


@pytest.fixture(scope="module")
def blobs(spm_fb_paths: dict[str, Path]) -> list[bytes]:
    """The three smallest of the real models."""
    paths = sorted(spm_fb_paths.values(), key=lambda path: path.stat().st_size)
    if len(paths) < BLOBS:
        pytest.skip(f"only {len(paths)} models are there")
    return [path.read_bytes() for path in paths[:BLOBS]]


def flipped(blob: bytes, generator: random.Random) -> bytes:
    altered = bytearray(blob)
    for _ in range(generator.choice((1, 1, 8))):
        altered[generator.randrange(len(blob))] ^= 1 << generator.randrange(8)
    return bytes(altered)


def zeroed(blob: bytes, generator: random.Random) -> bytes:
    begin = generator.randrange(len(blob))
    end = min(len(blob), begin + generator.choice((1, 4, 64, 1024)))
    return blob[:begin] + bytes(end - begin) + blob[end:]


def truncated(blob: bytes, generator: random.Random) -> bytes:
    return blob[: generator.randrange(1, len(blob))]


def with_ranges_swapped(blob: bytes, generator: random.Random) -> bytes:
    """Two aligned ranges of the same length change places."""
    size = 4 << generator.randrange(8)
    one, other = sorted(generator.sample(range(0, len(blob) - size, 4), 2))
    if other < one + size:
        return blob
    return (
        blob[:one]
        + blob[other : other + size]
        + blob[one + size : other]
        + blob[one : one + size]
        + blob[other + size :]
    )


def with_vectors_swapped(blob: bytes, generator: random.Random) -> bytes:
    """Two fields of the root table point to each other's vectors."""
    (root,) = struct.unpack_from("<I", blob)
    vtable = root - struct.unpack_from("<i", blob, root)[0]
    vtable_size, table_size = struct.unpack_from("<HH", blob, vtable)
    entries = struct.unpack_from(f"<{vtable_size // 2 - 2}H", blob, vtable + 4)
    fields = [root + entry for entry in entries if 0 < entry <= table_size - 4]
    one, other = generator.sample(fields, 2)
    altered = bytearray(blob)
    for field, source in ((one, other), (other, one)):
        target = source + struct.unpack_from("<I", blob, source)[0]
        struct.pack_into("<I", altered, field, (target - field) & 0xFFFFFFFF)
    return bytes(altered)


def in_chaos(blob: bytes, generator: random.Random) -> bytes:
    begin = generator.randrange(len(blob))
    return blob[:begin] + generator.randbytes(min(32, len(blob) - begin)) + blob[begin + 32 :]


KINDS = (flipped, zeroed, truncated, with_ranges_swapped, with_vectors_swapped, in_chaos)


def test_every_altered_file_is_refused(blobs: list[bytes], count_pairs: CountPairs) -> None:
    generator = random.Random(0)
    sentences: Counter[str] = Counter()
    accepted = []
    altered = 0
    while altered < MUTATIONS:
        kind = generator.choice(KINDS)
        number = generator.randrange(BLOBS)
        content = kind(blobs[number], generator)
        if content == blobs[number]:
            continue
        altered += 1
        try:
            spmlite.SentencePieceProcessor(model_proto=content)
        except RuntimeError as error:
            sentences[str(error).split(":")[0]] += 1
            assert len(str(error)) > len("it is damaged")
            assert "\n" not in str(error)
        else:
            accepted.append((number, kind.__name__))
    count_pairs(f"altered files, refused in {len(sentences)} ways", altered, len(accepted))
    assert not accepted, Counter(accepted)


def test_what_is_not_altered_is_taken(blobs: list[bytes]) -> None:
    for blob in blobs:
        assert len(spmlite.SentencePieceProcessor(model_proto=blob)) > 0
