"""What `cmake --install` leaves: find_package(spmlite), pkg-config, headers, the converter."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from steps import build, compilers

CHECKOUT = Path(__file__).resolve().parents[2]
CONSUMER = Path(__file__).with_name("consumer")
TEXT = "Hello world"


def run(command: list[str | Path], **variables: str) -> str:
    done = subprocess.run(
        command,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    return done.stdout


def configure(folder: Path, *options: str | Path) -> None:
    run(
        [
            compilers.cmake().executable,
            *("-S", CONSUMER, "-B", folder, "-G", "Ninja"),
            f"-DCMAKE_MAKE_PROGRAM={compilers.ninja().executable}",
            f"-DCMAKE_CXX_COMPILER={compilers.compiler().executable}",
            *options,
        ]
    )


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What scripts/build has built, installed into one folder and then moved to another."""
    folder = tmp_path_factory.mktemp("installed")
    first, moved = folder / "first", folder / "moved"
    run([compilers.cmake().executable, "--install", CHECKOUT / "build", "--prefix", first])
    first.rename(moved)
    return moved


@pytest.fixture(scope="module")
def model(model_paths: dict[str, Path]) -> Path:
    return model_paths["mistral_v1"]


def oracle_answer(model: Path) -> str:
    import sentencepiece

    processor = sentencepiece.SentencePieceProcessor(model_file=str(model))
    return "".join(f"{id} " for id in processor.encode(TEXT))


def test_a_project_finds_the_package_and_links_it(
    installed: Path, model: Path, tmp_path: Path
) -> None:
    configure(tmp_path, f"-DCMAKE_PREFIX_PATH={installed}")
    run([compilers.cmake().executable, "--build", tmp_path])
    assert run([tmp_path / "consumer", model, TEXT]) == oracle_answer(model)


def test_a_compiler_alone_finds_it_by_pkg_config(
    installed: Path, model: Path, tmp_path: Path
) -> None:
    pkg_config = shutil.which("pkg-config")
    if pkg_config is None:
        pytest.skip("there is no pkg-config on PATH")
    (folder,) = {file.parent for file in installed.rglob("*.pc")}
    variables = {"PKG_CONFIG_PATH": str(folder)}
    flags = run([pkg_config, "--cflags", "--libs", "spmlite-convert"], **variables).split()
    assert [name for name in flags if name.startswith("-l")] == ["-lspmlite_convert", "-lspmlite"]
    program = tmp_path / "consumer"
    compiler = compilers.compiler().executable
    run([compiler, "-std=c++20", CONSUMER / "main.cc", *flags, "-o", program])
    assert run([program, model, TEXT]) == oracle_answer(model)


def test_a_project_that_holds_the_source_is_left_its_own_options(tmp_path: Path) -> None:
    configure(
        tmp_path,
        f"-DSPMLITE_SOURCE={CHECKOUT}",
        "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
        "-DCMAKE_BUILD_TYPE=",
        *build.flatbuffers_options(),
    )
    commands = (tmp_path / "compile_commands.json").read_text("utf-8")
    own = next(line for line in commands.split("\n") if "main.cc.o -c" in line)
    assert "-std=" in own
    assert not re.search(r"-fno-|-Wall|-Werror|-O3|core/src|generated", own), own
    assert "-Werror" not in commands, "a newer compiler may warn of more"
    assert "spm_to_fb.cc" not in commands, "the tools are for the project's own build"
    install_script = (tmp_path / "spmlite" / "cmake_install.cmake").read_text("utf-8")
    assert "sentencepiece_lite.h" not in install_script


def test_the_headers_have_the_names_of_the_amalgamation(installed: Path, tmp_path: Path) -> None:
    run([sys.executable, CHECKOUT / "scripts" / "amalgamate.py", "--output", tmp_path])
    (folder,) = installed.glob("include/*")
    assert {file.name for file in folder.iterdir()} == {file.name for file in tmp_path.glob("*.h")}


def test_the_converter_and_the_papers_are_there(
    installed: Path, model: Path, tmp_path: Path
) -> None:
    blob = tmp_path / "model.spm.fb"
    run([installed / "bin" / "spm_to_fb", f"--model={model}", f"--output={blob}"])
    assert blob.stat().st_size > 0
    papers = installed / "share" / "doc" / "spmlite"
    assert {file.name for file in papers.iterdir()} == {"LICENSE", "NOTICE", "LICENSES"}
    texts = {file.name for file in (CHECKOUT / "LICENSES").glob("*.txt")}
    assert {file.name for file in (papers / "LICENSES").iterdir()} == texts


def test_the_version_is_one(installed: Path) -> None:
    version = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    (for_cmake,) = installed.rglob("spmliteConfigVersion.cmake")
    assert f'set(PACKAGE_VERSION "{version}")' in for_cmake.read_text("utf-8")
    for file in installed.rglob("*.pc"):
        assert f"Version: {version}\n" in file.read_text("utf-8")
    for name, line in {
        "MODULE.bazel": f'version = "{version}",\n)',
        "py/spmlite/__init__.py": f'__version__ = "{version}"\n',
        "docs/builds.md": f'bazel_dep(name = "spmlite", version = "{version}")',
        "docs/licences.md": f"converted by spmlite\n{version} from",
    }.items():
        assert line in (CHECKOUT / name).read_text("utf-8"), name
    for name in ("package.json", "package-lock.json"):
        assert json.loads((CHECKOUT / "wasm" / name).read_text("utf-8"))["version"] == version
