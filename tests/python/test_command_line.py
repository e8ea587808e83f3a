"""`python -m spmlite`: what it prints, where, and with which exit code."""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
import sys
import termios
from collections.abc import Callable
from pathlib import Path

import pytest
import spmlite
from spmlite.model_types import PieceType
from tiny_model import Piece, tiny_model

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]

LINES = b"Hello world\n\n\xc3\xa9 \xff\nHello"


def text(ids: list[list[int]]) -> bytes:
    return b"".join(b" ".join(b"%d" % id for id in row) + b"\n" for row in ids)


def expected_ids(processor: spmlite.SentencePieceProcessor) -> list[list[int]]:
    rows: list[list[int]] = processor.encode(LINES.split(b"\n"))
    return rows


def failure(result: subprocess.CompletedProcess[bytes]) -> str:
    """The sentence of a command that failed, which is all that it printed."""
    assert result.returncode == 1
    assert result.stdout == b""
    message = result.stderr.decode()
    assert message.startswith("spmlite: ")
    assert message.count("\n") == 1
    return message


def test_encode_reads_stdin(
    run: Run, model_path: Path, processor: spmlite.SentencePieceProcessor
) -> None:
    result = run("encode", "--model", model_path, stdin=LINES)
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout == text(expected_ids(processor))


def test_encode_reads_files_one_after_the_other(
    run: Run, model_path: Path, tmp_path: Path, processor: spmlite.SentencePieceProcessor
) -> None:
    (tmp_path / "a.txt").write_bytes(b"Hello\n")
    (tmp_path / "b.txt").write_bytes(b"world")
    result = run("encode", "--model", model_path, "a.txt", "-", "b.txt", stdin=b"w\n")
    assert result.stdout == text(processor.encode(["Hello", "w", "world"]))


def test_encode_to_pieces(run: Run, model_path: Path) -> None:
    result = run(
        "encode", "--model", model_path, "--output-type=piece", "--add-bos", stdin=b"Hello world"
    )
    assert result.stdout.decode() == "<s> ▁Hello ▁world\n"


def test_encode_to_json(run: Run, model_path: Path) -> None:
    ids = run("encode", "--model", model_path, "--json", "--add-eos", stdin=b"Hello\n\n")
    assert ids.stdout == b"[260,2]\n[2]\n"
    pieces = run("encode", "--model", model_path, "--json", "--output-type=piece", stdin=b"Hello\n")
    assert pieces.stdout.decode() == '["▁Hello"]\n'


def test_encode_with_offsets(run: Run, model_path: Path) -> None:
    encode = ("encode", "--model", model_path, "--output-type=offset")
    line = "\U0001f999 Hello\n\n".encode()
    assert run(*encode, stdin=b"Hello world\n\n").stdout == b"260:0:5 261:5:11\n\n"
    for unit, end in (("bytes", 10), ("characters", 7), ("utf16", 8)):
        options = (f"--offset-unit={unit}", "--json")
        rows = [json.loads(row) for row in run(*encode, *options, stdin=line).stdout.splitlines()]
        assert rows[0][-1] == [260, end - 6, end]
        assert rows[1] == []
    refused = failure(run(*encode, "--add-bos", stdin=line))
    assert refused == (
        "spmlite: --add-bos, --add-eos and --reverse do not go with --output-type offset\n"
    )


def test_encode_in_reverse(run: Run, model_path: Path) -> None:
    encode = ("encode", "--model", model_path, "--reverse", "--add-bos")
    assert run(*encode, stdin=b"Hello world\n").stdout == b"1 261 260\n"


