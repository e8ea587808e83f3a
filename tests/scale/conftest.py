"""The tests of inside/ are run by test_scale.py, in the environment that has what they need."""

from __future__ import annotations

import importlib.util

if importlib.util.find_spec("pyarrow") is None:
    collect_ignore = ["inside"]
