"""Tells pytest, inside Pyodide, which tests have no place there, and why."""

from __future__ import annotations

import pytest

OF_MODELS = {"model_paths", "spm_fb_paths", "gemma_tokenizer_json"}
REASONS = {
    "test_a_blob_may_come_through_a_pipe": "Pyodide has no named pipes",
    "test_examples[spmlite.processor]": "some of its examples need numpy",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        reason = REASONS.get(item.name)
        if OF_MODELS & set(getattr(item, "fixturenames", ())):
            reason = "needs the models of tests/conftest.py, which stay outside"
        if reason is not None:
            item.add_marker(pytest.mark.skip(reason=reason))
