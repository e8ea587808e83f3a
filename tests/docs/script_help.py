"""What a script of the checkout says of itself with --help, and what of a call it does not know."""

from __future__ import annotations

import re
from dataclasses import dataclass

# So wide that argparse breaks no line.
WIDE = {"COLUMNS": "1000"}
# Before the names that there are, in the help of an argument.
LIST = re.compile(r"(?:\bsome of:|\bof) ((?:[\w-]+, )+[\w-]+)")


@dataclass(frozen=True)
class ScriptHelp:
    """What a script takes."""

    options: dict[str, bool]
    """By name, whether a value follows."""
    takes_words: bool
    """Whether it takes anything besides options."""
    names: frozenset[str]
    """The only words that it takes; empty where it does not list them."""

    def mistakes(self, words: list[str]) -> list[str]:
        """What of a call, without the script itself, the script does not know."""
        found = []
        rest = iter(words)
        for word in rest:
            option, _, value = word.partition("=")
            if not word.startswith("-"):
                if not self.takes_words or (self.names and word not in self.names):
                    found.append(word)
            elif option not in self.options:
                found.append(option)
            elif self.options[option] and not value:
                next(rest, None)
        return found


def parsed(text: str) -> ScriptHelp:
    """What a script printed for --help, in lines that are WIDE enough."""
    usage, _, rest = text.partition("\n")
    words = "".join(re.findall(r"^positional arguments:\n((?:  .*\n)+)", rest, re.MULTILINE))
    listed = LIST.search(words)
    options = {}
    for line in re.findall(r"^  (-.*)$", rest, re.MULTILINE):
        for spelling in re.split(r"\s{2,}", line)[0].split(", "):
            name, *value = spelling.split(" ")
            options[name] = value != []
    return ScriptHelp(
        options,
        takes_words=words != "" or "...]" in usage,
        names=frozenset(listed[1].split(", ")) if listed else frozenset(),
    )
