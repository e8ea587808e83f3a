"""Quiet output: a line for each thing done; a command's output is shown only when it failed."""

from __future__ import annotations

import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from . import cache
from .stop import Stop

__all__ = ["Stop", "exit_code", "run", "say", "step"]

TAIL_LINES = 40
NEVER_LONGER_THAN = 1800.0


def say(text: str) -> None:
    """Print a line at once, so that it keeps its place among the output of commands."""
    print(text, flush=True)


@contextmanager
def step(what: str) -> Iterator[None]:
    """Say what is being done, how it ended, and how long it took."""
    start = time.monotonic()
    say(f"  {what} ...")
    end = "failed after"
    try:
        yield
        end = "done in"
    finally:
        say(f"  {what}: {end} {time.monotonic() - start:.1f} s")


def run(
    command: Sequence[str | Path],
    *,
    log: str,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float = NEVER_LONGER_THAN,
    noise_from: str | None = None,
) -> str:
    """Run a command, its output kept in the file `log`; return the output, or stop with its end.

    When it fails, what follows a line that holds `noise_from` is not shown.
    """
    words = [str(word) for word in command]
    file = cache.root() / "logs" / f"{log}.log"
    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        with file.open("wb") as output:
            code = subprocess.run(
                words,
                cwd=cwd,
                env=cache.environment() if env is None else env,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=timeout,
                check=False,
            ).returncode
    except subprocess.TimeoutExpired:
        raise Stop(_failure(f"took more than {timeout:.0f} s", words, file, noise_from)) from None
    except OSError as error:
        raise Stop(f"`{words[0]}` could not be started: {error.strerror}.") from None
    if code != 0:
        raise Stop(_failure(f"failed with exit code {code}", words, file, noise_from))
    return file.read_text(encoding="utf-8", errors="replace")


def _failure(what: str, words: Sequence[str], file: Path, noise_from: str | None) -> str:
    output = file.read_text(encoding="utf-8", errors="replace")
    telling = output.partition(noise_from)[0] if noise_from else output
    shown = "\n".join(f"    {line}" for line in telling.splitlines()[-TAIL_LINES:])
    return f"`{' '.join(words)}` {what}; the end of {file}:\n{shown}"


@contextmanager
def telling_warnings(program: str) -> Iterator[None]:
    """Print warnings as sentences of the program, without a line of source."""
    with warnings.catch_warnings(record=True) as caught:
        yield
    for warning in caught:
        print(f"{program}: {warning.message}", file=sys.stderr)


def exit_code(main: Callable[[], int]) -> int:
    """Run a script's main function; a Stop becomes one sentence and exit code 2."""
    try:
        return main()
    except Stop as stop:
        print(f"Stopped: {stop}", file=sys.stderr, flush=True)
        return 2
    except KeyboardInterrupt:
        print("Interrupted; the next run goes on from here.", file=sys.stderr, flush=True)
        return 130
