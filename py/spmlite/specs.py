"""The specs of a model as they act: what is not there has its default, roles go to their pieces.

Two files of one model may spell defaults out or leave them out, and not every kind of file holds
how the model was trained: such differences are none of the model.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, TypeAlias

from spmlite.model_types import PieceType

Fields: TypeAlias = dict[str, list[str]]
"""Values by the name of the field, as a `.spm` has them."""

# Of sentencepiece_model.proto, and what takes its place there; what may be there several times has
# no default.
_DEFAULTS: Final = {
    "trainer_spec.input_format": '""',
    "trainer_spec.model_prefix": '""',
    "trainer_spec.model_type": "UNIGRAM",
    "trainer_spec.vocab_size": "8000",
    "trainer_spec.character_coverage": "0.9995",
    "trainer_spec.input_sentence_size": "0",
    "trainer_spec.shuffle_input_sentence": "true",
    "trainer_spec.seed_sentencepiece_size": "1000000",
    "trainer_spec.shrinking_factor": "0.75",
    "trainer_spec.max_sentence_length": "4192",
    "trainer_spec.num_threads": "16",
    "trainer_spec.num_sub_iterations": "2",
    "trainer_spec.max_sentencepiece_length": "16",
    "trainer_spec.split_by_unicode_script": "true",
    "trainer_spec.split_by_number": "true",
    "trainer_spec.split_by_whitespace": "true",
    "trainer_spec.treat_whitespace_as_suffix": "false",
    "trainer_spec.allow_whitespace_only_pieces": "false",
    "trainer_spec.split_digits": "false",
    "trainer_spec.pretokenization_delimiter": '""',
    "trainer_spec.required_chars": '""',
    "trainer_spec.byte_fallback": "false",
    "trainer_spec.vocabulary_output_piece_score": "true",
    "trainer_spec.hard_vocab_limit": "true",
    "trainer_spec.use_all_vocab": "false",
    "trainer_spec.unk_id": "0",
    "trainer_spec.bos_id": "1",
    "trainer_spec.eos_id": "2",
    "trainer_spec.pad_id": "-1",
    "trainer_spec.unk_piece": '"<unk>"',
    "trainer_spec.bos_piece": '"<s>"',
    "trainer_spec.eos_piece": '"</s>"',
    "trainer_spec.pad_piece": '"<pad>"',
    "trainer_spec.unk_surface": '" \u2047 "',
    "trainer_spec.seed_sentencepieces_file": '""',
    "trainer_spec.auto_character_coverage": "false",
    "trainer_spec.self_test_sample_size": "0",
    "trainer_spec.mining_sentence_size": "0",
    "trainer_spec.training_sentence_size": "0",
    "trainer_spec.train_extremely_large_corpus": "false",
    "trainer_spec.enable_differential_privacy": "false",
    "trainer_spec.differential_privacy_noise_level": "0.0",
    "trainer_spec.differential_privacy_clipping_threshold": "0",
    "normalizer_spec.name": '""',
    "normalizer_spec.precompiled_charsmap": "",
    "normalizer_spec.add_dummy_prefix": "true",
    "normalizer_spec.remove_extra_whitespaces": "true",
    "normalizer_spec.escape_whitespaces": "true",
    "normalizer_spec.normalization_rule_tsv": '""',
}
_NORMALIZER, _DENORMALIZER = "normalizer_spec.", "denormalizer_spec."
_CHARSMAP = "precompiled_charsmap"

_UNKNOWN_ROLE = "trainer_spec.unk_piece"
_CONTROL_ROLES = ("trainer_spec.bos_piece", "trainer_spec.eos_piece", "trainer_spec.pad_piece")

# What a text goes through; all other fields tell how a model was made.
_ACTING: Final = {
    "trainer_spec.model_type",
    "trainer_spec.treat_whitespace_as_suffix",
    "trainer_spec.byte_fallback",
    "trainer_spec.unk_surface",
    _UNKNOWN_ROLE,
    *_CONTROL_ROLES,
    *(
        spec + field
        for spec in (_NORMALIZER, _DENORMALIZER)
        for field in (
            _CHARSMAP,
            "add_dummy_prefix",
            "remove_extra_whitespaces",
            "escape_whitespaces",
        )
    ),
}
# What our converters write, too, of how a model was made: it follows from the rest.
_DERIVED: Final = {
    "trainer_spec.vocab_size",
    "trainer_spec.unk_id",
    "trainer_spec.bos_id",
    "trainer_spec.eos_id",
    "trainer_spec.pad_id",
    "normalizer_spec.name",
    "denormalizer_spec.name",
}

# The pieces that SentencePiece keeps apart from those that a text can hold.
_RESERVED: Final = (PieceType.UNKNOWN, PieceType.CONTROL, PieceType.BYTE)

# What stands behind a backslash in a text between quotes.
_ESCAPE = re.compile(rb"\\(?:x([0-9a-f]{2})|(.))", re.DOTALL)


def fields_of(header: str) -> Fields:
    """The fields that the header of a `.spm` has, a line for each value."""
    fields: Fields = {}
    for line in lines_of(header):
        name, value = field_of(line)
        fields.setdefault(name, []).append(value)
    return fields


def lines_of(text: str) -> list[str]:
    """Not `splitlines`: a piece or a field may hold a character at which that would cut as well."""
    return [line for line in text.split("\n") if line]


def field_of(line: str) -> tuple[str, str]:
    """The name and the value of a line of the header."""
    name, _, value = line.removeprefix("# ").partition(":")
    return name, value.removeprefix(" ")


def tells_training(fields: Fields) -> bool:
    """Whether a model tells how it was trained: one made from a `.spm.fb` or a GGUF does not."""
    return any(name not in _ACTING and name not in _DERIVED for name in fields)


def effective(fields: Fields, pieces: Sequence[bytes], types: bytes, training: bool) -> Fields:
    """The fields of a model with the values that they have.

    Args:
        fields: what is there.
        pieces: the texts of the pieces, by id.
        types: their types.
        training: whether those that tell how the model was made are wanted, beside those by which
            it treats a text.

    Returns:
        All of these fields. A role that no piece plays has no value.
    """
    found = complete(fields)
    if not any(found[_DENORMALIZER + _CHARSMAP]):
        # Without rules SentencePiece has no denormalizer.
        found = {name: found[name] for name in found if not name.startswith(_DENORMALIZER)}
    found |= _roles(found, pieces, types)
    return {name: values for name, values in found.items() if training or name in _ACTING}


def complete(fields: Fields) -> Fields:
    """The fields of a model, those that are not there with their defaults."""
    of_denormalizer = {
        _DENORMALIZER + name.removeprefix(_NORMALIZER): value
        for name, value in _DEFAULTS.items()
        if name.startswith(_NORMALIZER)
    }
    defaults = _DEFAULTS | of_denormalizer
    return {name: [value] for name, value in defaults.items()} | fields


def _roles(fields: Fields, pieces: Sequence[bytes], types: bytes) -> Fields:
    """Which pieces are unk, bos, eos and pad, as `PieceToId` of SentencePiece finds them."""
    names = {role: _unquoted(fields[role][-1]) for role in (_UNKNOWN_ROLE, *_CONTROL_ROLES)}
    wanted = set(names.values())
    # A text may be there twice: the reserved piece is found first.
    found: dict[bytes, int] = {}
    for piece, type in zip(pieces, types, strict=True):
        if piece in wanted and (piece not in found or type in _RESERVED):
            found[piece] = type
    roles = {
        role: fields[role] if found.get(names[role]) == PieceType.CONTROL else []
        for role in _CONTROL_ROLES
    }
    # What is no piece is found as the unknown one.
    plays = found.get(names[_UNKNOWN_ROLE], PieceType.UNKNOWN) == PieceType.UNKNOWN
    unknown = types.find(PieceType.UNKNOWN)
    has_it = plays and unknown >= 0
    text = pieces[unknown].decode(errors="backslashreplace") if has_it else ""
    return roles | {_UNKNOWN_ROLE: [f'"{text}"'] if has_it else []}


def _unquoted(value: str) -> bytes:
    """The bytes of a text between quotes."""

    def unescaped(escape: re.Match[bytes]) -> bytes:
        if escape[1]:
            return bytes((int(escape[1], 16),))
        return b"\n" if escape[2] == b"n" else escape[2]

    return _ESCAPE.sub(unescaped, value[1:-1].encode())