def test_encode_draws_samples(run: Run, model_path: Path) -> None:
    """Of a BPE model: at 0 nothing is left out, at 1 all merges are."""
    encode = ("encode", "--model", model_path, "--output-type=piece", "--sample")
    text = b"Hello world\n" * 20
    assert run(*encode, "0", stdin=text).stdout.decode() == "\u2581Hello \u2581world\n" * 20
    whole = run(*encode, "1", stdin=text).stdout.decode()
    assert whole == "\u2581 H e l l o \u2581 w o r l d\n" * 20
    drawn = [run(*encode, "0.5", "--seed", seed, stdin=text).stdout for seed in ("7", "7", "8")]
    assert drawn[0] == drawn[1] != drawn[2]
    assert len(set(drawn[0].split(b"\n"))) > 3
    decoded = run("decode", "--model", model_path, "--input-type=piece", stdin=drawn[0])
    assert decoded.stdout == text
    assert "--seed is for --sample" in failure(run("encode", "--model", model_path, "--seed", "1"))


def test_decode_gives_the_text_back(run: Run, model_path: Path) -> None:
    ids = run("encode", "--model", model_path, stdin=LINES).stdout
    result = run("decode", "--model", model_path, stdin=ids)
    assert result.returncode == 0
    assert result.stdout.decode() == LINES.decode(errors="replace") + "\n"


def test_decode_of_pieces(run: Run, model_path: Path) -> None:
    result = run(
        "decode", "--model", model_path, "--input-type=piece", stdin="▁Hello ▁world\n".encode()
    )
    assert result.stdout == b"Hello world\n"


def test_pieces_with_white_space_come_back(run: Run, tmp_path: Path) -> None:
    pieces = [Piece(text, -90, PieceType.USER_DEFINED) for text in ("\t", "\r", "\f", "\x85", "\v")]
    (tmp_path / "tiny.model").write_bytes(tiny_model(pieces))
    lines = "Hello\tworld\t\tw\n\nHello\r\n\f\x85\vHello  \n".encode()
    encoded = run("encode", "--model", "tiny.model", "--output-type=piece", stdin=lines)
    assert (encoded.returncode, encoded.stdout.count(b"\n")) == (0, 4)
    decoded = run("decode", "--model", "tiny.model", "--input-type=piece", stdin=encoded.stdout)
    assert decoded.stdout == lines


def test_pieces_with_spaces_are_written_as_json_alone(run: Run, tmp_path: Path) -> None:
    """Where spaces are not escaped, pieces hold them, and a line of pieces could not be read."""
    spm = b"PHVuaz4= 0.0 2\nYSBi 0.0 4\nYQ== 0.0 1\n"
    header = b"# .spm 1\n# trainer_spec.model_type: CHAR\n"
    spaces = (
        b"# normalizer_spec.escape_whitespaces: false\n# normalizer_spec.add_dummy_prefix: false\n"
    )
    (tmp_path / "spaces.spm").write_bytes(header + spaces + spm)
    encode = ("encode", "--model", "spaces.spm", "--output-type=piece")
    message = failure(run(*encode, "-", stdin=b"a\na b\n"))
    assert message.startswith(
        "spmlite: stdin, line 2: the piece 'a b' holds a space or a line feed"
    )
    assert "--json" in message
    as_json = run(*encode, "--json", stdin=b"a\na b\n")
    assert as_json.stdout == b'["a"]\n["a b"]\n'
    decode = ("decode", "--model", "spaces.spm", "--input-type=piece", "--json")
    assert run(*decode, stdin=as_json.stdout).stdout == b'"a"\n"a b"\n'


def test_decode_of_json_keeps_line_breaks_apart(run: Run, model_path: Path) -> None:
    result = run("decode", "--model", model_path, "--json", stdin=b"[260, 13]\n[]\n")
    assert [json.loads(line) for line in result.stdout.splitlines()] == ["Hello\n", ""]


@pytest.mark.parametrize("ending", [".spm.fb", ".fb"])
def test_convert_makes_a_model_that_loads_at_once(
    run: Run, model_path: Path, tmp_path: Path, ending: str
) -> None:
    result = run("convert", model_path, f"tiny{ending}")
    assert (result.returncode, result.stdout) == (0, b"")
    processor = spmlite.SentencePieceProcessor(model_file=tmp_path / f"tiny{ending}")
    assert processor.encode("Hello") == [260]


