"""Runs several jobs at a time, each as soon as what it needs is done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

from .stop import Stop


@dataclass(frozen=True)
class Job:
    """Something to do, and the names of the jobs that must be done before."""

    name: str
    run: Callable[[], bool]
    """Whether it went well. A Stop says that what comes after makes no sense."""
    needs: tuple[str, ...] = ()


def run_all(jobs: Sequence[Job], at_once: int) -> list[str]:
    """Run the jobs, earlier ones first where they can be; return the names of those that failed.

    After a Stop none is begun; it is raised when those that run have ended.
    """
    waiting = list(jobs)
    running: dict[Future[bool], Job] = {}
    done: set[str] = set()
    failed: list[str] = []
    with ThreadPoolExecutor(at_once) as pool:
        while waiting or running:
            ready = [job for job in waiting if done.issuperset(job.needs)]
            for job in ready[: at_once - len(running)]:
                waiting.remove(job)
                running[pool.submit(job.run)] = job
            if not running:
                raise Stop(f"these need what is no job: {', '.join(job.name for job in waiting)}.")
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                job = running.pop(future)
                done.add(job.name)
                if not future.result():
                    failed.append(job.name)
    return failed
