"""How fast lines are encoded, natively and in Node; each beside sentencepiece, in one go."""

from __future__ import annotations

import argparse
import json
import statistics
from dataclasses import dataclass, field
from pathlib import Path

from . import build, console, environment, node, test_data
from .demo import model_file
from .environment import CHECKOUT
from .stop import Stop

ORACLE = """
import json, sys, time
import sentencepiece
processor = sentencepiece.SentencePieceProcessor(model_file=sys.argv[1])
lines = [line for line in open(sys.argv[2], encoding="utf-8").read().split("\\n") if line]
size = sum(len(line.encode()) for line in lines)
start = time.perf_counter()
for line in lines:
    processor.encode(line)
print(json.dumps({"mb_s": size / 1e6 / (time.perf_counter() - start)}))
"""


@dataclass
class Engine:
    """One way to encode the text, and the rates that were measured, in MB/s of UTF-8."""

    name: str
    command: list[str | Path]
    key: str
    rates: list[float] = field(default_factory=list)


def main() -> int:
    """Time every engine in turn, several rounds, and print the medians."""
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    parser.add_argument(
        "--text", type=Path, help="UTF-8, a text a line; default: english or botchan"
    )
    parser.add_argument("--rounds", type=int, default=5, help="each engine in turn, so often (5)")
    parser.add_argument("--json", action="store_true", help="one line of JSON instead of a table")
    arguments = parser.parse_args()
    build.build(["native", "python", "wasm"])
    text = arguments.text or default_text()
    engines = engines_for(model_file(), text)
    for number in range(arguments.rounds):
        with console.step(f"round {number + 1} of {arguments.rounds}"):
            for engine in engines:
                engine.rates.append(measure(engine))
    print_rates(text, engines, as_json=arguments.json)
    return 0


def default_text() -> Path:
    """English, where it is there."""
    texts = test_data.find_or_get().texts
    for name in ("shared/english", "botchan"):
        if name in texts:
            return texts[name]
    raise Stop("there is no text to encode: name one with --text.")


def engines_for(model: Path, text: Path) -> list[Engine]:
    """Ours and the oracle, which needs the `.model` that the `.spm.fb` was made from."""
    venv = environment.find_or_get()
    program = CHECKOUT / "build" / "spm_bench"
    bench: list[str | Path] = [program, f"--model={model}", f"--text={text}", "--reps=3"]
    in_node = [node.find_or_get().executable, CHECKOUT / "wasm" / "bench" / "encode.mjs"]
    return [
        Engine("spmlite, C++", bench, "plain_mb_s"),
        Engine("spmlite, Node", [*in_node, model, text, "3"], "megabytesPerSecond"),
        Engine(
            "sentencepiece 0.2.3, Python",
            [venv.python, "-c", ORACLE, model.with_suffix("").with_suffix(".model"), text],
            "mb_s",
        ),
    ]


def measure(engine: Engine) -> float:
    """The rate of one run."""
    printed = console.run(engine.command, log="bench", timeout=600)
    return float(json.loads(printed.strip().splitlines()[-1])[engine.key])


def print_rates(text: Path, engines: list[Engine], *, as_json: bool) -> None:
    """Medians, extremes, and the ratio to the oracle round by round."""
    oracle = engines[-1]
    rows = [
        {
            "engine": engine.name,
            "median": statistics.median(engine.rates),
            "least": min(engine.rates),
            "most": max(engine.rates),
            "ratio": statistics.median(
                ours / theirs for ours, theirs in zip(engine.rates, oracle.rates, strict=True)
            ),
        }
        for engine in engines
    ]
    if as_json:
        console.say(json.dumps({"text": text.name, "rows": rows}))
        return
    console.say(f"\nGemma 3 on {text.name}, by line, one thread; MB/s of UTF-8")
    console.say(f"  {'':28} {'median':>7} {'least':>7} {'most':>7}   times sentencepiece")
    for row in rows:
        console.say(
            f"  {row['engine']:28} {row['median']:7.1f} {row['least']:7.1f} {row['most']:7.1f}"
            f"   {row['ratio']:.1f}"
        )
