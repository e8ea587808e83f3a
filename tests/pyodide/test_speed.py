"""How fast the package starts and encodes in Pyodide 314.

Its times mean something on a machine with nothing else to do: `pytest -m quiet`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from steps import pyodide
from steps.test_data import TestData

RunNode = Callable[..., str]

CHECKOUT = Path(__file__).resolve().parents[2]
NPM_PACKAGE = CHECKOUT / "wasm"
LINE = next(version for version in pyodide.VERSIONS if version.startswith("314."))
MODEL = "mistral_v1"  # 32,000 pieces
MOST_MS = 150
LEAST_SHARE = 0.5
STARTS = 3
ROUNDS = 5

pytestmark = [
    pytest.mark.quiet,
    pytest.mark.parametrize("folder", [LINE], indirect=True),
]


@pytest.mark.parametrize("kind", [".model", ".spm.fb"])
def test_import_and_load_of_32_000_pieces(
    wheel: Path,
    folder: Path,
    run_node: RunNode,
    model_paths: dict[str, Path],
    spm_fb_paths: dict[str, Path],
    kind: str,
) -> None:
    path = (model_paths if kind == ".model" else spm_fb_paths)[MODEL]
    starts = [json.loads(run_node("start_up.mjs", folder, wheel, path)) for _ in range(STARTS)]
    best = min(starts, key=lambda start: start["import"] + start["load"])
    print(
        f"Pyodide {LINE}, {MODEL} {kind}: import {best['import']:.0f} ms, load "
        f"{best['load']:.0f} ms; asked for both: under {MOST_MS} ms"
    )
    assert best["pieces"] == 32_000
    assert best["import"] + best["load"] < MOST_MS


def test_encode_beside_the_npm_package(
    wheel: Path,
    folder: Path,
    run_node: RunNode,
    spm_fb_paths: dict[str, Path],
    data: TestData,
) -> None:
    if not (NPM_PACKAGE / "dist" / "index.js").is_file():
        pytest.skip("there is no wasm/dist/: scripts/build makes it")
    text = data.texts.get("shared/english") or data.texts["botchan"]
    model = spm_fb_paths[MODEL]
    printed = run_node("encode_speed.mjs", folder, wheel, NPM_PACKAGE, model, text, str(ROUNDS))
    rates = json.loads(printed)
    for way, rate in rates.items():
        print(
            f"Pyodide {LINE}, {MODEL}, {text.name}, {way}: {rate['pyodide']:.1f} MB/s, the npm "
            f"package {rate['npm']:.1f}: {rate['pyodide'] / rate['npm']:.2f} of it; asked: "
            f"at least {LEAST_SHARE}"
        )
    assert rates["a list of lines"]["pyodide"] >= LEAST_SHARE * rates["a list of lines"]["npm"]
