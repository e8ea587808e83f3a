"""What was measured: as JSON, as plots, on the screen, and in docs/performance.md."""

from __future__ import annotations

import datetime
import json
import statistics
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .. import console
from ..environment import CHECKOUT
from ..stop import Stop
from . import engines, inputs, peers, rows
from .rounds import Results

DOCS = CHECKOUT / "docs" / "performance.md"
DRAWING = Path(__file__).parent / "drivers" / "plot.py"
PLOTS = ("performance.svg", "performance-lengths.svg")
BEGIN = "<!-- What follows is written by `scripts/bench --docs`. -->\n"
END = "<!-- End of what is written by `scripts/bench --docs`. -->\n"
About = dict[str, Any]


def write_json(results: Results, about: About, folder: Path) -> None:
    """Everything, with the medians of the rounds for who draws them."""
    folder.mkdir(parents=True, exist_ok=True)
    points: dict[str, dict[str, Any]] = {}
    for (point, engine), figures in results.rounds.items():
        points.setdefault(point, {})[engine] = {"median": medians(figures), "rounds": figures}
    about["date"] = f"{datetime.date.today():%Y-%m-%d}"
    about["peers"] = peers.versions()
    document = {
        "about": about,
        "titles": {engine.name: engine.title for engine in engines.all_engines()},
        "points": points,
        "missing": results.missing,
        "rows": [
            {
                "what": outcome.row.what,
                "against": outcome.row.against,
                "asked": outcome.row.asked,
                "measured": outcome.measured,
                "at_default_capacity": default.measured,
                "reached": outcome.verdict,
                "ratios": outcome.ratios,
            }
            for outcome, default in rows.outcomes(results)
        ],
    }
    text = json.dumps(document, indent=1, ensure_ascii=False)
    (folder / "results.json").write_text(text + "\n", encoding="utf-8")
    console.say(f"  written: {folder / 'results.json'}")


def read(file: Path) -> tuple[Results, About]:
    """What `write_json` wrote."""
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Stop(f"{file} holds no results of scripts/bench: {error}.") from None
    results = Results(missing=document["missing"])
    for point, measured in document["points"].items():
        for engine, figures in measured.items():
            results.rounds[point, engine] = figures["rounds"]
    return results, document["about"]


def medians(figures: list[dict[str, Any]]) -> dict[str, Any]:
    """Of every number; what is no number is the last round's."""
    found = dict(figures[-1])
    for key, value in figures[-1].items():
        if isinstance(value, int | float) and not isinstance(value, bool):
            found[key] = statistics.median(one[key] for one in figures)
    return found


def draw(folder: Path) -> None:
    """The plots, by matplotlib in the peers' environment."""
    try:
        command: list[str | Path] = [peers.python(), DRAWING, folder / "results.json", folder]
        console.run(command, log="plot")
    except Stop as stop:
        console.say(f"  no plots: {stop}")
        return
    console.say(f"  drawn: {', '.join(str(folder / name) for name in PLOTS)}")


def print_rates(results: Results) -> None:
    """MB/s of every engine at every point."""
    for point in dict.fromkeys(point for point, _ in results.rounds):
        console.say(f"\n{point}{'':{max(1, 46 - len(point))}}plain    cold    warm  decode   MB/s")
        for (other, engine), figures in results.rounds.items():
            if other == point:
                cells = "".join(f"{cell:>8}" for cell in rates(medians(figures)))
                console.say(f"  {title(engine):40}{cells}")


def rates(figures: dict[str, Any]) -> list[str]:
    """Of one engine at one point."""
    keys = ("plain_mb_s", "cold_mb_s", "warm_mb_s", "decode_mb_s")
    return [number(figures.get(key)) for key in keys]


def number(value: float | None) -> str:
    """Three digits that matter."""
    if value is None:
        return "-"
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"


def title(name: str) -> str:
    """Of an engine."""
    return {engine.name: engine.title for engine in engines.all_engines()}.get(name, name)


def print_rows(results: Results) -> None:
    """What was asked, what came out."""
    console.say("")
    for line in rows_table(results):
        console.say(line)


def rows_table(results: Results) -> list[str]:
    """As Markdown; the least ratio counts."""
    lines = [
        "| | against | asked | least | most | both at default capacity | reached |",
        "|---|---|---:|---:|---:|---:|---|",
    ]
    for outcome, default in rows.outcomes(results):
        row = outcome.row
        most = max(outcome.ratios.values(), default=None)
        same = default.ratios == outcome.ratios
        cells = (number(outcome.measured), number(most), "" if same else number(default.measured))
        lines.append(
            f"| {row.what} | {row.against} | {row.asked:g} | {' | '.join(cells)} "
            f"| {outcome.verdict} |"
        )
    return lines


def print_troubles(results: Results) -> int:
    """What is missing and why, and ids that differ; 1 when they are ours or the oracle's."""
    console.say("")
    for line in troubles_lines(results):
        console.say(line)
    wrong = {engine for engine, _ in other_ids(results)}
    must = [engine for engine in wrong if "spmlite" in engine or engine == "sentencepiece"]
    return 1 if must else 0


# Figures that are true where the ids are as they must be, and what is wrong elsewhere.
IDS_FIGURES = {
    "ids_are_ours": "has other ids than ours",
    "cached_is_the_same": "gives other ids with its cache than without",
}


