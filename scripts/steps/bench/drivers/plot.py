"""Draws what scripts/bench measured, with matplotlib.

    python plot.py RESULTS_JSON FOLDER

performance.svg has a panel for each text and model, by line, with a bar for each engine: pale for
its first pass, full for later ones. performance-lengths.svg has the rates over the input's length.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

matplotlib: Any = importlib.import_module("matplotlib")  # in the peers' environment alone
matplotlib.use("svg")
plt: Any = importlib.import_module("matplotlib.pyplot")

OURS, LITE, OTHERS = "#0b6e4f", "#d17a00", "#5a6b7b"
ENGINES = (
    *("spmlite", "spmlite-large", "lite", "lite-large", "gigatoken", "spmlite-python"),
    *("tiktoken", "kitoken", "tokenizers", "sentencepiece"),
)
IN_NODE = (
    *("node-spmlite", "node-lite-plain", "node-lite", "node-lite-large", "gpt-tokenizer"),
    *("sentencepiece-js", "hf-tokenizers-js"),
)
TITLES = {
    "gemma3": "Gemma 3",
    "llama2": "Llama 2",
    "t5_base": "T5",
    "llmjp_v3.0b1_100k": "LLM-jp",
    "mistral_v1": "Mistral",
}
COLUMNS = 2


def color(engine: str) -> str:
    """Ours, the published lite runtime, others."""
    return OURS if "spmlite" in engine else LITE if "lite" in engine else OTHERS


def panel_title(point: str, where: str) -> str:
    """Of a point, as in `english gemma3 line`."""
    text, model, _ = point.split(" ", 2)
    return f"{text}, {TITLES.get(model, model)}{where}"


def bars(axes: Any, measured: dict[str, Any], names: list[str], titles: dict[str, str]) -> None:  # noqa: ANN401
    """One engine a bar, the fastest ones as they come."""
    for place, name in enumerate(names):
        figures = measured[name]["median"]
        rates = {key: figures.get(key) or 0 for key in ("cold_mb_s", "warm_mb_s", "plain_mb_s")}
        best = max(rates.values())
        axes.barh(place, best, color=color(name), alpha=0.45, height=0.72)
        axes.barh(place, rates["cold_mb_s"], color=color(name), height=0.72)
        axes.text(best, place, f" {best:.3g}", va="center", fontsize=8)
    axes.set_yticks(range(len(names)), [titles.get(name, name) for name in names], fontsize=8)
    axes.invert_yaxis()
    axes.margins(x=0.12)
    axes.tick_params(axis="x", labelsize=8)
    axes.spines[["top", "right"]].set_visible(False)


def draw_rates(document: dict[str, Any], file: Path) -> None:
    """All panels of engines on one machine."""
    panels = []
    for point, measured in document["points"].items():
        if not point.endswith(" line"):
            continue
        for engines, where in ((ENGINES, ""), (IN_NODE, ", in Node")):
            names = [name for name in engines if name in measured]
            if len(names) > 2:
                panels.append((panel_title(point, where), measured, names))
    rows = max(1, -(-len(panels) // COLUMNS))
    figure, grid = plt.subplots(
        rows, COLUMNS, figsize=(11, 2.6 * rows), squeeze=False, layout="constrained"
    )
    for axes in grid.flat[len(panels) :]:
        axes.set_visible(False)
    for axes, (title, measured, names) in zip(grid.flat, panels, strict=False):
        bars(axes, measured, names, document["titles"])
        axes.set_title(title, fontsize=10, loc="left")
    figure.supxlabel("MB/s of UTF-8, by line, one thread; full: first pass, pale: best", fontsize=9)
    figure.savefig(file)


def draw_lengths(document: dict[str, Any], file: Path) -> None:
    """Rates of ours and lite over the length of the input."""
    figure, axes = plt.subplots(figsize=(7, 3.6), layout="constrained")
    styles = {"plain_mb_s": ("plain", ":"), "cold_mb_s": ("cold", "--"), "warm_mb_s": ("warm", "-")}
    for engine in ("spmlite", "lite"):
        sized = {
            int(point.split()[-2]): measured[engine]["median"]
            for point, measured in document["points"].items()
            if point.endswith(" bytes") and engine in measured
        }
        for key, (name, line) in styles.items():
            sizes = sorted(sized)
            rates = [sized[size][key] for size in sizes]
            axes.plot(
                sizes,
                rates,
                line,
                color=color(engine),
                marker="o",
                markersize=3,
                label=f"{engine}, {name}",
            )
    axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("bytes of one document (English, Gemma 3)", fontsize=9)
    axes.set_ylabel("MB/s", fontsize=9)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(fontsize=8, frameon=False, ncols=2)
    figure.savefig(file)


def main() -> None:
    """Draw both."""
    results, folder = Path(sys.argv[1]), Path(sys.argv[2])
    document = json.loads(results.read_text(encoding="utf-8"))
    # Text stays text, and the same figures give the same file.
    plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "spmlite", "font.size": 9})
    draw_rates(document, folder / "performance.svg")
    draw_lengths(document, folder / "performance-lengths.svg")


if __name__ == "__main__":
    main()
