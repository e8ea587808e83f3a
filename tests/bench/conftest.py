"""The text of the tests of the bench."""

from __future__ import annotations

from pathlib import Path

import pytest
from steps import test_data


@pytest.fixture(scope="session")
def botchan(data: test_data.TestData) -> Path:
    if "botchan" not in data.texts:
        pytest.skip(data.missing.get("sentencepiece", "botchan is not there"))
    return data.texts["botchan"]
