"""Texts that hypothesis makes up, and more of them from the pieces of a model."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeAlias

from hypothesis import strategies as st

Text: TypeAlias = str | bytes

FRAGMENTS = (
    *"aabbcde  ▁▁<>0x",
    *("é", "e\u0301", "\u0301", "É", "ß", "ẞ", "\u017f", "\u0323"),
    *("각", "\u1100", "\u1161", "\u11a8", "ｶ", "ﾞ", "ガ", "日", "本"),
    *("🦙", "👩\u200d👧", "\u200d", "\ufe0f", "🏽", "🇩🇪"),
    *("\t", "\n", "\r", "\xa0", "\u3000", "\u200b", "\ufeff", "\x07", "\0"),
    *("ﬁ", "\uff11", "Ⅳ", "\ufe30", "\ufdfa", "\uff5e", "\ufffd", "…", "\u2047"),
    *("<s>", "<unk>", "<0x0A>", "<0xE2>", "  ", "▁ ▁", " ▁", "▁ ", "ab", "abc", "aaaa"),
)
BROKEN = (
    b"\xff",
    b"\x80",
    b"\xe2\x96",
    b"\x81",
    b"\xf0\x9f",
    b"\xed\xa0\x80",
    b"\xc0\xaf",
    b"\xe2",
)

_fragments = st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join)
_characters = st.text(st.characters(codec="utf-8"), max_size=10)
_bytes = st.lists(
    st.one_of(st.sampled_from(FRAGMENTS).map(str.encode), st.sampled_from(BROKEN), st.binary()),
    max_size=8,
).map(b"".join)
texts: st.SearchStrategy[Text] = st.one_of(_fragments, _characters, _bytes)


def more_texts(pieces: Sequence[str], count: int, seed: int) -> list[Text]:
    """`count` texts of the pieces, fragments, broken characters and long runs of them."""
    generator = random.Random(seed)
    return [_text_of(pieces, generator) for _ in range(count)]


def _text_of(pieces: Sequence[str], generator: random.Random) -> Text:
    # Few different parts to a text, so that they meet again and again.
    parts = [
        generator.choice(pieces if generator.random() < 0.6 else FRAGMENTS)
        for _ in range(generator.randrange(1, 6))
    ]
    repeats = 40 if generator.random() < 0.03 else 1
    chosen = generator.choices(parts, k=generator.randrange(12) * repeats)
    if generator.random() < 0.02:
        chosen.append(generator.choice(parts) * generator.randrange(200))
    if generator.random() < 0.7:
        return "".join(chosen)
    broken = [part.encode() for part in chosen]
    for _ in range(generator.randrange(3)):
        broken.insert(generator.randrange(len(broken) + 1), generator.choice(BROKEN))
    text = b"".join(broken)
    if generator.random() < 0.3:
        cut = generator.randrange(len(text) + 1)
        text = text[:cut] + text[cut + 1 :]
    return text
