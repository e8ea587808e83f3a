"""The command line: `python -m spmlite`, or `spmlite`."""

from __future__ import annotations

import argparse
import json
import os
import sys
import textwrap
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import spmlite
from spmlite import benchmarking, diffing, inspecting, model_file, spm_text, verifying
from spmlite.model_file import ModelKind
from spmlite.processor import SentencePieceProcessor
from spmlite.text_files import batches_of_lines, progress_bar, written_whole

# What a shell tells of a program that SIGPIPE, signal 13, has ended.
_READER_IS_GONE = 128 + 13

_EXIT_CODES = """\
Exit codes: 0 when all is done, 1 when something is wrong (a sentence on stderr says what), 2 for a
command line that is not understood, 141 without a sentence when the reader of the output, such as
`head`, goes away; those of `diff` are its own. `spmlite COMMAND --help` tells of each command.
"""


def main(arguments: list[str] | None = None) -> int:
    """Run a command; the exit code is 0, 1 after a sentence that says why, 2 for wrong usage.

    Where the reader of the output goes away, as `head` does, it ends without a word.
    """
    try:
        try:
            return _run(arguments)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        return _READER_IS_GONE


def _drop_output() -> None:
    """Python flushes stdout once more when it ends: that goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(arguments: list[str] | None) -> int:
    code_of_failure = 1
    try:
        options = parser().parse_args(arguments)
        code_of_failure = options.failure
        with warnings.catch_warnings(record=True) as caught:
            code: int = options.run(options) or 0
        for warning in caught:
            _say(str(warning.message))
    except BrokenPipeError:
        raise
    except KeyboardInterrupt:
        return _fail("interrupted", code_of_failure)
    except OSError as error:
        return _fail(_of_file(error), code_of_failure)
    except (RuntimeError, ValueError, TypeError, IndexError) as error:
        return _fail(str(error), code_of_failure)
    return code


def _of_file(error: OSError) -> str:
    if error.filename is None:
        return str(error)
    return f"{error.filename or repr(error.filename)}: {error.strerror}"


def _fail(message: str, code: int) -> int:
    _say(message)
    return code


def _say(message: str) -> None:
    print(f"spmlite: {message}", file=sys.stderr)


class _Command(NamedTuple):
    """A command: what it is for, how it is called, and what it adds to its parser."""

    help: str
    examples: str
    add: Callable[[argparse.ArgumentParser], None]


def parser() -> argparse.ArgumentParser:
    """The parser of the command line, from which its documentation is made too."""
    whole = argparse.ArgumentParser(
        prog="spmlite",
        description="SentencePiece tokenization: text to ids and back.",
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    whole.add_argument("--version", action="version", version=f"spmlite {spmlite.__version__}")
    commands = whole.add_subparsers(required=True, metavar="COMMAND")
    for name, command in _COMMANDS.items():
        one = commands.add_parser(
            name,
            help=command.help,
            epilog="examples:\n" + command.examples,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        one.set_defaults(failure=1)
        command.add(one)
        one.description = textwrap.fill(one.description or "", 80)
    return whole


# --- convert ---


def _add_convert(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Turn a model file of any kind into a .spm.fb, a .model, a .spm or a tokenizer.json "
        "(docs/formats.md). What is written as .spm is read back in two ways first."
    )
    parser.add_argument("input", type=_model, metavar="INPUT", help="told apart by its content")
    parser.add_argument(
        "output",
        type=Path,
        metavar="OUTPUT",
        help="its ending tells the kind: .spm.fb, .model, .spm or .json",
    )
    parser.add_argument(
        "--recipe",
        choices=spm_text.RECIPES,
        default="",
        help="for a plain .spm, which has no header: what the models of a family have in common",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="FIELD=VALUE",
        help="for a .spm: a field as in its header, such as normalizer_spec.add_dummy_prefix=false",
    )
    parser.add_argument(
        "--plain", action="store_true", help="write a .spm without a header: the pieces alone"
    )
    parser.add_argument(
        "--comments", action="store_true", help="write each piece behind its line of a .spm"
    )
    parser.add_argument(
        "--charsmap-by-name",
        action="store_true",
        help="write the rules of a normalizer as a name in a .spm, if they are sentencepiece's",
    )
    parser.set_defaults(run=_convert)


def _convert(options: argparse.Namespace) -> None:
    to_output = _converter(options)
    with _naming(options.input):
        content = model_file.read_file(options.input)
        converted = to_output(_with_additions(content, options))
    with written_whole(options.output) as file:
        file.write(converted)
    # Of a GGUF file the content is what was read of it; a pipe has no size.
    size = options.input.stat().st_size or len(content)
    print(f"{options.output}: {len(converted):,} bytes, from {size:,}", file=sys.stderr)


def _converter(options: argparse.Namespace) -> Callable[[bytes], bytes]:
    output: Path = options.output
    to_model = partial(model_file.to_model, name=str(options.input))
    if output.suffix == ModelKind.SPM.value:
        return lambda content: spm_text.from_model_proto(
            to_model(content), options.plain, options.comments, options.charsmap_by_name
        )
    if options.plain or options.comments or options.charsmap_by_name:
        raise ValueError(f"{output}: --plain, --comments and --charsmap-by-name are for a .spm")
    if output.name.endswith((ModelKind.SPM_FB.value, ".fb")):
        return partial(model_file.to_spm_fb, name=str(options.input))
    if output.suffix == ModelKind.MODEL.value:
        return to_model
    if output.suffix == Path(ModelKind.TOKENIZER_JSON.value).suffix:
        from spmlite import exporting

        return lambda content: exporting.to_tokenizer_json(to_model(content))
    endings = ".spm.fb, .model, .spm or .json"
    raise ValueError(f"{output}: the name must end in {endings}, to tell the kind")


def _with_additions(content: bytes, options: argparse.Namespace) -> bytes:
    """The content, of a `.spm` with what the command line adds to it."""
    if not (options.recipe or options.set):
        return content
    if model_file.kind_of(content) is not ModelKind.SPM:
        raise RuntimeError("--recipe and --set are for a .spm; this file says all by itself")
    fields = dict(_field(text) for text in options.set)
    try:
        return spm_text.to_model_proto(content, options.recipe, fields)
    except ValueError as error:
        raise RuntimeError(str(error)) from None


def _field(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"--set {text}: what is set has the form FIELD=VALUE")
    return name, value


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Put the path in front of what is wrong with a file."""
    try:
        yield
    except (RuntimeError, ValueError) as error:
        raise RuntimeError(model_file.named(path, error)) from None


