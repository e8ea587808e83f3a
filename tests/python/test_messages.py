"""`return_type="proto"`: the oracle's messages, as classes of protobuf."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
import sentencepiece.sentencepiece_model_pb2
import sentencepiece.sentencepiece_pb2
import spmlite
import spmlite.sentencepiece_model_pb2
import spmlite.sentencepiece_pb2

CountPairs = Callable[[str, int, int], None]

TEXTS = ["Hello world", "", "a 你好 é 🦙", "x\n\ny  z"]
SMALL = 1 << 20  # bytes of a model: a large one takes seconds to load in the oracle
PACKAGES = (sentencepiece, spmlite)

CALLS: list[Callable[[Any], Any]] = [
    lambda p: [p.encode(text, return_type="proto") for text in TEXTS],
    lambda p: p.encode(TEXTS, return_type="proto"),
    lambda p: p.EncodeAsProto("Hello world"),
    lambda p: p.encode_as_proto(TEXTS),
    lambda p: p.parallel_encode_as_proto("Hello world", chunk_len=5),
    lambda p: p.ParallelEncodeAsProto("Hello world", chunk_len=5, num_threads=2),
    lambda p: p.decode([5, 6, 7], return_type="proto"),
    lambda p: p.decode([[5], [6, 7], []], return_type="proto"),
    lambda p: p.decode_ids_as_proto([5, 6, 7]),
    lambda p: p.DecodeIdsAsProto([[5], [6]]),
    lambda p: p.decode_pieces_as_proto(["▁He", "ll", "o"]),
    lambda p: p.DecodePiecesAsProto([["▁He"], [b"ll"]]),
]
NBEST_CALLS: list[Callable[[Any], Any]] = [
    lambda p: p.nbest_encode("Hello world", nbest_size=5, return_type="proto"),
    lambda p: p.NBestEncodeAsProto(["Hello", "world"], nbest_size=3),
    lambda p: p.nbest_encode_as_proto("", nbest_size=3),
]


def serialized(result: Any) -> Any:  # noqa: ANN401 - any result of a call
    """The messages in bytes, which are the same for the same message of either class."""
    if isinstance(result, list):
        return list(map(serialized, result))
    return (type(result).__name__, result.SerializeToString())


def test_messages_are_those_of_the_oracle(
    model_paths: dict[str, Path], count_pairs: CountPairs
) -> None:
    compared = 0
    small = [path for path in model_paths.values() if path.stat().st_size < SMALL]
    for path in small:
        oracle, ours = (p.SentencePieceProcessor(model_file=str(path)) for p in PACKAGES)
        calls = CALLS + NBEST_CALLS * (ours._processor.model_type() == 1)
        for call in calls:
            assert serialized(call(ours)) == serialized(call(oracle))
            compared += 1
    count_pairs(f"{len(small)} models", compared, 0)


def test_a_drawn_message(processor: spmlite.SentencePieceProcessor) -> None:
    for call in (processor.sample_encode_as_proto, processor.SampleEncodeAsProto):  # type: ignore[attr-defined]
        message = call("Hello", alpha=1.0)
        assert [piece.piece for piece in message.pieces] == ["▁", *"Hello"]
        assert message.text == "Hello"


@pytest.mark.parametrize("module", ["sentencepiece_pb2", "sentencepiece_model_pb2"])
def test_the_classes_have_the_oracles_fields(module: str) -> None:
    compared = 0

    def compare(oracle: Any, ours: Any) -> None:  # noqa: ANN401 - descriptors
        nonlocal compared
        compared += 1

        def fields(message: Any) -> dict[str, tuple[Any, ...]]:  # noqa: ANN401
            return {
                f.name: (f.number, f.type, f.default_value, f.is_repeated) for f in message.fields
            }

        def enums(message: Any) -> dict[str, dict[str, int]]:  # noqa: ANN401
            return {
                enum.name: {value.name: value.number for value in enum.values}
                for enum in message.enum_types
            }

        assert ours.full_name == oracle.full_name
        assert fields(ours) == fields(oracle)
        assert enums(ours) == enums(oracle)
        for nested in oracle.nested_types:
            compare(nested, ours.nested_types_by_name[nested.name])

    oracles, ours = (getattr(package, module) for package in PACKAGES)
    for name, oracle in vars(oracles).items():
        if hasattr(oracle, "DESCRIPTOR"):
            compare(oracle.DESCRIPTOR, getattr(ours, name).DESCRIPTOR)
    print(f"{module}: {compared} messages")
    assert compared >= 2


def test_a_message_can_be_pickled(processor: spmlite.SentencePieceProcessor) -> None:
    message = processor.encode("Hello", return_type="proto")
    assert pickle.loads(pickle.dumps(message)) == message


def test_protobuf_is_imported_when_it_is_asked_for_alone(model_path: Path) -> None:
    program = """if True:
        import sys, spmlite
        processor = spmlite.SentencePieceProcessor(model_file=sys.argv[1])
        processor.encode("Hello", return_type="serialized_proto")
        assert "google.protobuf" not in sys.modules
        sys.modules["google.protobuf"] = None
        try:
            processor.encode("Hello", return_type="proto")
        except ImportError as error:
            print(error)
    """
    run = subprocess.run(
        [sys.executable, "-c", program, model_path], capture_output=True, text=True, check=True
    )
    assert "pip install protobuf" in run.stdout
