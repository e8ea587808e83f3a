"""`ThreadPool`: a number of threads, under the oracle's name."""

from __future__ import annotations

import os


class ThreadPool:
    """How many threads share the work of a batch.

    In the oracle it keeps them waiting between calls. Ours start when there is work, which costs
    less than a text.

    >>> ThreadPool(8).num_threads()
    8
    """

    def __init__(self, num_threads: int) -> None:
        """Set the number; below 0, one a core; 0 is 1."""
        self._num_threads = max(1, num_threads) if num_threads >= 0 else os.cpu_count() or 1

    def num_threads(self) -> int:
        """The number."""
        return self._num_threads
