"""The environment of the notebooks."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(CHECKOUT / "scripts"))

from steps import environment, notebooks, test_data  # noqa: E402
from steps.stop import Stop  # noqa: E402


@pytest.fixture(scope="session")
def jupyter() -> environment.Environment:
    """With the production libraries, Jupyter, and the package that was built last."""
    try:
        return notebooks.find_or_get()
    except Stop as stop:
        pytest.skip(str(stop))


@pytest.fixture(scope="session")
def llama2(data: test_data.TestData) -> Path | None:
    """Llama 2's `.model`, where it is at hand."""
    return data.models.get("llama2") or data.models.get("shared/llama2")
