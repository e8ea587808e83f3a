"""Files of text to ids, in little memory."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import numpy
import pytest
import spmlite

CONTENT = "Hello\n\nworld é\r\nlast".encode()


@pytest.fixture
def lines_path(tmp_path: Path) -> Path:
    path = tmp_path / "lines.txt"
    path.write_bytes(CONTENT)
    return path


def test_each_line_is_a_text(lines_path: Path, processor: spmlite.SentencePieceProcessor) -> None:
    """Lines end with a line feed alone; the last one may lack it."""
    expected = processor.encode(["Hello", "", "world é\r", "last"])
    assert list(processor.encode_file(lines_path)) == expected
    rows = processor.encode_file(str(lines_path), return_type="numpy", add_bos=True)
    assert [row.tolist() for row in rows] == [[1, *row] for row in expected]


def test_ids_in_a_file(
    lines_path: Path, tmp_path: Path, processor: spmlite.SentencePieceProcessor
) -> None:
    output = tmp_path / "ids.bin"
    count = processor.encode_file_to(lines_path, output, add_eos=True)
    expected = [id for row in processor.encode_file(lines_path, add_eos=True) for id in row]
    assert numpy.memmap(output, dtype="int32").tolist() == expected
    assert count == len(expected)


def test_a_file_is_written_whole_or_not_at_all(
    tmp_path: Path, processor: spmlite.SentencePieceProcessor
) -> None:
    with pytest.raises(FileNotFoundError):
        processor.encode_file_to(tmp_path / "missing.txt", tmp_path / "ids.bin")
    assert not list(tmp_path.iterdir())


def test_a_progress_bar_is_on_stderr(
    lines_path: Path,
    processor: spmlite.SentencePieceProcessor,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert len(list(processor.encode_file(lines_path, progress=True))) == 4
    assert capsys.readouterr().out == ""


def test_memory_does_not_grow_with_the_file(tmp_path: Path, model_path: Path) -> None:
    program = """if True:
        import resource, sys, spmlite
        processor = spmlite.SentencePieceProcessor(sys.argv[1])
        count = processor.encode_file_to(sys.argv[2], sys.argv[3], num_threads=1)
        print(count, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    """
    peaks = []
    for megabytes in (6, 18):
        text = tmp_path / f"{megabytes}.txt"
        text.write_bytes(b"Hello world, Hello world\n" * (megabytes * 40_000))
        run = subprocess.run(
            [sys.executable, "-c", program, model_path, text, tmp_path / "ids.bin"],
            capture_output=True,
            text=True,
            check=True,
        )
        count, peak = map(int, run.stdout.split())
        assert count * 4 == (tmp_path / "ids.bin").stat().st_size
        peaks.append(peak // 1024 if sys.platform == "linux" else peak >> 20)
    print(f"{peaks} MB at most, of {resource.getpagesize()} byte pages")
    assert peaks[1] < peaks[0] + 8
