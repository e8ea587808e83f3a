"""`SentencePieceProcessor`: the oracle's class on our core."""

from __future__ import annotations

import functools
import operator
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    Any,
    Final,
    Literal,
    NamedTuple,
    SupportsFloat,
    TypeAlias,
    TypedDict,
    overload,
)

from spmlite import _native, model_file
from spmlite.camel_case import with_camel_case
from spmlite.model_file import LoadedModel, ReadsBytes, SerializesToString, StrOrBytesPath
from spmlite.splitting import Splits
from spmlite.text_files import batches_of_lines, progress_bar, written_whole
from spmlite.thread_pool import ThreadPool

if TYPE_CHECKING:
    from typing import Self, Unpack

    from typing_extensions import Buffer

    from spmlite.control_pieces import ControlPieces

Texts: TypeAlias = str | bytes | list[str] | list[bytes]
Pieces: TypeAlias = list[str] | list[bytes] | tuple[str, ...] | tuple[bytes, ...]
ReturnType: TypeAlias = (
    type[int]
    | type[str]
    | type[bytes]
    | Literal["proto", "serialized_proto", "numpy", "offset_mapping"]
)
Ids: TypeAlias = "Iterable[int] | Buffer"
OffsetUnit: TypeAlias = Literal["characters", "bytes", "utf16"]

# What comes out depends on what was asked for: `encode` and `decode` tell how.
Tokens: TypeAlias = Any
Decoded: TypeAlias = Any
Normalized: TypeAlias = Any


class EncodeOptions(TypedDict, total=False):
    """The arguments of `encode` but for the text and the return type."""

    add_bos: bool | None
    add_eos: bool | None
    reverse: bool | None
    emit_unk_piece: bool | None
    enable_sampling: bool | None
    nbest_size: int | None
    alpha: float | None
    num_threads: int | None
    thread_pool: ThreadPool | None
    return_bytes: bool | None
    control_pieces: Iterable[str] | bool | None
    offset_unit: OffsetUnit | None


class FileOptions(EncodeOptions, total=False):
    """The arguments of `encode` but for the text."""

    return_type: ReturnType | None
    out_type: ReturnType | None


class SampleOptions(TypedDict, total=False):
    """The arguments of `encode` but for the text, the return type, and how to sample."""

    add_bos: bool | None
    add_eos: bool | None
    reverse: bool | None
    emit_unk_piece: bool | None
    num_threads: int | None
    thread_pool: ThreadPool | None


class NBestOptions(TypedDict, total=False):
    """The arguments of `nbest_encode` but for the text, the size and the return type."""

    add_bos: bool | None
    add_eos: bool | None
    reverse: bool | None
    emit_unk_piece: bool | None


class ParallelOptions(NBestOptions, total=False):
    """The arguments of `parallel_encode` but for the text and the return type."""

    chunk_len: int | None
    num_threads: int | None
    thread_pool: ThreadPool | None


class DecodeOptions(TypedDict, total=False):
    """The arguments of `decode` but for the tokens and the return type."""

    out_type: ReturnType | None
    num_threads: int | None
    thread_pool: ThreadPool | None
    return_bytes: bool | None
    offset_unit: OffsetUnit | None


class ProcessorOptions(TypedDict, total=False):
    """The arguments of the constructor but for the model."""

    out_type: ReturnType | None
    add_bos: bool
    add_eos: bool
    reverse: bool
    emit_unk_piece: bool
    enable_sampling: bool
    nbest_size: int
    alpha: float
    num_threads: int
    return_type: ReturnType | None
    control_pieces: Iterable[str] | bool


# Keys of pickled processors: one of the two is there. The first is the oracle's.
_MODEL_PROTO: Final = "model_proto"
_SPM_FB: Final = "spm_fb"
_RETURN_TYPES: Final = (int, str, bytes, "proto", "serialized_proto", "numpy", "offset_mapping")
# Those that a call or two give. A tuple, since what a caller names may be no key of a dict.
_PLAIN_TYPES: Final[tuple[ReturnType, ...]] = (int, str, bytes, "numpy")

# Where the oracle has one name alone.
_ONE_NAME: Final = (
    "bos_id",
    "encode_file",
    "encode_file_to",
    "eos_id",
    "from_file",
    "from_proto",
    "pad_id",
    "piece_size",
    "serialized_model_proto",
    "streaming_decoder",
    "unk_id",
    "vocab_size",
)


