"""Encode a text with `sentencepiece` itself: MODEL TEXT ROUNDS, one line of JSON, with pieces."""

import json
import statistics
import sys
import time
from pathlib import Path

import sentencepiece

model, text_file, rounds = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
text = text_file.read_text(encoding="utf-8")

start = time.perf_counter()
processor = sentencepiece.SentencePieceProcessor(model_file=model)
load_ms = (time.perf_counter() - start) * 1e3

times = []
ids: list[int] = []
for _ in range(rounds):
    start = time.perf_counter()
    ids = processor.encode(text)
    times.append((time.perf_counter() - start) * 1e6)
pieces = processor.id_to_piece(ids)
print(
    json.dumps(
        {"ids": ids, "pieces": pieces, "load_ms": load_ms, "encode_us": statistics.median(times)}
    )
)
