"""The vocabulary of a model as a `.spm`: written, told and compared with what others find in it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from spmlite import model_file, spm_text
from spmlite.model_types import PieceType
from spmlite.text_files import written_whole


def extract(source: Path, output: Path, plain: bool, verify: bool) -> None:
    """Convert, check in both directions, and only then write; print what was found.

    Args:
        source: a model file of any kind.
        output: the `.spm`.
        plain: without a header.
        verify: read the file that was written, and compare it with the model, also with what
            `sentencepiece` finds there, if that is installed.

    Raises:
        OSError: a file cannot be read or written.
        RuntimeError: the source is no model, or something differs.
        ValueError: the source is no model.
    """
    model = model_file.to_model(model_file.read_file(source), str(source))
    text = spm_text.from_model_proto(model, plain=plain)
    with written_whole(output) as file:
        file.write(text)
    print(f"{source} -> {output}")
    vocabulary = spm_text.read_lines(output.read_bytes() if verify else text)
    _tell(vocabulary)
    if verify:
        _verify(model, vocabulary)


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
    compare_with_sentencepiece(sentencepiece.SentencePieceProcessor(model_proto=model), written)
    print(f"  compared with sentencepiece {sentencepiece.__version__}: the same")


def compare_with_sentencepiece(processor: Any, written: spm_text.Vocabulary) -> None:  # noqa: ANN401 - no types
    """Compare with the original's own answers; it does not tell user-defined from normal pieces.

    Raises:
        RuntimeError: they are others; the message names the first id.
    """
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