@with_camel_case(but=_ONE_NAME)
class SentencePieceProcessor(Splits):
    """A SentencePiece model: text to ids and back, as `sentencepiece` 0.2.3 does it.

    It never changes once a model is loaded: any number of threads may use it at the same time. Long
    texts and batches are worked on without the GIL.

    In the examples, `processor` holds a small BPE model with byte fallback.

    >>> processor.encode("Hello world")
    [260, 261]
    >>> processor.decode([260, 261])
    'Hello world'
    """

    def __init__(
        self,
        model_file: StrOrBytesPath | ReadsBytes | None = None,
        model_proto: Buffer | SerializesToString | None = None,
        out_type: ReturnType | None = None,
        add_bos: bool = False,
        add_eos: bool = False,
        reverse: bool = False,
        emit_unk_piece: bool = False,
        enable_sampling: bool = False,
        nbest_size: int = -1,
        alpha: float = 0.1,
        num_threads: int = -1,
        return_type: ReturnType | None = None,
        control_pieces: Iterable[str] | bool = False,
    ) -> None:
        """Load a model, and set what the calls of `encode` do where they do not say it themselves.

        Args:
            model_file: a model file of any kind (docs/formats.md), told apart by content: its path,
                or a file that is open for reading bytes. A `.spm.fb` is mapped into memory, so that
                loading takes no time and processes share it.
            model_proto: instead, the content of such a file in bytes, or a protobuf `ModelProto`.
            out_type: the older name of `return_type`.
            add_bos: see `encode`, for this and the following.
            add_eos: see `encode`.
            reverse: see `encode`.
            emit_unk_piece: see `encode`.
            enable_sampling: see `encode`.
            nbest_size: see `encode`.
            alpha: see `encode`.
            num_threads: see `encode`.
            return_type: see `encode`.
            control_pieces: see `encode`.

        Raises:
            RuntimeError: the model cannot be read; one sentence says why.
        """
        self._model = LoadedModel(_native.Processor())
        self._processor = self._model.processor
        self._return_type: ReturnType = int
        self._return_type = self._resolve_return_type(return_type, out_type)
        self._add_bos = add_bos
        self._add_eos = add_eos
        self._reverse = reverse
        self._emit_unk_piece = emit_unk_piece
        self._enable_sampling = enable_sampling
        self._nbest_size = nbest_size
        self._alpha = alpha
        self._num_threads = num_threads
        self._control_pieces = control_pieces
        self._controls: ControlPieces | None = None
        self._plain_calls = self._find_plain_calls()
        if model_file or model_proto:
            self.load(model_file=model_file, model_proto=model_proto)

    @classmethod
    def from_file(
        cls, model_file: StrOrBytesPath | ReadsBytes, **options: Unpack[ProcessorOptions]
    ) -> Self:
        """Make a processor from a file; the options are those of the constructor.

        >>> SentencePieceProcessor.from_file(model_path).vocab_size()
        277
        """
        _check_no_model(options, "from_file")
        processor = cls(**options)
        processor.load_from_file(model_file)
        return processor

    @classmethod
    def from_proto(
        cls, model_proto: Buffer | SerializesToString, **options: Unpack[ProcessorOptions]
    ) -> Self:
        """Make a processor from a file's content; the options are those of the constructor.

        >>> SentencePieceProcessor.from_proto(model_path.read_bytes()).vocab_size()
        277
        """
        _check_no_model(options, "from_proto")
        processor = cls(**options)
        processor.load_from_serialized_proto(model_proto)
        return processor

    def load(
        self,
        model_file: StrOrBytesPath | ReadsBytes | None = None,
        model_proto: Buffer | SerializesToString | None = None,
    ) -> bool:
        """Load a model in place of the one that is there; see the constructor.

        Where it fails, the model that was there stays.

        >>> SentencePieceProcessor().load(model_path)
        True
        """
        if model_file and model_proto:
            raise ValueError("give either model_file or model_proto, not both")
        if model_proto:
            return self.load_from_serialized_proto(model_proto)
        if model_file:
            return self.load_from_file(model_file)
        raise ValueError("give either model_file or model_proto")

    def load_from_file(self, filename: StrOrBytesPath | ReadsBytes) -> bool:
        """Load a model from a file, by its path or open for reading bytes.

        >>> SentencePieceProcessor().load_from_file("missing.model")
        Traceback (most recent call last):
            ...
        RuntimeError: missing.model: No such file or directory
        """
        self._take(model_file.load_file(filename))
        return True

    def load_from_serialized_proto(self, serialized: Buffer | SerializesToString) -> bool:
        """Load a model from a file's content in bytes, or from a protobuf `ModelProto`.

        >>> SentencePieceProcessor().load_from_serialized_proto(model_path.read_bytes())
        True
        """
        self._take(model_file.load_content(_as_bytes(serialized)))
        return True

    def _take(self, model: LoadedModel) -> None:
        self._model = model
        self._processor = model.processor
        wanted = self._control_pieces
        self._controls = _controls(model.processor, wanted)
        self._plain_calls = self._find_plain_calls()

    def _find_plain_calls(self) -> dict[ReturnType | None, _PlainCall]:
        """By the return type that it is told, None for none, what `encode` of a text does.

        Empty where a call needs more than that.
        """
        if self._enable_sampling or self._control_pieces or not isinstance(self._num_threads, int):
            return {}
        calls: dict[ReturnType | None, _PlainCall] = {}
        for return_type in _PLAIN_TYPES:
            encoder = _ENCODERS[return_type]
            options = self._framing(encoder, None, None, None, None)
            options |= _native.AS_BYTES * (return_type is bytes)
            finish = None if encoder.finish is _same else encoder.finish
            calls[return_type] = _PlainCall(getattr(self._processor, encoder.one), options, finish)
        if self._return_type in calls:
            calls[None] = calls[self._return_type]
        return calls

    def encode(
        self,
        input: Texts,
        add_bos: bool | None = None,
        add_eos: bool | None = None,
        reverse: bool | None = None,
        emit_unk_piece: bool | None = None,
        enable_sampling: bool | None = None,
        nbest_size: int | None = None,
        alpha: float | None = None,
        num_threads: int | None = None,
        thread_pool: ThreadPool | None = None,
        return_type: ReturnType | None = None,
        out_type: ReturnType | None = None,
        return_bytes: bool | None = None,
        offset_unit: OffsetUnit | None = None,
        control_pieces: Iterable[str] | bool | None = None,
    ) -> Tokens:
        """Turn text into tokens.

        Args:
            input: one text, or a list of texts, which gives a list of results. Of bytes, each that
                is no UTF-8 becomes U+FFFD.
            add_bos: put the id (piece) that begins a sentence in front.
            add_eos: put the one that ends a sentence at the end.
            reverse: give the tokens from last to first (before bos and eos are added).
            emit_unk_piece: show unknown text as the model's unknown piece, not as itself.
            enable_sampling: draw one of the ways to cut the text, as in training with subword
                regularization; `set_random_generator_seed` makes the draws repeatable.
            nbest_size: of a Unigram model, what to draw from: below 0, all ways; else the best
                ones, up to 512 (of 0 and of 1 nothing is left to draw).
            alpha: of a Unigram model, a way is drawn in proportion to its probability to the power
                of `alpha`: 0 draws evenly, large ones draw the best. Of a BPE model, each merge is
                left out with this probability: 0 is `encode` without sampling, 1 merges nothing.
            num_threads: for a list, how many threads share the work; below 0, one a core.
            thread_pool: its number of threads counts, instead of `num_threads`.
            return_type: what to return for a text of n tokens:

                - `int`, the default: a list of n ids
                - `str` or `bytes`: a list of n pieces
                - `"numpy"`: a read-only array of n int32
                - `"offset_mapping"`: a dict of `ids`, `pieces` and `offsets`, the n pairs of where
                  each token begins and ends in the text, counted in characters
                - `"proto"`: the oracle's `SentencePieceText`, a message of protobuf
                - `"serialized_proto"`: the same in bytes, without protobuf
            out_type: the older name of `return_type`.
            return_bytes: for `"offset_mapping"`, pieces in bytes and offsets counted in bytes; the
                default for a text in bytes.
            offset_unit: for `"offset_mapping"`, what offsets count instead: `"characters"`,
                `"bytes"` of UTF-8 or `"utf16"` units, as JavaScript does. (Not in the oracle.)
            control_pieces: which of the model's control pieces, such as `<s>`, are recognized where
                a text spells them out: a list of them, or True for all. Default: none; a text is a
                text. What lies between two of them is encoded as a text of its own. Only for texts
                that you trust. (Not in the oracle.)

        Raises:
            TypeError: the input is neither str nor bytes nor a list of them.
            ValueError: the arguments contradict one another, or the model has no bos, eos or unk.
            RuntimeError: no model is loaded, or a str holds half of a surrogate pair.

        >>> processor.encode("Hello world", return_type=str, add_bos=True)
        ['<s>', '▁Hello', '▁world']
        >>> processor.encode(["Hello", "é"])
        [[260], [259, 198, 172]]
        >>> processor.encode("Hello é", return_type="offset_mapping")["offsets"]
        [(0, 5), (5, 6), (6, 6), (6, 7)]
        >>> processor.encode("<s>Hello</s>", control_pieces=["<s>", "</s>"])
        [1, 260, 2]
        >>> for unit in ("characters", "utf16", "bytes"):
        ...     processor.encode_as_offset_mapping("🦙 Hello", offset_unit=unit)["offsets"][-1]
        (1, 7)
        (2, 8)
        (4, 10)
        """
        # What is called most often, without a look at what it did not say.
        # fmt: off
        if (
            type(input) is str and (return_type is None or out_type is None)
            and add_bos is add_eos is reverse is emit_unk_piece is enable_sampling is None
            and nbest_size is num_threads is alpha is return_bytes is None
            and thread_pool is None and offset_unit is None and control_pieces is None
            and ((wanted := return_type if out_type is None else out_type) is None
                 or wanted in _PLAIN_TYPES)
            and (plain := self._plain_calls.get(wanted)) is not None
        ):
            call, options, finish = plain
            tokens = call(input, options)
            return tokens if finish is None else finish(input, tokens)
        # fmt: on
        return_type = self._resolve_return_type(return_type, out_type)
        if (return_bytes, offset_unit) != (None, None) and return_type != "offset_mapping":
            raise ValueError(
                'return_bytes and offset_unit are for return_type="offset_mapping" alone'
            )
        sampling = self._resolve_sampling(enable_sampling, nbest_size, alpha)
        threads = self._resolve_num_threads(num_threads, thread_pool)
        encoder = _ENCODERS[return_type]
        framing = self._framing(encoder, add_bos, add_eos, reverse, emit_unk_piece)
        if return_bytes is None:
            return_bytes = return_type is bytes or (
                return_type == "offset_mapping" and _is_of_bytes(input)
            )
        as_bytes = bool(return_bytes) or encoder.is_proto
        options = framing | _native.AS_BYTES * as_bytes | _counting(as_bytes, offset_unit)
        controls = self._controls
        if control_pieces is not None:
            controls = _controls(self._processor, control_pieces)
        if controls is not None:
            return self._encode_with_controls(input, options, threads, encoder, sampling, controls)
        if sampling is not None:
            return self._sample(input, options, threads, encoder, sampling)
        if isinstance(input, list):
            if not input:
                return []
            results = getattr(self._processor, encoder.batch)(input, options, threads)
            return encoder.finish_batch(input, results)
        result = getattr(self._processor, encoder.one)(input, options)
        return encoder.finish(input, result)

    def _sample(
        self, input: Texts, options: int, threads: int, encoder: _Encoder, sampling: _Sampling
    ) -> Tokens:
        if isinstance(input, list):
            if not input:
                return []
            results = self._processor.sample_batch(
                input, options, threads, encoder.shape, *sampling
            )
            return list(map(encoder.finish, input, results))
        result = self._processor.sample(input, options, encoder.shape, *sampling)
        return encoder.finish(input, result)

    def _encode_with_controls(
        self,
        input: Texts,
        options: int,
        threads: int,
        encoder: _Encoder,
        sampling: _Sampling | None,
        controls: ControlPieces,
    ) -> Tokens:
        texts: list[Any] = list(input) if isinstance(input, list) else [input]
        if encoder.shape == _native.SPANS:
            texts = _counted_in(texts, options)
        unframed = options & ~(_native.ADD_BOS | _native.ADD_EOS | _native.REVERSE)
        shape = _native.IDS if encoder.shape == _native.PACKED else encoder.shape

        def encode(parts: Sequence[str | bytes]) -> list[Any]:
            if sampling is not None:
                return self._processor.sample_batch(parts, unframed, threads, shape, *sampling)
            name = _BATCH_METHODS[shape]
            return list(getattr(self._processor, name)(parts, unframed, threads))

        results = controls.encode(texts, shape, bool(options & _native.AS_BYTES), encode)
        if shape != _native.SPANS:
            results = [self._frame(result, options, shape) for result in results]
        if encoder.shape == _native.PACKED:
            from spmlite.control_pieces import pack

            results = list(map(pack, results))
        finished = list(map(encoder.finish, texts, results))
        return finished if isinstance(input, list) else finished[0]

    def _frame(self, tokens: list[Any], options: int, shape: int) -> list[Any]:
        """Tokens with what `options` put around them."""
        tokens = tokens[::-1] if options & _native.REVERSE else tokens
        for option, id, name in (
            (_native.ADD_BOS, self.bos_id(), "bos"),
            (_native.ADD_EOS, self.eos_id(), "eos"),
        ):
            if not options & option:
                continue
            if id < 0:
                raise ValueError(f"this model has no {name} piece")
            piece = self.id_to_piece(id)
            token: Any = id
            if shape == _native.PIECES:
                token = piece.encode() if options & _native.AS_BYTES else piece
            tokens = [token, *tokens] if name == "bos" else [*tokens, token]
        return tokens

    def _resolve_sampling(
        self, enable_sampling: bool | None, nbest_size: int | None, alpha: float | None
    ) -> _Sampling | None:
        if enable_sampling is None:
            enable_sampling = self._enable_sampling
        if nbest_size is None:
            nbest_size = self._nbest_size
        if alpha is None:
            alpha = self._alpha
        if enable_sampling is True and (nbest_size in (0, 1, None) or alpha is None):
            raise ValueError(
                "sampling needs alpha and nbest_size: more than 1, or -1 for all ways to cut a text"
            )
        if not enable_sampling:
            return None
        if not isinstance(alpha, SupportsFloat):
            raise TypeError(f"alpha must be a number, not {type(alpha).__name__}")
        return _Sampling(operator.index(nbest_size), float(alpha))

    def _framing(
        self,
        encoder: _Encoder,
        add_bos: bool | None,
        add_eos: bool | None,
        reverse: bool | None,
        emit_unk_piece: bool | None,
    ) -> int:
        framing = (
            _native.ADD_BOS * bool(self._add_bos if add_bos is None else add_bos)
            | _native.ADD_EOS * bool(self._add_eos if add_eos is None else add_eos)
            | _native.REVERSE * bool(self._reverse if reverse is None else reverse)
        )
        if self._emit_unk_piece if emit_unk_piece is None else emit_unk_piece:
            # An id is what it is, whether its piece is shown or not.
            framing |= 0 if encoder.shape in _SHAPES_OF_IDS else _native.EMIT_UNK_PIECE
        if encoder.shape == _native.SPANS and framing:
            raise RuntimeError(
                "add_bos, add_eos, reverse and emit_unk_piece do not go with offset_mapping and "
                "with protos"
            )
        return framing

    def encode_as_ids(self, input: Texts, **options: Unpack[EncodeOptions]) -> Tokens:
        """`encode` with `return_type=int`.

        >>> processor.encode_as_ids("Hello", add_eos=True)
        [260, 2]
        """
        return self.encode(input, return_type=int, **options)

    def encode_as_pieces(self, input: Texts, **options: Unpack[EncodeOptions]) -> Tokens:
        """`encode` with `return_type=str`.

        >>> processor.encode_as_pieces("Hello é")
        ['▁Hello', '▁', '<0xC3>', '<0xA9>']
        """
        return self.encode(input, return_type=str, **options)

    def encode_as_numpy(self, input: Texts, **options: Unpack[EncodeOptions]) -> Tokens:
        """`encode` with `return_type="numpy"`.

        >>> processor.encode_as_numpy("Hello world").tolist()
        [260, 261]
        """
        return self.encode(input, return_type="numpy", **options)

    def encode_as_offset_mapping(self, input: Texts, **options: Unpack[EncodeOptions]) -> Tokens:
        """`encode` with `return_type="offset_mapping"`.

        >>> processor.encode_as_offset_mapping("Hello")
        {'ids': [260], 'pieces': ['▁Hello'], 'offsets': [(0, 5)]}
        """
        return self.encode(input, return_type="offset_mapping", **options)

    def encode_as_proto(self, input: Texts, **options: Unpack[EncodeOptions]) -> Tokens:
        """`encode` with `return_type="proto"`.

        >>> [piece.piece for piece in processor.encode_as_proto("Hello world").pieces]
        ['▁Hello', '▁world']
        """
        return self.encode(input, return_type="proto", **options)

    def sample_encode_as_ids(
        self,
        input: Texts,
        nbest_size: int | None = None,
        alpha: float | None = None,
        **options: Unpack[SampleOptions],
    ) -> Tokens:
        """`encode` with sampling; see there.

        >>> processor.sample_encode_as_ids("Hello", alpha=0.0)
        [260]
        """
        return self.encode(
            input,
            return_type=int,
            enable_sampling=True,
            nbest_size=nbest_size,
            alpha=alpha,
            **options,
        )

    def sample_encode_as_pieces(
        self,
        input: Texts,
        nbest_size: int | None = None,
        alpha: float | None = None,
        **options: Unpack[SampleOptions],
    ) -> Tokens:
        """`encode` with sampling and `return_type=str`.

        >>> processor.sample_encode_as_pieces("Hello", alpha=1.0)
        ['▁', 'H', 'e', 'l', 'l', 'o']
        """
        return self.encode(
            input,
            return_type=str,
            enable_sampling=True,
            nbest_size=nbest_size,
            alpha=alpha,
            **options,
        )

    def sample_encode_as_numpy(
        self,
        input: Texts,
        nbest_size: int | None = None,
        alpha: float | None = None,
        **options: Unpack[SampleOptions],
    ) -> Tokens:
        """`encode` with sampling and `return_type="numpy"`.

        >>> processor.sample_encode_as_numpy("Hello", alpha=0.0).tolist()
        [260]
        """
        return self.encode(
            input,
            return_type="numpy",
            enable_sampling=True,
            nbest_size=nbest_size,
            alpha=alpha,
            **options,
        )

    def sample_encode_as_proto(
        self,
        input: Texts,
        nbest_size: int | None = None,
        alpha: float | None = None,
        **options: Unpack[SampleOptions],
    ) -> Tokens:
        """`encode` with sampling and `return_type="proto"`.

        >>> len(processor.sample_encode_as_proto("Hello", alpha=1.0).pieces)
        6
        """
        return self.encode(
            input,
            return_type="proto",
            enable_sampling=True,
            nbest_size=nbest_size,
            alpha=alpha,
            **options,
        )

    def nbest_encode(
        self,
        input: Texts,
        add_bos: bool | None = None,
        add_eos: bool | None = None,
        reverse: bool | None = None,
        emit_unk_piece: bool | None = None,
        nbest_size: int | None = None,
        return_type: ReturnType | None = None,
        out_type: ReturnType | None = None,
    ) -> Tokens:
        """The most probable ways to cut a text, best first; of Unigram models.

        Args:
            input: one text, which gives a list of results of `encode`, or a list of texts, which
                gives a list of such lists.
            add_bos: see `encode`.
            add_eos: see `encode`.
            reverse: see `encode`.
            emit_unk_piece: see `encode`.
            nbest_size: how many, up to 512; there may be fewer. Below 1 is 1.
            return_type: as in `encode`, but for `"offset_mapping"`; the protos are the oracle's
                `NBestSentencePieceText`, with the scores.
            out_type: the older name of `return_type`.

        Raises:
            RuntimeError: the model is not Unigram, or `nbest_size` is above 512.

        >>> processor.nbest_encode("Hello", nbest_size=2)
        Traceback (most recent call last):
            ...
        RuntimeError: n-best is for Unigram models alone
        """
        return_type = self._resolve_return_type(return_type, out_type)
        encoder = _ENCODERS[return_type]
        framing = self._framing(encoder, add_bos, add_eos, reverse, emit_unk_piece)
        as_bytes = return_type is bytes or encoder.is_proto
        options = framing | _native.AS_BYTES * as_bytes | _counting(as_bytes)
        size = max(1, self._nbest_size if nbest_size is None else nbest_size)

        def encode_one(text: str | bytes) -> Tokens:
            if return_type == "offset_mapping":
                raise ValueError("nbest_encode cannot return 'offset_mapping'")
            results, scores = self._processor.nbest(text, options, encoder.shape, size)
            if encoder.is_proto:
                from spmlite import text_proto

                serialized = text_proto.serialize_nbest(text, results, scores)
                return text_proto.parse_nbest(serialized) if return_type == "proto" else serialized
            return [encoder.finish(text, result) for result in results]

        return (
            [encode_one(text) for text in input] if isinstance(input, list) else encode_one(input)
        )

    def nbest_encode_as_ids(
        self, input: Texts, nbest_size: int | None = None, **options: Unpack[NBestOptions]
    ) -> Tokens:
        """`nbest_encode` with `return_type=int`.

        >>> processor.nbest_encode_as_ids([], nbest_size=2)
        []
        """
        return self.nbest_encode(input, nbest_size=nbest_size, return_type=int, **options)

    def nbest_encode_as_pieces(
        self, input: Texts, nbest_size: int | None = None, **options: Unpack[NBestOptions]
    ) -> Tokens:
        """`nbest_encode` with `return_type=str`.

        >>> processor.nbest_encode_as_pieces([], nbest_size=2)
        []
        """
        return self.nbest_encode(input, nbest_size=nbest_size, return_type=str, **options)

    def nbest_encode_as_numpy(
        self, input: Texts, nbest_size: int | None = None, **options: Unpack[NBestOptions]
    ) -> Tokens:
        """`nbest_encode` with `return_type="numpy"`.

        >>> processor.nbest_encode_as_numpy([], nbest_size=2)
        []
        """
        return self.nbest_encode(input, nbest_size=nbest_size, return_type="numpy", **options)

    def nbest_encode_as_proto(
        self, input: Texts, nbest_size: int | None = None, **options: Unpack[NBestOptions]
    ) -> Tokens:
        """`nbest_encode` with `return_type="proto"`.

        >>> processor.nbest_encode_as_proto([], nbest_size=2)
        []
        """
        return self.nbest_encode(input, nbest_size=nbest_size, return_type="proto", **options)

    def parallel_encode(
        self,
        input: Texts,
        add_bos: bool | None = None,
        add_eos: bool | None = None,
        reverse: bool | None = None,
        emit_unk_piece: bool | None = None,
        chunk_len: int | None = None,
        num_threads: int | None = None,
        thread_pool: ThreadPool | None = None,
        return_type: ReturnType | None = None,
        out_type: ReturnType | None = None,
    ) -> Tokens:
        """`encode`, where several threads share the work on each text.

        It is cut where no piece reaches across, so that the result is that of `encode`. (The text
        of a Unigram model is left to one thread, since scores are added up all along it.)

        Args:
            input: see `encode`, for this and the following.
            add_bos: see `encode`.
            add_eos: see `encode`.
            reverse: see `encode`.
            emit_unk_piece: see `encode`.
            chunk_len: how much text a thread takes at a time at least, in bytes.
            num_threads: how many threads; below 0, one a core.
            thread_pool: its number of threads counts, instead of `num_threads`.
            return_type: as in `encode`, but for `"offset_mapping"`.
            out_type: the older name of `return_type`.

        >>> processor.parallel_encode("Hello world", chunk_len=5)
        [260, 261]
        """
        return_type = self._resolve_return_type(return_type, out_type)
        threads = self._resolve_num_threads(num_threads, thread_pool)
        if not isinstance(chunk_len, int) or chunk_len <= 0:
            raise ValueError(f"chunk_len must be a positive int, not {chunk_len!r}")
        encoder = _ENCODERS[return_type]
        framing = self._framing(encoder, add_bos, add_eos, reverse, emit_unk_piece)
        as_bytes = return_type is bytes or encoder.is_proto
        options = framing | _native.AS_BYTES * as_bytes | _counting(as_bytes)

        def encode_one(text: str | bytes) -> Tokens:
            if return_type == "offset_mapping":
                raise ValueError("parallel_encode cannot return 'offset_mapping'")
            result = self._processor.encode_parallel(
                text, options, threads, encoder.shape, chunk_len
            )
            return encoder.finish(text, result)

        return (
            [encode_one(text) for text in input] if isinstance(input, list) else encode_one(input)
        )

    def parallel_encode_as_ids(self, input: Texts, **options: Unpack[ParallelOptions]) -> Tokens:
        """`parallel_encode` with `return_type=int`.

        >>> processor.parallel_encode_as_ids("Hello world", chunk_len=5)
        [260, 261]
        """
        return self.parallel_encode(input, return_type=int, **options)

    def parallel_encode_as_pieces(self, input: Texts, **options: Unpack[ParallelOptions]) -> Tokens:
        """`parallel_encode` with `return_type=str`.

        >>> processor.parallel_encode_as_pieces("Hello world", chunk_len=5)
        ['▁Hello', '▁world']
        """
        return self.parallel_encode(input, return_type=str, **options)

    def parallel_encode_as_numpy(self, input: Texts, **options: Unpack[ParallelOptions]) -> Tokens:
        """`parallel_encode` with `return_type="numpy"`.

        >>> processor.parallel_encode_as_numpy("Hello world", chunk_len=5).tolist()
        [260, 261]
        """
        return self.parallel_encode(input, return_type="numpy", **options)

    def parallel_encode_as_proto(self, input: Texts, **options: Unpack[ParallelOptions]) -> Tokens:
        """`parallel_encode` with `return_type="proto"`.

        >>> processor.parallel_encode_as_proto("Hello world", chunk_len=5).pieces[1].surface
        ' world'
        """
        return self.parallel_encode(input, return_type="proto", **options)

    def encode_file(
        self, path: StrOrBytesPath, progress: bool = False, **options: Unpack[FileOptions]
    ) -> Iterator[Tokens]:
        r"""`encode` for each line of a file, in little memory however large it is.

        Args:
            path: a file of UTF-8. Lines end with a line feed, which belongs to none.
            progress: show a bar on stderr.
            **options: those of `encode`.

        Yields:
            What `encode` gives, a line at a time.

        Raises:
            OSError: the file cannot be read.

        >>> lines = tmp_path / "lines.txt"
        >>> _ = lines.write_text("Hello\nworld\n")
        >>> list(processor.encode_file(lines, add_eos=True))
        [[260, 2], [261, 2]]
        """
        with Path(os.fsdecode(path)).open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            with progress_bar(size, progress) as advance:
                for lines in batches_of_lines(file, advance):
                    yield from self.encode(lines, **options)

    def encode_file_to(
        self,
        path: StrOrBytesPath,
        output: StrOrBytesPath,
        progress: bool = False,
        **options: Unpack[FileOptions],
    ) -> int:
        r"""The ids of a file's lines, written one after the other as int32 numbers.

        Args:
            path: as for `encode_file`.
            output: where to write; `numpy.memmap(output, dtype="int32")` reads it. It is there
                whole or not at all.
            progress: show a bar on stderr.
            **options: those of `encode`, such as `add_eos=True` to tell lines apart.

        Returns:
            How many ids were written.

        Raises:
            OSError: a file cannot be read or written.

        >>> lines, ids = tmp_path / "lines.txt", tmp_path / "ids.bin"
        >>> _ = lines.write_text("Hello\nworld\n")
        >>> processor.encode_file_to(lines, ids, add_eos=True)
        4
        >>> list(memoryview(ids.read_bytes()).cast("i"))
        [260, 2, 261, 2]
        """
        from spmlite.control_pieces import pack

        rows = self.encode_file(path, progress, **(options | {"return_type": int}))
        count = 0
        with written_whole(Path(os.fsdecode(output))) as file:
            for row in rows:
                file.write(pack(row))
                count += len(row)
        return count

    def streaming_decoder(self) -> StreamingDecoder:
        """Decoding as ids come in; see `StreamingDecoder`.

        >>> decoder = processor.streaming_decoder()
        >>> [decoder.add(id) for id in (260, 259, 198, 172)], decoder.finish()
        (['Hello', ' ', '', 'é'], '')
        """
        return StreamingDecoder(self)

    def decode(
        self,
        input: object,
        return_type: ReturnType | None = None,
        out_type: ReturnType | None = None,
        num_threads: int | None = None,
        thread_pool: ThreadPool | None = None,
        return_bytes: bool | None = None,
        offset_unit: OffsetUnit | None = None,
    ) -> Decoded:
        """Turn tokens into text.

        Args:
            input: ids (an int, a list, another sequence or a one-dimensional array of integers) or
                pieces (str, bytes or a list of them); or a list of such, or a two-dimensional
                array, which gives a list of results.
            return_type: what to return for one text:

                - `str`, the default, or `bytes`; pieces in bytes give bytes
                - `"offset_mapping"`: a dict of `text`, `ids`, `pieces` and `offsets`, where each
                  piece's part of the text begins and ends, counted in characters
                - `"proto"`: the oracle's `SentencePieceText`, a message of protobuf
                - `"serialized_proto"`: the same in bytes, without protobuf
            out_type: the older name of `return_type`.
            num_threads: for a batch, how many threads share the work; below 0, one a core.
            thread_pool: its number of threads counts, instead of `num_threads`.
            return_bytes: for `"offset_mapping"`, all in bytes and counted in bytes; the default
                for pieces in bytes.
            offset_unit: for `"offset_mapping"`, what offsets count instead; see `encode`.

        Raises:
            IndexError: an id is not in the model; the message names it.
            TypeError: the input is neither ids nor pieces.
            RuntimeError: no model is loaded.

        >>> processor.decode(["▁Hello", "▁world"])
        'Hello world'
        >>> processor.decode([[260], [261, 261]])
        ['Hello', 'world world']
        >>> processor.decode(277)
        Traceback (most recent call last):
            ...
        IndexError: id 277 is out of range: this model has the ids 0 to 276
        """
        if return_type is None and out_type is None:
            return_type = str
        return_type = self._resolve_return_type(return_type, out_type)
        if (return_bytes, offset_unit) != (None, None) and return_type != "offset_mapping":
            raise ValueError(
                'return_bytes and offset_unit are for return_type="offset_mapping" alone'
            )
        threads = self._resolve_num_threads(num_threads, thread_pool)
        if type(input) is list and input and type(input[0]) is int and return_type is str:
            return self._processor.decode_ids(input, 0)
        tokens = _as_sequence(input)
        is_batch = _is_batch(tokens)
        holds_pieces = _holds_pieces(_first_row(tokens) if is_batch else tokens)
        if return_type in _DECODERS:
            finish = _DECODERS[return_type]
            as_bytes = bool(return_bytes) or return_type != "offset_mapping"
            if holds_pieces:
                # As in the oracle, the first row with a piece in it decides for all.
                first = _first_row(tokens) if is_batch else tokens
                as_bytes = as_bytes or isinstance(first[0], bytes)
            options = _native.AS_BYTES * as_bytes | _counting(as_bytes, offset_unit)
            rows = tokens if is_batch else [tokens]
            results = [finish(self._decode_spans(row, holds_pieces, options)) for row in rows]
            return results if is_batch else results[0]
        if return_type not in (str, bytes):
            raise ValueError(f"decode cannot return {return_type!r}: ask for str or bytes")
        options = _native.AS_BYTES if return_type is bytes else 0
        if is_batch:
            name = "decode_pieces_batch" if holds_pieces else "decode_ids_batch"
            return getattr(self._processor, name)(tokens, options, threads)
        decode_one = self._processor.decode_pieces if holds_pieces else self._processor.decode_ids
        return decode_one(tokens, options)

    def _decode_spans(self, tokens: _Rows, holds_pieces: bool, options: int) -> _DecodedSpans:
        if holds_pieces:
            return self._processor.decode_piece_spans(tokens, options)
        return self._processor.decode_id_spans(tokens, options)

    def decode_ids(
        self, input: object, return_type: ReturnType | None = None, **options: Unpack[DecodeOptions]
    ) -> Decoded:
        """`decode`, under the name for ids.

        >>> processor.decode_ids([260])
        'Hello'
        """
        return self.decode(input, return_type=return_type, **options)

    def decode_pieces(
        self, input: object, return_type: ReturnType | None = None, **options: Unpack[DecodeOptions]
    ) -> Decoded:
        """`decode`, under the name for pieces.

        >>> processor.decode_pieces(["▁Hello"])
        'Hello'
        """
        return self.decode(input, return_type=return_type, **options)

    def decode_ids_as_proto(self, input: object, **options: Unpack[DecodeOptions]) -> Decoded:
        """`decode` with `return_type="proto"`, under the name for ids.

        >>> processor.decode_ids_as_proto([260, 261]).text
        'Hello world'
        """
        return self.decode(input, return_type="proto", **options)

    def decode_pieces_as_proto(self, input: object, **options: Unpack[DecodeOptions]) -> Decoded:
        """`decode` with `return_type="proto"`, under the name for pieces.

        >>> processor.decode_pieces_as_proto(["▁Hello", "▁world"]).pieces[1].id
        261
        """
        return self.decode(input, return_type="proto", **options)

    def normalize(self, input: Texts, with_offsets: bool | None = None) -> Normalized:
        """Text as the model sees it.

        Args:
            input: one text, or a list of texts, which gives a list of results.
            with_offsets: give pairs of the normalized text and a list; its item i is where the i-th
                character of the normalized text stems from in the input, and one more item is the
                length of the input that was consumed. Of bytes, all this counts bytes.

        >>> processor.normalize("Hello world")
        '▁Hello▁world'
        >>> processor.normalize("a b", with_offsets=True)
        ('▁a▁b', [0, 0, 1, 2, 3])
        """
        one = self._processor.normalize_with_offsets if with_offsets else self._processor.normalize
        if isinstance(input, list):
            return [one(text) for text in input]
        return one(input)

    @overload
    def piece_to_id(self, piece: str | bytes) -> int: ...
    @overload
    def piece_to_id(self, piece: Pieces) -> list[int]: ...
    def piece_to_id(self, piece: str | bytes | Pieces) -> int | list[int]:
        """The id of a piece, or a list of the ids of several; the unknown id for what is no piece.

        >>> processor.piece_to_id("▁Hello"), processor.piece_to_id(["▁world", "nothing"])
        (260, [261, 0])
        """
        return self._processor.piece_to_id(piece)

    @overload
    def id_to_piece(self, id: int) -> str: ...
    @overload
    def id_to_piece(self, id: Ids) -> list[str]: ...
    def id_to_piece(self, id: int | Ids) -> str | list[str]:
        """The piece of an id, or a list of the pieces of several.

        Raises:
            IndexError: an id is not in the model.

        >>> processor.id_to_piece(260), processor.id_to_piece([1, 2])
        ('▁Hello', ['<s>', '</s>'])
        """
        return self._processor.id_to_piece(id)

    @overload
    def get_score(self, id: int) -> float: ...
    @overload
    def get_score(self, id: Ids) -> list[float]: ...
    def get_score(self, id: int | Ids) -> float | list[float]:
        """The score of an id, or a list: a log probability, or how early BPE merges it.

        Raises:
            IndexError: an id is not in the model.

        >>> processor.get_score(260)
        0.0
        """
        return self._processor.get_score(id)

    @overload
    def is_unknown(self, id: int) -> bool: ...
    @overload
    def is_unknown(self, id: Ids) -> list[bool]: ...
    def is_unknown(self, id: int | Ids) -> bool | list[bool]:
        """Whether the id is the unknown piece; a list for several ids.

        >>> processor.is_unknown([0, 1])
        [True, False]
        """
        return self._processor.is_unknown(id)

    @overload
    def is_control(self, id: int) -> bool: ...
    @overload
    def is_control(self, id: Ids) -> list[bool]: ...
    def is_control(self, id: int | Ids) -> bool | list[bool]:
        """Whether the id stands for no text, as bos and eos do; a list for several ids.

        >>> processor.is_control([0, 1])
        [False, True]
        """
        return self._processor.is_control(id)

    @overload
    def is_unused(self, id: int) -> bool: ...
    @overload
    def is_unused(self, id: Ids) -> list[bool]: ...
    def is_unused(self, id: int | Ids) -> bool | list[bool]:
        """Whether encoding never gives the id, as the model sets it apart; a list for several ids.

        >>> processor.is_unused(0)
        False
        """
        return self._processor.is_unused(id)

    @overload
    def is_byte(self, id: int) -> bool: ...
    @overload
    def is_byte(self, id: Ids) -> list[bool]: ...
    def is_byte(self, id: int | Ids) -> bool | list[bool]:
        """Whether the id stands for one byte of text that the model cannot spell otherwise.

        >>> processor.is_byte([0, 3])
        [False, True]
        """
        return self._processor.is_byte(id)

    def get_piece_size(self) -> int:
        """The number of pieces; 0 without a model.

        >>> processor.get_piece_size() == processor.vocab_size() == len(processor)
        True
        """
        return self._processor.vocab_size()

    def unk_id(self) -> int:
        """The id of the unknown piece, -1 if there is none.

        >>> processor.unk_id()
        0
        """
        return self._processor.unk_id()

    def bos_id(self) -> int:
        """The id that begins a sentence, -1 if there is none.

        >>> processor.bos_id()
        1
        """
        return self._processor.bos_id()

    def eos_id(self) -> int:
        """The id that ends a sentence, -1 if there is none.

        >>> processor.eos_id()
        2
        """
        return self._processor.eos_id()

    def pad_id(self) -> int:
        """The id that fills up a batch, -1 if there is none.

        >>> processor.pad_id()
        -1
        """
        return self._processor.pad_id()

    def serialized_model_proto(self) -> bytes:
        """The content of the `.model` that the model was loaded or converted from.

        Of a model that was loaded from a `.spm.fb` it is made anew, with all that a tokenizer
        needs; how the model was trained is not in there.

        Raises:
            RuntimeError: no model is loaded.

        >>> processor.serialized_model_proto() == model_path.read_bytes()
        True
        """
        if self._model.proto is not None:
            return self._model.proto
        if not len(self):
            raise RuntimeError("no model is loaded")
        return _native.convert_back(self._processor.blob())

    def __getstate__(self) -> dict[str, object]:
        """The options, and the model as it was loaded, for pickle."""
        state = self.__dict__.copy()
        del state["_processor"], state["_model"], state["_plain_calls"]
        if self._model.proto is not None:
            state[_MODEL_PROTO] = self._model.proto
        else:
            state[_SPM_FB] = self._processor.blob() if len(self) else b""
        return state

    def __setstate__(self, state: dict[str, object] | bytes) -> None:
        """Take up what `__getstate__` gave, or the content of a model file alone."""
        rest = {_MODEL_PROTO: state} if isinstance(state, bytes) else dict(state)
        content = rest.pop(_MODEL_PROTO, None) or rest.pop(_SPM_FB, None)
        SentencePieceProcessor.__init__(self)
        if isinstance(content, bytes) and content:
            self.load_from_serialized_proto(content)
        self.__dict__.update(rest)
        self._plain_calls = self._find_plain_calls()

    def __copy__(self) -> Self:
        """A processor with the same options on the same model, which never changes."""
        same = type(self).__new__(type(self))
        same.__dict__.update(self.__dict__)
        return same

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        """As `copy`: there is nothing that one of the two could change for the other."""
        return self.__copy__()

    def __repr__(self) -> str:
        """What the model is.

        >>> processor
        <SentencePieceProcessor: BPE model of 277 pieces with byte fallback, from tiny.model>
        """
        if not len(self):
            return f"<{type(self).__name__}: no model>"
        from spmlite.model_types import ModelType

        kind = ModelType(self._processor.model_type()).name
        bytes_too = " with byte fallback" if self.is_byte(self.piece_to_id("<0x00>")) else ""
        origin = f", from {self._model.name}" if self._model.name else ""
        return f"<{type(self).__name__}: {kind} model of {len(self):,} pieces{bytes_too}{origin}>"

    def __len__(self) -> int:
        """The number of pieces."""
        return self.get_piece_size()

    @overload
    def __getitem__(self, piece: str | bytes) -> int: ...
    @overload
    def __getitem__(self, piece: Pieces) -> list[int]: ...
    def __getitem__(self, piece: str | bytes | Pieces) -> int | list[int]:
        """The id of a piece; see `piece_to_id`."""
        return self.piece_to_id(piece)

    def __iter__(self) -> Iterator[str]:
        """The pieces, by id."""
        return iter(self.id_to_piece(range(len(self))))

    def __contains__(self, piece: object) -> bool:
        """Whether a str or bytes is a piece."""
        if not isinstance(piece, str | bytes) or not len(self):
            return False
        found = self.id_to_piece(self.piece_to_id(piece))
        return found == (piece if isinstance(piece, str) else piece.decode(errors="replace"))

    def _resolve_return_type(
        self, return_type: ReturnType | None, out_type: ReturnType | None
    ) -> ReturnType:
        if out_type is not None:
            if return_type is not None:
                raise ValueError("give return_type alone: out_type is its older name")
            return_type = out_type
        if return_type is None:
            return self._return_type
        if return_type not in _RETURN_TYPES:
            raise ValueError(f"return_type is {return_type!r} instead of one of {_RETURN_TYPES}")
        return return_type

    def _resolve_num_threads(
        self, num_threads: int | None, thread_pool: ThreadPool | None = None
    ) -> int:
        if num_threads is None:
            num_threads = self._num_threads
        if not isinstance(num_threads, int):
            raise TypeError(f"num_threads must be int, not {type(num_threads).__name__}")
        return num_threads if thread_pool is None else thread_pool.num_threads()

    # The oracle has more than one name for these.
    piece_size = vocab_size = get_piece_size
    tokenize = encode
    detokenize = decode


