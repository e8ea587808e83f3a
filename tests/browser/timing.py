"""Limits of time, on machines that may have other things to do."""

from __future__ import annotations

import os

import pytest


def assert_below(limit: float, milliseconds: float) -> None:
    """Nothing is said of a machine that has more to do than it has processors."""
    load = os.getloadavg()[0]
    processors = os.cpu_count() or 1
    if milliseconds >= limit and load > processors:
        pytest.skip(
            f"{milliseconds:.0f} ms, where {limit} are the limit, on a machine that is busy with "
            f"{load:.0f} tasks on {processors} processors: measure again when it is quiet"
        )
    assert milliseconds < limit
