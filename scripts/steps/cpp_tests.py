"""What programs of doctest are given, and what they tell."""

from __future__ import annotations

import os

from .environment import CHECKOUT


def variables() -> dict[str, str]:
    """The environment, with the folder of real models, which need not be there."""
    return os.environ | {"SPMLITE_TEST_MODELS": str(CHECKOUT.parent / "shared" / "models")}


def counts(printed: str) -> list[str]:
    """The lines with the numbers of test cases and assertions."""
    return [
        line for line in printed.splitlines() if line.startswith("[doctest]") and "passed" in line
    ]
