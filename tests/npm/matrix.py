"""The table of docs/npm.md: where the package was run, and what was compared there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs" / "npm.md"
BEGIN = "<!-- matrix: scripts/test tests/npm --npm-matrix -->\n"
END = "<!-- end of matrix -->"


@dataclass(frozen=True)
class Row:
    """One place, and what was compared there without a mismatch."""

    place: str
    version: str
    compared: str
    date: str

    def line(self) -> str:
        return f"| {self.place} | {self.version} | {self.compared} | {self.date} |"


def write(rows: list[Row]) -> None:
    """Puts rows into the table; those of places that were not run stay as they are."""
    text = DOCS.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    table, _, after = rest.partition(END)
    lines = {line.split("|")[1].strip(): line for line in table.splitlines() if "|" in line}
    lines |= {row.place: row.line() for row in rows}
    DOCS.write_text("\n".join([before + BEGIN, *lines.values(), "", END + after]), "utf-8")
