"""Models and texts for all tests, and the table of what was compared that ends a run.

Models come from package registries (scripts/steps/test_data.py), from the oracle's own trainer,
and, where it lies beside the checkout, from the project's shared folder. What cannot be had is left
out; the end of the run says what and why.
"""

from __future__ import annotations

import hashlib
import json
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

CHECKOUT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(CHECKOUT / "scripts"))

from steps import cache, chromium, test_data  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Request

SHARED = CHECKOUT.parent / "shared"
HARD_STRINGS = SHARED / "corpora" / "hard_strings.json"

# What the oracle's trainer is asked for, on lines of botchan and udhr.
TRAINED: dict[str, dict[str, object]] = {
    "trained_bpe": {
        "model_type": "bpe",
        "vocab_size": 5000,
        "byte_fallback": True,
        "normalization_rule_name": "identity",
        "remove_extra_whitespaces": False,
        "user_defined_symbols": ["<sep>", "▁the▁", "www.", "  ", "\t"],
    },
    "trained_bpe_suffix": {
        "model_type": "bpe",
        "vocab_size": 4000,
        "treat_whitespace_as_suffix": True,
        "normalization_rule_name": "nmt_nfkc_cf",
    },
    "trained_unigram": {
        "model_type": "unigram",
        "vocab_size": 6000,
        "byte_fallback": True,
        "normalization_rule_name": "nmt_nfkc",
        "user_defined_symbols": ["<sep>", "of", "…"],
    },
    "trained_unigram_plain": {
        "model_type": "unigram",
        "vocab_size": 4000,
        "normalization_rule_name": "identity",
        "add_dummy_prefix": False,
    },
    "trained_word": {"model_type": "word", "vocab_size": 5000},
    "trained_char": {"model_type": "char", "vocab_size": 2000},
}


class Comparison(NamedTuple):
    """What a test has compared."""

    test: str
    what: str
    compared: int
    mismatches: int