def test_convert_leaves_no_half_file(run: Run, model_path: Path, tmp_path: Path) -> None:
    (tmp_path / "short.model").write_bytes(model_path.read_bytes()[:-9])
    message = failure(run("convert", "short.model", "out.spm.fb"))
    assert message.startswith("spmlite: short.model: ")
    assert [path.name for path in tmp_path.iterdir()] == ["short.model"]


def test_inspect(run: Run, model_path: Path) -> None:
    shown = run("inspect", model_path).stdout.decode().splitlines()
    begin = shown[0].index(str(model_path))
    assert all(line[begin - 1] == " " != line[begin] for line in shown)
    values = {line[:begin].strip(): line[begin:] for line in shown}
    assert values["algorithm"] == "bpe"
    assert values["types"] == "normal 18, unknown 1, control 2, byte 256"
    assert values["ids"] == "unk 0, bos 1, eos 2, pad none"
    assert values["normalizer"] == "identity"
    assert values["byte fallback"] == values["add dummy prefix"] == "yes"
    assert values["remove extra whitespaces"] == "no"


@pytest.mark.parametrize("ending", [".model", ".spm.fb", ".spm"])
def test_inspect_for_programs(run: Run, model_path: Path, ending: str) -> None:
    if ending != ".model":
        assert run("convert", model_path, f"tiny{ending}").returncode == 0
    facts = json.loads(
        run("inspect", "--json", f"tiny{ending}" if ending != ".model" else model_path).stdout
    )
    assert facts["kind"] == ending
    assert facts["pieces"] == 277
    assert facts["ids"] == {"unk": 0, "bos": 1, "eos": 2, "pad": -1}
    assert facts["normalizer"] == "identity"
    assert facts["charsmap_bytes"] == 0
    assert facts["byte_fallback"] is facts["add_dummy_prefix"] is True
    assert facts["escape_whitespaces"] is True
    assert facts["remove_extra_whitespaces"] is facts["treat_whitespace_as_suffix"] is False


def test_inspect_tells_the_defaults_of_fields_that_are_not_there(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.spm").write_text(
        '# .spm 1\n# trainer_spec.model_type: CHAR\n# normalizer_spec.name: "mine"\n'
        "PHVuaz4= 0.0 2\nYQ== 0.0 1\n"
    )
    facts = json.loads(run("inspect", "--json", "a.spm").stdout)
    assert facts["normalizer"] == "mine"
    assert facts["byte_fallback"] is facts["treat_whitespace_as_suffix"] is False
    assert facts["add_dummy_prefix"] is facts["remove_extra_whitespaces"] is True