# --- diff ---


def _add_diff(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Compare two vocabularies by the texts of their pieces: what was removed and added, which "
        "ids, scores, types and specs changed. The exit code is that of diff: 0 for the same, 1 "
        "for different, 2 when something is wrong."
    )
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="the old and the new model, each of any kind, plain .spm files too",
    )
    parser.add_argument("--json", action="store_true", help="all of it as one JSON object")
    parser.add_argument(
        "--limit",
        type=int,
        default=10,
        metavar="N",
        help="so many lines of each kind of change; -1 for all; default: 10",
    )
    parser.add_argument(
        "--textconv",
        action="store_true",
        help="write one file as text, a line for each piece: for git's diff.NAME.textconv",
    )
    parser.add_argument(
        "--git",
        action="store_true",
        help="take the arguments that git gives to a diff.NAME.command; the exit code is 0",
    )
    parser.set_defaults(run=_diff, failure=2)


def _diff(options: argparse.Namespace) -> int:
    if options.textconv:
        return _diff_textconv(_exactly(1, options.files, "--textconv takes one file")[0])
    if options.git:
        return _diff_git(options)
    names = _exactly(2, options.files, "diff takes two files")
    difference = diffing.compare(*_read_both(names))
    if options.json:
        _write(diffing.as_json(difference))
    else:
        told = difference or difference.scores
        _write([f"--- {names[0]}", f"+++ {names[1]}"] if told else [])
        _write(diffing.as_text(difference, _limit(options)))
    return int(bool(difference))


