"""What NOTICE, the licences and the SBOMs say is what is inside."""

from __future__ import annotations

import json
import re
import shutil
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(CHECKOUT / "scripts"))

from steps import documentation, release, sbom  # noqa: E402
from steps.stop import Stop  # noqa: E402

LICENSES = CHECKOUT / "LICENSES"
KINDS = {"wheel", "pyodide", "sdist", "npm", "site", "amalgamation", "docs"}


def words(text: str) -> str:
    """On one line, as a text says it wherever its lines end."""
    return " ".join(text.split())


def test_notice_names_each_component_with_its_copyright() -> None:
    notice = words((CHECKOUT / "NOTICE").read_text("utf-8"))
    for component in sbom.components():
        assert set(component["artefacts"]) <= KINDS
        name = component["name"].replace("-", " ").partition(" ")[0]
        assert name in notice.lower(), component["name"]
        for line in component["copyright"].split("; "):
            assert line in notice, component["name"]


def test_the_text_of_each_licence_is_there() -> None:
    used = {component["text"] for component in sbom.components()}
    there = {path.relative_to(LICENSES).as_posix() for path in LICENSES.rglob("*.txt")}
    assert used == there | {"LICENSE"}
    mit = words((LICENSES / "MIT.txt").read_text("utf-8"))
    for component in sbom.components():
        if component["text"] == "MIT.txt":
            for line in component["copyright"].split("; "):
                assert line in mit, component["name"]


def test_all_that_the_site_is_bundled_from_is_a_component() -> None:
    lock = json.loads((CHECKOUT / "web" / "package-lock.json").read_text("utf-8"))
    prefix = "node_modules/"
    # What is "devOptional" renders in the build, and is optional to preact: neither ships it.
    elsewhere = ("dev", "devOptional", "link")
    bundled = {
        name.removeprefix(prefix): about
        for name, about in lock["packages"].items()
        if name.startswith(prefix) and not any(about.get(where) for where in elsewhere)
    }
    listed = {one["name"]: one for one in sbom.components() if "site" in one["artefacts"]}
    assert bundled
    for name, about in bundled.items():
        assert listed[name]["license"] == about["license"], name
    print(f"{len(bundled)} packages: {', '.join(bundled)}")


def test_the_npm_package_depends_on_nothing() -> None:
    manifest = json.loads((CHECKOUT / "wasm" / "package.json").read_text("utf-8"))
    assert not {"dependencies", "optionalDependencies", "peerDependencies"} & manifest.keys()
    assert not {"preinstall", "install", "postinstall"} & manifest["scripts"].keys()


def test_the_wheel_and_the_npm_package_carry_the_licences() -> None:
    texts = {path.name for path in LICENSES.glob("*.txt")}
    wheels = sorted((CHECKOUT / "dist" / "python").glob("*.whl"))
    if not wheels:
        pytest.skip("there is no dist/python/*.whl: scripts/build makes it")
    with zipfile.ZipFile(wheels[-1]) as archive:
        inside = {name.rpartition("/licenses/")[2] for name in archive.namelist()}
    assert {"LICENSE", "NOTICE", *(f"LICENSES/{name}" for name in texts)} <= inside
    npm = CHECKOUT / "wasm" / "dist"
    if not npm.is_dir():
        pytest.skip("there is no wasm/dist: scripts/build makes it")
    assert texts == {path.name for path in (npm / "LICENSES").iterdir()}


def test_what_an_sbom_lists_depends_on_the_kind_of_artefact(tmp_path: Path) -> None:
    for name, kind in (
        ("spmlite-0.1.0.tgz", "npm"),
        ("spmlite-0.1.0.tar.gz", "sdist"),
        ("spmlite-0.1.0-amalgamation.zip", "amalgamation"),
    ):
        (tmp_path / name).touch()
        told = sbom.describe(tmp_path / name)
        assert told["kind"] == kind
        inside = {one["name"] for one in sbom.components() if kind in one["artefacts"]}
        assert {one["name"] for one in told["contained"]} == inside
        assert bool(told["asked_for"]) == (kind == "sdist")
    (tmp_path / "other.zip").touch()
    with pytest.raises(Stop, match="no artefact of this project"):
        sbom.describe(tmp_path / "other.zip")


