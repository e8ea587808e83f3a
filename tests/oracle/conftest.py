"""Where the oracle's tests are."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

from steps import test_data


@pytest.fixture(scope="session")
def sentencepiece_tests(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of their own folder, outside of any package: it may be written to."""
    data = test_data.find_or_get()
    if data.sentencepiece_tests is None:
        pytest.skip(data.missing["sentencepiece"])
    folder = tmp_path_factory.mktemp("oracle") / "tests"
    ignored = shutil.ignore_patterns("__init__.py", ".complete")
    return Path(shutil.copytree(data.sentencepiece_tests, folder, ignore=ignored))
