"""`SentencePieceNormalizer`: a model's normalizer on its own, or one from rules."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from spmlite import _native, model_file, wire
from spmlite.camel_case import with_camel_case
from spmlite.charsmaps import named_charsmap
from spmlite.model_file import SerializesToString, StrOrBytesPath

if TYPE_CHECKING:
    from typing_extensions import Buffer

# What comes out depends on what went in: `normalize` tells how.
Normalized: TypeAlias = Any

_NORMALIZER_SPEC = 3  # the field of ModelProto

# Fields of NormalizerSpec, by sentencepiece_model.proto.
_NAME = 1
_CHARSMAP = 2
_ADD_DUMMY_PREFIX = 3
_REMOVE_EXTRA_WHITESPACES = 4
_ESCAPE_WHITESPACES = 5
_RULE_TSV = 6

# What makes a normalizer a model: the fewest pieces that one may have.
_PIECES = b"".join(
    wire.Field(1, wire.BYTES, piece).serialize()
    for piece in (b"\x0a\x05<unk>\x18\x02", b"\x0a\x01a")
)


@with_camel_case(but=("serialized_model_proto", "serialized_normalizer_spec"))
class SentencePieceNormalizer:
    """What a model does to a text before it cuts it; see `SentencePieceProcessor.normalize`.

    User-defined pieces, which a processor leaves as they are, do not count here. Any number of
    threads may use it at the same time.

    >>> normalizer = SentencePieceNormalizer(norm_map=[("colour", "color")])
    >>> normalizer.normalize("  a colour ")
    '▁a▁color'
    """

    def __init__(
        self,
        model_file: StrOrBytesPath | None = None,
        model_proto: Buffer | SerializesToString | None = None,
        normalizer_spec: Buffer | SerializesToString | None = None,
        rule_tsv: StrOrBytesPath | None = None,
        rule_name: str | None = None,
        norm_map: Iterable[tuple[str | bytes, str | bytes]] | None = None,
        add_dummy_prefix: bool | None = None,
        escape_whitespaces: bool | None = None,
        remove_extra_whitespaces: bool | None = None,
    ) -> None:
        """Take a normalizer from the first of these that is given.

        Args:
            model_file: the path of a `.model` or `tokenizer.json`.
            model_proto: its content in bytes, or a protobuf `ModelProto`.
            normalizer_spec: a `NormalizerSpec` of protobuf, or its bytes.
            rule_tsv: the path of a file with a rule a line: code points in hexadecimal, separated
                by spaces, a tab, and those to put in their place, or none.
            rule_name: `identity`, or one that `sentencepiece` has: `nfkc`, `nmt_nfkc`, `nfkc_cf`,
                `nmt_nfkc_cf`. Their rules are in that package; see `set_data_dir`.
            norm_map: pairs of texts: what is replaced by what.
            add_dummy_prefix: whether "▁" is put in front; default: what the source says.
            escape_whitespaces: whether a space becomes "▁".
            remove_extra_whitespaces: whether spaces at the ends, and all but one elsewhere, go.

        Raises:
            ValueError: nothing is given, or rules that contradict one another.
            RuntimeError: what is given cannot be read.
        """
        self._fields: dict[int, wire.Field] = {}
        if model_file:
            self._take_model(_read(model_file))
        elif model_proto:
            self._take_model(_as_bytes(model_proto))
        elif normalizer_spec:
            self._take_spec(_as_bytes(normalizer_spec))
        elif rule_tsv:
            self._set_bytes(_NAME, b"user_defined")
            self._set_bytes(_CHARSMAP, _compile(_read_rules(rule_tsv)))
            self._set_bytes(_RULE_TSV, os.fsencode(rule_tsv))
        elif rule_name:
            self._set_bytes(_NAME, rule_name.encode())
            self._set_bytes(_CHARSMAP, named_charsmap(rule_name))
        elif norm_map:
            self._set_bytes(_CHARSMAP, _compile(norm_map))
        else:
            raise ValueError("give a model, a normalizer_spec or rules")
        for number, flag in (
            (_ADD_DUMMY_PREFIX, add_dummy_prefix),
            (_ESCAPE_WHITESPACES, escape_whitespaces),
            (_REMOVE_EXTRA_WHITESPACES, remove_extra_whitespaces),
        ):
            if flag is not None:
                self._fields[number] = wire.Field(number, wire.VARINT, bytes((bool(flag),)))
        self._processor = self._load()

    def normalize(
        self, input: str | bytes | list[str] | list[bytes], with_offsets: bool | None = None
    ) -> Normalized:
        """Text as the model sees it.

        Args:
            input: one text, or a list of texts, which gives a list of results.
            with_offsets: give pairs of the normalized text and where its characters stem from; see
                `SentencePieceProcessor.normalize`.

        >>> normalizer = SentencePieceNormalizer(rule_name="identity", add_dummy_prefix=False)
        >>> normalizer.normalize("a  b"), normalizer.normalize(["c d"], with_offsets=True)
        ('a▁b', [('c▁d', [0, 1, 2, 3])])
        """
        one = self._processor.normalize_with_offsets if with_offsets else self._processor.normalize
        if isinstance(input, list):
            return [one(text) for text in input]
        return one(input)

    def decompile(self) -> list[tuple[str, str]]:
        """The rules: pairs of what is replaced by what, sorted.

        Raises:
            RuntimeError: there are none.

        >>> SentencePieceNormalizer(norm_map=[("b", ""), ("a", "x")]).decompile()
        [('a', 'x'), ('b', '')]
        """
        if _CHARSMAP not in self._fields or not self._fields[_CHARSMAP].content:
            raise RuntimeError("this normalizer has no rules")
        return _native.decompile_charsmap(self._fields[_CHARSMAP].content)

    def serialized_model_proto(self) -> bytes:
        """A `ModelProto` in bytes that holds the normalizer alone.

        >>> normalizer = SentencePieceNormalizer(model_path)
        >>> again = SentencePieceNormalizer(model_proto=normalizer.serialized_model_proto())
        >>> again.normalize("a b")
        '▁a▁b'
        """
        return wire.Field(
            _NORMALIZER_SPEC, wire.BYTES, self.serialized_normalizer_spec()
        ).serialize()

    def serialized_normalizer_spec(self) -> bytes:
        """The `NormalizerSpec` in bytes.

        >>> normalizer = SentencePieceNormalizer(norm_map=[("a", "b")], escape_whitespaces=False)
        >>> again = SentencePieceNormalizer(
        ...     normalizer_spec=normalizer.serialized_normalizer_spec()
        ... )
        >>> again.normalize("a a")
        ' b b'
        """
        return b"".join(self._fields[number].serialize() for number in sorted(self._fields))

    def __getstate__(self) -> bytes:
        """The normalizer as a `ModelProto`, for pickle."""
        return self.serialized_model_proto()

    def __setstate__(self, serialized_model_proto: bytes) -> None:
        """Take up what `__getstate__` gave."""
        self._fields = {}
        self._take_model(serialized_model_proto)
        self._processor = self._load()

    def _take_model(self, content: bytes) -> None:
        try:
            for field in wire.fields(model_file.to_model(content)):
                if field.number == _NORMALIZER_SPEC and field.wire_type == wire.BYTES:
                    self._take_spec(field.content)
        except ValueError as error:
            raise RuntimeError(f"this is no model: {error}") from None

    def _take_spec(self, content: bytes) -> None:
        try:
            self._fields |= {field.number: field for field in wire.fields(content)}
        except ValueError as error:
            raise RuntimeError(f"this is no normalizer_spec: {error}") from None

    def _set_bytes(self, number: int, content: bytes) -> None:
        self._fields[number] = wire.Field(number, wire.BYTES, content)

    def _load(self) -> _native.Processor:
        return _native.Processor(_native.convert(_PIECES + self.serialized_model_proto()))


def _read(path: StrOrBytesPath) -> bytes:
    name = os.fsdecode(path)
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise RuntimeError(f"{name}: {error.strerror}") from None


def _as_bytes(content: Buffer | SerializesToString) -> bytes:
    if isinstance(content, SerializesToString):
        return content.SerializeToString()
    return bytes(memoryview(content))


def _compile(rules: Iterable[tuple[str | bytes, str | bytes]]) -> bytes:
    return _native.compile_charsmap([text for rule in rules for text in rule])


def _read_rules(path: StrOrBytesPath) -> list[tuple[str, str]]:
    """The rules of a file; of several for the same, the last one counts."""
    rules = {}
    for number, line in enumerate(_read(path).decode().removesuffix("\n").split("\n"), 1):
        source, _, rest = line.partition("\t")
        target, _, _ = rest.partition("\t")
        try:
            rules[_characters(source)] = _characters(target)
        except ValueError:
            raise RuntimeError(
                f"{os.fsdecode(path)}: line {number} holds what is no code point"
            ) from None
    return list(rules.items())


def _characters(code_points: str) -> str:
    return "".join(chr(int(word.removeprefix("U+"), 16)) for word in code_points.split(" ") if word)
