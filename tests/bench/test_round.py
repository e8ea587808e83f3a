"""One short round of scripts/bench with the engines at hand: ours, the oracle and lite."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import pytest
from steps import test_data
from steps.bench import command, inputs, lite, report, rounds, rows
from steps.stop import Stop

PEERS = ["sentencepiece", "lite", "lite-large"]
MODES = ("line", "doc")
LINES = 300


@pytest.fixture(scope="module")
def model(data: test_data.TestData) -> Path:
    if "mistral_v1" not in data.models:
        pytest.skip(data.missing.get("mistral-common", "the model is not there"))
    return data.models["mistral_v1"]


@pytest.fixture(scope="module")
def text(botchan: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    lines = botchan.read_text(encoding="utf-8").split("\n")[:LINES]
    path = tmp_path_factory.mktemp("text") / "short.txt"
    path.write_text("\n".join(lines), encoding="utf-8", newline="\n")
    return path


def test_ids_are_the_same_where_they_must_be(
    model: Path, text: Path, tmp_path: Path, count_pairs: Callable[[str, int, int], None]
) -> None:
    try:
        lite.native()
    except Stop as stop:
        pytest.skip(f"the published lite runtime could not be built: {stop}")
    arguments = argparse.Namespace(quick=True, texts=[str(text)], models=[str(model)], peers=PEERS)
    results = rounds.Results()
    rounds.measure(command.plan(arguments), 1, results)
    report.write_json(results, {"rounds": 1}, tmp_path)
    again, _ = report.read(tmp_path / "results.json")

    points = [f"short {inputs.model(str(model)).name} {mode}" for mode in MODES]
    expected = {(point, engine) for point in points for engine in (*PEERS, "spmlite")}
    assert expected <= again.rounds.keys()
    wrong = report.other_ids(again)
    count_pairs("ids of engines in scripts/bench", len(again.rounds), len(wrong))
    assert not wrong
    assert report.print_troubles(again) == 0
    assert {first.verdict for first, _ in rows.outcomes(again)} == {"not measured"}