class StreamingDecoder:
    """Decoding as ids come in, such as from a model that generates.

    What `add` and `finish` give, joined, is what `decode` gives for all the ids: a character whose
    bytes have not all come is held back. (Of a model with a denormalizer all is: that rewrites the
    text as a whole.) Not for several threads at the same time.

    >>> decoder = StreamingDecoder(processor)
    >>> decoder.add(260) + decoder.add(261) + decoder.finish()
    'Hello world'
    """

    def __init__(self, processor: SentencePieceProcessor) -> None:
        """Begin a text.

        Raises:
            RuntimeError: the processor has no model.
        """
        self._decoder = _native.StreamingDecoder(processor._processor)

    def add(self, id: int) -> str:
        """Take the next id; return the text that has become final by it, often empty.

        Raises:
            IndexError: the id is not in the model; nothing is changed.
        """
        return self._decoder.add(id)

    def finish(self) -> str:
        """End the text; return what was held back. The decoder is then as new."""
        return self._decoder.finish()


# What few need is imported when it is asked for: in Pyodide that is a third of the import's time.


def _controls(
    processor: _native.Processor, wanted: Iterable[str] | bool | None
) -> ControlPieces | None:
    if not wanted:
        return None
    from spmlite.control_pieces import ControlPieces

    return ControlPieces(processor, wanted)


