"""The fenced blocks of a page of the documentation, and what becomes of each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

# A block below such a line is not run; the reason is printed.
NOT_RUN = re.compile(r"<!-- not run: (.+) -->")
FENCE = re.compile(r"^(?P<indent> *)```(?P<language>[\w+-]*) *$")


@dataclass(frozen=True)
class Block:
    """One fenced block."""

    page: Path
    line: int
    """Of its first line of text, from 1."""
    language: str
    text: str
    not_run: str
    """Why it is not run, or nothing."""

    @property
    def place(self) -> str:
        """As an editor takes it."""
        return f"{self.page.name}:{self.line}"


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page, in its order."""
    found: list[Block] = []
    reason, begin, language, indent = "", 0, "", 0
    lines = page.read_text("utf-8").split("\n")
    for number, line in enumerate(lines, 1):
        fence = FENCE.match(line)
        if begin and line.strip() == "```":
            text = "\n".join(inner[indent:] for inner in lines[begin - 1 : number - 1])
            found.append(Block(page, begin, language, text, reason))
            reason, begin = "", 0
        elif not begin and fence:
            begin, language, indent = number + 1, fence["language"], len(fence["indent"])
        elif not begin and line.strip():
            marked = NOT_RUN.fullmatch(line.strip())
            reason = marked[1] if marked else ""
    if begin:
        raise ValueError(f"{page}:{begin - 1}: the block has no end")
    return found


def script_calls(shell: str) -> tuple[list[list[str]], str]:
    """The calls of the checkout's scripts in a shell block, as words, and all other lines."""
    calls, rest = [], []
    for line in shell.split("\n"):
        words = line.partition(" #")[0].split()
        if words and re.fullmatch(r"(\./)?scripts/[\w-]+(\.py)?", words[0]):
            calls.append(words)
        else:
            rest.append(line)
    return calls, "\n".join(rest)


def program(pages_blocks: list[Block]) -> str:
    """The Python blocks of one page as one program, whose lines have the page's numbers."""
    lines: list[str] = []
    for block in pages_blocks:
        lines += [""] * (block.line - 1 - len(lines))
        lines += block.text.split("\n")
    return "\n".join(lines)


def compilation_unit(block: Block, before: str) -> str:
    """A C++ block as a program: its includes, then `before` and the rest in a function."""
    includes = [line for line in block.text.split("\n") if line.startswith("#include")]
    rest = [line for line in block.text.split("\n") if not line.startswith("#include")]
    return "\n".join([*includes, before, "int example() {", *rest, "return 0;", "}"])
