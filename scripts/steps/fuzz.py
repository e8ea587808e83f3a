"""Runs the fuzz targets of core/tests/fuzz for a while each, on seeds made from real models.

Seeds, corpora and findings are kept in the cache folder, so that every run goes on where the last
one stopped; but for those of scripts/test, which begin with the seeds, and so take the same time.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from . import build, cache, compiler_cache, compilers, console, fuzz_seeds
from .environment import CHECKOUT
from .sources import fingerprint
from .stop import Stop

BUILD = CHECKOUT / "build" / "fuzz"
# A slow input is a finding: no input may take more than linear-logarithmic time.
OPTIONS = (
    "-timeout=20",
    "-rss_limit_mb=3000",
    "-malloc_limit_mb=2500",
    "-print_final_stats=1",
    "-use_value_profile=1",
)
STARTING_TIME = 300.0
AT_ONCE = 2
ANEW = "corpus-of-tests"


@dataclass(frozen=True)
class Target:
    """A program of core/tests/fuzz and what it is fed with."""

    name: str
    largest: int
    """Bytes of an input."""
    make_seeds: Callable[[Path, Path], None]


@dataclass(frozen=True)
class Outcome:
    """What one run of a target came to."""

    executions: int
    edges: int
    """Of the code: how many of its branches inputs have led along."""
    corpus: int
    findings: list[Path]
    seconds: float


TARGETS = {
    target.name: target
    for target in (
        Target("blob", 65536, fuzz_seeds.blobs),
        Target("model", 16384, fuzz_seeds.models),
        Target("normalizer", 400000, fuzz_seeds.charsmaps),
        Target("round_trip", 512, fuzz_seeds.texts),
        Target("spm_text", 16384, fuzz_seeds.spm_texts),
        Target("tokenizer_json", 32768, fuzz_seeds.tokenizer_jsons),
    )
}


def main() -> int:
    """Fuzz the targets named as arguments, or all of them."""
    parser = argparse.ArgumentParser(prog="scripts/fuzz", description=__doc__)
    parser.add_argument(
        "targets",
        nargs="*",
        metavar="TARGET",
        help=f"all targets, or some of: {', '.join(TARGETS)}",
    )
    parser.add_argument(
        "--seconds", type=int, default=60, help="how long to run each (default: %(default)s)"
    )
    arguments = parser.parse_args()
    for name in arguments.targets:
        if name not in TARGETS:
            parser.error(f"there is no target {name!r}; there are: {', '.join(TARGETS)}")
    targets = [TARGETS[name] for name in arguments.targets or TARGETS]
    build.native()
    return 1 if fuzz(targets, arguments.seconds) else 0


def prepare_anew() -> None:
    """Build all targets and make their seeds, for `fuzz_anew`; the native tools must be built."""
    build_targets(list(TARGETS.values()))
    for target in TARGETS.values():
        shutil.rmtree(_folder(target.name) / ANEW, ignore_errors=True)
        _seeds(target)


def fuzz_anew(name: str, seconds: int) -> int:
    """Run a target on its seeds alone; return how many findings there are."""
    with console.step(f"fuzz target {name}"):
        outcome = run(TARGETS[name], seconds, ANEW)
    return _tell({name: outcome})


def fuzz(targets: list[Target], seconds: int) -> int:
    """Run the targets, two at a time; return how many findings there are."""
    build_targets(targets)
    for target in targets:
        _seeds(target)
    names = [target.name for target in targets]
    with (
        console.step(f"{', '.join(names)} for {seconds} s each"),
        ThreadPoolExecutor(AT_ONCE) as pool,
    ):
        outcomes = pool.map(lambda target: run(target, seconds, "corpus"), targets)
        told = dict(zip(names, outcomes, strict=True))
    return _tell(told)


def _tell(outcomes: dict[str, Outcome]) -> int:
    """Say what the targets came to; return how many findings there are."""
    for name, outcome in outcomes.items():
        console.say(
            f"  {name:<10} {outcome.executions:>8} executions in {outcome.seconds:.0f} s, "
            f"{outcome.edges} edges, {outcome.corpus} inputs in the corpus, "
            f"{len(outcome.findings)} findings"
        )
    findings = [finding for outcome in outcomes.values() for finding in outcome.findings]
    for finding in findings:
        console.say(f"found: {finding}")
    return len(findings)


def build_targets(targets: list[Target]) -> None:
    """Build the programs with a compiler that has libFuzzer."""
    compiler = compilers.fuzzing_compiler()
    configure: list[str | Path] = [
        compilers.cmake().executable,
        *("-S", CHECKOUT, "-B", BUILD, "-G", "Ninja"),
        f"-DCMAKE_MAKE_PROGRAM={compilers.ninja().executable}",
        f"-DCMAKE_CXX_COMPILER={compiler.executable}",
        "-DSPMLITE_BUILD_FUZZERS=ON",
        *build.flatbuffers_options(),
        *compiler_cache.cmake_options(),
    ]
    programs = [f"fuzz_{target.name}" for target in targets]
    with console.step(f"fuzz targets with {compiler.version}"):
        console.run(configure, log="cmake-fuzz")
        command: list[str | Path] = [compilers.cmake().executable, "--build", BUILD]
        variables = cache.environment() | compiler_cache.variables()
        console.run([*command, "--target", *programs], log="cmake-build-fuzz", env=variables)


def run(target: Target, seconds: int, corpus_name: str) -> Outcome:
    """Run a target, its corpus growing; findings of former runs count until they are mended."""
    folder = _folder(target.name)
    corpus, findings = folder / corpus_name, folder / "findings"
    corpus.mkdir(parents=True, exist_ok=True)
    findings.mkdir(exist_ok=True)
    seeds = _seeds(target)
    _drop_mended(target, findings)
    command: list[str | Path] = [
        _program(target),
        f"-max_total_time={seconds}",
        f"-max_len={target.largest}",
        f"-artifact_prefix={findings}{os.sep}",
        *OPTIONS,
        corpus,
        seeds,
    ]
    log = cache.root() / "logs" / f"fuzz-{target.name}.log"
    start = time.monotonic()
    _run(command, log, seconds + STARTING_TIME)
    printed = log.read_text(errors="replace")
    executions = re.search(r"number_of_executed_units: (\d+)", printed)
    if executions is None and not _files(findings):
        raise Stop(f"`{_program(target)}` ended before it began; its output is in {log}.")
    return Outcome(
        int(executions[1]) if executions else 0,
        max((int(edges) for edges in re.findall(r" cov: (\d+) ", printed)), default=0),
        len(_files(corpus)),
        _files(findings),
        time.monotonic() - start,
    )


def _folder(name: str) -> Path:
    return cache.root() / "fuzz" / name


def _program(target: Target) -> Path:
    return BUILD / "core" / "tests" / "fuzz" / f"fuzz_{target.name}"


def _seeds(target: Target) -> Path:
    """The seeds, made anew when how they are made, or what by, has changed."""
    version = fingerprint("scripts/steps/fuzz_seeds.py", "core/schema", "core/convert")
    converter = CHECKOUT / "build" / "spm_to_fb"
    return cache.made_once(
        f"fuzz/{target.name}/seeds", version, lambda draft: target.make_seeds(draft, converter)
    )


def _drop_mended(target: Target, findings: Path) -> None:
    """Forget the findings that no longer are any."""
    for finding in _files(findings):
        log = cache.root() / "logs" / f"fuzz-{target.name}-again.log"
        if _run([_program(target), *OPTIONS, finding], log, STARTING_TIME) == 0:
            finding.unlink()


def _run(command: list[str | Path], log: Path, timeout: float) -> int:
    """Run a fuzzer, whose exit code tells whether it found something."""
    log.parent.mkdir(parents=True, exist_ok=True)
    environment = cache.environment() | {"SPMLITE_FUZZ_MODELS": _models()}
    words = [str(word) for word in command]
    with log.open("wb") as output:
        try:
            return subprocess.run(
                words,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=timeout,
                check=False,
            ).returncode
        except subprocess.TimeoutExpired:
            return -1


def _models() -> str:
    """The models of round_trip: those that its seeds were made along with."""
    return ":".join(str(model) for model in sorted(_seeds(TARGETS["round_trip"]).glob("*.spm.fb")))


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_file())
