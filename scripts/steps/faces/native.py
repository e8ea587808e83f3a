"""Encode a text in Python: PACKAGE MODEL TEXT ROUNDS, one line of JSON.

The package is spmlite, or sentencepiece, whose place it takes.
"""

import importlib
import json
import statistics
import sys
import time
from pathlib import Path

package, model, text_file, rounds = sys.argv[1:]
module = importlib.import_module(package)
text = Path(text_file).read_text(encoding="utf-8")

start = time.perf_counter()
processor = module.SentencePieceProcessor(model_file=model)
load_ms = (time.perf_counter() - start) * 1e3

times = []
ids: list[int] = []
for _ in range(int(rounds)):
    start = time.perf_counter()
    ids = processor.encode(text)
    times.append((time.perf_counter() - start) * 1e6)
told = {"ids": ids, "load_ms": load_ms, "encode_us": statistics.median(times)}
print(json.dumps(told | {"pieces": processor.id_to_piece(ids)}))