CountPairs = Callable[[str, int, int], None]
COMPARISONS = pytest.StashKey[list[Comparison]]()
LEFT_OUT = pytest.StashKey[dict[str, str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--pairs",
        type=int,
        default=800_000,
        help="how many pairs of a model and a line the ids of native Python and of the oracle are "
        "compared on (9,000,000 are about all that there are)",
    )
    parser.addoption(
        "--rows",
        type=int,
        default=200_000,
        help="how many rows go through Ray, through Spark and through datasets",
    )
    parser.addoption(
        "--node-lines",
        type=int,
        default=0,
        help="of how many lines the ids and offsets of eight models are compared in Node (300,000 "
        "are about all that there are), instead of few with all models",
    )
    parser.addoption(
        "--npm-matrix",
        action="store_true",
        help="write what the npm package was run in into docs/npm.md",
    )
    parser.addoption(
        "--next",
        action="store_true",
        help="build a project of Next.js with the npm package, which takes a minute",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.stash[COMPARISONS] = []
    config.stash[LEFT_OUT] = {}


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, one for all tests: Playwright does not start twice in a process."""
    from playwright.sync_api import sync_playwright

    found = chromium.find_or_get()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=found.executable, args=list(found.arguments)
        )
        yield browser
        browser.close()


@pytest.fixture
def page_without_strangers(browser: Browser, address: str) -> Iterator[Page]:
    """A page that must ask nobody but the server at the test file's `address`."""
    strangers: list[str] = []

    def note(request: Request) -> None:
        if not request.url.startswith((address, "data:", "blob:")):
            strangers.append(request.url)

    context = browser.new_context()
    context.on("request", note)
    yield context.new_page()
    context.close()
    assert strangers == []


@pytest.fixture
def count_pairs(request: pytest.FixtureRequest) -> CountPairs:
    """Takes what was compared, how many pairs, and how many of them differed."""

    def count(what: str, compared: int, mismatches: int) -> None:
        comparisons = request.config.stash[COMPARISONS]
        comparisons.append(Comparison(request.node.name, what, compared, mismatches))

    return count


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    comparisons = config.stash[COMPARISONS]
    if comparisons:
        terminalreporter.section("compared")
        terminalreporter.write_line(f"{'pairs':>12} {'mismatches':>11}  test")
        for test, what, compared, mismatches in comparisons:
            terminalreporter.write_line(f"{compared:>12,} {mismatches:>11,}  {test}: {what}")
    for source, reason in config.stash[LEFT_OUT].items():
        terminalreporter.write_line(f"left out: {source}: {reason}")


@pytest.fixture(scope="session")
def data(pytestconfig: pytest.Config) -> test_data.TestData:
    """What the registries gave."""
    found = test_data.find_or_get()
    left_out = pytestconfig.stash[LEFT_OUT]
    left_out |= found.missing
    if not SHARED.is_dir():
        left_out["../shared"] = "the folder is not there: its models and texts are not used"
    return found


@pytest.fixture(scope="session")
def model_paths(data: test_data.TestData) -> dict[str, Path]:
    """`.model` files by name; of two with the same content the first."""
    paths = data.models | _trained(data) | _converted(data)
    first: dict[str, str] = {}
    for name, path in sorted(paths.items(), key=lambda item: item[0].startswith("shared/")):
        first.setdefault(_digest(path), name)
    if not first:
        pytest.skip("no models: no registry could be reached, and ../shared is not there")
    return {name: paths[name] for name in first.values()}


@pytest.fixture(scope="session")
def spm_fb_paths(model_paths: dict[str, Path]) -> dict[str, Path]:
    """The same models as `.spm.fb`, made by our converter."""
    from spmlite import _native

    def convert(draft: Path) -> None:
        for name, path in model_paths.items():
            output = draft / f"{name}.spm.fb"
            output.parent.mkdir(exist_ok=True)
            output.write_bytes(_native.convert(path.read_bytes()))

    native = Path(_native.__file__)
    version = " ".join(_digest(path) for path in (native, *model_paths.values()))
    folder = cache.made_once("test-data/spm_fb", version, convert)
    return {name: folder / f"{name}.spm.fb" for name in model_paths}


@pytest.fixture(scope="session")
def text_lines(data: test_data.TestData) -> dict[str, list[str]]:
    """Lines of text by the name of their source."""
    lines = {
        name: path.read_text(encoding="utf-8").split("\n") for name, path in data.texts.items()
    }
    if HARD_STRINGS.is_file():
        lines["shared/hard_strings"] = json.loads(HARD_STRINGS.read_text(encoding="utf-8"))
    if not lines:
        pytest.skip("no texts: no registry could be reached, and ../shared is not there")
    return lines


@pytest.fixture(scope="session")
def gemma_tokenizer_json(data: test_data.TestData) -> Path:
    """Gemma 3's published tokenizer.json."""
    if "gemma3" not in data.tokenizers:
        pytest.skip(data.missing["gemma3"])
    return data.tokenizers["gemma3"]


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _trained(data: test_data.TestData) -> dict[str, Path]:
    """Models that the oracle's trainer made here, of types and options that no registry has."""
    if not {"botchan", "udhr"} <= data.texts.keys():
        return {}
    texts = [data.texts[name] for name in ("botchan", "udhr")]

    def train(draft: Path) -> None:
        import sentencepiece

        lines = [line for path in texts for line in path.read_text("utf-8").split("\n")[::8]]
        for name, options in TRAINED.items():
            sentencepiece.SentencePieceTrainer.train(
                sentence_iterator=iter(lines),
                model_prefix=str(draft / name),
                character_coverage=0.98,
                hard_vocab_limit=False,
                minloglevel=2,
                **options,
            )

    version = " ".join((repr(TRAINED), *map(_digest, texts)))
    folder = cache.made_once("test-data/trained", version, train)
    return {name: folder / f"{name}.model" for name in TRAINED}


def _converted(data: test_data.TestData) -> dict[str, Path]:
    """Models of which the registries have the tokenizer.json alone."""
    from spmlite import _native, tokenizer_json

    sources = [Path(str(module.__file__)) for module in (_native, tokenizer_json)]
    paths = {}
    for name, path in data.tokenizers.items():

        def convert(draft: Path, name: str = name, path: Path = path) -> None:
            with warnings.catch_warnings(action="ignore"):
                converted = tokenizer_json.to_model_proto(path.read_bytes())
            (draft / f"{name}.model").write_bytes(converted)

        version = " ".join(map(_digest, (*sources, path)))
        folder = cache.made_once(f"test-data/converted/{name}", version, convert)
        paths[name] = folder / f"{name}.model"
    return paths
