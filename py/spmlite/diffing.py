"""What changed between two vocabularies: pieces, their ids, scores and types, and the specs."""

from __future__ import annotations

import hashlib
import json
import math
from array import array
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice, pairwise
from typing import Any, NamedTuple, TypeAlias

from spmlite import _native, model_file, specs, spm_text
from spmlite.model_file import ModelKind
from spmlite.model_types import ModelType, PieceType
from spmlite.specs import Fields

_CHARSMAP = "precompiled_charsmap"
_MODEL_TYPE = "trainer_spec.model_type"
_TYPE_NAMES = {type.value: type.name for type in PieceType}
# How far a text or a list is shown on one line.
_WIDTH = 60


class Model(NamedTuple):
    """A model as far as it is compared."""

    # Those that are there; None of a plain `.spm`.
    fields: Fields | None
    pieces: list[bytes]
    scores: array[float]
    types: bytes


Change: TypeAlias = tuple[int, int]
"""The ids of a piece in both models."""


@dataclass(frozen=True)
class Difference:
    """What is different in `new`, seen from `old`; lists are sorted by ids, those of `old` first.

    Lists, and no objects: there may be half a million of these.
    """

    old: Model
    new: Model
    # By the name of the field.
    specs: dict[str, tuple[list[str], list[str]]]
    # Ids of pieces that are in one of the models alone.
    removed: list[int]
    added: list[int]
    # Ids that differ themselves, or by their scores or types.
    moved: list[Change]
    scores: list[Change]
    types: list[Change]
    # Why the scores that are different make no difference, or nothing.
    scores_alike: str = ""
    # What could not be compared, and why.
    not_compared: dict[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Whether anything is that a text could notice, or that tells how a model was made."""
        scores = [] if self.scores_alike else self.scores
        return any((self.specs, self.removed, self.added, self.moved, scores, self.types))


NO_MODEL = Model({}, [], array("f"), b"")


def read(content: bytes, name: str | None = None) -> Model:
    """The content of a model file of any kind; of a plain `.spm` the pieces alone.

    Args:
        content: of the file.
        name: how warnings call the file.

    Raises:
        RuntimeError: it is no model.
        ValueError: it is a `.spm` with a mistake.
    """
    is_plain, model = _as_model_proto(content, name)
    header, vocabulary = spm_text.read_vocabulary(model)
    return Model(None if is_plain else specs.fields_of(header), *vocabulary)


def compare(old: Model, new: Model) -> Difference:
    """Find what is different, by the texts of the pieces."""
    ids, new_ids = _ids(old.pieces), _ids(new.pieces)
    found = [(id, new_ids.get(text, -1)) for text, id in ids.items()]
    kept = [change for change in found if change[1] >= 0]
    scores = _compare_scores(old, new, kept)
    found_specs, not_compared = _compare_specs(old, new)
    return Difference(
        old,
        new,
        specs=found_specs,
        removed=[id for id, new_id in found if new_id < 0],
        added=[id for text, id in new_ids.items() if text not in ids],
        moved=[change for change in kept if change[0] != change[1]],
        scores=scores,
        types=[change for change in kept if old.types[change[0]] != new.types[change[1]]],
        scores_alike=_why_alike(old, new, kept) if scores else "",
        not_compared=not_compared,
    )


def as_json(difference: Difference) -> Iterator[str]:
    """The whole difference for programs: the lines of one JSON object, each change on its own.

    docs/spm.md tells its fields. Written row by row, since there may be half a million of them.
    """
    old, new = difference.old, difference.new
    pieces = [_as_json(_text(piece)) for piece in old.pieces]
    lists = {
        "specs": [_as_json(_spec_as_json(name, *both)) for name, both in difference.specs.items()],
        "removed": [_entry_as_json(old, id) for id in difference.removed],
        "added": [_entry_as_json(new, id) for id in difference.added],
        "moved": [f"{_ids_as_json(pieces, change)}}}" for change in difference.moved],
        "scores": [
            f'{_ids_as_json(pieces, change)},"before":{_number(old.scores[change[0]])},'
            f'"after":{_number(new.scores[change[1]])}}}'
            for change in difference.scores
        ],
        "types": [
            f'{_ids_as_json(pieces, change)},"before":"{_type(old.types[change[0]])}",'
            f'"after":"{_type(new.types[change[1]])}"}}'
            for change in difference.types
        ],
    }
    yield f'{{"pieces":[{len(old.pieces)},{len(new.pieces)}]'
    yield f',"same":{_as_json(not difference)},"not_compared":{_as_json(difference.not_compared)}'
    yield f',"scores_alike":{_as_json(difference.scores_alike)}'
    for name, rows in lists.items():
        yield f',"{name}":['
        yield from (f"{row}," for row in rows[:-1])
        yield from rows[-1:]
        yield "]"
    yield "}"


def as_text(difference: Difference, limit: int | None) -> Iterator[str]:
    """The lines that people read.

    Args:
        difference: what was found.
        limit: so many lines of each kind, None for all. What is left out is counted.
    """
    old, new = difference.old, difference.new
    yield from (f"{what}: not compared, {why}" for what, why in difference.not_compared.items())
    if not (difference or difference.scores):
        return
    yield from _section("specs", len(difference.specs), _spec_lines(difference.specs), limit)
    replaced = _replaced(difference)
    yield from _section(
        "replaced, one removed and another added in the same place",
        len(replaced),
        (f"{id:>8} {_quoted(old.pieces[id])} -> {_entry(new, id)}" for id in replaced),
        limit,
    )
    for name, sign, model, entries in (
        ("removed", "-", old, difference.removed),
        ("added", "+", new, difference.added),
    ):
        rest = [id for id in entries if id not in replaced]
        note = f", {len(replaced):,} of them above" if replaced and entries else ""
        lines = (f"{sign} {id:>6} {_entry(model, id)}" for id in rest)
        yield from _section(name, len(entries), lines, limit, note, len(rest))
    yield from _section_of_runs("moved", difference.moved, old, None, limit)
    scores = (old.scores, new.scores)
    alike = f", {difference.scores_alike}" if difference.scores_alike else ""
    yield from _section_of_runs("scores", difference.scores, old, scores, limit, alike)
    yield from _section(
        "types",
        len(difference.types),
        (
            f"{id:>8} {_quoted(old.pieces[id])} {_type(old.types[id])} -> "
            f"{_type(new.types[new_id])}"
            for id, new_id in difference.types
        ),
        limit,
    )
    changed = {id for id, _ in (*difference.moved, *difference.scores, *difference.types)}
    same = len(old.pieces) - len(difference.removed) - len(changed)
    yield f"{same:,} of {len(old.pieces):,} pieces are as they were; there are {len(new.pieces):,}"


def listing(content: bytes, name: str | None = None) -> Iterator[str]:
    """A line for each field and each piece of a model file of any kind.

    Without ids, so that `git diff` finds what is the same between two of them.

    Args:
        content: of the file.
        name: how warnings call the file.

    Raises:
        RuntimeError: it is no model.
        ValueError: it is a `.spm` with a mistake.
    """
    is_plain, model = _as_model_proto(content, name)
    text = _native.model_to_spm_text(model, is_plain, True, "").decode()
    for line in specs.lines_of(text):
        if line.startswith("# "):
            name, value = specs.field_of(line)
            yield f"{name}: {_shown(name, value)}" if ":" in line else name
            continue
        numbers, _, piece = line.partition("  # ")
        quoted, _, type = piece.rpartition(" ")
        yield f"{quoted} {numbers.split()[1]} {type}"


def _as_model_proto(content: bytes, name: str | None) -> tuple[bool, bytes]:
    """Whether it is a plain `.spm`, and the content as that of a `.model`."""
    if model_file.kind_of(content) is ModelKind.SPM and spm_text.is_plain(content):
        any_algorithm = {"trainer_spec.model_type": "BPE"}
        return True, spm_text.to_model_proto(content, fields=any_algorithm)
    return False, model_file.to_model(content, name)


def _compare_specs(
    old: Model, new: Model
) -> tuple[dict[str, tuple[list[str], list[str]]], dict[str, str]]:
    """The fields with other values, and what was not compared."""
    if old.fields is None or new.fields is None:
        return {}, {"specs": "since a plain .spm has none"}
    if not (old.pieces and new.pieces):  # one of the files is not there
        return _differing(old.fields, new.fields), {}
    told, new_told = (specs.tells_training(fields) for fields in (old.fields, new.fields))
    both = told and new_told
    found = _differing(
        specs.effective(old.fields, old.pieces, old.types, both),
        specs.effective(new.fields, new.pieces, new.types, both),
    )
    if told == new_told:
        return found, {}
    return found, {"training": f"since the {'new' if told else 'old'} model does not tell of it"}


def _differing(old: Fields, new: Fields) -> dict[str, tuple[list[str], list[str]]]:
    pairs = {name: (old.get(name, []), new.get(name, [])) for name in old | new}
    return {name: (before, after) for name, (before, after) in pairs.items() if before != after}


def _compare_scores(old: Model, new: Model, kept: list[Change]) -> list[Change]:
    """What has another score; 0 and -0 are the same."""
    # Comparing bits is fast, and finds few.
    bits, new_bits = (array("I", model.scores.tobytes()) for model in (old, new))
    return [
        (id, new_id)
        for id, new_id in kept
        if bits[id] != new_bits[new_id] and old.scores[id] != new.scores[new_id]
    ]


def _why_alike(old: Model, new: Model, kept: list[Change]) -> str:
    """Why other scores give no other ids, or nothing: what the algorithm asks them for."""
    algorithm = _algorithm(old)
    if algorithm is None or algorithm is not _algorithm(new):
        return ""
    if algorithm in (ModelType.WORD, ModelType.CHAR):
        return f"which {algorithm.name} does not ask for"
    if not len(kept) == len(old.pieces) == len(new.pieces):
        return ""
    if algorithm is ModelType.UNIGRAM:
        normal = [change for change in kept if PieceType.NORMAL in _types(old, new, change)]
        alike = all(old.scores[id] == new.scores[new_id] for id, new_id in normal)
        return "none of them of normal pieces, and UNIGRAM asks for no others" if alike else ""
    joined = {PieceType.NORMAL, PieceType.UNUSED}
    scores = sorted(
        (-old.scores[change[0]], -new.scores[change[1]])
        for change in kept
        if not joined.isdisjoint(_types(old, new, change))
    )
    alike = all(
        before[1] < after[1] if before[0] < after[0] else before[1] == after[1]
        for before, after in pairwise(scores)
    )
    return "in the same order, and BPE asks for no more" if alike else ""


def _types(old: Model, new: Model, change: Change) -> tuple[int, int]:
    return old.types[change[0]], new.types[change[1]]


def _algorithm(model: Model) -> ModelType | None:
    if model.fields is None:
        return None
    return ModelType[specs.complete(model.fields)[_MODEL_TYPE][-1]]


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


def _section_of_runs(
    name: str,
    changes: list[Change],
    old: Model,
    scores: tuple[array[float], array[float]] | None,
    limit: int | None,
    remark: str = "",
) -> Iterator[str]:
    """Changes of neighbours by the same amount, told as one; the longest runs first.

    What changes is the score where `scores` are given, else the id.
    """
    if scores:
        numbers = [(scores[0][id], scores[1][new_id]) for id, new_id in changes]
    else:
        numbers = [(float(id), float(new_id)) for id, new_id in changes]
    runs = _runs(changes, numbers)
    if limit is not None:
        runs.sort(key=lambda run: run[0] - run[1])  # in place: those of a length keep their order
    note = f", in {len(runs):,} runs" if len(runs) < len(changes) else ""
    write = _score if scores else _place
    lines = (
        _run([changes[i][0] for i in range(begin, end)], old, numbers[begin], write)
        for begin, end in runs
    )
    yield from _section(name, len(changes), lines, limit, note + remark, len(runs))


def _runs(changes: list[Change], numbers: list[tuple[float, float]]) -> list[tuple[int, int]]:
    """The begin and end of each run."""
    runs = []
    begin = 0
    last = (-2, 0.0)
    for i, ((id, _), (before, after)) in enumerate(zip(changes, numbers, strict=True)):
        one = (id, after - before)
        if i and one != (last[0] + 1, last[1]):
            runs.append((begin, i))
            begin = i
        last = one
    return [*runs, (begin, len(changes))] if changes else runs


def _run(
    ids: list[int], old: Model, numbers: tuple[float, float], write: Callable[[float], str]
) -> str:
    first = _quoted(old.pieces[ids[0]])
    change = " -> ".join(map(write, numbers))
    if len(ids) == 1:
        return f"{ids[0]:>8} {first} {change}"
    shift = f"{numbers[1] - numbers[0]:+,.6g}"
    return (
        f"{ids[0]}..{ids[-1]} {first} to {_quoted(old.pieces[ids[-1]])}: {shift} "
        f"({len(ids):,} pieces, the first {change})"
    )


def _replaced(difference: Difference) -> set[int]:
    """Ids at which another piece stands now, where most pieces are where they were."""
    if 2 * len(difference.moved) > len(difference.old.pieces):
        return set()
    return set(difference.removed).intersection(difference.added)


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
    counts = (f"{len(rules):,} {what}" for what, rules in _compare_rules(before, after).items())
    return f" (rules: {', '.join(counts)})"


def _entry(model: Model, id: int) -> str:
    return f"{_quoted(model.pieces[id])} {_score(model.scores[id])} {_type(model.types[id])}"


def _quoted(piece: bytes) -> str:
    return _cut(json.dumps(_text(piece), ensure_ascii=False))


def _cut(text: str) -> str:
    return text if len(text) <= _WIDTH else f"{text[:_WIDTH]}..."


def _type(type: int) -> str:
    return _TYPE_NAMES[type]


def _score(score: float) -> str:
    """As few digits as tell it from every other float32."""
    texts = (f"{score:.{digits}g}" for digits in range(6, 9))
    return next((text for text in texts if array("f", [float(text)])[0] == score), f"{score:.9g}")


def _place(id: float) -> str:
    return f"{id:,.0f}"


# --- For programs ---


_as_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _spec_as_json(name: str, before: list[str], after: list[str]) -> dict[str, Any]:
    found = {"field": name, "before": before, "after": after}
    return found | ({"rules": _compare_rules(before, after)} if name.endswith(_CHARSMAP) else {})


def _entry_as_json(model: Model, id: int) -> str:
    return (
        f'{{"id":{id},"piece":{_as_json(_text(model.pieces[id]))},'
        f'"score":{_number(model.scores[id])},"type":"{_type(model.types[id])}"}}'
    )


def _ids_as_json(pieces: list[str], change: Change) -> str:
    """The begin of an object."""
    id, new_id = change
    return f'{{"piece":{pieces[id]},"id":{id},"new_id":{new_id}'


def _number(score: float) -> str:
    """JSON has neither infinity nor NaN: they are texts."""
    return repr(score) if math.isfinite(score) else f'"{score}"'


def _text(piece: bytes) -> str:
    return piece.decode(errors="backslashreplace")


def _compare_rules(before: list[str], after: list[str]) -> dict[str, list[list[str]]]:
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


def _rules(values: list[str]) -> dict[str, str]:
    charsmap = b64decode("".join(values))
    return dict(_native.decompile_charsmap(charsmap)) if charsmap else {}