def _counting(as_bytes: bool, offset_unit: OffsetUnit | None = None) -> int:
    """What offsets count, as an option of the native module."""
    if offset_unit is None:
        offset_unit = "bytes" if as_bytes else "characters"
    if offset_unit not in _OFFSET_UNITS:
        raise ValueError(f"offset_unit is {offset_unit!r} instead of one of {(*_OFFSET_UNITS,)}")
    return _OFFSET_UNITS[offset_unit]


def _counted_in(texts: list[Any], options: int) -> list[Any]:
    """Texts of the type whose lengths count what offsets are to count."""
    if options & _native.OFFSETS_IN_BYTES:
        return [text.encode() if isinstance(text, str) else text for text in texts]
    if options & _native.OFFSETS_IN_UTF16 or any(isinstance(text, bytes) for text in texts):
        raise ValueError("with control_pieces offsets count characters of str, or bytes")
    return texts


def _check_no_model(options: ProcessorOptions, name: str) -> None:
    if "model_file" in options or "model_proto" in options:
        raise ValueError(f"{name} takes the model as its first argument alone")


def _as_bytes(content: Buffer | SerializesToString) -> bytes:
    if isinstance(content, bytes):
        return content
    if isinstance(content, SerializesToString):
        return content.SerializeToString()
    return bytes(memoryview(content))


