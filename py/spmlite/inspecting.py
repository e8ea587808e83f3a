"""What a model is: the facts that `spmlite inspect` tells."""

from __future__ import annotations

import mmap
import time
from base64 import b64decode
from collections import Counter
from pathlib import Path
from typing import Any

from spmlite import model_file, specs, spm_text
from spmlite.model_file import ModelKind
from spmlite.model_types import ModelType, PieceType

_FLAGS = (
    "trainer_spec.byte_fallback",
    "normalizer_spec.add_dummy_prefix",
    "normalizer_spec.remove_extra_whitespaces",
    "normalizer_spec.escape_whitespaces",
    "trainer_spec.treat_whitespace_as_suffix",
)


def facts(path: Path) -> dict[str, Any]:
    """Load a model and tell its facts by name, in the order in which they are read best.

    Flags have the names of their fields; an id is -1 where the model has none. Of a GGUF file there
    are `add_bos` and `add_eos` too, None where it does not say.

    Raises:
        OSError: the file cannot be read.
        RuntimeError: it is no model.
    """
    started = time.perf_counter()
    loaded = model_file.load_file(path)
    milliseconds = round((time.perf_counter() - started) * 1000, 1)
    with path.open("rb") as file:
        kind = model_file.kind_of(file.read(512))
    processor = loaded.processor
    size = processor.vocab_size()
    types = Counter(processor.piece_type(range(size)))
    return {
        "file": str(path),
        "kind": kind.value,
        "bytes": path.stat().st_size,
        "loaded_in_ms": milliseconds,
        "algorithm": ModelType(processor.model_type()).name.lower(),
        "pieces": size,
        "types": {PieceType(type).name.lower(): count for type, count in sorted(types.items())},
        "ids": {name: getattr(processor, f"{name}_id")() for name in ("unk", "bos", "eos", "pad")},
        **_specs(loaded.proto or model_file.to_model(path.read_bytes())),
        **(_defaults_of_gguf(path) if kind is ModelKind.GGUF else {}),
    }


def _specs(model: bytes) -> dict[str, Any]:
    """What the model does to a text before it is cut."""
    header, _ = spm_text.read_vocabulary(model)
    fields = specs.complete(specs.fields_of(header))
    return {
        "normalizer": fields["normalizer_spec.name"][-1][1:-1],
        "charsmap_bytes": len(b64decode(fields["normalizer_spec.precompiled_charsmap"][-1])),
        **{name.partition(".")[2]: fields[name][-1] == "true" for name in _FLAGS},
    }


def _defaults_of_gguf(path: Path) -> dict[str, bool | None]:
    from spmlite import gguf  # few need it

    with (
        path.open("rb") as file,
        mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content,
    ):
        tokenizer = gguf.read_tokenizer(content)
    return {"add_bos": tokenizer.add_bos, "add_eos": tokenizer.add_eos}
