"""Measures everything in turn, round by round; prints and keeps the tables of the medians."""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from .. import build, console, environment, node
from ..bench import inputs, peers
from ..environment import CHECKOUT
from ..stop import Stop
from . import sizes

FOLDER = Path(__file__).parent
WASM = CHECKOUT / "wasm"
RESULTS = CHECKOUT / "build" / "bench-npm.json"
# By file of docs/, the mark in front of its tables; they end at MARK_END.
MARKS = {
    "npm.md": "<!-- figures: scripts/bench-npm --docs -->",
    "migration.md": "<!-- figures of peers: scripts/bench-npm --docs -->",
}
MARK_END = "<!-- end of figures -->"

# What is asked, in milliseconds, microseconds and ratios.
MOST_READY = {"flatbuffer": 60, "proto": 400, "second_visit": 40}
LEAST_TIMES_FASTER = 15
LEAST_TIMES_LESS_MEMORY = 5
MOST_SHORT = 2
LEAST_OF_MODULE = 0.8
# In bytes, by what of dist/ it is: as it is, or compressed by gzip.
MOST_BYTES = (
    ("the runtime's module", "spmlite.wasm", "raw", 50_000),
    ("the runtime's module", "spmlite.wasm", "gzip", 20_000),
    ("the default entry, with it", "index.js", "gzip", 40_000),
    ("the converter's module", "spmlite-convert.wasm", "raw", 60_000),
)

Figures = dict[str, Any]


@dataclass(frozen=True)
class Engine:
    """One tokenizer with one model."""

    name: str
    title: str
    model: Path | None
    """The file that it reads; None where the model is part of the package."""
    own_ids: bool = False
    """Its vocabulary is another, so that its ids mean nothing here."""


def main() -> int:
    """Measure in Chromium, then in Node; --docs writes the tables into docs/."""
    parser = argparse.ArgumentParser(prog="scripts/bench-npm", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="(5)")
    parser.add_argument("--docs", action="store_true", help="write the figures of docs/")
    parser.add_argument("--results", type=Path, help="of an earlier run, instead of measuring")
    arguments = parser.parse_args()
    build.build(["python", "wasm"])
    if arguments.results:
        results = json.loads(arguments.results.read_text("utf-8"))
    else:
        results = measure(arguments.rounds)
        RESULTS.write_text(json.dumps(results, indent=1) + "\n", "utf-8")
    tables = {"npm.md": list(asked_table(results)), "migration.md": list(peers_table(results))}
    for name, table in tables.items():
        console.say("\n".join(table))
        if arguments.docs:
            put_into_docs(name, table)
    return 0


def measure(rounds: int) -> Figures:
    """All figures; of each engine, those of every round."""
    gemma = inputs.model("gemma3")
    llama = inputs.model("llama2" if inputs.has_model("llama2") else "mistral_v1")
    text = inputs.text("english" if inputs.has_text("english") else "botchan")
    engines = [*_engines(gemma, with_peers_own=False), *_engines(llama, with_peers_own=True)]
    found: Figures = {engine.title: [] for engine in engines}
    long_text: list[Figures] = []
    for number in range(rounds):
        with console.step(f"round {number + 1} of {rounds} in Node"):
            for engine in engines:
                found[engine.title].append(_in_node(engine, text.path))
            long_text.append(_long_text(gemma.ours, text.path))
    with console.step("in Chromium"):
        chromium = _in_chromium(gemma, rounds)
    return {
        "date": f"{date.today():%Y-%m-%d}",
        "node": node.find_or_get().version,
        "peers": peers.versions(),
        "llama": llama.name,
        "text": text.name,
        "chromium": chromium,
        "long_text": long_text,
        "package": [
            sizes.file_size(WASM / "dist" / file, compressed=how == "gzip")
            for _, file, how, _ in MOST_BYTES
        ],
        "engines": found,
        "sizes": {
            engine.title: [
                sizes.script_size(engine.name, peers.node_modules()),
                sizes.model_size(engine.model),
            ]
            for engine in engines
        },
        "same_ids": _same_ids(engines, found),
    }


def _engines(model: inputs.Model, *, with_peers_own: bool) -> list[Engine]:
    """Ours with both kinds of files, and those who read the model."""
    found = [
        Engine("spmlite", f"spmlite, {model.name}.spm.fb", model.ours),
        Engine("spmlite", f"spmlite, {model.name}.model", model.proto),
        Engine("sentencepiece-js", f"@agnai/sentencepiece-js, {model.name}", model.proto),
    ]
    json_file = inputs.tokenizer_json(model)
    if json_file is not None:
        found.append(Engine("huggingface", f"@huggingface/tokenizers, {model.name}", json_file))
    if with_peers_own:
        found.append(Engine("llama-tokenizer-js", "llama-tokenizer-js, llama2", None))
        title = "gpt-tokenizer, o200k_base"
        found.append(Engine("gpt-tokenizer", title, None, own_ids=True))
    return found


def _in_node(engine: Engine, text: Path) -> Figures:
    driver = FOLDER / "drivers" / "engine.mjs"
    command: list[str | Path] = [node.find_or_get().executable, "--expose-gc", driver]
    model = engine.model or "-"
    return _told([*command, engine.name, model, text, WASM, peers.node_modules()])


def _long_text(model: Path, text: Path) -> Figures:
    driver = FOLDER / "drivers" / "long_text.mjs"
    return _told([node.find_or_get().executable, driver, model, text, WASM])


