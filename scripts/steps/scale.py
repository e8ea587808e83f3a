"""Arrow's libraries, Ray and Spark: an environment of its own, as it takes 1.4 GB."""

from __future__ import annotations

import functools
import hashlib
import sys
from pathlib import Path

from . import build, cache, console, java
from .environment import REQUIREMENTS, Environment, create, install, install_wheel


@functools.cache
def find_or_get() -> Environment:
    """The environment with what scale.txt pins, below the cache."""
    requirements = REQUIREMENTS / "scale.txt"

    def fill(folder: Path) -> None:
        with console.step(f"Python packages of {requirements.name}"):
            create(Environment(folder), Path(sys.executable))
            install(Environment(folder), requirements, sources=["pyspark"])

    version = f"{sys.version} {requirements.read_text(encoding='utf-8')}"
    return Environment(cache.made_in_place("scale", version, fill))


def with_package() -> Environment:
    """The same, with the package that was built last."""
    environment = find_or_get()
    wheel = build.wheel()
    stamp = environment.folder / ".spmlite"
    version = hashlib.sha256(wheel.read_bytes()).hexdigest()
    if not cache.is_complete(stamp, version):
        with cache.lock("scale-package"):
            install_wheel(environment, wheel)
            stamp.mkdir(exist_ok=True)
            cache.mark_complete(stamp, version)
    return environment


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