def test_versions_are_found_where_the_list_says() -> None:
    assert sbom.version_of("1.2.3") == "1.2.3"
    found = {one["name"]: sbom.version_of(one["version"]) for one in sbom.components()}
    assert re.fullmatch(r"\d+\.\d+\.\d+", found["flatbuffers"])
    assert re.fullmatch(r"of mkdocs-material \d+\.\d+\.\d+", found["lunr"])
    print(f"{len(found)} versions")
    assert all(re.search(r"\d\.\d", version) for version in found.values()), found


def test_an_sbom_is_cyclonedx_and_the_same_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the strict check of CycloneDX 1.6 by the library itself accepts it."""
    try:
        documentation.find_or_get()
    except Stop as stop:
        pytest.skip(str(stop))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    artefact = tmp_path / "spmlite-0.1.0-cp311-abi3-linux_x86_64.whl"
    artefact.write_bytes(b"what the digest is of")
    written = sbom.write(artefact).read_bytes()
    document = json.loads(written)
    assert (document["bomFormat"], document["specVersion"]) == ("CycloneDX", "1.6")
    root = document["metadata"]["component"]
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]
    assert root["version"] == project["version"]
    assert root["hashes"] == [{"alg": "SHA-256", "content": release.digest(artefact)}]
    scopes = {one["name"]: one["scope"] for one in document["components"]}
    assert scopes["flatbuffers"] == scopes["tqdm"] == "required"
    assert scopes["pyspark"] == "optional"
    assert sbom.write(artefact).read_bytes() == written


@pytest.mark.parametrize("page", ["SECURITY.md", "CONTRIBUTING.md", "docs/release.md"])
def test_the_files_that_a_page_names_are_there(page: str) -> None:
    text = (CHECKOUT / page).read_text("utf-8")
    tops = "|".join(path.name for path in CHECKOUT.iterdir() if path.is_dir())
    named = set(re.findall(rf"`((?:{tops})/[\w./*-]+)`", text))
    made = ("dist/", "build/")
    missing = [
        name for name in named if not name.startswith(made) and not list(CHECKOUT.glob(name))
    ]
    print(f"{page}: {len(named)} files and folders")
    assert named
    assert not missing


def test_a_workflow_takes_actions_by_digest_and_publishes_apart_from_building() -> None:
    workflows = sorted((CHECKOUT / ".github" / "workflows").glob("*.yml"))
    used = 0
    for workflow in workflows:
        text = workflow.read_text("utf-8")
        actions = re.findall(r"uses: (.+)", text)
        used += len(actions)
        for action in actions:
            assert re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action), action
        assert re.search(r"^permissions:\n  contents: read\n(?! )", text, re.MULTILINE), workflow
        for job in re.split(r"^  (?=\w+:$)", text.partition("\njobs:\n")[2], flags=re.MULTILINE):
            assert not ("id-token: write" in job and "scripts/" in job), job
    print(f"{len(workflows)} workflows, {used} actions")
    assert used


def test_two_archives_are_told_apart_by_their_members(tmp_path: Path) -> None:
    for folder, text in (("one", "a"), ("other", "b")):
        (tmp_path / folder).mkdir()
        with zipfile.ZipFile(tmp_path / folder / "x.whl", "w") as archive:
            archive.writestr("same.txt", "same")
            archive.writestr("member.txt", text)
    one, other = tmp_path / "one", tmp_path / "other"
    assert release.differing_members(one / "x.whl", other / "x.whl") == ["member.txt"]
    assert not release.compare(one, other)
    shutil.copy(one / "x.whl", other)
    assert release.compare(one, other)