def _diff_textconv(name: str) -> int:
    """Git stops at the first file for which this fails, so it does not."""
    content = model_file.path_of(name).read_bytes()
    try:
        _write(diffing.listing(content, name))
    except (RuntimeError, ValueError) as error:
        _write([f"not compared, since it cannot be read as a model: {error}"])
    return 0


def _diff_git(options: argparse.Namespace) -> int:
    """Git stops at the first file for which this fails, so it does not."""
    # What `git help git` tells of GIT_EXTERNAL_DIFF: path old-file old-hex old-mode new-file
    # new-hex new-mode, and what it was renamed to; a path alone where there is a conflict.
    if len(options.files) < 7:
        return 0
    path, old, new = options.files[0], options.files[1], options.files[4]
    try:
        _write([f"spmlite diff {path}"])
        difference = diffing.compare(*_read_both([old, new]))
        _write(diffing.as_text(difference, _limit(options)))
    except (RuntimeError, ValueError) as error:
        _write([f"not compared, since one cannot be read as a model: {error}"])
    except BrokenPipeError:
        _drop_output()
    return 0


def _limit(options: argparse.Namespace) -> int | None:
    limit: int = options.limit
    return limit if limit >= 0 else None


def _exactly(count: int, files: list[str], message: str) -> list[str]:
    if len(files) != count:
        raise ValueError(f"{message}, not {len(files)}")
    return files


def _read_both(names: list[str]) -> tuple[diffing.Model, diffing.Model]:
    if sys.platform == "emscripten":  # has no threads
        return _read_to_compare(names[0]), _read_to_compare(names[1])
    with ThreadPoolExecutor() as pool:  # most of the work is native, and lets the GIL go
        old, new = pool.map(_read_to_compare, names)
    return old, new


def _read_to_compare(name: str) -> diffing.Model:
    if name == os.devnull:  # what git has for a file that is not there
        return diffing.NO_MODEL
    path = model_file.path_of(name)
    with _naming(path):
        return diffing.read(path.read_bytes(), name)


# --- encode and decode ---


def _add_common(parser: argparse.ArgumentParser) -> None:
    _add_model(parser)
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="read one after the other; stdin without any, or for -",
    )
    parser.add_argument(
        "--threads", type=_threads, default=-1, metavar="N", help="default: one a core"
    )


def _add_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--model", type=_model, required=True, metavar="M", help="a model file of any kind"
    )


def _model(text: str) -> Path:
    if text == "-":
        raise argparse.ArgumentTypeError("a model is read from a file, not from stdin")
    return model_file.path_of(text)


def _threads(text: str) -> int:
    number = int(text) if text.lstrip("-").isdecimal() else 0
    if number < 1 and number != -1:
        raise argparse.ArgumentTypeError(
            f"{text} is no number of threads: 1 or more, -1 for one a core"
        )
    return number


def _alpha(text: str) -> float:
    with suppress(ValueError):
        if 0 <= (number := float(text)) < float("inf"):
            return number
    raise argparse.ArgumentTypeError(f"{text} is no number from 0 on")


def _seconds(text: str) -> float:
    with suppress(ValueError):
        if 0 < (number := float(text)) < float("inf"):
            return number
    raise argparse.ArgumentTypeError(f"{text} is no time in seconds above 0")


