#!/usr/bin/env python3
"""Measure how many documents are tokenized wrongly when a vocabulary loses its types or scores.

    python scripts/measure_dropped_types.py --model gemma3.model english.txt code.txt
    python scripts/measure_dropped_types.py --model gemma3.model --size 0 a-folder-of-sources

What `.tiktoken` files keep of a SentencePiece vocabulary is the pieces and their order. Each way of
losing the rest is made into a model of its own, and sentencepiece encodes every document with it
and with the original. Any Python from 3.11 on will do: where spmlite or sentencepiece is not
installed, the script runs in the checkout's .venv. docs/spm.md has the results.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - older ones get this sentence, not a traceback
    sys.exit("Stopped: the project's scripts need Python 3.11 or newer; start them with that.")

import argparse
from pathlib import Path

from steps import console, package


def main() -> int:
    """Print a line for each way, or say in a sentence what is wrong."""
    options = _parser().parse_args()
    package.needed("spmlite", "sentencepiece")
    from steps import dropped_types

    try:
        with console.telling_warnings("measure_dropped_types"):
            dropped_types.measure(options.model, options.texts, options.size)
    except OSError as error:
        return _fail(f"{error.filename}: {error.strerror}")
    except (RuntimeError, ValueError) as error:
        return _fail(str(error))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", type=Path, required=True, help="a model file of any kind")
    parser.add_argument(
        "--size",
        type=int,
        default=4000,
        help="cut texts into documents of so many characters, at line ends; 0: each file is one",
    )
    parser.add_argument("texts", type=Path, nargs="+", help="files, or folders of files")
    return parser


def _fail(message: str) -> int:
    print(f"measure_dropped_types: {message}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(console.exit_code(main))