def test_inspect_says_how_a_plain_file_is_told_what_it_is(run: Run, model_path: Path) -> None:
    assert run("convert", "--plain", model_path, "plain.spm").returncode == 0
    message = failure(run("inspect", "plain.spm"))
    assert "the file is plain" in message
    assert "spmlite convert --recipe llama2" in message


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["encode", "--model", "missing.model"], "missing.model: No such file or directory"),
        (["encode", "--model", "page.model"], "page.model: this is no model but an HTML"),
        (["encode", "--model", "tiny.model", "missing.txt"], "missing.txt: No such file"),
        (["encode", "--model", "tiny.model", "."], ".: Is a directory"),
        (["convert", "missing.model", "a.spm.fb"], "missing.model: No such file or directory"),
        (["convert", "tiny.model", "a.onnx"], "a.onnx: the name must end in .spm.fb, .model"),
        (["convert", "tiny.model", "no/a.spm.fb"], ": no/a.spm.fb: No such file or directory"),
        (["convert", "tiny.model", "folder.spm.fb"], ": folder.spm.fb: Is a directory"),
        (["convert", "http://a/b", "a.model"], ": http://a/b: this is an address; download the"),
        (["encode", "--model", "http://a/b"], ": http://a/b: this is an address; download the"),
        (["inspect", ""], ": the name of a file is empty"),
        (["encode", "--model", "tiny.model", ""], ": '': No such file or directory"),
        (["count", "--model", "tiny.model", ""], ": '': No such file or directory"),
        (["bench", "--model", "tiny.model", ""], ": the name of a file is empty"),
        (["verify", "--text", "http://a/b", "tiny.model"], ": http://a/b: this is an address; "),
        (["bench", "--model", "tiny.model", "empty.txt"], "empty.txt: there is no text in it"),
        (["inspect", "page.model"], "page.model: this is no model"),
        (["decode", "--model", "tiny.model", "ids.txt"], "ids.txt, line 2: id 277 is out of range"),
        (
            ["decode", "--model", "tiny.model", "words.txt"],
            "words.txt, line 2: this is no list of ids",
        ),
        (["decode", "--model", "tiny.model", "-"], "stdin, line 1: this is no list of ids"),
        (
            ["decode", "--model", "tiny.model", "big.txt"],
            "big.txt, line 1: id 9999999999 does not fit into 32 bits",
        ),
        (
            ["decode", "--model", "tiny.model", "--json", "ids.txt"],
            "ids.txt, line 1: this is no JSON array",
        ),
        (
            ["decode", "--model", "tiny.model", "--json", "true.txt"],
            "true.txt, line 1: this is no JSON array of ids",
        ),
    ],
    ids=" ".join,
)
def test_what_is_wrong_is_said_in_one_sentence(
    run: Run, model_path: Path, tmp_path: Path, arguments: list[str], sentence: str
) -> None:
    shutil.copy(model_path, tmp_path / "tiny.model")
    (tmp_path / "page.model").write_text("<!DOCTYPE html><title>404</title>")
    (tmp_path / "ids.txt").write_text("260\n260 277\n")
    (tmp_path / "true.txt").write_text("[true]\n")
    (tmp_path / "words.txt").write_text("260\nHello\n")
    (tmp_path / "empty.txt").write_text("\n\n")
    (tmp_path / "folder.spm.fb").mkdir()
    (tmp_path / "big.txt").write_text("9999999999\n")
    assert sentence in failure(run(*arguments, stdin=b"Hello\n"))


@pytest.mark.parametrize("options", [[], ["--textconv"]], ids=" ".join)
def test_diff_names_what_the_user_gave(run: Run, model_path: Path, options: list[str]) -> None:
    for name, sentence in (
        ("http://a/b", "http://a/b: this is an address; download the file first"),
        ("", "the name of a file is empty"),
        ("missing", "missing: No such file or directory"),
    ):
        result = run("diff", *options, *([] if options else [model_path]), name)
        assert (result.returncode, result.stdout) == (2, b"")
        assert result.stderr.decode() == f"spmlite: {sentence}\n"


def test_lines_are_counted_in_each_file(run: Run, model_path: Path, tmp_path: Path) -> None:
    (tmp_path / "well.txt").write_text("260\n260\n")
    (tmp_path / "words.txt").write_text("260\nHello\n")
    result = run("decode", "--model", model_path, "well.txt", "words.txt")
    assert (result.returncode, result.stdout) == (1, b"Hello\nHello\n")
    assert b"words.txt, line 2: this is no list of ids" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [[], ["nothing"], ["encode"], ["encode", "--model"], ["convert", "a"], ["encode", "--what"]],
    ids=" ".join,
)
def test_wrong_usage_exits_with_2(run: Run, arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.returncode == 2
    assert b"usage: spmlite" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["encode", "--model", "-"], "a model is read from a file, not from stdin"),
        (["encode", "--model", "m", "--threads", "-3"], "-3 is no number of threads: 1 or more"),
        (["encode", "--model", "m", "--threads", "0"], "0 is no number of threads: 1 or more"),
        (["bench", "--model", "m", "t", "--seconds", "-1"], "-1 is no time in seconds above 0"),
        (["bench", "--model", "m", "t", "--seconds", "nan"], "nan is no time in seconds above 0"),
        (["encode", "--model", "m", "--sample", "-1"], "-1 is no number from 0 on"),
    ],
    ids=" ".join,
)
def test_a_value_that_cannot_be_is_refused(run: Run, arguments: list[str], sentence: str) -> None:
    result = run(*arguments)
    assert result.returncode == 2
    assert sentence in result.stderr.decode()


