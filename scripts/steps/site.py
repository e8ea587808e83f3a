"""A web server for a folder of static files, for this machine alone."""

from __future__ import annotations

import argparse
import functools
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from . import console
from .environment import CHECKOUT

LOOPBACK = "127.0.0.1"


class _Handler(SimpleHTTPRequestHandler):
    """Python's own, with the types that it lacks and without its log."""

    # Said here and not left to the system's table, which differs from one machine to another.
    extensions_map = {  # noqa: RUF012 - http.server's own declaration
        "": "application/octet-stream",
        ".fb": "application/octet-stream",
        ".model": "application/octet-stream",
        ".css": "text/css; charset=utf-8",
        ".html": "text/html; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
        ".json": "application/json",
        ".svg": "image/svg+xml",
        ".wasm": "application/wasm",
    }

    def end_headers(self) -> None:
        # A new build is seen at once. To be asked whether a copy is still fresh would not do: the
        # answer goes by the second, and a build may take less.
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, format: str, *arguments: object) -> None:
        del format, arguments


class _Server(ThreadingHTTPServer):
    """One that does not mind a browser hanging up, as browsers do."""

    def handle_error(self, request: object, client_address: object) -> None:
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


def server(folder: Path, port: int = 0) -> ThreadingHTTPServer:
    """A server for the folder, not yet started; port 0 takes any that is free."""
    handler = functools.partial(_Handler, directory=str(folder))
    return _Server((LOOPBACK, port), handler)


def address(of: ThreadingHTTPServer) -> str:
    """Where the server is reached, with a slash at the end."""
    return f"http://{LOOPBACK}:{of.server_port}/"


def add_serving(parser: argparse.ArgumentParser, port: int) -> None:
    """The options of scripts that build a site, for `serve_if_asked`."""
    parser.add_argument("--serve", action="store_true", help="serve it until interrupted")
    parser.add_argument("--port", type=int, default=port, help="default: %(default)s")


def serve_if_asked(folder: Path, arguments: argparse.Namespace) -> None:
    """Tell where the site was built, and serve it until interrupted where --serve says so."""
    console.say(f"  in {folder.relative_to(CHECKOUT)}/, for any server of static files")
    if not arguments.serve:
        return
    with server(folder, arguments.port) as running:
        console.say(f"  {address(running)} (until interrupted)")
        running.serve_forever()


@contextmanager
def served(folder: Path, port: int = 0) -> Iterator[str]:
    """Serve the folder while the block runs; gives the address."""
    with server(folder, port) as running:
        # Its end is noticed by asking: not every half second, since tests serve many folders.
        thread = threading.Thread(target=running.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield address(running)
        finally:
            running.shutdown()
            thread.join()