def _add_encode(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Turn each line of text into a line of ids, separated by spaces. A line ends at its line "
        "feed: a carriage return before that is part of the line, and is encoded. Pieces that hold "
        "a space or a line feed themselves, as those of some models do, are written with --json "
        "alone."
    )
    _add_common(parser)
    parser.add_argument(
        "--output-type",
        choices=("id", "piece", "offset"),
        default="id",
        help="default: id; offset writes ID:BEGIN:END, of places in the line",
    )
    parser.add_argument(
        "--offset-unit",
        choices=("bytes", "characters", "utf16"),
        default="bytes",
        help="what offsets count; default: bytes",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="write each line as a JSON array, of offsets as arrays of id, begin and end",
    )
    parser.add_argument(
        "--add-bos", action="store_true", help="begin each line with the model's bos"
    )
    parser.add_argument("--add-eos", action="store_true", help="end each line with the model's eos")
    parser.add_argument(
        "--reverse", action="store_true", help="from last to first, between bos and eos"
    )
    parser.add_argument(
        "--sample",
        type=_alpha,
        metavar="ALPHA",
        help="draw one of the ways to cut each line: BPE leaves merges out with this probability, "
        "Unigram draws in proportion to the probability to this power",
    )
    parser.add_argument(
        "--seed", type=int, metavar="N", help="for --sample: draw the same again with the same N"
    )
    parser.add_argument(
        "--control-pieces",
        action="store_true",
        help="take control pieces that the text spells out, such as <s>, for what they are called",
    )
    parser.set_defaults(run=_encode)


def _encode(options: argparse.Namespace) -> None:
    processor = SentencePieceProcessor(
        options.model, num_threads=options.threads, control_pieces=options.control_pieces
    )
    if options.seed is not None:
        spmlite.set_random_generator_seed(options.seed)
    how = _how_to_encode(options)
    for batch in _batches(options.files):
        rows = processor.encode(batch.lines, **how)
        if options.output_type == "offset":
            rows = map(_id_with_offsets, rows)
        if options.json:
            _write(map(_json, rows))
        else:
            _write(list(_each_in_its_place(_SPACED[options.output_type], rows, batch)))


def _how_to_encode(options: argparse.Namespace) -> dict[str, Any]:
    """The arguments of `SentencePieceProcessor.encode`."""
    how: dict[str, Any] = {}
    if options.sample is not None:
        how |= {"enable_sampling": True, "nbest_size": -1, "alpha": options.sample}
    elif options.seed is not None:
        raise ValueError("--seed is for --sample ALPHA")
    if options.output_type != "offset":
        return_type = int if options.output_type == "id" else str
        names = ("add_bos", "add_eos", "reverse")
        return how | {"return_type": return_type} | {name: getattr(options, name) for name in names}
    if options.add_bos or options.add_eos or options.reverse:
        raise ValueError("--add-bos, --add-eos and --reverse do not go with --output-type offset")
    return how | {"return_type": "offset_mapping", "offset_unit": options.offset_unit}


def _id_with_offsets(mapping: dict[str, Any]) -> list[tuple[int, int, int]]:
    pairs = zip(mapping["ids"], mapping["offsets"], strict=True)
    return [(id, begin, end) for id, (begin, end) in pairs]


def _spaced_ids(tokens: list[int]) -> str:
    return " ".join(map(str, tokens))


def _spaced_pieces(pieces: list[str]) -> str:
    row = " ".join(pieces)
    if row.count(" ") >= max(len(pieces), 1) or "\n" in row:
        piece = next(piece for piece in pieces if " " in piece or "\n" in piece)
        raise ValueError(
            f"the piece {piece!r} holds a space or a line feed, which stand between pieces and "
            "between lines: --json keeps them apart"
        )
    return row


def _spaced_offsets(tokens: list[tuple[int, int, int]]) -> str:
    return " ".join(f"{id}:{begin}:{end}" for id, begin, end in tokens)


_SPACED: dict[str, Callable[[list[Any]], str]] = {
    "id": _spaced_ids,
    "piece": _spaced_pieces,
    "offset": _spaced_offsets,
}


def _add_decode(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Turn each line of ids into a line of text. Between pieces stand spaces, and spaces alone: "
        "tabs and carriage returns belong to a piece."
    )
    _add_common(parser)
    parser.add_argument("--input-type", choices=("id", "piece"), default="id", help="default: id")
    parser.add_argument(
        "--json", action="store_true", help="read JSON arrays, and write JSON strings, a line each"
    )
    parser.set_defaults(run=_decode)


