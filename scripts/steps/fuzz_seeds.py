"""What fuzzing starts from: real models, cut down to a few pieces, and lines of real texts."""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Iterator
from pathlib import Path

from . import console, test_data
from .stop import Stop

PIECES = 120
LINES = 40
CHARSMAP_MODELS = 4
ROUND_TRIP_MODELS = 6
LARGEST_ROUND_TRIP_MODEL = 1_000_000
NORMAL = 1
SPM_HEADER = (
    "# .spm 1",
    "# trainer_spec.model_type: BPE",
    '# trainer_spec.user_defined_symbols: "a\\n\\x00\\"\\\\"',
    "# trainer_spec.byte_fallback: true",
    "# trainer_spec.pad_id: -1",
    "# trainer_spec.input_sentence_size: 10000000000",
    "# trainer_spec.character_coverage: 0.9995",
    "# trainer_spec.unknown_fields: wD4B",
    '# normalizer_spec.name: "identity"',
    "# normalizer_spec.precompiled_charsmap:",
    "# denormalizer_spec.add_dummy_prefix: false",
)


def models(folder: Path, converter: Path) -> None:
    """`.model` files of the first pieces of each model, without charsmaps."""
    del converter
    for name, model in _models().items():
        (folder / f"{name}.model").write_bytes(small_model(model, with_charsmap=False))


def blobs(folder: Path, converter: Path) -> None:
    """The same, converted, which is the loader's own format."""
    for name, model in _models().items():
        source = folder / f"{name}.model"
        source.write_bytes(small_model(model, with_charsmap=False))
        _convert(source, folder / f"{name}.spm.fb", converter)
        source.unlink()


