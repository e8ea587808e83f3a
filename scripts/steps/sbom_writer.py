"""Turns a description of an artefact, JSON on stdin, into CycloneDX 1.6 on stdout, checked.

Runs in the environment that papers.txt pins, by way of sbom.py.
"""

from __future__ import annotations

import datetime
import importlib
import json
import re
import sys
import uuid
from types import ModuleType


def load(name: str) -> ModuleType:
    """A module of the library, which the linters' environment does not have."""
    return importlib.import_module(f"cyclonedx.{name}")


model = load("model")
bom = load("model.bom")
component = load("model.component")
licenses = load("model.license")
package_url = importlib.import_module("packageurl")

FORMAT = load("schema").SchemaVersion.V1_6


def main() -> int:
    """Write it, or say what is wrong with it."""
    told = json.load(sys.stdin)
    root = component.Component(
        name=told["name"],
        version=told["version"],
        type=component.ComponentType.LIBRARY,
        bom_ref=told["file"],
        purl=package_url.PackageURL.from_string(told["purl"]),
        licenses=[licenses.LicenseExpression("Apache-2.0")],
        hashes=[hash_of(told["sha256"])],
        properties=[
            model.Property(name="spmlite:artefact", value=told["kind"]),
            model.Property(name="spmlite:file", value=told["file"]),
        ],
    )
    inside = [contained(one) for one in told["contained"]]
    beside = list(map(asked_for, told["asked_for"]))
    written = bom.Bom(
        # From its content, so that the same artefact gives the same document.
        serial_number=uuid.uuid5(uuid.NAMESPACE_URL, f"{told['purl']}#{told['sha256']}"),
        components=[*inside, *beside],
        metadata=bom.BomMetaData(
            timestamp=datetime.datetime.fromtimestamp(told["epoch"], datetime.UTC),
            component=root,
        ),
    )
    written.register_dependency(root, [*inside, *beside])
    text: str = (
        load("output")
        .make_outputter(written, load("schema").OutputFormat.JSON, FORMAT)
        .output_as_string(indent=2)
    )
    fault = load("validation.json").JsonStrictValidator(FORMAT).validate_str(text)
    if fault is not None:
        print(fault, file=sys.stderr)
        return 1
    print(text)
    return 0


def hash_of(sha256: str) -> object:
    """A digest, as the library has it."""
    return model.HashType(alg=model.HashAlgorithm.SHA_256, content=sha256)


def contained(told: dict[str, str]) -> object:
    """What is compiled or copied into the artefact."""
    version = told["version"]
    plain = re.fullmatch(r"[\w.+-]+", version) is not None
    return component.Component(
        name=told["name"],
        version=version,
        type=component.ComponentType.LIBRARY,
        bom_ref=told["name"],
        purl=package_url.PackageURL.from_string(told["purl"] + (f"@{version}" if plain else "")),
        licenses=[licenses.LicenseExpression(told["license"])],
        copyright=told["copyright"],
        scope=component.ComponentScope.REQUIRED,
        properties=[model.Property(name="spmlite:relation", value="contained")],
    )


def asked_for(told: dict[str, str]) -> object:
    """What an installer gets beside it, in a version of the installer's choice."""
    name = re.match(r"[\w.-]+", told["requirement"])[0]  # type: ignore[index]
    properties = [
        model.Property(name="spmlite:relation", value="installed beside"),
        model.Property(name="spmlite:requirement", value=told["requirement"]),
    ]
    scope = component.ComponentScope.REQUIRED
    if told["extra"]:
        scope = component.ComponentScope.OPTIONAL
        properties.append(model.Property(name="spmlite:extra", value=told["extra"]))
    return component.Component(
        name=name,
        type=component.ComponentType.LIBRARY,
        bom_ref=f"{told['extra']}:{told['requirement']}",
        purl=package_url.PackageURL.from_string(f"pkg:pypi/{name.lower()}"),
        scope=scope,
        properties=properties,
    )


if __name__ == "__main__":
    sys.exit(main())