def _decode(options: argparse.Namespace) -> None:
    processor = SentencePieceProcessor(options.model, num_threads=options.threads)
    parse = _parse_json if options.json else _parse_plain
    for batch in _batches(options.files):
        rows = list(
            _each_in_its_place(lambda line: parse(line, options.input_type), batch.lines, batch)
        )
        try:
            texts = processor.decode(rows)
        except _WRONG_ROW:
            # Which line it was is found one by one.
            texts = list(_each_in_its_place(processor.decode, rows, batch))
        _write(map(_json, texts) if options.json else texts)


def _parse_plain(line: bytes, input_type: str) -> list[Any]:
    if input_type == "piece":
        # Not split(): that takes tabs, carriage returns and form feeds away, which pieces hold.
        return [word.decode(errors="replace") for word in line.split(b" ") if word]
    try:
        return [int(word) for word in line.split()]
    except ValueError:
        raise ValueError("this is no list of ids separated by spaces") from None


def _parse_json(line: bytes, input_type: str) -> list[Any]:
    wanted = int if input_type == "id" else str
    try:
        row = json.loads(line)
    except ValueError:
        row = None
    if not isinstance(row, list) or not all(type(token) is wanted for token in row):
        raise ValueError(f"this is no JSON array of {input_type}s")
    return row


# --- count ---


def _add_count(parser: argparse.ArgumentParser) -> None:
    parser.description = "Count the tokens of files: a line for each, with a total for several."
    _add_common(parser)
    parser.add_argument(
        "--lines", action="store_true", help="write the number of each line of text instead"
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="write JSON, a value a line: objects of file, tokens and lines, the total with files, "
        "their number, in place of file",
    )
    parser.set_defaults(run=_count)


def _count(options: argparse.Namespace) -> None:
    processor = SentencePieceProcessor(options.model, num_threads=options.threads)
    total = {"tokens": 0, "lines": 0}
    for name in options.files or ["-"]:
        counted = dict.fromkeys(total, 0)
        for batch in _batches([name] if name != "-" else []):
            counts = processor.count(batch.lines)
            if options.lines:
                _write(map(str, counts))
            counted["tokens"] += sum(counts)
            counted["lines"] += len(batch.lines)
        if options.json and not options.lines:
            _write([_json({"file": name, **counted})])
        elif not options.lines:
            _write_count(counted, name)
        total = {key: total[key] + counted[key] for key in total}
    if len(options.files) < 2 or options.lines:
        return
    if options.json:
        _write([_json({"files": len(options.files), **total})])
    else:
        _write_count(total, "total")


def _write_count(counted: dict[str, int], name: str) -> None:
    told = ", ".join(
        f"{number:,} {unit.removesuffix('s') if number == 1 else unit}"
        for unit, number in counted.items()
    )
    _write([f"{name}: {told}"])


# What is raised for a line of text, ids or pieces that cannot be taken.
_WRONG_ROW = (ValueError, IndexError, TypeError, RuntimeError)


class _Batch(NamedTuple):
    """Lines of a file, without their line feeds."""

    file: str
    # The number of the first one, from 1 on.
    begin: int
    lines: list[bytes]


def _batches(files: list[str]) -> Iterator[_Batch]:
    """The lines of the files, some megabytes at a time, with a bar where someone sees it."""
    seen = sys.stderr.isatty() and not sys.stdout.isatty()
    typed = not files and sys.stdin.isatty()
    with progress_bar(_size(files), shown=seen and not typed) as advance:
        for name in files or ["-"]:
            begin = 1
            with _open(name) as file:
                for lines in batches_of_lines(file, advance):
                    yield _Batch("stdin" if name == "-" else name, begin, lines)
                    begin += len(lines)


