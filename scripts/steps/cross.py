"""Compiles the core for machines of other kinds and runs it there, under emulators where needed.

With Debian's cross compilers and qemu: all C++ tests, and the ids of texts beside the oracle's. On
a big-endian machine, for which there are no models, it is to say so. It takes minutes for each
kind, so it is run by hand; docs/builds.md has what came out.
"""

from __future__ import annotations

import argparse
import itertools
import os
import shutil
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from . import apt, build, compilers, console, cpp_tests, environment, test_data
from .environment import CHECKOUT
from .stop import Stop

BUILD = CHECKOUT / "build" / "cross"
LINES = 3000
AT_ONCE = 2
# Test cases of core_tests that are not run there, and why.
LEFT_OUT = {
    "20,000 altered files are refused for their checksum, or are safe without it": (
        "half the time of all tests, and telling under the sanitizers of this machine alone"
    ),
    "tries that lead back into themselves give an answer in time": "its limit is for real machines",
}
STANDARDS = ("-std=c++20", "-std=c++23")
EXCEPTIONS = ((), ("-fno-exceptions", "-fno-rtti"))
SOURCES = ("sentencepiece_lite.cc", "sentencepiece_model_converters.cc")
WARNINGS = ("-Wall", "-Wextra", "-Werror")


@dataclass(frozen=True)
class Machine:
    """A kind of machine: what compiles for it, and what runs it here."""

    name: str
    triple: str
    emulator: str | None
    """None where this machine's processor runs its programs."""
    is_little_endian: bool = True

    @property
    def compiler(self) -> str:
        """Its g++."""
        return f"{self.triple}-g++"

    @property
    def runner(self) -> tuple[str, ...]:
        """What stands in front of a command of its programs."""
        root = f"/usr/{self.triple}"
        if self.emulator is not None:
            return self.emulator, "-L", root
        return f"{root}/lib/ld-linux.so.2", "--library-path", f"{root}/lib"

    @property
    def folder(self) -> Path:
        """Where it is built."""
        return BUILD / self.name


MACHINES = (
    Machine("arm64", "aarch64-linux-gnu", "qemu-aarch64"),
    Machine("armhf", "arm-linux-gnueabihf", "qemu-arm"),
    # qemu-i386 7.2 does not come back from std::async.
    Machine("i386", "i686-linux-gnu", None),
    Machine("s390x", "s390x-linux-gnu", "qemu-s390x", is_little_endian=False),
)


def main() -> int:
    """Do it for the kinds named as arguments, or for all and for all compilers of this machine."""
    names = (*(machine.name for machine in MACHINES), "compilers")
    parser = argparse.ArgumentParser(prog="scripts/cross", description=__doc__)
    parser.add_argument(
        "kinds", nargs="*", metavar="KIND", help=f"all kinds, or some of: {', '.join(names)}"
    )
    kinds = parser.parse_args().kinds or list(names)
    for kind in kinds:
        if kind not in names:
            parser.error(f"there is no kind {kind!r}; there are: {', '.join(names)}")
    for machine in MACHINES:
        if machine.name in kinds:
            check(machine)
    if "compilers" in kinds:
        compile_amalgamation()
    return 0


def check(machine: Machine) -> None:
    """Build for a machine and run what is to run there."""
    get_tools(machine)
    targets = ["spm_to_fb", "spm_bench", "ids_of_lines"]
    if machine.is_little_endian:
        compile_for(machine, [*targets, "core_tests", "threads_test"])
        run_tests(machine)
        compare_ids(machine)
    else:
        compile_for(machine, targets)
        see_it_refuse(machine)


def get_tools(machine: Machine) -> None:
    """Install the compiler and the emulator unless they are there."""
    packages = []
    if shutil.which(machine.compiler) is None:
        packages.append(f"g++-{machine.triple}")
    if machine.emulator is not None and shutil.which(machine.emulator) is None:
        packages.append("qemu-user")
    if packages and apt.can_install():
        with console.step(f"{', '.join(packages)} from apt"):
            apt.install(packages)
    elif packages:
        raise Stop(f"For {machine.name} these Debian packages are missing: {', '.join(packages)}.")


