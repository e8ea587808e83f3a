"""Runs the oracle's own tests with `spmlite` in place of `sentencepiece`.

    python run_suite.py FOLDER FILE...

In a process of its own, since the name `sentencepiece` means something else in it. Prints a line
for each test, `outcome name`, where the outcome is `passed`, `failed` or `skipped`.
"""

from __future__ import annotations

import os
import sys

import pytest
import spmlite


class Outcomes:
    """A plugin of pytest that takes down what became of each test."""

    def __init__(self) -> None:
        self.by_name: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test is passed only if its setup and its end are."""
        if report.when == "call" or report.outcome != "passed":
            file, *_, test = report.nodeid.split("::")
            self.by_name[f"{file}::{test}"] = report.outcome


def main() -> None:
    """Run the files of the folder and print the outcomes."""
    folder, *files = sys.argv[1:]
    sys.modules["sentencepiece"] = spmlite
    os.chdir(folder)
    outcomes = Outcomes()
    quiet = ("-q", "--noconftest", "-c", os.devnull, "--rootdir", ".", "-p", "no:cacheprovider")
    pytest.main([*quiet, *files], plugins=[outcomes])
    for name, outcome in outcomes.by_name.items():
        print(f"outcome {outcome} {name}")


if __name__ == "__main__":
    main()
