"""SentencePiece tokenization, with the ids of `sentencepiece` 0.2.3.

`import spmlite as spm` stands in for `import sentencepiece as spm`.
"""

from importlib import import_module
from typing import Final

from spmlite.processor import SentencePieceProcessor, StreamingDecoder
from spmlite.randomness import set_random_generator_seed
from spmlite.settings import set_min_log_level, set_nbest_timeout
from spmlite.splitting import TextPart
from spmlite.thread_pool import ThreadPool

__all__ = [
    "ConvertToFlatbuffer",
    "SentencePieceNormalizer",
    "SentencePieceProcessor",
    "SentencePieceTrainer",
    "SetDataDir",
    "SetMinLogLevel",
    "SetNBestTimeout",
    "SetRandomGeneratorSeed",
    "StreamingDecoder",
    "TextPart",
    "ThreadPool",
    "__version__",
    "convert_to_flatbuffer",
    "set_data_dir",
    "set_min_log_level",
    "set_nbest_timeout",
    "set_random_generator_seed",
]

__version__ = "0.1.0"

SetMinLogLevel = set_min_log_level
SetNBestTimeout = set_nbest_timeout
SetRandomGeneratorSeed = set_random_generator_seed

# Few need these: they are imported when they are asked for, by module and name there.
_IMPORTED_LATER: Final = {
    "ConvertToFlatbuffer": ("converting", "convert_to_flatbuffer"),
    "SentencePieceNormalizer": ("normalizer", "SentencePieceNormalizer"),
    "SentencePieceTrainer": ("trainer", "SentencePieceTrainer"),
    "SetDataDir": ("charsmaps", "set_data_dir"),
    "convert_to_flatbuffer": ("converting", "convert_to_flatbuffer"),
    "set_data_dir": ("charsmaps", "set_data_dir"),
}


def __getattr__(name: str) -> object:
    if name not in _IMPORTED_LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, attribute = _IMPORTED_LATER[name]
    found: object = getattr(import_module(f"{__name__}.{module}"), attribute)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_IMPORTED_LATER})
