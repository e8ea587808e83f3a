#!/usr/bin/env python3
"""Write the vocabulary of a model as text that people can read, compare and review (docs/spm.md).

    python scripts/extract_spm_vocab.py --model tokenizer.model --output gemma3.spm --verify

It needs the package spmlite: `pip install spmlite`, or, in a checkout, `scripts/build python` and
then .venv/bin/python. With --verify and the package sentencepiece, the file is also compared with
what that finds in the model.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import Any

try:
    from spmlite import model_file, spm_text
    from spmlite.model_types import PieceType
    from spmlite.text_files import written_whole
except ImportError as error:
    sys.exit(f"extract_spm_vocab: {error}\n{__doc__}")


def main() -> int:
    """Convert, check in both directions, and only then write."""
    options = _parser().parse_args()
    try:
        model = model_file.to_model(options.model.read_bytes())
        text = spm_text.from_model_proto(model, plain=options.plain)
        with written_whole(options.output) as file:
            file.write(text)
        print(f"{options.model} -> {options.output}")
        vocabulary = spm_text.read_lines(options.output.read_bytes() if options.verify else text)
        _tell(vocabulary)
        if options.verify:
            _verify(model, vocabulary)
    except OSError as error:
        return _fail(f"{error.filename}: {error.strerror}")
    except (RuntimeError, ValueError) as error:
        return _fail(f"{options.model}: {error}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", type=Path, required=True, help="a model file of any kind")
    parser.add_argument("--output", type=Path, required=True, help="the .spm file to write")
    parser.add_argument("--plain", action="store_true", help="without a header: the pieces alone")
    parser.add_argument(
        "--verify", action="store_true", help="read the file that was written, and compare it"
    )
    return parser


def _tell(vocabulary: spm_text.Vocabulary) -> None:
    print(f"  {len(vocabulary.pieces):,} pieces")
    for type, count in sorted(Counter(vocabulary.types).items()):
        print(f"  {count:,} {PieceType(type).name}")


def _verify(model: bytes, written: spm_text.Vocabulary) -> None:
    _, expected = spm_text.read_vocabulary(model)
    spm_text.compare("written", expected, written)
    print(f"  verified: {len(written.pieces):,} pieces, scores (bit for bit) and types")
    try:
        import sentencepiece
    except ImportError:
        print("  not compared with the package sentencepiece, which is not installed")
        return
    _compare(sentencepiece.SentencePieceProcessor(model_proto=model), written)
    print(f"  compared with sentencepiece {sentencepiece.__version__}: the same")


def _compare(processor: Any, written: spm_text.Vocabulary) -> None:  # noqa: ANN401 - no types
    """Compare with the original's own answers; it does not tell user-defined from normal pieces."""
    ids = range(processor.vocab_size())
    answers = zip(
        processor.is_unknown(ids),
        processor.is_control(ids),
        processor.is_unused(ids),
        processor.is_byte(ids),
        strict=True,
    )
    types = [
        PieceType.UNKNOWN * unknown
        or PieceType.CONTROL * control
        or PieceType.UNUSED * unused
        or PieceType.BYTE * byte
        or PieceType.NORMAL
        for unknown, control, unused, byte in answers
    ]
    as_normal = bytes.maketrans(bytes((PieceType.USER_DEFINED,)), bytes((PieceType.NORMAL,)))
    columns: dict[str, tuple[list[Any], list[Any]]] = {
        "piece": ([piece.decode() for piece in written.pieces], processor.id_to_piece(ids)),
        "score": (list(written.scores), processor.get_score(ids)),
        "type": (list(written.types.translate(as_normal)), types),
    }
    for name, (found, expected) in columns.items():
        if found != expected:
            id = next(id for id in ids if found[id : id + 1] != expected[id : id + 1])
            raise RuntimeError(f"sentencepiece finds another {name} at id {id}")


def _fail(message: str) -> int:
    print(f"extract_spm_vocab: {message}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
