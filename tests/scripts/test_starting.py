"""Scripts that need the package run from any Python, in the checkout's environment."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from steps import build, package
from steps.stop import Stop

CHECKOUT = Path(__file__).parents[2]
SCRIPTS = CHECKOUT / "scripts"
# A plain .spm as others write it.
SPM = "PHVuaz4= 0.0 2\nSGVsbG8= 0.0 1\nICA= -1.5 4\n"
FIELDS = "# .spm 1\n# trainer_spec.model_type: CHAR\n"


@pytest.fixture(autouse=True)
def cache_folder() -> None:
    """Not an empty one: here the environment is used as it is."""


def bare_python() -> str:
    """The Python that .venv was made with, which has no packages of ours."""
    python = str(getattr(sys, "_base_executable", sys.executable))
    probe = "import importlib.util as i, sys; sys.exit(i.find_spec('spmlite') is not None)"
    if subprocess.run([python, "-c", probe], env=variables(), check=False).returncode != 0:
        pytest.skip(f"{python} has the package spmlite")
    return python


def variables() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def run(script: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [bare_python(), SCRIPTS / script, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=variables())


@pytest.mark.parametrize(
    "script", sorted(file.name for file in SCRIPTS.iterdir() if file.is_file())
)
def test_help_needs_nothing(script: str) -> None:
    done = run(script, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("usage: ")


def test_the_vocabulary_is_extracted_from_any_python(tmp_path: Path) -> None:
    model, output = tmp_path / "small.spm", tmp_path / "again.spm"
    model.write_text(FIELDS + SPM)
    done = run("extract_spm_vocab.py", "--model", model, "--output", output, "--verify")
    assert (done.returncode, done.stderr) == (0, "")
    assert "compared with sentencepiece" in done.stdout
    assert output.read_text().endswith(SPM)


def test_dropped_types_are_measured_from_any_python(tmp_path: Path) -> None:
    (tmp_path / "small.spm").write_text(FIELDS + SPM)
    (tmp_path / "text.txt").write_text("Hello\n")
    done = run("measure_dropped_types.py", "--model", tmp_path / "small.spm", tmp_path / "text.txt")
    assert (done.returncode, done.stderr) == (0, "")
    assert "1 documents, 6 characters" in done.stdout


def test_an_exit_code_and_a_message_come_through(tmp_path: Path) -> None:
    output = tmp_path / "a.spm"
    done = run("extract_spm_vocab.py", "--model", tmp_path / "missing", "--output", output)
    assert done.returncode == 1
    message = f"extract_spm_vocab: {tmp_path / 'missing'}: No such file or directory\n"
    assert done.stderr == message


def test_an_environment_that_lacks_a_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "build", lambda parts: None)
    with pytest.raises(Stop, match=r"\.venv lacks no_such_package: remove that folder"):
        package.needed("spmlite", "no_such_package")


def test_pins_of_what_is_not_there_are_refused() -> None:
    done = run("pin-requirements", "nothing")
    assert done.returncode == 2
    assert "there is no nothing.in; there are: bench, dev, " in done.stderr
