"""Models of the visitor's own: opened, dropped, and what is no model at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import sentencepiece
import spmlite as spm
from playground import Playground
from playwright.sync_api import expect
from spmlite import cli

TEXT = "All human beings are born free 👋 人間"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A `.model`, trained here."""
    prefix = tmp_path_factory.mktemp("model") / "tiny"
    lines = [f"all human beings number {i} are born free and equal" for i in range(200)]
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines),
        model_prefix=str(prefix),
        vocab_size=300,
        byte_fallback=True,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    return prefix.with_suffix(".model")


@pytest.fixture(scope="module")
def flatbuffer(model: Path) -> Path:
    """The same as `.spm.fb`, as the published converter writes it."""
    output = model.with_name("tiny.spm.fb")
    sentencepiece.convert_to_flatbuffer(model_file=str(model), output_file=str(output))
    return output


@pytest.fixture(params=["tiny.model", "tiny.spm.fb", "tiny.spm", "tokenizer.json"])
def file(request: pytest.FixtureRequest, model: Path, flatbuffer: Path) -> Path:
    """The model as a file of each kind."""
    path = model.with_name(request.param)
    if not path.exists():
        assert cli.main(["convert", str(model), str(path)]) == 0
    return path


def check_in_use(playground: Playground, file: Path) -> None:
    expect(playground.model(file.name)).to_be_checked()
    expect(playground.column(file.name).panel).to_be_visible()
    playground.type(TEXT)
    native = spm.SentencePieceProcessor(model_file=str(file)).encode(TEXT)
    print(f"  {file.name}: {len(native)} ids")
    assert playground.ids() == native


def test_a_model_is_opened_through_the_button(playground: Playground, file: Path) -> None:
    playground.open_files(file)
    check_in_use(playground, file)


def test_a_model_is_dropped_on_the_page(playground: Playground, file: Path) -> None:
    playground.drop(file)
    check_in_use(playground, file)


def test_one_can_go_back_to_a_demo_and_to_the_file_again(
    playground: Playground, model: Path
) -> None:
    playground.open_files(model)
    check_in_use(playground, model)
    playground.use("Demo BPE")
    playground.use(model.name)
    check_in_use(playground, model)


def test_the_converter_is_fetched_only_for_a_model_file(
    playground: Playground, model: Path, flatbuffer: Path
) -> None:
    fetched: list[str] = []
    playground.page.on("request", lambda request: fetched.append(request.url))
    playground.open_files(flatbuffer)
    check_in_use(playground, flatbuffer)
    assert not any("convert" in url for url in fetched)
    playground.open_files(model)
    check_in_use(playground, model)
    assert any("convert" in url for url in fetched)


def broken(model: Path, flatbuffer: Path) -> dict[str, bytes]:
    """Files by name that are no models, though some look like one."""
    damaged = bytearray(flatbuffer.read_bytes())
    damaged[64:4096] = b"\xff" * (4096 - 64)
    return {
        "page.model": b"<!DOCTYPE html><html><body>404</body></html>",
        "page.spm.fb": b"<!DOCTYPE html><html><body>404</body></html>",
        "empty.model": b"",
        "cut.model": model.read_bytes()[:5000],
        "cut.spm.fb": flatbuffer.read_bytes()[:-1000],
        "damaged.spm.fb": bytes(damaged),
        "noise.model": bytes(range(256)) * 16,
        "tokenizer.json": json.dumps({"version": "1.0", "model": {}}).encode(),
    }


def test_what_is_no_model_is_told_in_one_sentence_and_changes_nothing(
    playground: Playground, model: Path, flatbuffer: Path
) -> None:
    playground.type(TEXT)
    before = playground.ids()
    for name, content in broken(model, flatbuffer).items():
        playground.open_bytes(name, content)
        expect(playground.problem).to_contain_text(name)
        sentence = playground.problem.inner_text()
        print(f"  {sentence}")
        assert "\n" not in sentence
        assert sentence.endswith(".")
        assert len(sentence) < 250
        expect(playground.model("Demo Unigram")).to_be_checked()
        assert playground.ids() == before
    playground.use("Demo BPE")
    expect(playground.problem).to_be_empty()
