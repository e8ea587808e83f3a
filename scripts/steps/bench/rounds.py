"""Measures engines in turn, round by round, so that a busy moment hits all of them alike."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass, field
from typing import Any

from .. import console
from ..stop import Stop
from . import inputs
from .engines import Command, Engine, NotAsked, Point

Figures = dict[str, Any]
TIMEOUT = 300.0


@dataclass
class Results:
    """What came out, and what did not."""

    rounds: dict[tuple[str, str], list[Figures]] = field(default_factory=dict)
    """By the names of a point and of an engine: the figures of each round."""
    missing: dict[str, str] = field(default_factory=dict)
    """By the name of an engine, or of an engine and a point: why there is nothing."""


@dataclass(frozen=True)
class Plan:
    """Which engines are measured on a point."""

    point: Point
    engines: tuple[Engine, ...]
    passes: int = 0
    """How often each encodes it in a round; 0 for as often as it says itself."""


def measure(plans: list[Plan], rounds: int, results: Results) -> None:
    """Every engine once in each round."""
    for number in range(rounds):
        for plan in plans:
            with console.step(f"round {number + 1} of {rounds}: {plan.point.name}"):
                for engine in plan.engines:
                    _measure(engine, plan, results)


def _measure(engine: Engine, plan: Plan, results: Results) -> None:
    point = plan.point
    if engine.most_bytes:
        text = inputs.sample(point.text, engine.most_bytes)
        point = Point(text, point.model, point.mode, point.threads, point.size)
    key = f"{engine.name}: {point.name}"
    if key in results.missing or engine.name in results.missing:
        return
    try:
        figures = run(engine.command(point, plan.passes or engine.passes), point.threads)
    except NotAsked:
        return
    except Stop as stop:
        results.missing[key] = str(stop).splitlines()[0]
        return
    if not engine.own_ids:
        figures["ids_are_ours"] = figures["hash"] == _our_hash(point)
    results.rounds.setdefault((point.name, engine.name), []).append(figures)


_OUR_HASHES: dict[tuple[str, str, str, int], str] = {}


def _our_hash(point: Point) -> str:
    """Of the ids that spm_bench finds; the oracle, which is measured as well, says if it is right.

    An engine that gets less of a text is compared on that.
    """
    key = (str(point.text.path), point.model.name, point.mode, point.size)
    if key not in _OUR_HASHES:
        from . import engines

        ours = engines.all_engines()[0]
        _OUR_HASHES[key] = run(ours.command(point, 1), point.threads)["hash"]
    return _OUR_HASHES[key]


def run(command: Command, threads: int = 1) -> Figures:
    """The figures that a driver prints on its last line."""
    pinned = [*_pin(threads), *command]
    env = os.environ | {"TOKENIZERS_PARALLELISM": "false", "RAYON_NUM_THREADS": "1"}
    printed = console.run(pinned, log="bench", timeout=TIMEOUT, env=env)
    found: Figures = json.loads(printed.strip().splitlines()[-1])
    return found


def _pin(threads: int) -> Command:
    """To the last core, which is the least busy one as a rule; nothing where that is not done."""
    taskset = shutil.which("taskset")
    if taskset is None or threads > 1:
        return []
    return [taskset, "-c", str(max(os.sched_getaffinity(0)))]