@pytest.mark.parametrize("command", ["", "convert", "encode", "decode", "inspect"])
def test_help(run: Run, command: str) -> None:
    result = run(*command.split(), "--help")
    assert (result.returncode, result.stderr) == (0, b"")
    assert b"usage: spmlite" in result.stdout


def test_a_reader_that_goes_away_ends_it_quietly(model_path: Path, tmp_path: Path) -> None:
    lines = tmp_path / "lines.txt"
    lines.write_bytes(b"Hello world\n" * 1_000_000)
    command = [sys.executable, "-m", "spmlite", "encode", "--model", str(model_path), str(lines)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"260 261\n"
        process.stdout.close()
        message = process.stderr.read()
        assert process.wait(timeout=60) == 141
    assert message == b""


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["diff", "--help"],
        ["--version"],
        ["encode", "--model", "tiny.model", "text.txt"],
        ["decode", "--model", "tiny.model", "ids.txt"],
        ["count", "--model", "tiny.model", "text.txt"],
        ["inspect", "tiny.model"],
        ["verify", "tiny.model"],
        ["diff", "--textconv", "tiny.model"],
        ["diff", "tiny.model", "/dev/null"],
        ["bench", "--model", "tiny.model", "--seconds", "0.001", "text.txt"],
    ],
    ids=" ".join,
)
def test_every_command_ends_quietly_when_nobody_reads(
    model_path: Path, tmp_path: Path, arguments: list[str]
) -> None:
    shutil.copy(model_path, tmp_path / "tiny.model")
    (tmp_path / "text.txt").write_text("Hello\n")
    (tmp_path / "ids.txt").write_text("260\n")
    reader, writer = os.pipe()
    os.close(reader)
    try:
        result = subprocess.run(
            [sys.executable, "-m", "spmlite", *arguments],
            stdout=writer,
            stderr=subprocess.PIPE,
            cwd=tmp_path,
            check=False,
        )
    finally:
        os.close(writer)
    # Where Python does not buffer, argparse does not notice.
    codes = (0, 141) if arguments[-1] in ("--help", "--version") else (141,)
    assert result.returncode in codes
    assert result.stderr == b""


