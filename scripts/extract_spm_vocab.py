#!/usr/bin/env python3
"""Write the vocabulary of a model as text that people can read, compare and review (docs/spm.md).

    python scripts/extract_spm_vocab.py --model tokenizer.model --output gemma3.spm --verify

Any Python from 3.11 on will do: where the package spmlite is not installed, it is built into the
checkout's .venv, and the script runs there. With --verify the file is also compared with what
sentencepiece finds in the model.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - older ones get this sentence, not a traceback
    sys.exit("Stopped: the project's scripts need Python 3.11 or newer; start them with that.")

import argparse
from pathlib import Path

from steps import console, package


def main() -> int:
    """Write the file, or say in a sentence what is wrong."""
    options = _parser().parse_args()
    package.needed("spmlite")
    from spmlite.model_file import named
    from steps import spm_vocabulary

    try:
        with console.telling_warnings("extract_spm_vocab"):
            spm_vocabulary.extract(options.model, options.output, options.plain, options.verify)
    except OSError as error:
        return _fail(f"{error.filename}: {error.strerror}")
    except (RuntimeError, ValueError) as error:
        return _fail(named(options.model, error))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", type=Path, required=True, help="a model file of any kind")
    parser.add_argument("--output", type=Path, required=True, help="the .spm file to write")
    parser.add_argument("--plain", action="store_true", help="without a header: the pieces alone")
    parser.add_argument(
        "--verify", action="store_true", help="read the file that was written, and compare it"
    )
    return parser


def _fail(message: str) -> int:
    print(f"extract_spm_vocab: {message}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(console.exit_code(main))
