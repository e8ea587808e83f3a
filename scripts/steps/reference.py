"""Writes the parts of the documentation that are made from the package itself."""

from __future__ import annotations

import argparse
import inspect
from pathlib import Path
from typing import Any

from . import console, package

CHECKOUT = Path(__file__).resolve().parents[2]
COMMAND_LINE = CHECKOUT / "docs" / "command-line.md"
PYTHON = CHECKOUT / "docs" / "python.md"

# Between these two lines of docs/python.md is the table of names.
_TABLE_BEGIN = "<!-- scripts/write-docs: the names of the oracle -->"
_TABLE_END = "<!-- end -->"


def main() -> int:
    """Write both files."""
    argparse.ArgumentParser(prog="scripts/write-docs", description=__doc__).parse_args()
    package.needed_fresh("spmlite", "sentencepiece")
    import sentencepiece
    import spmlite
    from spmlite import cli

    _write(COMMAND_LINE, command_line(cli.parser()))
    _write(PYTHON, with_table(PYTHON.read_text("utf-8"), names(sentencepiece, spmlite)))
    return 0


def _write(page: Path, text: str) -> None:
    is_new = page.read_text("utf-8") != text
    page.write_text(text, "utf-8")
    console.say(f"{page.relative_to(CHECKOUT)}: {'written' if is_new else 'as it was'}")


# --- docs/command-line.md ---


def command_line(parser: argparse.ArgumentParser) -> str:
    """A page on each command. Not made from its help, whose form differs between Pythons."""
    commands = _subparsers(parser)
    listed = [f"- [`{name}`](#{name}): {about}" for name, (about, _) in commands.items()]
    parts = [
        "# The command line",
        "Made by `scripts/write-docs` from the parser in py/spmlite/cli.py: do not edit.",
        f"{parser.description} Installed as `spmlite`; `python -m spmlite` is the same.",
        "\n".join(listed),
        _one_line(parser.epilog or ""),
        *(_command(name, one) for name, (_, one) in commands.items()),
    ]
    return "\n\n".join(parts) + "\n"


def _subparsers(parser: argparse.ArgumentParser) -> dict[str, tuple[str, argparse.ArgumentParser]]:
    commands = next(a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    about = {action.dest: action.help or "" for action in commands._choices_actions}
    return {name: (about[name], one) for name, one in commands.choices.items()}


def _command(name: str, parser: argparse.ArgumentParser) -> str:
    actions = [a for a in parser._actions if not isinstance(a, argparse._HelpAction)]
    usage = " ".join(["spmlite", name, *map(_usage, actions)])
    rows = [f"| `{_cell(_spelling(action))}` | {_cell(action.help or '')} |" for action in actions]
    examples = (parser.epilog or "").removeprefix("examples:\n")
    return "\n\n".join(
        (
            f"## {name}",
            _one_line(parser.description or ""),
            f"```\n{usage}\n```",
            "\n".join(["| argument | meaning |", "|---|---|", *rows]),
            "```sh\n" + "\n".join(line.strip() for line in examples.splitlines()) + "\n```",
        )
    )


def _usage(action: argparse.Action) -> str:
    spelling = _spelling(action)
    return spelling if action.required and action.nargs != "*" else f"[{spelling}]"


def _spelling(action: argparse.Action) -> str:
    value = action.metavar or "|".join(action.choices or ())
    if not action.option_strings:
        return f"{value} ..." if action.nargs == "*" else str(value)
    return f"{action.option_strings[0]} {value}" if action.nargs != 0 else action.option_strings[0]


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def _one_line(text: str) -> str:
    return " ".join(text.split())


# --- The table of docs/python.md ---

# Why a name of the oracle does something else here; each has a test in tests/docs.
NOTES = {
    "SentencePieceTrainer.Train": "raises NotImplementedError: training stays with `sentencepiece`",
    "SetMinLogLevel": "does nothing: nothing is logged",
    "SetNBestTimeout": "does nothing: n-best has no limit of time",
    "ConvertToFlatbuffer": "writes our files; its three flags have nothing to do",
    "SetRandomGeneratorSeed": "[draws others](#drawing-at-random) than there for the same seed",
    "SentencePieceProcessor.serialized_model_proto": "of a `.spm.fb`: a `.model` "
    "[made again](formats.md#back-to-model) of it",
}


def names(oracle: Any, ours: Any) -> list[tuple[str, str, str]]:  # noqa: ANN401 - two modules
    """Each public name of the oracle, ours or an empty string, and what differs."""
    rows = []
    for name in _public(oracle):
        theirs = getattr(oracle, name)
        if not inspect.isclass(theirs):
            rows.append(_row(name, hasattr(ours, name)))
            continue
        own = getattr(ours, name, None)
        rows.append(_row(name, own is not None))
        rows += [_row(f"{name}.{member}", hasattr(own, member)) for member in _public(theirs)]
    return rows


def _public(thing: Any) -> list[str]:  # noqa: ANN401 - a module or a class
    special = ("__len__", "__getitem__", "__getstate__", "__setstate__", "__version__")
    return sorted(
        name
        for name, value in vars(thing).items()
        # Modules are there, or not yet, by what was imported before.
        if (not name.startswith("_") or name in special) and not inspect.ismodule(value)
    )


def _row(name: str, is_there: bool) -> tuple[str, str, str]:
    from spmlite.camel_case import camel_case

    owner, _, last = name.rpartition(".")
    camel = last if last[:1].isupper() else camel_case(last)
    note = NOTES.get(f"{owner}.{camel}".lstrip("."), NOTES.get(name, ""))
    return name, name if is_there else "", note


def differences(name: str, oracle: Any, ours: Any) -> list[str]:  # noqa: ANN401 - two modules
    """Arguments of the oracle's that ours lacks, has elsewhere, or with another default."""
    expected, found = (_parameters(name, module) for module in (oracle, ours))
    if expected is None or found is None:
        return []
    if "kwargs" in expected:  # passed on, as ours are
        expected = {key: place for key, place in expected.items() if key != "kwargs"}
    return [key for key, place in expected.items() if found.get(key) != place]


def _parameters(name: str, module: Any) -> dict[str, tuple[int, Any]] | None:  # noqa: ANN401
    """Place and default by name; None for what has no signature."""
    thing = module
    for part in name.split("."):
        thing = getattr(thing, part)
    try:
        parameters = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):
        return None
    return {one.name: (place, one.default) for place, one in enumerate(parameters)}


def with_table(page: str, rows: list[tuple[str, str, str]]) -> str:
    """The page with the table in its place."""
    head, _, rest = page.partition(_TABLE_BEGIN)
    _, _, tail = rest.partition(_TABLE_END)
    table = "\n".join(
        ["| sentencepiece 0.2.3 | spmlite | |", "|---|---|---|"]
        + [
            f"| `{name}` | {'`' + own + '`' if own else 'not there'} | {note} |"
            for name, own, note in rows
        ]
    )
    return f"{head}{_TABLE_BEGIN}\n\n{table}\n\n{_TABLE_END}{tail}"
