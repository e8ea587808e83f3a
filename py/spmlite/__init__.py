"""SentencePiece tokenization, with the ids of `sentencepiece` 0.2.3.

`import spmlite as spm` stands in for `import sentencepiece as spm`.
"""

from spmlite.charsmaps import set_data_dir
from spmlite.converting import convert_to_flatbuffer
from spmlite.normalizer import SentencePieceNormalizer
from spmlite.processor import SentencePieceProcessor, StreamingDecoder
from spmlite.randomness import set_random_generator_seed
from spmlite.settings import set_min_log_level, set_nbest_timeout
from spmlite.splitting import TextPart
from spmlite.thread_pool import ThreadPool
from spmlite.trainer import SentencePieceTrainer

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

ConvertToFlatbuffer = convert_to_flatbuffer
SetDataDir = set_data_dir
SetMinLogLevel = set_min_log_level
SetNBestTimeout = set_nbest_timeout
SetRandomGeneratorSeed = set_random_generator_seed