def test_progress_is_shown_on_a_terminal_alone(model_path: Path, tmp_path: Path) -> None:
    lines = tmp_path / "lines.txt"
    lines.write_bytes(b"Hello\n" * 1_000_000)
    command = [sys.executable, "-m", "spmlite", "encode", "--model", str(model_path), str(lines)]
    terminal, end = pty.openpty()
    termios.tcsetwinsize(end, (24, 80))
    output = tmp_path / "ids.txt"
    with output.open("wb") as file:
        process = subprocess.Popen(command, stdout=file, stderr=end)
    os.close(end)
    shown = read_all(terminal)
    assert process.wait(timeout=120) == 0
    assert b"B/s" in shown
    output.write_bytes(b"Hello\n")
    quiet = subprocess.run(
        [*command[:-1], str(output)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True
    )
    assert quiet.stderr == b""


def read_all(terminal: int) -> bytes:
    """What is written to a terminal until its other end is closed, on Linux an error."""
    shown = b""
    try:
        while chunk := os.read(terminal, 4096):
            shown += chunk
    except OSError:
        pass
    os.close(terminal)
    return shown


def test_count(run: Run, model_path: Path, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Hello world\nHello\n")
    (tmp_path / "b.txt").write_text("world")
    both = run("count", "--model", model_path, "a.txt", "b.txt")
    assert both.stdout.decode().splitlines() == [
        "a.txt: 3 tokens, 2 lines",
        "b.txt: 1 token, 1 line",
        "total: 4 tokens, 3 lines",
    ]
    as_json = run("count", "--model", model_path, "--json", "a.txt", "b.txt")
    assert [json.loads(line) for line in as_json.stdout.splitlines()] == [
        {"file": "a.txt", "tokens": 3, "lines": 2},
        {"file": "b.txt", "tokens": 1, "lines": 1},
        {"files": 2, "tokens": 4, "lines": 3},
    ]
    of_lines = run("count", "--model", model_path, "--lines", stdin=b"Hello world\n\nHello\n")
    assert of_lines.stdout.split() == [b"2", b"0", b"1"]


def test_control_pieces_are_recognized_when_it_is_asked_for(run: Run, model_path: Path) -> None:
    for options, expected in (([], False), (["--control-pieces"], True)):
        encoded = run("encode", "--model", model_path, *options, stdin=b"<s>Hello\n")
        assert (encoded.stdout == b"1 260\n") == expected


def test_verify(run: Run, model_path: Path, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("Hello é world\n")
    assert run("convert", model_path, "tiny.spm.fb").returncode == 0
    plain = run("verify", "tiny.spm.fb")
    assert plain.returncode == 0
    assert b"ok     1 checksum\n" in plain.stdout
    assert b"ok     277 pieces that are found by their text" in plain.stdout
    compared = run(
        "verify",
        "--json",
        "--compare",
        "--original",
        model_path,
        "--text",
        "text.txt",
        "tiny.spm.fb",
    )
    findings = [json.loads(line) for line in compared.stdout.splitlines()]
    assert compared.returncode == 0
    assert all(finding["is_well"] and not finding["faults"] for finding in findings)
    assert any("sentencepiece" in finding["what"] for finding in findings)


def test_verify_tells_of_another_model(run: Run, model_path: Path, tmp_path: Path) -> None:
    (tmp_path / "other.model").write_bytes(tiny_model([Piece("ol", -7)]))
    other = run("verify", "--compare", "--original", "other.model", model_path)
    assert other.returncode == 1
    assert b"WRONG" in other.stdout
    assert b"277 pieces here, 278 in sentencepiece" in other.stdout
    damaged = bytearray(model_path.read_bytes())
    (tmp_path / "damaged.model").write_bytes(damaged[:100])
    assert run("verify", "damaged.model").returncode == 1


@pytest.mark.parametrize("option", ["--text", "--original"])
def test_verify_does_not_leave_a_file_unread(run: Run, model_path: Path, option: str) -> None:
    told = run("verify", option, "nope.txt", model_path)
    assert (told.returncode, told.stdout) == (1, b"")
    assert told.stderr == b"spmlite: --text and --original are for --compare\n"


def test_verify_compares_a_flatbuffer_without_its_original(run: Run, model_path: Path) -> None:
    run("convert", model_path, "tiny.spm.fb")
    without = run("verify", "--compare", "tiny.spm.fb")
    assert without.returncode == 0
    assert b"texts encoded and decoded as in sentencepiece" in without.stdout


def test_bench(run: Run, model_path: Path, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("Hello world\n" * 1000)
    options = ("--model", model_path, "--seconds", "0.01", "--compare", "text.txt")
    speeds = [json.loads(line) for line in run("bench", "--json", *options).stdout.splitlines()]
    assert {"count", "decode", "sentencepiece: decode"} <= {speed["what"] for speed in speeds}
    assert all(speed["megabytes_per_second"] > 0 for speed in speeds)
    assert b"MB/s" in run("bench", *options).stdout


def test_help_has_examples(run: Run) -> None:
    for command in ("encode", "decode", "count", "convert", "inspect", "verify", "bench"):
        shown = run(command, "--help")
        assert shown.returncode == 0
        assert b"examples:\n  " in shown.stdout
    assert run("nothing").returncode == 2
