"""Jobs: several at a time, each behind what it needs, none behind a Stop."""

from __future__ import annotations

import threading

import pytest
from steps.jobs import Job, run_all
from steps.stop import Stop


def test_a_job_begins_when_what_it_needs_is_done() -> None:
    order: list[str] = []

    def job(name: str, *needs: str) -> Job:
        def run() -> bool:
            order.append(name)
            return True

        return Job(name, run, needs)

    assert run_all([job("c", "a", "b"), job("b", "a"), job("a"), job("d", "c")], 3) == []
    assert order == ["a", "b", "c", "d"]


def test_as_many_run_at_once_as_may() -> None:
    both = threading.Barrier(2, timeout=60)
    at_once = 0
    most = 0
    lock = threading.Lock()

    def run() -> bool:
        nonlocal at_once, most
        with lock:
            at_once += 1
            most = max(most, at_once)
        both.wait()  # ends only where there are two
        with lock:
            at_once -= 1
        return True

    assert run_all([Job(str(number), run) for number in range(8)], 2) == []
    assert most == 2


def test_those_that_failed_are_named_and_the_others_run_all_the_same() -> None:
    jobs = [Job(name, lambda name=name: name != "b") for name in "abc"]  # type: ignore[misc]
    assert run_all(jobs, 1) == ["b"]


def test_behind_a_stop_none_begins() -> None:
    begun: list[str] = []

    def stop() -> bool:
        raise Stop("The compiler is missing: install it.")

    def begin() -> bool:
        begun.append("later")
        return True

    with pytest.raises(Stop, match="The compiler is missing"):
        run_all([Job("first", stop), Job("later", begin)], 1)
    assert begun == []


def test_a_need_that_is_no_job_is_told() -> None:
    with pytest.raises(Stop, match=r"these need what is no job: web\."):
        run_all([Job("web", lambda: True, ("wasm",))], 2)
