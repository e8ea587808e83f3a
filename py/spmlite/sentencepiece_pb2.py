r"""The messages of the oracle's sentencepiece.proto, as classes of protobuf.

For `return_type="proto"`; nothing else imports this.

>>> SentencePieceText(text="Hello").SerializeToString()
b'\n\x05Hello'
"""

from spmlite.protobuf_messages import define

_CLASSES = define(
    __name__,
    {
        "SentencePieceText": {
            "text": (1, "string"),
            "pieces": (2, "*SentencePieceText.SentencePiece"),
            "score": (3, "float"),
        },
        "SentencePieceText.SentencePiece": {
            "piece": (1, "string"),
            "id": (2, "uint32"),
            "surface": (3, "string"),
            "begin": (4, "uint32"),
            "end": (5, "uint32"),
        },
        "NBestSentencePieceText": {"nbests": (1, "*SentencePieceText")},
    },
    enums={},
)

SentencePieceText = _CLASSES["SentencePieceText"]
NBestSentencePieceText = _CLASSES["NBestSentencePieceText"]
