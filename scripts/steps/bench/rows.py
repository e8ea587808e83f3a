"""What was asked of spmlite's speed, as ratios, and what came out."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from dataclasses import dataclass, replace

from .rounds import Figures, Results

MODES = ("line", "doc")
LITE_CACHED = ("lite", "lite-large")
OURS = ("spmlite", "spmlite-large")
NODE_LITE = ("node-lite", "node-lite-large")
BPE = (
    *(("english", "gemma3"), ("english", "llama2"), ("japanese", "gemma3")),
    *(("multilingual", "gemma3"), ("code", "gemma3")),
)
ALL = (
    *BPE,
    *(("english", "t5_base"), ("english", "llmjp_v3.0b1_100k")),
    ("japanese", "llmjp_v3.0b1_100k"),
)
FASTEST = (("english", "gemma3"), ("multilingual", "gemma3"), ("code", "gemma3"))
IN_NODE = (("english", "gemma3"), ("japanese", "gemma3"))


@dataclass(frozen=True)
class Side:
    """One side of a ratio: the best of these figures of these engines, in each round."""

    engines: tuple[str, ...]
    figures: tuple[str, ...]


@dataclass(frozen=True)
class Row:
    """One ratio that was asked for, on several pairs of a text and a model."""

    what: str
    against: str
    asked: float
    ours: Side
    theirs: Side
    pairs: tuple[tuple[str, str], ...]
    modes: tuple[str, ...] = MODES
    is_time: bool = False
    """Figures are times, of which the smaller is the better."""
    suffix: str = ""
    """Of the names of our points, where they differ from those of the other side."""


def cold_and_warm(
    what: str, pairs: tuple[tuple[str, str], ...], cold: float, warm: float
) -> list[Row]:
    """Against the cached lite runtime, each with the better of its two usual capacities."""
    return [
        Row(
            f"{what}, {name}",
            "lite, cached",
            asked,
            Side(OURS, (key,)),
            Side(LITE_CACHED, (key,)),
            pairs,
        )
        for name, key, asked in (("cold", "cold_mb_s", cold), ("warm", "warm_mb_s", warm))
    ]


def asked() -> list[Row]:
    """The table."""
    return [
        *cold_and_warm("English, Gemma 3 and Llama 2", BPE[:2], 2.5, 4),
        *cold_and_warm("English, T5 and LLM-jp", ALL[5:7], 2, 3),
        *cold_and_warm("Japanese, Gemma 3 and LLM-jp", (BPE[2], ALL[7]), 1.7, 3),
        *cold_and_warm("multilingual, Gemma 3", (BPE[3],), 2, 3),
        *cold_and_warm("code, Gemma 3", (BPE[4],), 2, 3),
        *_against_gigatoken(),
        *_against_the_oracle(),
        *_in_node(),
        *_worst_cases(),
        *_the_rest(),
    ]


def _against_gigatoken() -> list[Row]:
    return [
        Row(
            f"all of these, {name}",
            "gigatoken",
            3,
            Side(OURS, (key,)),
            Side(("gigatoken",), (key,)),
            BPE,
        )
        for name, key in (("cold", "cold_mb_s"), ("warm", "warm_mb_s"))
    ]


def _against_the_oracle() -> list[Row]:
    """From Python on both sides; ours on its first pass, the oracle at its best."""
    ours = Side(("spmlite-python",), ("cold_mb_s",))
    theirs = Side(("sentencepiece",), ("cold_mb_s", "warm_mb_s"))
    others = tuple(pair for pair in ALL if pair not in FASTEST)
    against = "sentencepiece, Python"
    return [
        Row("English, multilingual, code; Gemma 3", against, 15, ours, theirs, FASTEST),
        Row("the others", against, 6, ours, theirs, others),
    ]


def _in_node() -> list[Row]:
    ours = ("node-spmlite",)
    plain = Side(("node-lite-plain", *NODE_LITE), ("cold_mb_s",))
    warm = ("warm_mb_s",)
    return [
        Row(
            "WASM, cold", "lite, WASM, plain or cold", 3, Side(ours, ("cold_mb_s",)), plain, IN_NODE
        ),
        Row("WASM, warm", "lite, WASM, warm", 5, Side(ours, warm), Side(NODE_LITE, warm), IN_NODE),
        *(
            Row(
                f"WASM, {name}",
                "spmlite, C++",
                0.55,
                Side(ours, (key,)),
                Side(OURS[:1], (key,)),
                IN_NODE,
            )
            for name, key in (("cold", "cold_mb_s"), ("warm", "warm_mb_s"))
        ),
    ]


def _worst_cases() -> list[Row]:
    return [
        Row(
            f"1 MB of {title}, Llama 2, {name}",
            "lite",
            15,
            Side(OURS[:1], (key,)),
            Side(LITE_CACHED[:1], (key,)),
            ((text, "llama2"),),
            ("doc",),
        )
        for text, title in (("aaaa", "a"), ("letters", "random letters"), ("spaces", "spaces"))
        for name, key in (("plain", "plain_mb_s"), ("cold", "cold_mb_s"))
    ]


def _the_rest() -> list[Row]:
    return [
        _same("decode", "lite", 4, "decode_mb_s", ALL),
        _loading("checked", 5, "load_ms"),
        _loading("trusted", 100, "load_trusted_ms"),
        _same(
            "nmt_nfkc on ASCII", "lite's normalizer", 8, "normalize_mb_s", (("ascii", "t5_base"),)
        ),
        *(_two_threads(*one) for one in THREADED),
    ]


THREADED = (
    ("plain", "plain_mb_s"),
    ("cold", "cold_mb_s"),
    ("warm", "warm_mb_s"),
    ("decoding", "decode_mb_s"),
)


def _same(
    what: str, against: str, least: float, key: str, pairs: tuple[tuple[str, str], ...]
) -> Row:
    """The same figure on both sides."""
    return Row(what, against, least, Side(OURS[:1], (key,)), Side(LITE_CACHED[:1], (key,)), pairs)


def _loading(checks: str, least: float, key: str) -> Row:
    return Row(
        f"load Gemma 3, {checks}",
        "lite",
        least,
        Side(OURS[:1], (key,)),
        Side(LITE_CACHED[:1], ("load_ms",)),
        (("english", "gemma3"),),
        modes=("doc",),
        is_time=True,
    )


def _two_threads(name: str, key: str) -> Row:
    """The rate of both together."""
    one = Side(OURS[:1], (key,))
    pairs = (("english", "gemma3"),)
    return Row(f"two threads, {name}", "one thread", 1.85, one, one, pairs, suffix=" 2 threads")


@dataclass(frozen=True)
class Outcome:
    """What came out of a row: the ratio at each point, and the least of them."""

    row: Row
    ratios: dict[str, float]

    @property
    def measured(self) -> float | None:
        """The least, since it is asked for everywhere; None where nothing was measured."""
        return min(self.ratios.values(), default=None)

    @property
    def verdict(self) -> str:
        """In one word or three."""
        if self.measured is None:
            return "not measured"
        return "yes" if self.measured >= self.row.asked else "no"


def outcomes(results: Results) -> list[tuple[Outcome, Outcome]]:
    """Of every row: as asked, and with the caches of both sides at their default capacity."""
    return [
        (_outcome(row, results), _outcome(at_default_capacity(row), results)) for row in asked()
    ]


def at_default_capacity(row: Row) -> Row:
    """The same row without the engines whose caches are large."""
    return replace(row, ours=_with_default(row.ours), theirs=_with_default(row.theirs))


def _with_default(side: Side) -> Side:
    return replace(side, engines=tuple(n for n in side.engines if not n.endswith("-large")))


def _outcome(row: Row, results: Results) -> Outcome:
    return Outcome(row, dict(_ratios(row, results)))


def _ratios(row: Row, results: Results) -> Iterator[tuple[str, float]]:
    """The median over the rounds of each round's ratio, at every point that was measured."""
    for text, model in row.pairs:
        for mode in row.modes:
            point = f"{text} {model} {mode}"
            ours = _best(row, row.ours, point + row.suffix, results)
            theirs = _best(row, row.theirs, point, results)
            rounds = [a / b for a, b in zip(ours, theirs, strict=False) if a and b]
            if rounds:
                ratio = statistics.median(rounds)
                yield point, 1 / ratio if row.is_time else ratio


def _best(row: Row, side: Side, point: str, results: Results) -> list[float]:
    """In each round, the best figure of the engines that were measured there."""
    best = min if row.is_time else max
    measured = [results.rounds.get((point, engine), []) for engine in side.engines]
    return [
        best(value for figures in in_round for value in _values(figures, side))
        for in_round in zip(*filter(None, measured), strict=False)
        if any(True for figures in in_round for _ in _values(figures, side))
    ]


def _values(figures: Figures, side: Side) -> Iterator[float]:
    for key in side.figures:
        if figures.get(key) is not None:
            yield float(figures[key])
