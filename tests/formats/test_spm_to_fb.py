"""The tool spm_to_fb: what it writes, and what it says when it cannot."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from spmlite import _native

TOOL = (
    Path(__file__).resolve().parents[2]
    / "build"
    / ("spm_to_fb.exe" if sys.platform == "win32" else "spm_to_fb")
)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    if not TOOL.is_file():
        pytest.skip("build/spm_to_fb is not there: scripts/build makes it")
    return subprocess.run([TOOL, *arguments], capture_output=True, text=True)


def convert(model: Path, output: Path | str) -> subprocess.CompletedProcess[str]:
    return run(f"--model={model}", f"--output={output}")


@pytest.fixture
def model(model_paths: dict[str, Path]) -> Path:
    return min(model_paths.values(), key=lambda path: path.stat().st_size)


def test_it_reads_a_tokenizer_json(gemma_tokenizer_json: Path, tmp_path: Path) -> None:
    output = tmp_path / "gemma.spm.fb"
    result = convert(gemma_tokenizer_json, output)
    assert result.returncode == 0
    assert 'left out, as not in model.vocab: "<image_soft_token>"' in result.stderr
    model, _ = _native.tokenizer_json_to_model(gemma_tokenizer_json.read_bytes())
    assert output.read_bytes() == _native.convert(model)


def test_it_refuses_a_tokenizer_json_that_is_not_sentencepiece(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text(' {"model": {"type": "WordPiece"}}')
    result = convert(tmp_path / "tokenizer.json", tmp_path / "a.spm.fb")
    assert result.returncode == 1
    assert 'tokenizer.json: model.type is "WordPiece"' in result.stderr


def test_it_writes_what_the_python_package_makes(model: Path, tmp_path: Path) -> None:
    output = tmp_path / "a.spm.fb"
    output.write_bytes(b"an older file")
    result = convert(model, output)
    assert (result.returncode, result.stderr) == (0, "")
    assert output.read_bytes() == _native.convert(model.read_bytes())
    assert f"{model.stat().st_size} bytes" in result.stdout
    assert f"{output.stat().st_size} bytes" in result.stdout
    assert list(tmp_path.iterdir()) == [output]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "it is empty"),
        (b"<!DOCTYPE html><title>404</title>", "it looks like HTML"),
        (b"version https://git-lfs.github.com/spec/v1\n", "it is a Git LFS pointer"),
        (b"\x0a\x05\x0a\x09", "a field of 5 bytes is cut off at byte 2"),
    ],
    ids=["empty", "HTML", "Git LFS", "cut off"],
)
def test_what_is_no_model_is_refused_in_one_sentence(
    content: bytes, reason: str, tmp_path: Path
) -> None:
    foreign, output = tmp_path / "a.model", tmp_path / "a.spm.fb"
    foreign.write_bytes(content)
    output.write_bytes(b"an older file")
    result = convert(foreign, output)
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith(f"spm_to_fb: {foreign}: not a sentencepiece .model")
    assert reason in result.stderr
    assert output.read_bytes() == b"an older file"


def test_files_that_cannot_be_read_or_written_are_named(model: Path, tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere" / "a"
    assert convert(nowhere, tmp_path / "b").stderr == f"spm_to_fb: cannot read {nowhere}\n"
    assert convert(model, nowhere).stderr == f"spm_to_fb: cannot write {nowhere}\n"
    assert convert(model, nowhere).returncode == 1
    assert list(tmp_path.iterdir()) == []


def test_a_pipe_is_written_to_and_stays(model: Path, tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("this system has no named pipes")
    pipe, copy = tmp_path / "pipe", tmp_path / "copy"
    os.mkfifo(pipe)
    code = "import sys; open(sys.argv[2], 'wb').write(open(sys.argv[1], 'rb').read())"
    with subprocess.Popen([sys.executable, "-c", code, pipe, copy]) as reader:
        try:
            assert convert(model, pipe).returncode == 0
            assert pipe.is_fifo()
            assert reader.wait(timeout=60) == 0
        finally:
            reader.kill()
    assert copy.read_bytes() == _native.convert(model.read_bytes())


def test_it_explains_its_flags() -> None:
    assert run("--help").stdout.startswith("usage: spm_to_fb --model=FILE --output=FILE")
    assert run("--model=a").stderr == "spm_to_fb: --output=VALUE is missing; see --help\n"
    assert run("a").stderr == "spm_to_fb: unknown argument a; see --help\n"
