"""What needs Arrow's libraries, Ray, Spark or datasets: each file of inside/, in their environment.

That is an environment of its own (scripts/steps/scale.py), with the package that was built last.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from steps import scale
from steps.stop import Stop

HERE = Path(__file__).parent
CHECKOUT = HERE.parents[1]
FILES = ("arrow_columns.py", "ray_data.py", "spark_frames.py", "hugging_face.py")
SECONDS = 600

CountPairs = Callable[[str, int, int], None]


@pytest.mark.parametrize("file", FILES)
def test_inside(
    file: str, model_paths: dict[str, Path], count_pairs: CountPairs, pytestconfig: pytest.Config
) -> None:
    del model_paths  # made, so that the tests inside find them
    try:
        environment = scale.with_package()
        variables = scale.variables(environment)
    except Stop as stop:
        pytest.skip(str(stop))
    options = [
        "-rs",
        "--tb=short",
        "--disable-warnings",
        "--show-capture=no",
        f"--rows={pytestconfig.getoption('rows')}",
    ]
    command = [environment.python, "-m", "pytest", *options, HERE / "inside" / file]
    start = time.monotonic()
    done = subprocess.run(
        command,
        cwd=CHECKOUT,
        env=variables,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    sys.stdout.write(done.stdout + done.stderr)  # pytest shows it where this fails
    found = re.search(r"(\d+) passed", done.stdout)
    passed = int(found[1]) if found else 0
    failed = sum(map(int, re.findall(r"(\d+) (?:failed|error)", done.stdout)))
    seconds = time.monotonic() - start
    count_pairs(f"{file}: {passed} tests passed in {seconds:.0f} s", passed, failed)
    assert done.returncode == 0
    assert passed > 0