def compile_for(machine: Machine, targets: Sequence[str]) -> None:
    """Compile the core, its tools and tests."""
    configure: list[str | Path] = [
        compilers.cmake().executable,
        *("-S", CHECKOUT, "-B", machine.folder, "-G", "Ninja"),
        f"-DCMAKE_MAKE_PROGRAM={compilers.ninja().executable}",
        f"-DCMAKE_TOOLCHAIN_FILE={CHECKOUT / 'cmake' / 'DebianCross.cmake'}",
        f"-DSPMLITE_TRIPLE={machine.triple}",
        f"-DCMAKE_CROSSCOMPILING_EMULATOR={';'.join(machine.runner)}",
        "-DSPMLITE_BUILD_TESTS=ON",
        f"-DSPMLITE_DOCTEST_INCLUDE={doctest_alone()}",
        # Neither is for other machines.
        "-DSPMLITE_HAS_THREAD_SANITIZER=OFF",
        "-DSPMLITE_COUNTS_STEPS=OFF",
        *build.flatbuffers_options(),
    ]
    with console.step(f"core for {machine.name}"):
        console.run(configure, log=f"cmake-{machine.name}")
        command: list[str | Path] = [compilers.cmake().executable, "--build", machine.folder]
        console.run([*command, "--target", *targets], log=f"cmake-build-{machine.name}")


def doctest_alone() -> Path:
    """A folder above doctest/doctest.h without this machine's own headers beside it."""
    folder = BUILD / "doctest"
    shutil.copytree(compilers.doctest() / "doctest", folder / "doctest", dirs_exist_ok=True)
    return folder


def run_tests(machine: Machine) -> None:
    """All C++ tests but those that need this machine's own sanitizers, or its speed."""
    for case, reason in LEFT_OUT.items():
        console.say(f"  left out on {machine.name}: {case!r}: {reason}")
    # A comma ends a pattern of doctest's: `?` stands for it.
    left_out = ",".join(case.replace(",", "?") for case in LEFT_OUT)
    for program in ("core_tests", "threads_test"):
        path = machine.folder / "core" / "tests" / program
        with console.step(f"{program} on {machine.name}"):
            printed = run(machine, [path, f"--test-case-exclude={left_out}"])
        for line in cpp_tests.counts(printed):
            console.say(f"  {line}")


def compare_ids(machine: Machine) -> None:
    """Stop unless a machine gives the oracle's ids, and makes the files that are made here."""
    text = BUILD / "lines.txt"
    data = test_data.find_or_get()
    text.write_text("\n".join(lines_of(data)) + "\n", "utf-8")
    here = CHECKOUT / "build" / "spm_to_fb"
    build.native()
    differing = 0
    with console.step(f"ids of {LINES} lines and {len(data.models)} models on {machine.name}"):
        for name, model in sorted(data.models.items()):
            blob, own_blob = BUILD / f"{machine.name}.spm.fb", BUILD / "here.spm.fb"
            printed = run(machine, [ids_of_lines(machine), model, text, blob])
            expected = oracle_ids(model, text)
            pairs = zip(printed.splitlines(), expected.splitlines(), strict=True)
            differing += sum(1 for ours, theirs in pairs if ours != theirs)
            console.run([here, f"--model={model}", f"--output={own_blob}"], log="spm_to_fb")
            if blob.read_bytes() != own_blob.read_bytes():
                raise Stop(f"{name} becomes another file on {machine.name} than here.")
    console.say(
        f"  {machine.name}: {LINES * len(data.models):,} pairs of a model and a line, "
        f"{differing} with other ids than the oracle's; the converted files are those made here"
    )
    if differing:
        raise Stop(f"{differing} pairs have other ids on {machine.name} than the oracle's.")