def charsmaps(folder: Path, converter: Path) -> None:
    """Flags, the text's length, the text, the charsmap: as normalizer_fuzzer.cc reads it."""
    del converter
    seen: set[bytes] = set()
    lines = [line.encode() for line in _lines()]
    for name, model in _models().items():
        charsmap = _charsmap(model)
        if charsmap in seen or len(seen) == CHARSMAP_MODELS:
            continue
        seen.add(charsmap)
        for flags in (0b0111, 0b1010):
            text = b"".join(lines[flags :: len(lines) // 4])[:400]
            seed = bytes([flags, *len(text).to_bytes(2, "little")]) + text + charsmap
            (folder / f"{name}-{flags}").write_bytes(seed)


def texts(folder: Path, converter: Path) -> None:
    """A byte that chooses the model, and a line; the models, whole, lie beside them."""
    data = test_data.find_or_get()
    chosen = [
        (name.replace("/", "-"), file)
        for name, file in sorted(data.models.items())
        if file.stat().st_size < LARGEST_ROUND_TRIP_MODEL
    ]
    step = max(1, len(chosen) // ROUND_TRIP_MODELS)
    for name, file in chosen[::step]:
        _convert(file, folder / f"{name}.spm.fb", converter)
    for number, line in enumerate(_lines()):
        (folder / f"line-{number}").write_bytes(bytes([number % 251]) + line.encode())


def spm_texts(folder: Path, converter: Path) -> None:
    """`.spm` files of the same pieces, below a header of every kind of field."""
    del converter
    for name, model in _models().items():
        lines = [f"{line}\n" for line in SPM_HEADER]
        for number, piece, _ in fields(small_model(model, with_charsmap=False)):
            if number == 1:
                text = base64.b64encode(_piece_text(piece)).decode()
                lines.append(f"{text} {_piece_score(piece)} {_piece_type(piece)}\n")
        (folder / f"{name}.spm").write_text("".join(lines), encoding="ascii", newline="\n")


def tokenizer_jsons(folder: Path, converter: Path) -> None:
    """The tokenizer.json of Hugging Face's tokenizers for the same pieces, of both kinds."""
    del converter
    for name, model in _models().items():
        small = small_model(model, with_charsmap=False)
        pieces = [
            (_piece_text(piece).decode(), _piece_score(piece), _piece_type(piece))
            for number, piece, _ in fields(small)
            if number == 1
        ]
        for kind, tokenizer in (("bpe", _bpe(pieces)), ("unigram", _unigram(pieces))):
            added = [
                {"id": id, "content": text, "special": type != 4, "normalized": False}
                for id, (text, _, type) in enumerate(pieces)
                if type in (2, 3, 4)
            ]
            content = json.dumps({"version": "1.0", "added_tokens": added} | tokenizer)
            (folder / f"{name}-{kind}.json").write_text(content, encoding="utf-8", newline="\n")


def _bpe(pieces: list[tuple[str, float, int]]) -> dict[str, object]:
    vocab = {text: id for id, (text, _, _) in enumerate(pieces)}
    merges = [
        [text[:end], text[end:]]
        for text, _, type in pieces
        for end in range(1, len(text))
        if type == NORMAL and text[:end] in vocab and text[end:] in vocab
    ]
    marks = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
    steps = [{"type": "Prepend", "prepend": "▁"}, marks]
    model = {"type": "BPE", "unk_token": "<unk>", "fuse_unk": True}
    return {
        "normalizer": {"type": "Sequence", "normalizers": steps},
        "pre_tokenizer": None,
        "model": model | {"byte_fallback": "<0x00>" in vocab, "vocab": vocab, "merges": merges},
    }


def _unigram(pieces: list[tuple[str, float, int]]) -> dict[str, object]:
    model = {"type": "Unigram", "unk_id": next(id for id, one in enumerate(pieces) if one[2] == 2)}
    return {
        "normalizer": {"type": "Precompiled", "precompiled_charsmap": ""},
        "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"},
        "model": model | {"vocab": [[text, score] for text, score, _ in pieces]},
    }


def small_model(model: bytes, *, with_charsmap: bool) -> bytes:
    """A model's first NORMAL pieces, and all of its others but a surplus of user-defined ones."""
    kept = bytearray()
    counts: dict[int, int] = {}
    for number, payload, raw in fields(model):
        if number == 1:
            kind = _piece_type(payload)
            counts[kind] = counts.get(kind, 0) + 1
            if kind in (NORMAL, 4) and counts[kind] > PIECES:
                continue
            kept += raw
        elif number == 3 and not with_charsmap:
            kept += _message(3, b"".join(part for field, _, part in fields(payload) if field != 2))
        elif number in (2, 3, 5):
            kept += raw
    return bytes(kept)


def fields(message: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    """The fields of a protobuf message: number, payload where it has a length, all bytes."""
    place = 0
    while place < len(message):
        start = place
        tag, place = _varint(message, place)
        payload = b""
        match tag & 7:
            case 0:
                _, place = _varint(message, place)
            case 1:
                place += 8
            case 2:
                size, place = _varint(message, place)
                payload = message[place : place + size]
                place += size
            case 5:
                place += 4
            case kind:
                raise Stop(f"A test model has a field of protobuf's wire type {kind}.")
        yield tag >> 3, payload, message[start:place]


def _varint(message: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[place]
        value |= (byte & 0x7F) << shift
        shift += 7
        place += 1
        if byte < 0x80:
            return value, place


def _message(number: int, payload: bytes) -> bytes:
    size = len(payload)
    prefix = bytearray([number << 3 | 2])
    while size >= 0x80:
        prefix.append(size & 0x7F | 0x80)
        size >>= 7
    prefix.append(size)
    return bytes(prefix) + payload


def _piece_type(piece: bytes) -> int:
    for number, _, raw in fields(piece):
        if number == 3:
            return raw[1]
    return NORMAL


def _piece_text(piece: bytes) -> bytes:
    return next((payload for number, payload, _ in fields(piece) if number == 1), b"")


def _piece_score(piece: bytes) -> float:
    for number, _, raw in fields(piece):
        if number == 2:
            score: float = struct.unpack("<f", raw[1:])[0]
            return score
    return 0.0


def _charsmap(model: bytes) -> bytes:
    for number, payload, _ in fields(model):
        if number == 3:
            for inner, value, _ in fields(payload):
                if inner == 2:
                    return value
    return b""


def _models() -> dict[str, bytes]:
    """All models at hand, by a name that is a file's."""
    found = test_data.find_or_get().models
    if not found:
        raise Stop("Fuzzing starts from real models, and none of the sources of them was reached.")
    return {name.replace("/", "-"): file.read_bytes() for name, file in sorted(found.items())}


def _lines() -> list[str]:
    """Lines from all over the texts at hand."""
    lines: list[str] = []
    for file in test_data.find_or_get().texts.values():
        text = file.read_text(encoding="utf-8").split("\n")
        lines += text[:: max(1, len(text) // LINES)]
    return [line[:200] for line in lines if line]


def _convert(source: Path, target: Path, converter: Path) -> None:
    console.run([converter, f"--model={source}", f"--output={target}"], log="spm_to_fb")
