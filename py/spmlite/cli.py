"""The command line: `python -m spmlite`, or `spmlite`."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import spmlite
from spmlite import model_file
from spmlite.model_file import ModelKind
from spmlite.model_proto import ModelType, PieceType
from spmlite.processor import SentencePieceProcessor

# So many bytes of lines are worked on at a time: enough for all threads, and little memory.
_BATCH_BYTES = 4 << 20

_EXAMPLES = """\
examples:
  spmlite convert tokenizer.model tokenizer.spm.fb
  spmlite convert tokenizer.json tokenizer.spm.fb
  echo 'Hello world' | spmlite encode --model tokenizer.spm.fb
  spmlite encode --model tokenizer.spm.fb --json corpus.txt > ids.jsonl
  spmlite decode --model tokenizer.spm.fb --json ids.jsonl
  spmlite inspect tokenizer.spm.fb
"""


def main(arguments: list[str] | None = None) -> int:
    """Run a command; the exit code is 0, or 1 after a sentence on stderr; 2 for wrong usage."""
    options = _parser().parse_args(arguments)
    try:
        with warnings.catch_warnings(record=True) as caught:
            options.run(options)
        for warning in caught:
            _say(str(warning.message))
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes stdout once more when it ends: that goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _fail("the reader of the output has closed it")
    except KeyboardInterrupt:
        return _fail("interrupted")
    except OSError as error:
        return _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except (RuntimeError, ValueError, TypeError, IndexError) as error:
        return _fail(str(error))
    return 0


def _fail(message: str) -> int:
    _say(message)
    return 1


def _say(message: str) -> None:
    print(f"spmlite: {message}", file=sys.stderr)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="spmlite",
        description="SentencePiece tokenization: text to ids and back.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"spmlite {spmlite.__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_convert(commands.add_parser("convert", help="turn a model file into one of another kind"))
    _add_encode(commands.add_parser("encode", help="text to ids, a line for each line"))
    _add_decode(commands.add_parser("decode", help="ids to text, a line for each line"))
    _add_inspect(commands.add_parser("inspect", help="tell what a model is"))
    return parser


# --- convert ---


def _add_convert(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Turn a .model or a tokenizer.json into a .spm.fb, or a tokenizer.json into a .model."
    )
    parser.add_argument("input", type=Path, metavar="INPUT", help="told apart by its content")
    parser.add_argument(
        "output", type=Path, metavar="OUTPUT", help="its ending tells the kind: .spm.fb or .model"
    )
    parser.set_defaults(run=_convert)


def _convert(options: argparse.Namespace) -> None:
    to_output = _converter(options.output)
    content = options.input.read_bytes()
    with _naming(options.input):
        converted = to_output(content)
    _write_whole(options.output, converted)
    print(f"{options.output}: {len(converted):,} bytes, from {len(content):,}", file=sys.stderr)


def _converter(output: Path) -> Callable[[bytes], bytes]:
    if output.name.endswith((ModelKind.SPM_FB.value, ".fb")):
        return model_file.to_spm_fb
    if output.suffix == ModelKind.MODEL.value:
        return model_file.to_model
    raise ValueError(f"{output}: the name must end in .spm.fb or .model, to tell what to write")


def _write_whole(path: Path, content: bytes) -> None:
    """Write a file that is there whole or not at all."""
    with tempfile.NamedTemporaryFile(
        dir=path.parent, prefix=f".{path.name}.", delete=False
    ) as file:
        draft = Path(file.name)
        try:
            file.write(content)
            file.close()
            # A temporary file is its owner's alone; this one is like any other.
            umask = os.umask(0)
            os.umask(umask)
            draft.chmod(0o666 & ~umask)
            draft.replace(path)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Put the path in front of what is wrong with a file."""
    try:
        yield
    except RuntimeError as error:
        raise RuntimeError(f"{path}: {error}") from None


# --- encode and decode ---


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--model", required=True, metavar="M", help="a .spm.fb, a .model or a tokenizer.json"
    )
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="read one after the other; stdin without any, or for -",
    )
    parser.add_argument("--threads", type=int, default=-1, metavar="N", help="default: one a core")


def _add_encode(parser: argparse.ArgumentParser) -> None:
    parser.description = "Turn each line of text into a line of ids, separated by spaces."
    _add_common(parser)
    parser.add_argument("--output-type", choices=("id", "piece"), default="id", help="default: id")
    parser.add_argument("--json", action="store_true", help="write each line as a JSON array")
    parser.add_argument(
        "--add-bos", action="store_true", help="begin each line with the model's bos"
    )
    parser.add_argument("--add-eos", action="store_true", help="end each line with the model's eos")
    parser.set_defaults(run=_encode)


def _encode(options: argparse.Namespace) -> None:
    processor = SentencePieceProcessor(options.model, num_threads=options.threads)
    return_type = int if options.output_type == "id" else str
    for lines in _batches(options.files):
        rows = processor.encode(
            lines, return_type=return_type, add_bos=options.add_bos, add_eos=options.add_eos
        )
        _write(map(_json if options.json else _spaced, rows))


