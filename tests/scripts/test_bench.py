"""What the bench computes from what it measured, without measuring."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest
from steps.bench import command, engines, report, rows
from steps.bench.rounds import Results
from steps.stop import Stop

POINT = "english gemma3 line"


def results(**rates: list[float]) -> Results:
    """Engines with these cold rates, one a round, all on one point."""
    found = Results()
    for engine, values in rates.items():
        figures = [{"cold_mb_s": value} for value in values]
        found.rounds[POINT, engine.replace("_", "-")] = figures
    return found


def row(what: str) -> rows.Row:
    """The row that begins so."""
    return next(row for row in rows.asked() if row.what.startswith(what))


def outcome(what: str, found: Results) -> tuple[rows.Outcome, rows.Outcome]:
    """What came out of a row, as asked and at default capacity."""
    index = rows.asked().index(row(what))
    return rows.outcomes(found)[index]


def test_a_ratio_is_the_median_of_the_rounds_ratios() -> None:
    found = results(spmlite=[100, 300, 90], lite=[50, 60, 30])
    assert outcome("English, Gemma 3 and Llama 2, cold", found)[0].ratios == {POINT: 3.0}


def test_each_side_counts_with_its_better_cache() -> None:
    found = results(spmlite=[100], spmlite_large=[120], lite=[40], lite_large=[60])
    best, default = outcome("English, Gemma 3 and Llama 2, cold", found)
    assert best.measured == 2.0
    assert best.verdict == "no"
    assert default.measured == 2.5
    assert default.verdict == "yes"


def test_the_least_ratio_counts() -> None:
    found = results(spmlite=[100], lite=[20])
    for engine, rate in (("spmlite", 90), ("lite", 30)):
        found.rounds["english llama2 doc", engine] = [{"cold_mb_s": rate}]
    assert outcome("English, Gemma 3 and Llama 2, cold", found)[0].measured == 3.0


def test_times_are_better_when_smaller() -> None:
    found = Results()
    found.rounds["english gemma3 doc", "spmlite"] = [{"load_ms": 2.0, "load_trusted_ms": 0.1}]
    found.rounds["english gemma3 doc", "lite"] = [{"load_ms": 20.0, "load_trusted_ms": None}]
    assert outcome("load Gemma 3, checked", found)[0].measured == pytest.approx(10)
    assert outcome("load Gemma 3, trusted", found)[0].measured == pytest.approx(200)


def test_two_threads_are_compared_with_one() -> None:
    found = results(spmlite=[100])
    found.rounds[f"{POINT} 2 threads", "spmlite"] = [{"cold_mb_s": 190}]
    assert outcome("two threads, cold", found)[0].ratios == {POINT: 1.9}


def test_what_was_not_measured_is_said_to_be() -> None:
    assert {first.verdict for first, _ in rows.outcomes(Results())} == {"not measured"}


def test_results_are_read_as_they_were_written(tmp_path: Path) -> None:
    found = results(spmlite=[100, 120], lite=[50, 40])
    found.missing["kitoken"] = "it is not there"
    report.write_json(found, {"processor": "one", "rounds": 2}, tmp_path)
    again, about = report.read(tmp_path / "results.json")
    assert again == found
    assert about["processor"] == "one"
    document = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert document["points"][POINT]["spmlite"]["median"] == {"cold_mb_s": 110}


def test_ids_of_ours_that_differ_fail_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    found = results(spmlite=[1], kitoken=[1])
    found.rounds[POINT, "kitoken"][0]["ids_are_ours"] = False
    assert report.print_troubles(found) == 0
    found.rounds[POINT, "spmlite"][0]["cached_is_the_same"] = False
    assert report.print_troubles(found) == 1
    printed = capsys.readouterr().out
    assert f"{report.title('kitoken')} has other ids than ours on {POINT}." in printed
    assert f"{report.title('spmlite')} gives other ids with its cache than without" in printed


def test_engines_are_chosen_by_name() -> None:
    names = [engine.name for engine in command.choose_engines(["gigatoken"])]
    assert "gigatoken" in names
    assert all("spmlite" in name or name == "gigatoken" for name in names)
    with pytest.raises(Stop, match="there is no engine giga;"):
        command.choose_engines(["giga"])


def test_the_docs_keep_what_is_written_by_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "performance.md"
    page.write_text(f"before\n{report.BEGIN}what was there\n{report.END}after\n", encoding="utf-8")
    monkeypatch.setattr(report, "DOCS", page)
    about = {"date": "today", "rounds": 1, "processor": "one", "system": "some"}
    report.write_docs(results(spmlite=[100], lite=[50]), about, tmp_path)
    written = page.read_text(encoding="utf-8")
    assert written.startswith(f"before\n{report.BEGIN}")
    assert written.endswith(f"{report.END}after\n")
    assert "what was there" not in written
    cells = "| English, Gemma 3 and Llama 2, cold | lite, cached | 2.5 | 2.0 | 2.0 |  | no |"
    assert cells in written


def test_every_engine_of_a_row_is_one_that_is_measured() -> None:
    known = {engine.name for engine in engines.all_engines()}
    for one in rows.asked():
        assert {*one.ours.engines, *one.theirs.engines} <= known


def test_quick_is_one_round(monkeypatch: pytest.MonkeyPatch) -> None:
    def parsed(*words: str) -> argparse.Namespace:
        monkeypatch.setattr("sys.argv", ["bench", *words])
        return command.parse()

    assert parsed("--quick").rounds == 1
    assert parsed().rounds == 5
    assert parsed("--texts", "english,code").texts == ["english", "code"]
