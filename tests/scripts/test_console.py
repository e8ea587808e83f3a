"""Output: quiet when all is well, the end of a command's output when it failed."""

from __future__ import annotations

import sys

import pytest
from steps import console
from steps.stop import Stop


def test_a_command_is_quiet(capfd: pytest.CaptureFixture[str]) -> None:
    printed = console.run([sys.executable, "-c", "print('some words')"], log="test")
    assert printed.split() == ["some", "words"]
    assert capfd.readouterr() == ("", "")


def test_a_failure_shows_the_last_lines() -> None:
    program = "for line in range(100): print('line', line)\nraise SystemExit(3)"
    with pytest.raises(Stop, match="failed with exit code 3") as stop:
        console.run([sys.executable, "-c", program], log="test")
    assert "line 99" in str(stop.value)
    assert "line 60" in str(stop.value)
    assert "line 59" not in str(stop.value)


def test_what_is_known_as_noise_is_not_shown() -> None:
    program = "print('the cause')\nprint('Traceback')\nprint('frames')\nraise SystemExit(1)"
    with pytest.raises(Stop, match="the cause") as stop:
        console.run([sys.executable, "-c", program], log="test", noise_from="Traceback")
    assert "    frames" not in str(stop.value)


def test_a_command_that_hangs_is_ended() -> None:
    with pytest.raises(Stop, match="took more than"):
        console.run([sys.executable, "-c", "while True: pass"], log="t", timeout=0.5)


def test_a_command_that_is_not_there() -> None:
    with pytest.raises(Stop, match="could not be started"):
        console.run(["no-such-command-anywhere"], log="test")


def test_a_stop_is_one_sentence_and_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    def main() -> int:
        raise Stop("The compiler is missing: install it.")

    assert console.exit_code(main) == 2
    assert capsys.readouterr().err == "Stopped: The compiler is missing: install it.\n"
