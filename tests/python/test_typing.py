"""Type checkers accept the package, and see mistakes in programs that use it."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest
import spmlite

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

from steps import node
from steps.stop import Stop

# A checker that runs in Node, as it is on npm.
PYRIGHT = (
    "pyright",
    "1.1.414",
    "sha512-FPZZb51jepDX4eP7TEYDeNFtmE3WgwkkEcJp"
    "vH3/QmUSsj0EAy3LXu+xB4T/FWDejtsXlCfFr/rbWFjwuwuXww==",
)
PROGRAM = Path(__file__).with_name("typed_program.py")
EXPECTED = {
    number
    for number, line in enumerate(PROGRAM.read_text("utf-8").splitlines(), 1)
    if line.endswith("# expected error")
}


def test_mypy(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    options = ("--strict", "--output=json", "--cache-dir", tmp_path, "--config-file", "")
    command = [sys.executable, "-m", "mypy", *options, PROGRAM]
    run = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    errors = [json.loads(line) for line in run.stdout.splitlines()]
    assert {error["line"] for error in errors if error["severity"] == "error"} == EXPECTED, errors


def test_pyright(tmp_path: Path) -> None:
    try:
        pyright = node.package(*PYRIGHT) / "index.js"
    except Stop as stop:
        pytest.skip(str(stop))
    command = [node.find_or_get().executable, pyright, "--outputjson", "--pythonpath"]
    run = subprocess.run(
        [*command, sys.executable, PROGRAM],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    found = json.loads(run.stdout)["generalDiagnostics"]
    errors = [one for one in found if one["severity"] == "error"]
    print(f"{len(errors)} errors, of which {len(EXPECTED)} are expected")
    assert {(Path(one["file"]).name, one["range"]["start"]["line"] + 1) for one in errors} == {
        (PROGRAM.name, number) for number in EXPECTED
    }, errors


def test_the_stub_has_what_the_package_has() -> None:
    """All that is public, and each name that a class has in CamelCase as well."""
    stub = ast.parse(Path(spmlite.__file__).with_suffix(".pyi").read_text("utf-8"))
    assert set(spmlite.__all__) == {
        name for name in names(stub.body) if not name.startswith("_")
    } | {"__version__"}
    classes = [statement for statement in stub.body if isinstance(statement, ast.ClassDef)]
    assert len(classes) == 3
    for statement in classes:
        members = vars(getattr(spmlite, statement.name))
        camel = {name for name in members if name[:1].isupper()}
        assert names(statement.body) == camel
        print(f"{statement.name}: {len(camel)} names")


def names(body: list[ast.stmt]) -> set[str]:
    """What statements of a stub define."""
    found = set()
    for statement in body:
        if isinstance(statement, ast.ClassDef):
            found.add(statement.name)
        elif isinstance(statement, ast.ImportFrom):
            found |= {alias.asname or alias.name for alias in statement.names}
        elif isinstance(statement, ast.Assign):
            found |= {target.id for target in statement.targets if isinstance(target, ast.Name)}
    return found
