"""How much text goes through the engines."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rows",
        type=int,
        default=200_000,
        help="how many rows go through Ray, and through Spark",
    )
