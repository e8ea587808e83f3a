"""The web server of the demo and the browser tests."""

from __future__ import annotations

from collections.abc import Iterator
from http.client import HTTPMessage
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from steps import site


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    for name in ("index.html", "a.js", "a.css", "a.wasm", "a.spm.fb", "a.model", "a.svg"):
        (tmp_path / name).write_text(name, encoding="utf-8")
    with site.served(tmp_path) as address:
        yield address


def headers(address: str) -> HTTPMessage:
    with urlopen(address) as response:
        found: HTTPMessage = response.headers
        return found


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("", "text/html; charset=utf-8"),
        ("a.js", "text/javascript; charset=utf-8"),
        ("a.css", "text/css; charset=utf-8"),
        ("a.wasm", "application/wasm"),
        ("a.spm.fb", "application/octet-stream"),
        ("a.model", "application/octet-stream"),
        ("a.svg", "image/svg+xml"),
    ],
)
def test_each_kind_of_file_says_what_it_is(address: str, name: str, kind: str) -> None:
    assert headers(address + name)["Content-Type"] == kind


def test_nothing_is_kept_by_the_browser(address: str) -> None:
    assert headers(address)["Cache-Control"] == "no-store"


def test_it_listens_on_this_machine_alone(tmp_path: Path) -> None:
    with site.server(tmp_path) as server:
        assert server.server_address[0] == "127.0.0.1"
        assert site.address(server) == f"http://127.0.0.1:{server.server_port}/"


def test_what_is_not_there_is_not_found(address: str) -> None:
    with pytest.raises(HTTPError, match="404"):
        urlopen(address + "../secret")
