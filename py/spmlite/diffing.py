"""What changed between two vocabularies: pieces, their ids, scores and types, and the specs."""

from __future__ import annotations

import hashlib
import json
import math
from array import array
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

from spmlite import _native, model_file, spm_text
from spmlite.model_file import ModelKind
from spmlite.model_types import PieceType

_CHARSMAP = "precompiled_charsmap"
# How far a text or a list is shown on one line.
_WIDTH = 60

Rules: TypeAlias = dict[str, str]


class Model(NamedTuple):
    """A model as far as it is compared."""

    # Values by the name of the field, as a `.spm` has them; None of a plain `.spm`.
    fields: dict[str, list[str]] | None
    pieces: list[bytes]
    scores: array[float]
    types: bytes


class Entry(NamedTuple):
    """A piece that is in one of the models alone."""

    id: int
    piece: bytes
    score: float
    type: int


class Change(NamedTuple):
    """What two models say of the same piece."""

    piece: bytes
    # Its ids in both.
    id: int
    new_id: int
    before: float
    after: float


@dataclass(frozen=True)
class Difference:
    """What is different in `new`, seen from `old`; lists are sorted by the ids in `old`."""

    old: Model
    new: Model
    specs: dict[str, tuple[list[str], list[str]]] = field(default_factory=dict)
    removed: list[Entry] = field(default_factory=list)
    added: list[Entry] = field(default_factory=list)
    moved: list[Change] = field(default_factory=list)
    scores: list[Change] = field(default_factory=list)
    types: list[Change] = field(default_factory=list)

    def __bool__(self) -> bool:
        """Whether anything is."""
        return any((self.specs, self.removed, self.added, self.moved, self.scores, self.types))


def read(content: bytes) -> Model:
    """The content of a model file of any kind; of a plain `.spm` the pieces alone.

    Raises:
        RuntimeError: it is no model.
        ValueError: it is a `.spm` with a mistake.
    """
    if not content:  # what git has for a file that is not there
        return Model({}, [], array("f"), b"")
    is_plain, model = _as_model_proto(content)
    header, vocabulary = spm_text.read_vocabulary(model)
    return Model(None if is_plain else _fields(header), *vocabulary)


def compare(old: Model, new: Model) -> Difference:
    """Find what is different, by the texts of the pieces."""
    difference = Difference(old, new)
    if old.fields is not None and new.fields is not None:
        for name in old.fields | new.fields:
            before, after = old.fields.get(name, []), new.fields.get(name, [])
            if before != after:
                difference.specs[name] = before, after
    if (old.pieces, old.types) == (new.pieces, new.types) and _bits(old) == _bits(new):
        return difference
    ids, new_ids = _ids(old.pieces), _ids(new.pieces)
    old_bits, new_bits = array("I", _bits(old)), array("I", _bits(new))
    for key, id in ids.items():
        piece = old.pieces[id]
        new_id = new_ids.get(key)
        if new_id is None:
            difference.removed.append(Entry(id, piece, old.scores[id], old.types[id]))
            continue
        if id != new_id:
            difference.moved.append(Change(piece, id, new_id, id, new_id))
        if old_bits[id] != new_bits[new_id]:
            score, new_score = old.scores[id], new.scores[new_id]
            difference.scores.append(Change(piece, id, new_id, score, new_score))
        if old.types[id] != new.types[new_id]:
            type, new_type = old.types[id], new.types[new_id]
            difference.types.append(Change(piece, id, new_id, type, new_type))
    difference.added.extend(
        Entry(id, new.pieces[id], new.scores[id], new.types[id])
        for key, id in new_ids.items()
        if key not in ids
    )
    return difference


def as_json(difference: Difference) -> dict[str, Any]:
    """The whole difference, for programs; docs/formats.md tells its fields."""
    return {
        "pieces": [len(difference.old.pieces), len(difference.new.pieces)],
        "specs": [
            {"field": name, "before": before, "after": after}
            | ({"rules": _rules_as_json(before, after)} if name.endswith(_CHARSMAP) else {})
            for name, (before, after) in difference.specs.items()
        ],
        "removed": [_entry_as_json(entry) for entry in difference.removed],
        "added": [_entry_as_json(entry) for entry in difference.added],
        "moved": [
            {"piece": _text(one.piece), "id": one.id, "new_id": one.new_id}
            for one in difference.moved
        ],
        "scores": _changes_as_json(difference.scores, _json_number),
        "types": _changes_as_json(difference.types, _type),
    }


