"""The command line of scripts/bench."""

from __future__ import annotations

import argparse
import os
import platform
from collections.abc import Callable, Iterable
from pathlib import Path

from .. import build, console
from ..environment import CHECKOUT
from ..stop import Stop
from . import engines, inputs, report, rounds
from .engines import Engine, Point
from .rounds import Plan, Results

DEFAULT_FOLDER = CHECKOUT / "build" / "bench"
LENGTHS = tuple(10**power for power in range(3, 9))
THREADS = 2
# A run to see that everything works, in less than two minutes.
QUICK_BYTES = 200_000
QUICK_LENGTHS = LENGTHS[:4]
QUICK_PAIRS = (("english", "gemma3"), ("english", "t5_base"))
# Engines that the side questions (lengths, threads, worst cases) are put to.
CORE_ENGINES = ("spmlite", "lite")


def main() -> int:
    """Measure, write JSON and plots, and print what was asked for."""
    arguments = parse()
    if arguments.results is not None:
        results, about = report.read(arguments.results)
    else:
        build.build(["native", "python", "wasm"])
        results, about = Results(), describe(arguments)
        plans = plan(arguments)
        rounds.measure(plans, arguments.rounds, results)
        report.write_json(results, about, arguments.output)
    report.draw(arguments.output)
    report.print_rates(results)
    if arguments.rows:
        report.print_rows(results)
    if arguments.docs:
        report.write_docs(results, about, arguments.output)
    return report.print_troubles(results)


def parse() -> argparse.Namespace:
    """Read the arguments; --quick changes what others are by default."""
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    names = "names or paths, with commas between"
    parser.add_argument("--texts", type=listed, help=f"only these: {names}")
    parser.add_argument("--models", type=listed, help=f"only these: {names} (.model)")
    known = ", ".join(engine.name for engine in engines.all_engines())
    parser.add_argument("--peers", type=listed, help=f"only these engines beside ours: {known}")
    parser.add_argument("--rounds", type=int, help="every engine in turn, so often (5)")
    parser.add_argument("--quick", action="store_true", help="one round of short texts, 2 minutes")
    parser.add_argument("--rows", action="store_true", help="print what was asked and measured")
    parser.add_argument("--docs", action="store_true", help="write docs/performance.md's figures")
    parser.add_argument(
        "--results", type=Path, metavar="JSON", help="measure nothing: take what was written before"
    )
    parser.add_argument("--output", type=Path, default=DEFAULT_FOLDER, help="folder (build/bench)")
    arguments = parser.parse_args()
    arguments.rounds = arguments.rounds or (1 if arguments.quick else 5)
    return arguments


def listed(words: str) -> list[str]:
    """The words between commas."""
    return [word for word in words.split(",") if word]


def describe(arguments: argparse.Namespace) -> dict[str, object]:
    """The machine and the way it was measured."""
    busy = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    if busy is not None and busy > 0.5:
        console.say(f"  the machine is busy (load {busy:.1f}): figures will be lower than they are")
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
        "load": busy,
        "rounds": arguments.rounds,
        "quick": arguments.quick,
    }


def processor() -> str:
    """What the system calls it, with the numbers that tell virtual ones apart."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    found = dict(line.split(":", 1) for line in lines if ":" in line)
    values = {key.strip(): value.strip() for key, value in found.items()}
    return f"{values.get('model name', '')}, model {values.get('model', '')}"


def plan(arguments: argparse.Namespace) -> list[Plan]:
    """The pairs that are asked for with all engines, then the side questions."""
    chosen = choose_engines(arguments.peers)
    plans = [Plan(point, tuple(chosen)) for point in main_points(arguments)]
    core = tuple(engine for engine in chosen if engine.name in CORE_ENGINES)
    if arguments.texts is None and arguments.models is None:
        plans += [Plan(point, core, passes) for point, passes in side_points(arguments)]
    return plans


def choose_engines(peers: list[str] | None) -> list[Engine]:
    """Ours, and those that are named."""
    everything = engines.all_engines()
    if peers is None:
        return everything
    unknown = set(peers) - {engine.name for engine in everything}
    if unknown:
        raise Stop(f"there is no engine {', '.join(sorted(unknown))}; see scripts/bench --help.")
    return [engine for engine in everything if "spmlite" in engine.name or engine.name in peers]


def main_points(arguments: argparse.Namespace) -> list[Point]:
    """By line and as a whole, every pair of the table, or of what was named."""
    pairs: Iterable[tuple[str, str]] = QUICK_PAIRS if arguments.quick else inputs.PAIRS
    if arguments.texts and arguments.models:
        pairs = [(text, model) for text in arguments.texts for model in arguments.models]
    elif arguments.texts or arguments.models:
        texts, models = arguments.texts, arguments.models
        pairs = [
            (text, model)
            for text, model in inputs.PAIRS
            if (texts is None or text in texts) and (models is None or model in models)
        ] or [(text, "gemma3") for text in texts or []]
    short = shortened(arguments)
    return [
        Point(short(text), model, mode)
        for text, model in available(pairs)
        for mode in ("line", "doc")
    ]


def available(pairs: Iterable[tuple[str, str]]) -> list[tuple[inputs.Text, inputs.Model]]:
    """What can be had of them; where the project's shared folder is missing, others instead."""
    found: dict[tuple[str, str], tuple[inputs.Text, inputs.Model]] = {}
    for text, model in pairs:
        if not inputs.has_text(text):
            text = inputs.OTHER_TEXTS.get(text, text)
        if not inputs.has_model(model):
            model = inputs.OTHER_MODELS.get(model, model)
        if inputs.has_text(text) and inputs.has_model(model):
            found[text, model] = inputs.text(text), inputs.model(model)
        else:
            console.say(f"  left out: {text} with {model}, which are not there")
    if not found:
        raise Stop("none of these texts and models is there.")
    return list(found.values())


def shortened(arguments: argparse.Namespace) -> Callable[[inputs.Text], inputs.Text]:
    """The part of a text that is measured."""
    size = QUICK_BYTES if arguments.quick else 0
    return lambda text: inputs.sample(text, size)


def side_points(arguments: argparse.Namespace) -> list[tuple[Point, int]]:
    """ASCII through a normalizer, worst cases, threads and lengths, with the passes for each."""
    short = shortened(arguments)
    found: list[tuple[Point, int]] = []
    for text, model in available([("english", "t5_base")]):
        del text
        points = [Point(short(inputs.text("ascii")), model, mode) for mode in ("line", "doc")]
        found += [(point, 0) for point in points]
    for _, model in available([("english", "llama2")]):
        worst = [inputs.text(name) for name in inputs.WORST_TEXTS]
        found += [(Point(short(text), model, "doc"), 0) for text in worst]
    for text, model in available([("english", "gemma3")]):
        for mode in ("line", "doc"):
            found.append((Point(short(text), model, mode, threads=THREADS), 0))
        for size in QUICK_LENGTHS if arguments.quick else LENGTHS:
            passes = max(3, min(100, 3_000_000 // size))
            found.append((Point(text, model, "doc", size=size), passes))
    return found
