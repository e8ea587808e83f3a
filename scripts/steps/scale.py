"""Arrow's libraries, Ray and Spark: an environment of its own, as it takes 1.4 GB."""

from __future__ import annotations

import functools

from . import build, java
from .environment import Environment, of_its_own


@functools.cache
def find_or_get() -> Environment:
    """The environment with what scale.txt pins, below the cache."""
    return of_its_own("scale", sources=["pyspark"])


def with_package() -> Environment:
    """The same, with the package that was built last."""
    return build.with_package(find_or_get())


def variables(environment: Environment) -> dict[str, str]:
    """The environment in which Spark finds this Python, and a Java."""
    python = str(environment.python)
    return environment.variables() | {
        "JAVA_HOME": str(java.find_or_get().home),
        "PYSPARK_PYTHON": python,
        "PYSPARK_DRIVER_PYTHON": python,
        # Nothing leaves this machine, and nothing listens beyond it.
        "SPARK_LOCAL_IP": "127.0.0.1",
        "RAY_USAGE_STATS_ENABLED": "0",
        "HF_HUB_OFFLINE": "1",
    }
