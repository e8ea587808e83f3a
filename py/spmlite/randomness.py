"""Where the draws of a process begin."""

from __future__ import annotations

import operator
import os

from spmlite import _native

_is_chosen = False


def set_random_generator_seed(seed: int) -> None:
    """Make what is drawn from now on repeatable.

    All processors and threads of a process draw from one source: each text takes the next seed of
    it. So the same calls in the same order draw the same, whatever the number of threads of a
    batch, on every platform. (The oracle has a generator of its own, and draws others.)

    Args:
        seed: a number of 32 bits.

    Raises:
        TypeError: the seed is no such number, as in the oracle.

    >>> from spmlite import set_random_generator_seed
    >>> def draw():
    ...     set_random_generator_seed(7)
    ...     return [processor.sample_encode_as_ids("Hello world", alpha=0.5) for _ in range(20)]
    >>> draw() == draw()
    True
    """
    global _is_chosen
    number = operator.index(seed)
    if not 0 <= number < 1 << 32:
        raise TypeError(f"the seed must be an integer from 0 to 2^32 - 1, not {seed!r}")
    _native.set_seed(number)
    _is_chosen = True


def _begin_anywhere() -> None:
    """Without a seed, each process draws its own, a forked one too."""
    if not _is_chosen:
        _native.set_seed(int.from_bytes(os.urandom(8)))


_begin_anywhere()
if hasattr(os, "register_at_fork"):  # neither Windows nor WebAssembly has it
    os.register_at_fork(after_in_child=_begin_anywhere)