def _each_in_its_place(
    call: Callable[[Any], Any], rows: Iterable[Any], batch: _Batch
) -> Iterator[Any]:
    """What the call makes of each row of a batch; what is wrong with one is told with its line."""
    for number, row in enumerate(rows, batch.begin):
        try:
            yield call(row)
        except _WRONG_ROW as error:
            raise RuntimeError(f"{batch.file}, line {number}: {error}") from None


def _size(files: list[str]) -> int | None:
    """The bytes of all files, if that is known."""
    if not files or "-" in files:
        return None
    return sum(os.stat(name).st_size for name in files)  # noqa: PTH116 - as in _open


@contextmanager
def _open(name: str) -> Iterator[BinaryIO]:
    if name == "-":
        yield sys.stdin.buffer
    else:
        with open(name, "rb") as file:  # noqa: PTH123 - of '' a Path makes the folder
            yield file


def _write(rows: Iterable[str]) -> None:
    """Print lines, in UTF-8 whatever the locale is."""
    sys.stdout.buffer.writelines(f"{row}\n".encode() for row in rows)
    sys.stdout.buffer.flush()


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# --- inspect ---


def _add_inspect(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Tell what a model is: its kind, size, algorithm, pieces and special ids, and what is done "
        "to a text before it is cut."
    )
    parser.add_argument("model", type=_model, metavar="M", help="a model file of any kind")
    parser.add_argument("--json", action="store_true", help="as one JSON object")
    parser.set_defaults(run=_inspect)


def _inspect(options: argparse.Namespace) -> None:
    facts = inspecting.facts(options.model)
    if options.json:
        _write([_json(facts)])
        return
    width = max(map(len, facts))
    _write(f"{name.replace('_', ' '):<{width}}  {_shown(value)}" for name, value in facts.items())


def _shown(value: object) -> str:
    """A fact for people."""
    match value:
        case dict():
            return ", ".join(f"{key} {_shown(number)}" for key, number in value.items())
        case None:
            return "not said"
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}" if value >= 0 else "none"
    return str(value) or "without a name"


# --- verify ---


def _add_verify(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Check a model thoroughly: its structure and checksum, and every piece, looked up by its "
        "text and encoded. The exit code is 1 where something is wrong."
    )
    parser.add_argument("model", type=_model, metavar="M", help="a model file of any kind")
    parser.add_argument(
        "--compare",
        action="store_true",
        help="compare pieces, scores and ids with the package sentencepiece, if it is installed",
    )
    parser.add_argument(
        "--original",
        type=_model,
        metavar="MODEL",
        help="for --compare of a .spm.fb: the .model that it was made from",
    )
    parser.add_argument(
        "--text",
        type=model_file.path_of,
        metavar="FILE",
        help="for --compare: lines to encode, besides the pieces themselves",
    )
    parser.add_argument("--json", action="store_true", help="write a JSON object a line")
    parser.set_defaults(run=_verify)


def _verify(options: argparse.Namespace) -> int:
    if not options.compare and (options.text or options.original):
        raise ValueError("--text and --original are for --compare")
    findings = verifying.verify(options.model)
    if options.compare:
        texts = options.text.read_text("utf-8").split("\n") if options.text else []
        compared = verifying.compare(options.model, options.original, texts)
        findings = chain(findings, compared)
    is_well = True
    for finding in findings:
        is_well = is_well and finding.is_well
        if options.json:
            _write([_json({"is_well": finding.is_well, **finding._asdict()})])
            continue
        _write([f"{'ok' if finding.is_well else 'WRONG':<6} {finding.looked_at:,} {finding.what}"])
        _write(f"       {fault}" for fault in finding.faults)
    return 0 if is_well else 1


# --- bench ---