# --- What `decode` is given. An array of numpy has a `dtype`. ---

_Rows: TypeAlias = Any


def _as_sequence(tokens: object) -> _Rows:
    if tokens is None or (isinstance(tokens, str | bytes) and not tokens):
        return []
    return tokens if _is_sequence(tokens) else [tokens]


def _is_sequence(value: object) -> bool:
    return hasattr(value, "__len__") and not isinstance(value, str | bytes)


def _is_batch(tokens: _Rows) -> bool:
    if hasattr(tokens, "ndim"):
        return bool(tokens.ndim > 1)
    return len(tokens) > 0 and _is_sequence(tokens[0])


def _first_row(tokens: _Rows) -> _Rows:
    """The first row with something in it."""
    return next((row for row in tokens if _is_sequence(row) and len(row) > 0), ())


def _holds_pieces(tokens: _Rows) -> bool:
    return len(tokens) > 0 and not hasattr(tokens, "dtype") and isinstance(tokens[0], str | bytes)


def _is_of_bytes(texts: Texts) -> bool:
    first = texts[0] if isinstance(texts, list) and texts else texts
    return isinstance(first, bytes)


# --- From what the native module returns to what callers see ---


# The text, and what the native module makes of it.
_Spans: TypeAlias = tuple[list[int], list[Any], list[tuple[int, int]]]


