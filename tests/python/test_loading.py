"""What a processor is loaded from, and what it says of itself."""

from __future__ import annotations

import copy
import io
import pickle
import subprocess
import sys
from pathlib import Path

import numpy
import pytest
import sentencepiece
import spmlite
from spmlite import sentencepiece_model_pb2

TEXT = "Hello world, é"


@pytest.fixture
def flatbuffer_path(model_path: Path, tmp_path: Path) -> Path:
    path = tmp_path / "tiny.spm.fb"
    assert spmlite.convert_to_flatbuffer(model_path, output_file=path) is None
    return path


def test_every_source_gives_the_same_model(
    model_path: Path, flatbuffer_path: Path, processor: spmlite.SentencePieceProcessor
) -> None:
    sources: list[dict[str, object]] = []
    for path in (model_path, flatbuffer_path):
        content = path.read_bytes()
        sources += [{"model_file": path}, {"model_file": str(path)}]
        sources += [{"model_file": io.BytesIO(content)}, {"model_file": path.open("rb")}]
        sources += [{"model_proto": content}, {"model_proto": bytearray(content)}]
        sources += [{"model_proto": memoryview(content)}]
        sources += [{"model_proto": numpy.frombuffer(content, numpy.uint8)[:]}]
    message = sentencepiece_model_pb2.ModelProto.FromString(model_path.read_bytes())
    sources += [{"model_proto": message}]
    for source in sources:
        if isinstance(source.get("model_proto"), numpy.ndarray):
            loaded = spmlite.SentencePieceProcessor()
            assert loaded.load_from_serialized_proto(source["model_proto"])  # type: ignore[arg-type]
        else:
            loaded = spmlite.SentencePieceProcessor(**source)  # type: ignore[arg-type]
        assert loaded.encode(TEXT) == processor.encode(TEXT)


def test_a_file_that_is_open_as_text_is_refused(model_path: Path) -> None:
    with pytest.raises(TypeError, match="binary mode"):
        spmlite.SentencePieceProcessor(model_file=io.StringIO("text"))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a path or an open file, not int"):
        spmlite.SentencePieceProcessor(model_file=7)  # type: ignore[arg-type]


@pytest.mark.skipif(sys.platform != "linux", reason="Linux alone tells what a process has mapped")
def test_a_flatbuffer_is_mapped_not_read(tmp_path: Path) -> None:
    """In a process of its own: the file is among its mappings, and little of it is in memory."""
    import tiny_model

    pieces = [
        tiny_model.Piece(f"{number:x}".rjust(60, "x"), -1.0 - number) for number in range(20_000)
    ]
    path = tmp_path / "large.spm.fb"
    spmlite.convert_to_flatbuffer(
        serialized_model_proto=tiny_model.tiny_model(pieces), output_file=path
    )
    program = """if True:
        import sys, spmlite
        def resident():
            with open("/proc/self/smaps_rollup") as file:
                return next(int(line.split()[1]) for line in file if line.startswith("Anonymous:"))
        before = resident()
        processor = spmlite.SentencePieceProcessor(model_file=sys.argv[1])
        assert processor.piece_to_id("▁Hello") == 260
        with open("/proc/self/maps") as maps:
            mapped = [line for line in maps if line.rstrip().endswith(sys.argv[1])]
        print(len(mapped), resident() - before)
    """
    run = subprocess.run(
        [sys.executable, "-c", program, path], capture_output=True, text=True, check=True
    )
    mappings, kilobytes = map(int, run.stdout.split())
    size = path.stat().st_size // 1024
    print(f"{size} KB mapped, {kilobytes} KB of memory of the process's own")
    assert mappings == 1
    assert kilobytes < size / 4


def test_the_model_it_was_made_from(model_path: Path, flatbuffer_path: Path) -> None:
    content = model_path.read_bytes()
    oracle = sentencepiece.SentencePieceProcessor(model_file=str(model_path))
    for source in (model_path, io.BytesIO(content)):
        loaded = spmlite.SentencePieceProcessor(model_file=source)
        assert loaded.serialized_model_proto() == content
        assert pickle.loads(pickle.dumps(loaded)).serialized_model_proto() == content
    assert sentencepiece.SentencePieceProcessor(model_proto=content).encode(TEXT) == oracle.encode(
        TEXT
    )
    made_anew = spmlite.SentencePieceProcessor(flatbuffer_path).serialized_model_proto()
    assert sentencepiece.SentencePieceProcessor(model_proto=made_anew).encode(
        TEXT
    ) == oracle.encode(TEXT)
    with pytest.raises(RuntimeError, match="no model is loaded"):
        spmlite.SentencePieceProcessor().serialized_model_proto()


def test_pickles_of_either_kind(model_path: Path, flatbuffer_path: Path) -> None:
    for path in (model_path, flatbuffer_path):
        loaded = spmlite.SentencePieceProcessor(path, add_bos=True, out_type=str)
        again = pickle.loads(pickle.dumps(loaded))
        assert again.encode(TEXT) == loaded.encode(TEXT)
        assert len(pickle.dumps(loaded)) < path.stat().st_size + 1000


def test_a_copy_shares_the_model(
    model_path: Path, processor: spmlite.SentencePieceProcessor
) -> None:
    for same in (copy.copy(processor), copy.deepcopy(processor), copy.deepcopy([processor])[0]):
        assert same is not processor
        assert same.encode(TEXT) == processor.encode(TEXT)
        assert same._processor is processor._processor
        same.load(model_path)
        assert same._processor is not processor._processor


def test_it_is_a_collection_of_pieces(processor: spmlite.SentencePieceProcessor) -> None:
    pieces = list(processor)
    assert len(pieces) == len(processor) == 277
    assert [processor[piece] for piece in pieces] == list(range(277))
    assert "▁Hello" in processor
    assert "▁Hello".encode() in processor
    assert "<unk>" in processor
    for other in ("Hello?", b"\xff", "", 260, None):
        assert other not in processor
    assert "▁Hello" not in spmlite.SentencePieceProcessor()


def test_what_it_says_of_itself(
    model_path: Path, flatbuffer_path: Path, processor: spmlite.SentencePieceProcessor
) -> None:
    says = "<SentencePieceProcessor: BPE model of 277 pieces with byte fallback"
    assert repr(processor) == f"{says}, from tiny.model>"
    assert repr(spmlite.SentencePieceProcessor(flatbuffer_path)) == f"{says}, from tiny.spm.fb>"
    assert repr(spmlite.SentencePieceProcessor(io.BytesIO(model_path.read_bytes()))) == f"{says}>"
    assert repr(spmlite.SentencePieceProcessor()) == "<SentencePieceProcessor: no model>"


def test_an_import_brings_what_all_need_and_the_rest_when_it_is_asked_for() -> None:
    program = """
import sys
import spmlite

LATER = ("normalizer", "trainer", "converting", "control_pieces", "text_proto", "wire")
foreign = [name for name in ("numpy", "google.protobuf", "tqdm", "pyarrow") if name in sys.modules]
assert not foreign, foreign
early = [name for name in LATER if f"spmlite.{name}" in sys.modules]
assert not early, early
missing = [name for name in spmlite.__all__ if name not in dir(spmlite)]
assert not missing, missing
assert spmlite.SentencePieceNormalizer.__module__ == "spmlite.normalizer"
assert spmlite.SetDataDir is spmlite.set_data_dir
assert not hasattr(spmlite, "nothing")
print(sum(name.startswith("spmlite") for name in sys.modules), "modules")
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    print(run.stdout.strip())