def other_ids(results: Results, keys: Iterable[str] = tuple(IDS_FIGURES)) -> list[tuple[str, str]]:
    """Engines and points for which one of these figures is not true."""
    return [
        (engine, point)
        for (point, engine), figures in results.rounds.items()
        if not all(figures[-1].get(key, True) for key in keys)
    ]


def write_docs(results: Results, about: About, folder: Path) -> None:
    """The figures of docs/performance.md, between its two marks, and its plots."""
    page = DOCS.read_text(encoding="utf-8")
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise Stop(f"{DOCS} has lost the lines between which figures are written.")
    body = "\n".join(docs_lines(results, about))
    DOCS.write_text(f"{before}{BEGIN}\n{body}\n\n{END}{after}", encoding="utf-8")
    for name in PLOTS:
        if (folder / name).is_file():
            (DOCS.parent / name).write_bytes((folder / name).read_bytes())
    console.say(f"  written: {DOCS}")


def docs_lines(results: Results, about: About) -> list[str]:
    """In the order in which one asks."""
    return [
        f"Measured on {about['date']}, {about['rounds']} rounds, one core of {about['processor']}; "
        f"{about['system']}.",
        "",
        "### What was asked, and what came out",
        "",
        *rows_table(results),
        "",
        "### MB/s of UTF-8, by line: plain / cold / warm",
        "",
        *rates_table(results, "line"),
        "",
        "### MB/s of UTF-8, whole document: plain / cold / warm",
        "",
        *rates_table(results, "doc"),
        "",
        "### Length of the input",
        "",
        *lengths_table(results),
        "",
        "### Threads, loading and memory",
        "",
        *memory_table(results),
        "",
        "### Missing, and other ids",
        "",
        *troubles_lines(results),
    ]


def rates_table(results: Results, mode: str) -> list[str]:
    """A row for each engine, a column for each pair."""
    pairs = [
        f"{text} {model}"
        for text, model in inputs.PAIRS
        if any(point == f"{text} {model} {mode}" for point, _ in results.rounds)
    ]
    lines = [
        "| | " + " | ".join(pair.replace("_", " ") for pair in pairs) + " |",
        "|---" * (len(pairs) + 1) + "|",
    ]
    for engine in engines.all_engines():
        cells = [_cell(results.rounds.get((f"{pair} {mode}", engine.name))) for pair in pairs]
        if any(cell != "-" for cell in cells):
            lines.append(f"| {engine.title} | " + " | ".join(cells) + " |")
    return lines


def _cell(figures: list[dict[str, Any]] | None) -> str:
    if not figures:
        return "-"
    plain, cold, warm, _ = rates(medians(figures))
    return " / ".join(rate for rate in (plain, cold, warm) if rate != "-")


def lengths_table(results: Results) -> list[str]:
    """English with Gemma 3, whole."""
    lines = ["| bytes | spmlite: plain / cold / warm | lite |", "|---:|---|---|"]
    sized = {
        point.split()[-2]: point
        for point, _ in results.rounds
        if point.startswith("english gemma3 doc ") and point.endswith(" bytes")
    }
    for size, point in sized.items():
        cells = [_cell(results.rounds.get((point, name))) for name in ("spmlite", "lite")]
        lines.append(f"| {int(size):,} | {' | '.join(cells)} |")
    return lines


def memory_table(results: Results) -> list[str]:
    """English with Gemma 3."""
    lines = [
        "| | mode, threads | cold | warm | decode | load, ms | trusted, ms | heap, bytes "
        "| peak, MB |",
        "|---|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for point in _gemma_points():
        for engine in engines.all_engines():
            figures = results.rounds.get((point, engine.name))
            if figures:
                lines.append(
                    f"| {engine.title} | {point[15:]} | {_memory_cells(medians(figures))} |"
                )
    return lines


def _gemma_points() -> Iterable[str]:
    for mode in ("line", "doc"):
        for threads in ("", " 2 threads"):
            yield f"english gemma3 {mode}{threads}"


def _memory_cells(figures: dict[str, Any]) -> str:
    load, trusted = figures.get("load_ms"), figures.get("load_trusted_ms")
    heap, peak = figures.get("heap_bytes"), figures.get("peak_kb")
    cells = [
        *rates(figures)[1:],
        number(load),
        "-" if trusted is None else f"{trusted:.4f}",
        "-" if heap is None else f"{heap:,.0f}",
        "-" if peak is None else f"{peak / 1000:.0f}",
    ]
    return " | ".join(cells)


def troubles_lines(results: Results) -> list[str]:
    """As a list."""
    missing = dict.fromkeys(
        (where.partition(":")[0], reason) for where, reason in results.missing.items()
    )
    lines = [f"- {title(engine)} is missing: {reason}" for engine, reason in missing]
    for figure, what in IDS_FIGURES.items():
        wrong: dict[str, list[str]] = {}
        for engine, point in other_ids(results, (figure,)):
            wrong.setdefault(engine, []).append(point)
        lines += [
            f"- {title(engine)} {what} on {', '.join(points)}." for engine, points in wrong.items()
        ]
    return lines or ["- Nothing is missing, and all ids are the same."]