def _same(text: object, result: Tokens) -> Tokens:
    del text
    return result


@functools.cache
def _numpy() -> tuple[Callable[..., Tokens], object]:
    """Its `frombuffer` and `int32`; looking for it each time would take as long as a short text."""
    import numpy

    return numpy.frombuffer, numpy.dtype(numpy.int32)


def _array(text: object, packed: bytes) -> Tokens:
    del text
    from_buffer, int32 = _numpy()
    return from_buffer(packed, int32)


def _arrays(texts: object, packed: tuple[bytes, bytes]) -> Tokens:
    """One array for each text; they share the memory of all."""
    ids = _array(texts, packed[0])
    ends = memoryview(packed[1]).cast("q").tolist()
    return list(map(ids.__getitem__, map(slice, [0, *ends[:-1]], ends)))


def _mapping(text: object, spans: _Spans) -> Tokens:
    del text
    return dict(zip(("ids", "pieces", "offsets"), spans, strict=True))


def _mappings(texts: list[str] | list[bytes], spans: list[_Spans]) -> Tokens:
    return list(map(_mapping, texts, spans))


def _serialized_proto(text: str | bytes, spans: _Spans) -> Tokens:
    from spmlite import text_proto

    return text_proto.serialize(text, spans)


def _serialized_protos(texts: list[str] | list[bytes], spans: list[_Spans]) -> Tokens:
    return list(map(_serialized_proto, texts, spans))