def as_text(difference: Difference, limit: int | None) -> Iterator[str]:
    """The lines that people read.

    Args:
        difference: what was found.
        limit: so many lines of each kind, None for all. What is left out is counted.
    """
    old, new = difference.old, difference.new
    if old.fields is None or new.fields is None:
        yield "specs: not compared, since a plain .spm has none"
    yield from _section("specs", len(difference.specs), _spec_lines(difference.specs), limit)
    replaced = _replaced(difference)
    yield from _section(
        "replaced (removed, and another piece added in the same place)",
        len(replaced),
        (f"{_id(one.id)} {_quoted(one.piece)} -> {_entry(other)}" for one, other in replaced),
        limit,
    )
    places = {entry.id for entry, _ in replaced}
    for name, sign, entries in (
        ("removed", "-", difference.removed),
        ("added", "+", difference.added),
    ):
        lines = (f"{sign} {_id(one.id)} {_entry(one)}" for one in entries if one.id not in places)
        note = f", {len(places):,} of them above" if places else ""
        yield from _section(name, len(entries), lines, limit, note, len(entries) - len(places))
    for name, changes in (("moved", difference.moved), ("scores", difference.scores)):
        yield from _section_of_runs(name, changes, limit)
    lines = (
        f"{_id(one.id)} {_quoted(one.piece)} {_type(one.before)} -> {_type(one.after)}"
        for one in difference.types
    )
    yield from _section("types", len(difference.types), lines, limit)
    kept = len(old.pieces) - len(difference.removed)
    changed = {one.id for one in (*difference.moved, *difference.scores, *difference.types)}
    yield f"{kept - len(changed):,} of {len(old.pieces):,} pieces are as they were; there are " + (
        f"{len(new.pieces):,} now"
    )


def listing(content: bytes) -> Iterator[str]:
    """A line for each field and each piece of a model file of any kind.

    Without ids, so that `git diff` finds what is the same between two of them.

    Raises:
        RuntimeError: it is no model.
        ValueError: it is a `.spm` with a mistake.
    """
    if not content:
        return
    is_plain, model = _as_model_proto(content)
    text = _native.model_to_spm_text(model, is_plain, True, "").decode()
    for line in text.splitlines():
        if line.startswith("# "):
            name, value = _field(line)
            yield f"{name}: {_shown(name, value)}"
            continue
        numbers, _, piece = line.partition("  # ")
        quoted, _, type = piece.rpartition(" ")
        yield f"{quoted} {numbers.split()[1]} {type}"


def _as_model_proto(content: bytes) -> tuple[bool, bytes]:
    """Whether it is a plain `.spm`, and the content as that of a `.model`."""
    if model_file.kind_of(content) is ModelKind.SPM and spm_text.is_plain(content):
        any_algorithm = {"trainer_spec.model_type": "BPE"}
        return True, spm_text.to_model_proto(content, fields=any_algorithm)
    return False, model_file.to_model(content)


def _fields(header: str) -> dict[str, list[str]]:
    fields: dict[str, list[str]] = {}
    for line in header.splitlines():
        name, value = _field(line)
        fields.setdefault(name, []).append(value)
    return fields


def _field(line: str) -> tuple[str, str]:
    name, _, value = line.removeprefix("# ").partition(":")
    return name, value.removeprefix(" ")


def _bits(model: Model) -> bytes:
    return model.scores.tobytes()


def _ids(pieces: list[bytes]) -> dict[bytes | tuple[bytes, int], int]:
    """Ids by text. A text may be there twice, as a piece and as a control piece."""
    ids: dict[bytes | tuple[bytes, int], int] = {piece: id for id, piece in enumerate(pieces)}
    if len(ids) == len(pieces):
        return ids
    ids.clear()
    for id, piece in enumerate(pieces):
        if piece in ids:
            ids[piece, id] = id
        else:
            ids[piece] = id
    return ids


# --- For people ---


def _section(
    name: str,
    count: int,
    lines: Iterable[str],
    limit: int | None,
    note: str = "",
    line_count: int | None = None,
) -> Iterator[str]:
    if not count:
        return
    yield f"{name}: {count:,}{note}"
    yield from (f"  {line}" for line in islice(lines, limit))
    left = 0 if limit is None else (count if line_count is None else line_count) - limit
    if left > 0:
        yield f"  ... {left:,} more"


def _section_of_runs(name: str, changes: Sequence[Change], limit: int | None) -> Iterator[str]:
    """Changes of neighbours by the same amount, told as one; the longest runs first."""
    runs = _runs(changes)
    if limit is not None:
        runs = sorted(runs, key=len, reverse=True)
    note = f", in {len(runs):,} runs" if len(runs) < len(changes) else ""
    yield from _section(name, len(changes), map(_run, runs), limit, note, len(runs))


