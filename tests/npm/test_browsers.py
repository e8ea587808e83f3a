"""The package's plain files in three browsers, with real models, compared with native Python."""

from __future__ import annotations

import base64
import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import browsers
import numpy as np
import pytest
from playwright.sync_api import Browser
from records import OFFSETS, PAIRS_OF_OFFSETS, Numbers, count_mismatches
from steps import site

PAGES = Path(__file__).parent / "pages"

Models = dict[str, Path]
CountPairs = Callable[[str, int, int], None]
CheckTold = Callable[[browsers.Told], None]


@pytest.fixture(scope="session")
def parity_page(
    package: Path,
    spm_fb_paths: Models,
    record_lines: list[str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[str]:
    """The address of a page that encodes all lines with all models."""
    folder = tmp_path_factory.mktemp("parity")
    shutil.copytree(package / "dist", folder / "dist")
    shutil.copy(PAGES / "parity.js", folder)
    (folder / "index.html").write_text('<script type="module" src="parity.js"></script>')
    for name, path in spm_fb_paths.items():
        target = folder / name
        target.parent.mkdir(exist_ok=True)
        target.symlink_to(path)
    (folder / "models.json").write_text(json.dumps(list(spm_fb_paths)))
    (folder / "lines.json").write_text(json.dumps(record_lines))
    with site.served(folder) as address:
        yield address


def test_chromium(browser: Browser, parity_page: str, check_told: CheckTold) -> None:
    check_told(browsers.of_chromium(browser, parity_page))


def test_firefox_esr(tools: Path, parity_page: str, check_told: CheckTold) -> None:
    check_told(browsers.of_firefox(tools, parity_page))


def test_webkitgtk(parity_page: str, check_told: CheckTold) -> None:
    check_told(browsers.of_webkit(parity_page))


@pytest.fixture
def check_told(
    expected_records: dict[str, Numbers],
    record_pairs: int,
    count_pairs: CountPairs,
    tell_matrix: Callable[[str, str, str], None],
) -> CheckTold:
    """Checks what a page told against Python."""

    def check(told: browsers.Told) -> None:
        assert "error" not in told, told["error"]
        mismatches = 0
        for name, expected in expected_records.items():
            numbers = np.frombuffer(base64.b64decode(told["numbers"][name]), dtype=np.int32)
            mismatches += count_mismatches(numbers, expected, OFFSETS)
        browser, version = name_of(told["userAgent"])
        count_pairs(f"ids and offsets in {browser} {version}", record_pairs, mismatches)
        assert mismatches == 0
        assert record_pairs >= PAIRS_OF_OFFSETS
        assert told["differing"] == []
        what = "ids, UTF-16 and byte offsets of {:,}; of one model also {}"
        ways = "`external`, in workers, and from the Cache API"
        tell_matrix(browser, version, what.format(record_pairs, ways))

    return check


def name_of(user_agent: str) -> tuple[str, str]:
    """The browser and its version, as it calls itself."""
    found = re.search(r"(Firefox|Chrome|WebKitGTK)/([\d.]+)", user_agent)
    assert found, user_agent
    return found[1].replace("Chrome", "Chromium"), found[2]