def _in_chromium(model: inputs.Model, rounds: int) -> Figures:
    script = FOLDER / "in_chromium.py"
    command: list[str | Path] = [environment.find_or_get().python, script, f"--rounds={rounds}"]
    return _told([*command, WASM / "dist", model.ours, model.proto])


def _told(command: list[str | Path]) -> Figures:
    """The JSON that a command prints last."""
    printed = console.run(command, log="bench-npm")
    told: Figures = json.loads(printed.strip().splitlines()[-1])
    return told


def _same_ids(engines: list[Engine], found: Figures) -> dict[str, bool]:
    """Whether an engine's ids are ours, for the models that both know."""
    ours: dict[str, Any] = {}
    same = {}
    for engine in engines:
        model = engine.title.rpartition(", ")[2].partition(".")[0]
        ids = found[engine.title][0].pop("ids")
        for again in found[engine.title][1:]:
            again.pop("ids")
        if not engine.own_ids:
            same[engine.title] = ids == ours.setdefault(model, ids)
    return same


def median(rounds: list[Figures], figure: str) -> float:
    """Of one figure over the rounds."""
    return statistics.median(float(one[figure]) for one in rounds)


def asked_table(results: Figures) -> Iterator[str]:
    """What is asked of the package, and what was measured."""
    yield f"Measured on {results['date']}, medians of {len(results['long_text'])} rounds."
    yield ""
    yield "| what | measured | asked | |"
    yield "|---|---|---|---|"
    for (what, file, how, most), size in zip(MOST_BYTES, results["package"], strict=True):
        asked_size = f"at most {most / 1e3:.0f} KB"
        yield _row(f"{what}, `{file}`, {how}", f"{size / 1e3:.1f} KB", asked_size, size <= most)
    chromium = results["chromium"]
    titles = {
        "flatbuffer": "from `.spm.fb`",
        "proto": "from `.model`, converted there",
        "second_visit": "from `.model`, kept in the Cache API by an earlier visit",
    }
    for what, title in titles.items():
        measured = statistics.median(chromium[what])
        asked = MOST_READY[what]
        name = f"Gemma 3 ready in Chromium {chromium['browser'].partition('.')[0]}, {title}"
        yield _row(name, f"{measured:.0f} ms", f"at most {asked} ms", measured <= asked)
    script = statistics.median(chromium["script"])
    yield f"| the package's script there, before that | {script:.0f} ms | | |"
    engines = results["engines"]
    ours = engines["spmlite, gemma3.spm.fb"]
    theirs = engines["@huggingface/tokenizers, gemma3"]
    name = f"Gemma 3 ready in Node {results['node']}, against @huggingface/tokenizers"
    for figure, unit, asked, than in (
        ("ready_ms", "ms", LEAST_TIMES_FASTER, "faster"),
        ("memory_mb", "MB", LEAST_TIMES_LESS_MEMORY, "less memory"),
    ):
        one, other = median(ours, figure), median(theirs, figure)
        measured_text = f"{one:.0f} {unit} against {other:.0f}: {other / one:.0f} times {than}"
        yield _row(name, measured_text, f"{asked} times", other / one >= asked)
    short = median(ours, "short_us")
    yield _row("20 characters", f"{short:.2f} µs", f"at most {MOST_SHORT} µs", short <= MOST_SHORT)
    share = statistics.median(
        one["package_mb_s"] / one["module_mb_s"] for one in results["long_text"]
    )
    rate = median(results["long_text"], "package_mb_s")
    asked_share = f"at least {LEAST_OF_MODULE}"
    measured_text = f"{share:.2f} of the module's speed, {rate:.0f} MB/s"
    yield _row("a string of 1 MB", measured_text, asked_share, share >= LEAST_OF_MODULE)


def _row(what: str, measured: str, asked: str, reached: bool) -> str:
    return f"| {what} | {measured} | {asked} | {'reached' if reached else 'not reached'} |"


def peers_table(results: Figures) -> Iterator[str]:
    """Size, start and speed of every engine."""
    yield (
        f"Measured on {results['date']} in Node {results['node']}, medians of "
        f"{len(results['long_text'])} rounds, each in a fresh process; the text is English."
    )
    yield ""
    yield (
        "| package, model | script, gzip | model, gzip | ready | memory | 20 characters "
        "| first pass | best pass | ids |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    for title, rounds in results["engines"].items():
        script, model = results["sizes"][title]
        cells = [
            title,
            f"{script / 1e3:,.0f} KB",
            f"{model / 1e6:.1f} MB" if model else "in the script",
            f"{median(rounds, 'ready_ms'):,.0f} ms",
            f"{median(rounds, 'memory_mb'):,.0f} MB",
            f"{median(rounds, 'short_us'):.1f} µs",
            f"{median(rounds, 'first_mb_s'):.2f} MB/s",
            f"{median(rounds, 'best_mb_s'):.2f} MB/s",
            {True: "the same", False: "others", None: "its own"}[results["same_ids"].get(title)],
        ]
        yield f"| {' | '.join(cells)} |"


def put_into_docs(name: str, table: list[str]) -> None:
    """Between the two marks of a file of docs/."""
    file = CHECKOUT / "docs" / name
    before, found, rest = file.read_text("utf-8").partition(MARKS[name])
    _, end, after = rest.partition(MARK_END)
    if not found or not end:
        raise Stop(f"{file} has no lines {MARKS[name]} and {MARK_END}.")
    text = "\n".join(table)
    file.write_text(f"{before}{MARKS[name]}\n\n{text}\n\n{MARK_END}{after}", "utf-8")
    console.say(f"  written: {file}")
