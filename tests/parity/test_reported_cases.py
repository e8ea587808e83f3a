"""Values that are known, and texts on which users have met wrong ids elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
import spmlite

Processor = spmlite.SentencePieceProcessor
Load = Callable[[str], Processor]


@pytest.fixture(scope="module")
def load(spm_fb_paths: dict[str, Path]) -> Load:
    def load_model(name: str) -> Processor:
        if name not in spm_fb_paths:
            pytest.skip(f"the model {name} is not there: see the end of the run")
        return Processor(model_file=spm_fb_paths[name])

    return load_model


@pytest.fixture
def llama(load: Load) -> Processor:
    return load("shared/llama2")


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("Hello", [15043]),
        (" Hello", [29871, 15043]),
        ("  Hello", [259, 15043]),
        ("Hello  ", [15043, 259]),
        (" ", [259]),
        ("\n", [29871, 13]),
        ("", []),
        ("aé 🦙 b", [263, 29948, 29871, 243, 162, 169, 156, 289]),
        ("This is 🦙.cpp", [910, 338, 29871, 243, 162, 169, 156, 29889, 8223]),
    ],
)
def test_encoding_with_llama_2(llama: Processor, text: str, ids: list[int]) -> None:
    assert llama.encode(text) == ids
    assert llama.encode(text, add_bos=True, add_eos=True) == [1, *ids, 2]


@pytest.mark.parametrize(
    ("ids", "text"),
    [
        ([29871, 15043], " Hello"),
        ([1, 15043], "Hello"),
        ([15043, 1, 15043], "Hello Hello"),
        ([259, 15043], "  Hello"),
    ],
)
def test_decoding_with_llama_2(llama: Processor, ids: list[int], text: str) -> None:
    assert llama.decode(ids) == text


@pytest.mark.parametrize("text", ["<s>", "</s>", "<unk>", "<s>[INST]", "<0x0A>"])
def test_control_pieces_in_a_text_are_text(llama: Processor, text: str) -> None:
    ids = llama.encode(text)
    assert not any(llama.is_control(ids) + llama.is_unknown(ids) + llama.is_byte(ids))
    assert llama.decode(ids) == text


def test_bytes_of_a_character_decode_to_it(llama: Processor) -> None:
    assert llama.decode(["<0xEA>", "<0xB9>", "<0xB0>"]) == "깰"
    assert llama.decode(["<0xEA>", "<0xB9>"]) == "��"


def test_a_tie_of_t5_falls_as_in_the_oracle(load: Load) -> None:
    pieces = load("shared/t5_base").encode("test.........", out_type=str)
    assert pieces == ["▁test", ".", "........"]


def test_the_longest_rule_of_a_charsmap_wins(load: Load) -> None:
    assert load("shared/xlmr_nomic_gguf").normalize("\u1100\u1161\u11a8") == "▁각"


def test_a_user_defined_piece_stays_whole_in_a_folding_model(load: Load) -> None:
    assert "<sep>" in load("trained_unigram").encode("A<sep>B", out_type=str)


def test_a_run_of_unknown_characters_is_one_piece(load: Load) -> None:
    processor = load("botchan_en_bpe_1000")
    pieces = processor.encode("a 你好世界 b", out_type=str)
    assert "你好世界" in pieces
    assert processor.encode("你好世界").count(processor.unk_id()) == 1


def test_runs_of_spaces_and_lines_are_pieces_of_gemma_3(load: Load) -> None:
    processor = load("gemma3")
    pieces = processor.encode("a  b and    c\n\n\nd", out_type=str)
    assert pieces == ["a", "▁▁", "b", "▁and", "▁▁▁▁", "c", "\n\n\n", "d"]


def test_the_one_piece_of_gemma_3_with_a_space_inside(load: Load) -> None:
    assert load("gemma3").encode("a> </b", out_type=str) == ["a", ">▁</", "b"]


@pytest.mark.parametrize("name", ["mistral_v1", "gemma3", "trained_unigram"])
@pytest.mark.parametrize("text", ["a", "ab", "xyzq", " ", "é", "🦙"])
def test_a_long_word_takes_no_quadratic_time(load: Load, name: str, text: str) -> None:
    """Ten times the text takes well under a hundred times as long."""
    processor = load(name)

    def seconds(letters: int) -> float:
        long_text = (text * letters)[:letters]
        start = time.perf_counter()
        processor.encode(long_text, return_type="numpy")
        return time.perf_counter() - start

    short, long = (min(seconds(letters) for _ in range(3)) for letters in (20_000, 200_000))
    assert long < max(60 * short, 1.0)