def _proto(text: str | bytes, spans: _Spans) -> Tokens:
    from spmlite import text_proto

    return text_proto.parse(text_proto.serialize(text, spans))


def _protos(texts: list[str] | list[bytes], spans: list[_Spans]) -> Tokens:
    return list(map(_proto, texts, spans))


# The text, the text before a denormalizer, ids, pieces, and what each gave of the latter.
_DecodedSpans: TypeAlias = tuple[Any, Any, list[int], list[Any], list[tuple[int, int]]]


def _decoded_mapping(spans: _DecodedSpans) -> Decoded:
    text, _, ids, pieces, offsets = spans
    return {"text": text, "ids": ids, "pieces": pieces, "offsets": offsets}


def _decoded_serialized_proto(spans: _DecodedSpans) -> Decoded:
    from spmlite import text_proto

    return text_proto.serialize_decoded(*spans)


def _decoded_proto(spans: _DecodedSpans) -> Decoded:
    from spmlite import text_proto

    return text_proto.parse(text_proto.serialize_decoded(*spans))


_DECODERS: Final[dict[ReturnType, Callable[[_DecodedSpans], Decoded]]] = {
    "offset_mapping": _decoded_mapping,
    "serialized_proto": _decoded_serialized_proto,
    "proto": _decoded_proto,
}


