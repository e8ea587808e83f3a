"""The documentation as a site, from the same files that are read in the checkout."""

from __future__ import annotations

import argparse
import functools
import re
import shutil
from pathlib import Path

from . import cache, console, site
from .environment import CHECKOUT, Environment, of_its_own
from .stop import Stop

LAID_OUT = CHECKOUT / "build" / "docs"
OUT = CHECKOUT / "dist" / "docs"
# Pages outside docs/, and files that pages show or link to. Each keeps its place, so that links
# between them hold; the README is the first page.
PAGES = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "wasm/README.md", "web/README.md")
FILES = ("LICENSE", "NOTICE")
PICTURES = {".svg", ".png", ".webp"}
CONFIGURATION = CHECKOUT / "mkdocs.yml"
LINK = re.compile(r"(?<!!)\[(?P<label>[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*)\]\((?P<target>[^()\s]+)\)")
CODE = re.compile(r"(^ *```.*?^ *```$|`[^`\n]+`)", re.MULTILINE | re.DOTALL)


def main() -> int:
    """Build the site; serve it, if asked to."""
    parser = argparse.ArgumentParser(prog="scripts/docs", description=__doc__)
    site.add_serving(parser, 8767)
    arguments = parser.parse_args()
    build(OUT)
    site.serve_if_asked(OUT, arguments)
    return 0


@functools.cache
def find_or_get() -> Environment:
    """The environment of mkdocs, and of what lists what is in an artefact."""
    return of_its_own("papers")


def build(out: Path) -> None:
    """Make the site in the folder `out`; a link that leads nowhere stops it."""
    pages = lay_out(LAID_OUT)
    environment = find_or_get()
    # Beside mkdocs.yml, whose folders are seen from there.
    configuration = CONFIGURATION.with_name(".mkdocs.yml")
    configuration.write_text(with_all_pages(CONFIGURATION.read_text("utf-8"), pages), "utf-8")
    try:
        with console.step("the documentation's site"):
            command: list[str | Path] = [environment.python, "-m", "mkdocs", "build", "--strict"]
            command += ["--quiet", "--clean", "--config-file", configuration, "--site-dir", out]
            # The theme's own advertisement of another program.
            variables = environment.variables() | {"NO_MKDOCS_2_WARNING": "true"}
            console.run(command, log="mkdocs", cwd=CHECKOUT, env=variables)
    finally:
        configuration.unlink()
    # How to search in other languages than English, of several authors: nothing asks for it.
    cache.remove(out / "assets" / "javascripts" / "lunr")
    for name in ("LICENSE", "NOTICE"):
        shutil.copy(CHECKOUT / name, out)
    shutil.copytree(CHECKOUT / "LICENSES", out / "LICENSES", dirs_exist_ok=True)


def with_all_pages(configuration: str, pages: list[Path]) -> str:
    """The configuration, its `nav` with the pages that it does not name."""
    unnamed = [page for page in pages if f": {page.as_posix()}\n" not in configuration]
    more = [f"      - {page.as_posix()}\n" for page in unnamed]
    return configuration + ("  - More:\n" + "".join(more) if more else "")


def lay_out(folder: Path) -> list[Path]:
    """Put the pages and what they show into the folder, each where it lies in the checkout.

    Returns the pages but for the README, which becomes the first.
    """
    cache.remove(folder)
    docs = [
        path.relative_to(CHECKOUT)
        for path in sorted((CHECKOUT / "docs").rglob("*"))
        if path.suffix in {".md", *PICTURES}
    ]
    pages = [*(Path(name) for name in PAGES), *(path for path in docs if path.suffix == ".md")]
    other = [*(Path(name) for name in FILES), *(path for path in docs if path.suffix != ".md")]
    known = {Path("README.md"), *pages, *other}
    for path in (Path("README.md"), *pages):
        target = folder / ("index.md" if path == Path("README.md") else path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(for_the_site(path, known), encoding="utf-8")
    for path in other:
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(CHECKOUT / path, target)
    return pages


def for_the_site(page: Path, known: set[Path]) -> str:
    """The page's text, where links to files that are no pages are their labels alone."""

    def link(found: re.Match[str]) -> str:
        place, _, anchor = found["target"].partition("#")
        if not place or "://" in place or place.startswith("mailto:"):
            return found[0]
        target = (CHECKOUT / page).parent.joinpath(place).resolve()
        if not target.exists():
            raise Stop(f"{page} links to {place}, which is not there.")
        inside = target.relative_to(CHECKOUT)
        if inside not in known:
            return found["label"]
        if inside == Path("README.md"):
            place = "/".join([*[".."] * (len(page.parts) - 1), "index.md"])
            return f"[{found['label']}]({place}{'#' if anchor else ''}{anchor})"
        return found[0]

    parts = CODE.split((CHECKOUT / page).read_text(encoding="utf-8"))
    return "".join(
        part if number % 2 else LINK.sub(link, part) for number, part in enumerate(parts)
    )
