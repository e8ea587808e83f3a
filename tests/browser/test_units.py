"""The site's unit tests, which Node runs: the lesson's trainers against the lesson's figures."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from steps import node

WEB = Path(__file__).resolve().parents[2] / "web"


def test_the_unit_tests_of_the_site_pass() -> None:
    node.npm_ci(WEB)
    found = node.find_or_get()
    result = subprocess.run(
        [*found.npm, "test"],
        cwd=WEB,
        env=found.environment(),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    passed = re.search(r"^# pass (\d+)$", result.stdout, re.MULTILINE)
    assert passed is not None
    print(f"  {passed[1]} unit tests of web/ passed")
    assert int(passed[1]) >= 20