def _spaced(tokens: list[Any]) -> str:
    return " ".join(map(str, tokens))


def _add_decode(parser: argparse.ArgumentParser) -> None:
    parser.description = "Turn each line of ids into a line of text."
    _add_common(parser)
    parser.add_argument("--input-type", choices=("id", "piece"), default="id", help="default: id")
    parser.add_argument(
        "--json", action="store_true", help="read JSON arrays, and write JSON strings, a line each"
    )
    parser.set_defaults(run=_decode)


def _decode(options: argparse.Namespace) -> None:
    processor = SentencePieceProcessor(options.model, num_threads=options.threads)
    parse = _parse_json if options.json else _parse_plain
    number = 0
    for lines in _batches(options.files):
        rows = [parse(line, options.input_type, number + i) for i, line in enumerate(lines, 1)]
        number += len(lines)
        texts = processor.decode(rows)
        _write(map(_json, texts) if options.json else texts)


def _parse_plain(line: bytes, input_type: str, number: int) -> list[Any]:
    words: list[Any] = line.split()
    if input_type == "piece":
        return [word.decode(errors="replace") for word in words]
    try:
        return [int(word) for word in words]
    except ValueError:
        raise ValueError(f"line {number} is no list of ids separated by spaces") from None


def _parse_json(line: bytes, input_type: str, number: int) -> list[Any]:
    wanted = int if input_type == "id" else str
    try:
        row = json.loads(line)
    except ValueError:
        row = None
    if not isinstance(row, list) or not all(isinstance(token, wanted) for token in row):
        raise ValueError(f"line {number} is no JSON array of {input_type}s")
    return row


def _batches(files: list[str]) -> Iterator[list[bytes]]:
    """The lines of the files, without their line ends, some megabytes at a time."""
    with _progress(files) as advance:
        for name in files or ["-"]:
            with _open(name) as file:
                # Who types sees an answer after each line.
                while lines := file.readlines(1 if file.isatty() else _BATCH_BYTES):
                    yield [line.removesuffix(b"\n") for line in lines]
                    advance(sum(map(len, lines)))


@contextmanager
def _open(name: str) -> Iterator[BinaryIO]:
    if name == "-":
        yield sys.stdin.buffer
    else:
        with Path(name).open("rb") as file:
            yield file


@contextmanager
def _progress(files: list[str]) -> Iterator[Callable[[int], object]]:
    """A bar on stderr that counts bytes, where someone sees it and it does not mix with output."""
    if not sys.stderr.isatty() or sys.stdout.isatty() or (not files and sys.stdin.isatty()):
        yield lambda _: None
        return
    from tqdm import tqdm  # type: ignore[import-untyped]

    size = sum(Path(name).stat().st_size for name in files if name != "-")
    known = bool(files) and "-" not in files
    with tqdm(
        total=size if known else None, unit="B", unit_scale=True, delay=0.3, leave=False
    ) as bar:
        yield bar.update


def _write(rows: Iterable[str]) -> None:
    """Print lines, in UTF-8 whatever the locale is."""
    sys.stdout.buffer.writelines(f"{row}\n".encode() for row in rows)
    sys.stdout.buffer.flush()


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# --- inspect ---


def _add_inspect(parser: argparse.ArgumentParser) -> None:
    parser.description = "Tell what a model is: its kind, size, algorithm and pieces."
    parser.add_argument("model", metavar="M", help="a .spm.fb, a .model or a tokenizer.json")
    parser.add_argument("--json", action="store_true", help="as one JSON object")
    parser.set_defaults(run=_inspect)


def _inspect(options: argparse.Namespace) -> None:
    facts = _facts(Path(options.model))
    if options.json:
        _write([_json(facts)])
        return
    for name, value in facts.items():
        if isinstance(value, dict):
            value = ", ".join(f"{key} {number:,}" for key, number in value.items())
        print(
            f"{name.replace('_', ' '):<10} {value:,}"
            if isinstance(value, int)
            else f"{name:<10} {value}"
        )


def _facts(path: Path) -> dict[str, Any]:
    started = time.perf_counter()
    processor = model_file.load_file(path).processor
    milliseconds = round((time.perf_counter() - started) * 1000, 1)
    with path.open("rb") as file:
        kind = model_file.kind_of(file.read(16))
    size = processor.vocab_size()
    types = Counter(processor.piece_type(range(size)))
    special = {name: getattr(processor, f"{name}_id")() for name in ("unk", "bos", "eos", "pad")}
    return {
        "file": str(path),
        "kind": kind.value,
        "bytes": path.stat().st_size,
        "loaded_in_ms": milliseconds,
        "algorithm": ModelType(processor.model_type()).name.lower(),
        "pieces": size,
        "types": {PieceType(type).name.lower(): count for type, count in sorted(types.items())},
        "ids": special,
    }