def _runs(changes: Sequence[Change]) -> list[Sequence[Change]]:
    runs: list[Sequence[Change]] = []
    begin = 0
    for end in range(1, len(changes) + 1):
        if end < len(changes):
            last, one = changes[end - 1], changes[end]
            if one.id == last.id + 1 and one.after - one.before == last.after - last.before:
                continue
        runs.append(changes[begin:end])
        begin = end
    return runs


def _run(run: Sequence[Change]) -> str:
    first, last = run[0], run[-1]
    change = f"{_number(first.before)} -> {_number(first.after)}"
    if len(run) == 1:
        return f"{_id(first.id)} {_quoted(first.piece)} {change}"
    return (
        f"{first.id}..{last.id} {_quoted(first.piece)} to {_quoted(last.piece)}: "
        f"{first.after - first.before:+,.6g} ({len(run):,} pieces, the first {change})"
    )


def _replaced(difference: Difference) -> list[tuple[Entry, Entry]]:
    """What stands where another piece stood, where most pieces are where they were."""
    if 2 * len(difference.moved) > len(difference.old.pieces):
        return []
    added = {entry.id: entry for entry in difference.added}
    return [(entry, added[entry.id]) for entry in difference.removed if entry.id in added]


def _spec_lines(specs: dict[str, tuple[list[str], list[str]]]) -> Iterator[str]:
    for name, (before, after) in specs.items():
        values = (
            ", ".join(_shown(name, value) for value in values) or "not there"
            for values in (before, after)
        )
        yield f"{name}: {' -> '.join(map(_cut, values))}{_rules_as_text(name, before, after)}"


def _shown(name: str, value: str) -> str:
    if not name.endswith(_CHARSMAP) or not value:
        return value
    charsmap = b64decode(value)
    return f"{len(charsmap):,} bytes, sha256 {hashlib.sha256(charsmap).hexdigest()[:16]}"


def _rules_as_text(name: str, before: list[str], after: list[str]) -> str:
    if not name.endswith(_CHARSMAP):
        return ""
    counts = (f"{len(rules):,} {what}" for what, rules in _rules_as_json(before, after).items())
    return f" (rules: {', '.join(counts)})"


def _entry(entry: Entry) -> str:
    return f"{_quoted(entry.piece)} {_number(entry.score)} {_type(entry.type)}"


def _id(id: int) -> str:
    return f"{id:>6}"


def _quoted(piece: bytes) -> str:
    return _cut(json.dumps(_text(piece), ensure_ascii=False))


def _cut(text: str) -> str:
    return text if len(text) <= _WIDTH else f"{text[:_WIDTH]}..."


def _type(type: float) -> str:
    return PieceType(int(type)).name


def _number(value: float) -> str:
    """A score in as few digits as tell it from every other float32; an id as it is."""
    if isinstance(value, int):
        return f"{value:,}"
    texts = (f"{value:.{digits}g}" for digits in range(6, 9))
    return next((text for text in texts if array("f", [float(text)])[0] == value), f"{value:.9g}")


# --- For programs ---


def _entry_as_json(entry: Entry) -> dict[str, Any]:
    return {
        "id": entry.id,
        "piece": _text(entry.piece),
        "score": _json_number(entry.score),
        "type": _type(entry.type),
    }


def _changes_as_json(
    changes: Iterable[Change], value: Callable[[float], object]
) -> list[dict[str, Any]]:
    return [
        {
            "piece": _text(one.piece),
            "id": one.id,
            "new_id": one.new_id,
            "before": value(one.before),
            "after": value(one.after),
        }
        for one in changes
    ]


def _json_number(score: float) -> float | str:
    return score if math.isfinite(score) else str(score)  # JSON has no infinity


def _text(piece: bytes) -> str:
    return piece.decode(errors="backslashreplace")


def _rules_as_json(before: list[str], after: list[str]) -> dict[str, list[list[str]]]:
    old, new = _rules(before), _rules(after)
    return {
        "removed": [[source, target] for source, target in old.items() if source not in new],
        "added": [[source, target] for source, target in new.items() if source not in old],
        "changed": [
            [source, target, new[source]]
            for source, target in old.items()
            if new.get(source, target) != target
        ],
    }


def _rules(values: list[str]) -> Rules:
    charsmap = b64decode("".join(values))
    return dict(_native.decompile_charsmap(charsmap)) if charsmap else {}
