"""SentencePiece tokenization, with the ids of `sentencepiece` 0.2.3.

`import spmlite as spm` stands in for `import sentencepiece as spm`.
"""

from spmlite.log_level import set_min_log_level
from spmlite.processor import SentencePieceProcessor, StreamingDecoder
from spmlite.randomness import set_random_generator_seed
from spmlite.thread_pool import ThreadPool

__all__ = [
    "SentencePieceProcessor",
    "SetMinLogLevel",
    "SetRandomGeneratorSeed",
    "StreamingDecoder",
    "ThreadPool",
    "__version__",
    "set_min_log_level",
    "set_random_generator_seed",
]

__version__ = "0.1.0"

SetMinLogLevel = set_min_log_level
SetRandomGeneratorSeed = set_random_generator_seed
