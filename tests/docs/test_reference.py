"""What the documentation says of the Python package and its command line is so."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import sentencepiece
import spmlite
from spmlite import cli

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

from steps import reference

AGAIN = "scripts/write-docs writes it anew"


def test_the_command_line() -> None:
    written = reference.COMMAND_LINE.read_text("utf-8")
    assert written == reference.command_line(cli.parser()), AGAIN


def test_every_name_of_the_oracle_is_in_the_table() -> None:
    rows = reference.names(sentencepiece, spmlite)
    page = reference.PYTHON.read_text("utf-8")
    assert page == reference.with_table(page, rows), AGAIN
    print(f"{len(rows)} names")
    assert len(rows) > 100
    assert not [name for name, own, _ in rows if not own]


def test_every_name_of_the_table_can_be_called_as_in_the_oracle() -> None:
    """Ours take all arguments of the oracle's, in its order and with its defaults."""
    compared = 0
    for name, own, _ in reference.names(sentencepiece, spmlite):
        compared += own != ""
        assert not reference.differences(name, sentencepiece, spmlite), name
    print(f"{compared} names")


def test_every_command_has_examples() -> None:
    page = reference.COMMAND_LINE.read_text("utf-8")
    for name in ("encode", "decode", "count", "convert", "diff", "inspect", "verify", "bench"):
        section = page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        assert f"spmlite {name}" in section.partition("```sh")[2]


@pytest.fixture(scope="module")
def unigram_model(model_paths: dict[str, Path]) -> Path:
    """A Unigram model of 1,000 pieces, from the sources of sentencepiece."""
    name = "botchan_en_unigram_1000"
    if name not in model_paths:
        pytest.skip(f"{name} is not there: see the end of the run")
    return model_paths[name]


def nothing_is_trained(_: Path) -> None:
    with pytest.raises(NotImplementedError, match="sentencepiece"):
        spmlite.SentencePieceTrainer.train("--input=corpus.txt --model_prefix=m --vocab_size=100")


def no_level_logs_anything(model: Path) -> None:
    for level in (0, 4):
        assert spmlite.set_min_log_level(level) is None
        assert len(spmlite.SentencePieceProcessor(model_file=model)) == 1000


def nbest_has_no_limit_of_time(model: Path) -> None:
    """Ours gives the same with the shortest limit, which is what the oracle gives without."""
    text = "Hello world, this is a test. " * 8
    ours, oracle = load_both(model)
    all_of_them = ours.nbest_encode(text, nbest_size=64)
    for library in (spmlite, sentencepiece):
        library.set_nbest_timeout(1)
    try:
        assert ours.nbest_encode(text, nbest_size=64) == all_of_them
    finally:
        for library in (spmlite, sentencepiece):
            library.set_nbest_timeout(0)
    assert oracle.nbest_encode(text, nbest_size=64) == all_of_them


def the_three_flags_change_nothing(model: Path) -> None:
    plain = spmlite.convert_to_flatbuffer(str(model))
    flags = ("skip_char_bigrams", "treat_null_byte_as_unused", "allow_unsupported_model_type")
    for flag in flags:
        assert spmlite.convert_to_flatbuffer(str(model), **{flag: True}) == plain
    assert plain != sentencepiece.convert_to_flatbuffer(str(model))


def a_seed_draws_others(model: Path) -> None:
    """Each library repeats itself, and does not draw what the other does."""
    draws = []
    for processor, library in zip(load_both(model), (spmlite, sentencepiece), strict=True):
        for _ in range(2):
            library.set_random_generator_seed(1)
            draws.append(
                [
                    processor.encode("Hello world", enable_sampling=True, alpha=0.1, nbest_size=-1)
                    for _ in range(20)
                ]
            )
    assert draws[0] == draws[1] != draws[2] == draws[3]


def a_spm_fb_gives_a_model_again(model: Path) -> None:
    blob = spmlite.convert_to_flatbuffer(str(model))
    content = spmlite.SentencePieceProcessor(model_proto=blob).serialized_model_proto()
    again = sentencepiece.SentencePieceProcessor(model_proto=content)
    _, oracle = load_both(model)
    pieces = [(again.id_to_piece(i), again.get_score(i)) for i in range(len(again))]
    assert pieces == [(oracle.id_to_piece(i), oracle.get_score(i)) for i in range(len(oracle))]
    assert again.encode("Hello world") == oracle.encode("Hello world")


def load_both(
    model: Path,
) -> tuple[spmlite.SentencePieceProcessor, sentencepiece.SentencePieceProcessor]:
    ours = spmlite.SentencePieceProcessor(model_file=model)
    return ours, sentencepiece.SentencePieceProcessor(model_file=str(model))


CLAIMS: dict[str, Callable[[Path], None]] = {
    "SentencePieceTrainer.Train": nothing_is_trained,
    "SetMinLogLevel": no_level_logs_anything,
    "SetNBestTimeout": nbest_has_no_limit_of_time,
    "ConvertToFlatbuffer": the_three_flags_change_nothing,
    "SetRandomGeneratorSeed": a_seed_draws_others,
    "SentencePieceProcessor.serialized_model_proto": a_spm_fb_gives_a_model_again,
}


def test_every_remark_of_the_table_has_a_test() -> None:
    assert CLAIMS.keys() == reference.NOTES.keys()


@pytest.mark.parametrize("name", CLAIMS)
def test_what_a_remark_of_the_table_says_is_so(
    name: str, unigram_model: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    CLAIMS[name](unigram_model)
    assert capfd.readouterr().err == ""
