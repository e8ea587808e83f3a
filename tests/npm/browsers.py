"""Opens a page in a browser and gives what its script has left in `told`.

Chromium under Playwright, which cannot drive Debian's other two: Firefox under puppeteer-core,
and WebKitGTK by the WebDriver protocol (https://www.w3.org/TR/webdriver2/), of which no more than
four commands are needed.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from programs import SECONDS, run_tool
from steps import apt, console
from steps.stop import Stop

PAGES = Path(__file__).parent / "pages"
TOLD = "globalThis.told"
# Where Debian puts WebKitGTK's example browser, which its driver starts.
MINI_BROWSER = "/usr/lib/*/webkit2gtk-4.*/MiniBrowser"

# Objects of JSON: what a page told, and what a command gave.
Told = dict[str, Any]


def of_chromium(browser: Browser, address: str) -> Told:
    """In the Chromium that all tests share."""
    with browser.new_page() as page:
        page.goto(address)
        page.wait_for_function(TOLD, timeout=1000 * SECONDS)
        told: Told = page.evaluate(TOLD)
        return told


def of_firefox(tools: Path, address: str) -> Told:
    """In Firefox ESR; `tools` is the folder of the programs that npm installed."""
    executable = _program("firefox-esr", ["firefox-esr"])
    script = PAGES / "open_in_firefox.mjs"
    command = (tools / "node", script, tools.parent, executable, address)
    told: Told = json.loads(run_tool(*command, cwd=PAGES, seconds=SECONDS))
    return told


def of_webkit(address: str) -> Told:
    """In WebKitGTK, on a screen of its own."""
    packages = ["webkit2gtk-driver", "xvfb"]
    programs = [_program(name, packages) for name in ("WebKitWebDriver", "Xvfb")]
    (browser,) = Path("/").glob(MINI_BROWSER.removeprefix("/"))
    options = {"binary": str(browser), "args": ["--automation"]}
    wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
    with _screen(programs[1]) as screen, _webdriver(programs[0], screen) as driver:
        started = _ask(f"{driver}/session", {"capabilities": wanted})
        session = f"{driver}/session/{started['sessionId']}"
        try:
            _ask(f"{session}/url", {"url": address})
            # The page takes it for a Safari of some version.
            version = started["capabilities"]["browserVersion"]
            return _wait_for_told(session) | {"userAgent": f"WebKitGTK/{version}"}
        finally:
            _ask(session, None)


def _program(name: str, packages: Sequence[str]) -> Path:
    """From PATH, or else from Debian's packages; the test is skipped where there is neither."""
    found = shutil.which(name)
    if found is None and apt.can_install():
        try:
            with console.step(f"{' and '.join(packages)} from apt"):
                apt.install(packages)
        except Stop as stop:
            pytest.skip(f"{name} cannot be had: {stop}")
        found = shutil.which(name)
    if found is None:
        pytest.skip(f"there is no {name}: install {' and '.join(packages)}")
    return Path(found)


@contextmanager
def _screen(program: Path) -> Iterator[str]:
    """A display that nobody sees; the first free number is the server's own choice."""
    report, told = os.pipe()
    command = [program, "-displayfd", str(told), "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=(told,), stderr=subprocess.DEVNULL) as process:
        os.close(told)
        try:
            with os.fdopen(report) as number:
                yield f":{number.readline().strip()}"
        finally:
            process.terminate()


@contextmanager
def _webdriver(program: Path, screen: str) -> Iterator[str]:
    """The address of a WebKitWebDriver, on a port that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    # WebKit's sandbox cannot be set up by root.
    env = os.environ | {"DISPLAY": screen, "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}
    command = [program, "--host=127.0.0.1", f"--port={port}"]
    with subprocess.Popen(command, env=env, stderr=subprocess.DEVNULL) as process:
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_until_ready(address)
            yield address
        finally:
            process.terminate()


def _wait_until_ready(address: str) -> None:
    deadline = time.monotonic() + SECONDS
    while True:
        try:
            with urllib.request.urlopen(f"{address}/status", timeout=5):
                return
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def _wait_for_told(session: str) -> Told:
    script = {"script": f"return {TOLD} ?? null", "args": []}
    deadline = time.monotonic() + SECONDS
    while not (told := _ask(f"{session}/execute/sync", script)):
        assert time.monotonic() < deadline, "the page has told nothing"
        time.sleep(0.2)
    return told


def _ask(address: str, body: Told | None) -> Told:
    """A command's value; without a body, the command is to delete."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, data, method="DELETE" if body is None else "POST")
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            value: Told = json.load(answer)["value"]
            return value
    except urllib.error.HTTPError as error:
        raise AssertionError(error.read().decode()) from error
