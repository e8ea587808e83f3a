"""What a program that uses the package may look like, for type checkers: it is not run.

Each line that ends in `expected error` has one, and no other line has.
"""
# pyright: strict, reportUnusedVariable=false

import pickle
from collections.abc import Iterator
from pathlib import Path

import spmlite as spm

processor = spm.SentencePieceProcessor(model_file="m.model", add_bos=True, control_pieces=["<s>"])
again: spm.SentencePieceProcessor = spm.SentencePieceProcessor.from_file("m.model", alpha=0.5)
with Path("m.model").open("rb") as file:
    opened = spm.SentencePieceProcessor(file)
loaded: bool = processor.Load(model_proto=b"")

one_id: int = processor.piece_to_id("a")
more_ids: list[int] = processor.PieceToId(["a", "b"])
one_piece: str = processor.IdToPiece(1)
more_pieces: list[str] = processor.id_to_piece([1, 2])
score: float = processor.GetScore(1)
flags: list[bool] = processor.is_control(range(3))
size: int = len(processor) + processor.vocab_size() + processor.GetPieceSize()
known: bool = "a" in processor
pieces: Iterator[str] = iter(processor)

ids: list[int] = processor.encode("a", return_type=int)
ids = processor.Encode(["a"], out_type="numpy", num_threads=2, thread_pool=spm.ThreadPool(2))
text: str = processor.decode([1, 2])
mapping = processor.EncodeAsOffsetMapping("a", offset_unit="utf16")

number: int = processor.count("a")
numbers: list[int] = processor.count(["a"])
front: str = processor.truncate("a", 3)
front_of_bytes: bytes = processor.truncate(b"a", 3)
parts: list[spm.TextPart[str]] = processor.split("a", 3, overlap=1)
begin: int = parts[0].begin
decoder: spm.StreamingDecoder = processor.streaming_decoder()
written: int = processor.encode_file_to("a.txt", "ids.bin", progress=True, add_eos=True)
for row in processor.encode_file("a.txt", return_type=str):
    print(row)

normalizer = spm.SentencePieceNormalizer(rule_name="nfkc", add_dummy_prefix=False)
rules: list[tuple[str, str]] = normalizer.Decompile()
flatbuffer: bytes | None = spm.ConvertToFlatbuffer(model_file="m.model")
spm.SetRandomGeneratorSeed(1)
spm.set_min_log_level(1)
spm.SetNBestTimeout(1)
spm.set_data_dir(".")
pickle.dumps(processor)

processor.encode("a", add_bos=3)  # expected error
processor.EncodeAsIds("a", nothing=True)  # expected error
processor.encode("a", return_type="list")  # expected error
wrong: str = processor.count("a")  # expected error
processor.truncate(3, 3)  # expected error
spm.SentencePieceProcessor(model_file=3)  # expected error
