"""The oracle's ids of each line of a text, as core/tests/ids_of_lines.cc prints them.

For the environment that has the oracle: python -m steps.cross_ids MODEL TEXT
"""

from __future__ import annotations

import sys
from pathlib import Path


def main(model: str, text: str) -> None:
    """Print them."""
    import sentencepiece

    processor = sentencepiece.SentencePieceProcessor(model_file=model)
    lines = Path(text).read_text("utf-8").removesuffix("\n").split("\n")
    for ids in processor.encode(lines):
        print("".join(f"{id} " for id in ids))


if __name__ == "__main__":
    main(*sys.argv[1:])
