"""What the documentation says of the Python package and its command line is so."""

from __future__ import annotations

import sys
from pathlib import Path

import sentencepiece
import spmlite
from spmlite import cli

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

from steps import reference

AGAIN = "scripts/write-docs writes it anew"


def test_the_command_line() -> None:
    written = reference.COMMAND_LINE.read_text("utf-8")
    assert written == reference.command_line(cli.parser()), AGAIN


def test_every_name_of_the_oracle_is_in_the_table() -> None:
    rows = reference.names(sentencepiece, spmlite)
    page = reference.PYTHON.read_text("utf-8")
    assert page == reference.with_table(page, rows), AGAIN
    print(f"{len(rows)} names")
    assert len(rows) > 100
    assert not [name for name, own, _ in rows if not own]


def test_every_name_of_the_table_can_be_called_as_in_the_oracle() -> None:
    """Ours take all arguments of the oracle's, in its order and with its defaults."""
    compared = 0
    for name, own, _ in reference.names(sentencepiece, spmlite):
        compared += own != ""
        assert not reference.differences(name, sentencepiece, spmlite), name
    print(f"{compared} names")


def test_every_command_has_examples() -> None:
    page = reference.COMMAND_LINE.read_text("utf-8")
    for name in ("encode", "decode", "count", "convert", "diff", "inspect", "verify", "bench"):
        section = page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        assert f"spmlite {name}" in section.partition("```sh")[2]
