"""SentencePiece tokenization, with the ids of `sentencepiece` 0.2.3.

`import spmlite as spm` stands in for `import sentencepiece as spm`.
"""

from spmlite.processor import SentencePieceProcessor

__all__ = ["SentencePieceProcessor", "__version__"]

__version__ = "0.1.0"