def lines_of(data: test_data.TestData) -> list[str]:
    """Some of each text, evenly spread."""
    lines: list[str] = []
    texts = [path.read_text("utf-8").split("\n") for path in data.texts.values()]
    for text in texts:
        share = LINES // len(texts)
        lines += text[:: max(1, len(text) // share)][:share]
    return list(itertools.islice(itertools.cycle(lines), LINES))


def oracle_ids(model: Path, text: Path) -> str:
    """What the oracle gives, a line for each line."""
    venv = environment.find_or_get()
    variables = venv.variables() | {"PYTHONPATH": str(CHECKOUT / "scripts")}
    command: list[str | Path] = [venv.python, "-m", "steps.cross_ids", model, text]
    return console.run(command, log="cross-ids", env=variables)


def see_it_refuse(machine: Machine) -> None:
    """Stop unless a model, and a file made here, are refused in words that say why."""
    data = test_data.find_or_get()
    name, model = min(data.models.items())
    blob = BUILD / "here.spm.fb"
    build.native()
    spm_to_fb = CHECKOUT / "build" / "spm_to_fb"
    console.run([spm_to_fb, f"--model={model}", f"--output={blob}"], log="spm_to_fb")
    for file in (model, blob):
        done = start(machine, [ids_of_lines(machine), file, model, BUILD / "none.spm.fb"])
        said = done.stderr.strip()
        if done.returncode != 1 or "big-endian" not in said:
            raise Stop(f"{machine.name} does not refuse {file.name} of {name}: it says {said!r}.")
        console.say(f"  {machine.name} on {file.name}: {said}")


def ids_of_lines(machine: Machine) -> Path:
    """The program of core/tests/ids_of_lines.cc."""
    return machine.folder / "core" / "tests" / "ids_of_lines"


def run(machine: Machine, command: Sequence[str | Path]) -> str:
    """What a program prints there."""
    done = start(machine, command)
    if done.returncode != 0:
        end = (done.stdout + done.stderr)[-3000:]
        raise Stop(f"{command[0]} ended with {done.returncode} on {machine.name}:\n{end}")
    return done.stdout


def start(machine: Machine, command: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
    """Run a program of a machine."""
    words = [*machine.runner, *map(str, command)]
    try:
        return subprocess.run(
            words,
            env=cpp_tests.variables(),
            capture_output=True,
            text=True,
            timeout=console.NEVER_LONGER_THAN,
            check=False,
        )
    except OSError as error:
        raise Stop(f"This machine runs no programs of {machine.name}: {error}.") from None
    except subprocess.TimeoutExpired as expired:
        raise Stop(
            f"{command[0]} was not done on {machine.name} after {expired.timeout:.0f} s."
        ) from None


def compile_amalgamation() -> None:
    """Stop unless every compiler that is here takes it in every way, with optimization."""
    build.amalgamation()
    names = ("g++", *(f"g++-{v}" for v in range(11, 17)), "clang++")
    names += tuple(f"clang++-{v}" for v in range(14, 24))
    found = dict.fromkeys(Path(path).resolve() for name in names if (path := shutil.which(name)))
    ways = list(itertools.product(found, STANDARDS, EXCEPTIONS, SOURCES))

    def compile_one(way: tuple[Path, str, tuple[str, ...], str]) -> None:
        compiler, standard, exceptions, source = way
        options = [standard, *exceptions, *WARNINGS, "-O2", "-c", source, "-o", os.devnull]
        log = f"amalgamation-{compiler.name}{standard}{len(exceptions)}-{source}"
        console.run([compiler, *options], log=log, cwd=CHECKOUT / "dist")

    with (
        console.step(f"amalgamation by {', '.join(path.name for path in found)}"),
        ThreadPoolExecutor(AT_ONCE) as pool,
    ):
        list(pool.map(compile_one, ways))
    console.say(f"  {len(ways)} ways to compile the amalgamation gave no warning")