class _Encoder(NamedTuple):
    """The native methods for one text and for a batch, and what is made of their results."""

    shape: int
    one: str
    batch: str
    finish: Callable[[Tokens, Tokens], Tokens] = _same
    finish_batch: Callable[[Tokens, Tokens], Tokens] = _same
    is_proto: bool = False


class _PlainCall(NamedTuple):
    """A native method for one text, its options, and what is made of its result, if anything."""

    call: Callable[[Texts, int], Tokens]
    options: int
    finish: Callable[[Tokens, Tokens], Tokens] | None


class _Sampling(NamedTuple):
    nbest_size: int
    alpha: float


_OFFSET_UNITS: Final[dict[OffsetUnit, int]] = {
    "characters": 0,
    "bytes": _native.OFFSETS_IN_BYTES,
    "utf16": _native.OFFSETS_IN_UTF16,
}
_BATCH_METHODS: Final = {
    _native.IDS: "encode_ids_batch",
    _native.PIECES: "encode_pieces_batch",
    _native.SPANS: "encode_spans_batch",
}
_SHAPES_OF_IDS: Final = (_native.IDS, _native.PACKED)
_PIECES: Final = _Encoder(_native.PIECES, "encode_pieces", "encode_pieces_batch")
_ENCODERS: Final[dict[ReturnType, _Encoder]] = {
    int: _Encoder(_native.IDS, "encode_ids", "encode_ids_batch"),
    str: _PIECES,
    bytes: _PIECES,
    "numpy": _Encoder(_native.PACKED, "encode_packed", "encode_packed_batch", _array, _arrays),
    "offset_mapping": _Encoder(
        _native.SPANS, "encode_spans", "encode_spans_batch", _mapping, _mappings
    ),
    "serialized_proto": _Encoder(
        _native.SPANS,
        "encode_spans",
        "encode_spans_batch",
        _serialized_proto,
        _serialized_protos,
        True,
    ),
    "proto": _Encoder(_native.SPANS, "encode_spans", "encode_spans_batch", _proto, _protos, True),
}