def _add_bench(parser: argparse.ArgumentParser) -> None:
    parser.description = "Measure how fast a model encodes and decodes the lines of a file."
    _add_model(parser)
    parser.add_argument(
        "file", type=model_file.path_of, metavar="FILE", help="text, some megabytes at best"
    )
    parser.add_argument(
        "--seconds",
        type=_seconds,
        default=1.0,
        metavar="S",
        help="how long each is tried; default: 1",
    )
    parser.add_argument(
        "--threads", type=_threads, default=1, metavar="N", help="-1 for one a core; default: 1"
    )
    parser.add_argument(
        "--compare", action="store_true", help="measure the package sentencepiece as well"
    )
    parser.add_argument("--json", action="store_true", help="write a JSON object a line")
    parser.set_defaults(run=_bench)


def _bench(options: argparse.Namespace) -> None:
    text = options.file.read_bytes().decode(errors="replace")
    if not text.strip("\n"):
        raise ValueError(f"{options.file}: there is no text in it to measure with")
    lines = text.split("\n")
    speeds = benchmarking.measure(
        options.model, lines, options.seconds, options.threads, options.compare
    )
    for speed in speeds:
        if options.json:
            _write([_json(speed._asdict())])
            continue
        _write(
            [
                f"{speed.what:<32} {speed.megabytes_per_second:8.1f} MB/s "
                f"{speed.tokens_per_second / 1e6:8.2f} million tokens/s"
            ]
        )


_COMMANDS = {
    "encode": _Command(
        "text to ids, a line for each line",
        """\
  echo 'Hello world' | spmlite encode --model tokenizer.spm.fb
  spmlite encode --model tokenizer.spm.fb --add-bos --json corpus.txt > ids.jsonl
  spmlite encode --model tokenizer.spm.fb --output-type piece < corpus.txt
  spmlite encode --model tokenizer.spm.fb --output-type offset --offset-unit utf16 --json corpus.txt
  spmlite encode --model tokenizer.spm.fb --sample 0.1 --seed 7 corpus.txt
""",
        _add_encode,
    ),
    "decode": _Command(
        "ids to text, a line for each line",
        """\
  echo '15043 3186' | spmlite decode --model tokenizer.spm.fb
  spmlite decode --model tokenizer.spm.fb --json ids.jsonl
""",
        _add_decode,
    ),
    "count": _Command(
        "how many tokens files have",
        """\
  spmlite count --model tokenizer.spm.fb *.txt
  spmlite count --model tokenizer.spm.fb --lines < corpus.txt | sort -n | tail -1
""",
        _add_count,
    ),
    "convert": _Command(
        "turn a model file into one of another kind",
        """\
  spmlite convert tokenizer.model tokenizer.spm.fb
  spmlite convert tokenizer.json tokenizer.spm.fb
  spmlite convert tokenizer.json tokenizer.model
  spmlite convert tokenizer.spm.fb again.model
  spmlite convert tokenizer.model exported.json
  spmlite convert tokenizer.model tokenizer.spm
  spmlite convert --plain tokenizer.model plain.spm
  spmlite convert --recipe llama2 plain.spm tokenizer.spm.fb
""",
        _add_convert,
    ),
    "diff": _Command(
        "what changed between two vocabularies",
        """\
  spmlite diff tokenizer.model tokenizer.json || echo "they differ"
  spmlite diff --json tokenizer.model tokenizer.json > changes.json || true
  spmlite diff --textconv tokenizer.model > pieces.txt
""",
        _add_diff,
    ),
    "inspect": _Command(
        "tell what a model is",
        """\
  spmlite inspect tokenizer.spm.fb
  spmlite inspect --json tokenizer.model
""",
        _add_inspect,
    ),
    "verify": _Command(
        "check a model thoroughly",
        """\
  spmlite verify tokenizer.spm.fb
  spmlite verify --compare tokenizer.model
  spmlite verify --compare --original tokenizer.model --text corpus.txt tokenizer.spm.fb
""",
        _add_verify,
    ),
    "bench": _Command(
        "measure how fast a model is",
        """\
  spmlite bench --model tokenizer.spm.fb corpus.txt
  spmlite bench --model tokenizer.model --compare --threads 2 corpus.txt
""",
        _add_bench,
    ),
}
