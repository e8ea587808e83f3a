"""The rules of normalizers that have a name, such as `nfkc`: `sentencepiece` has them compiled."""

from __future__ import annotations

import os
from pathlib import Path

_data_dir: Path | None = None


def set_data_dir(data_dir: str | bytes | os.PathLike[str] | os.PathLike[bytes]) -> None:
    """Tell where the rules that have names are: files like `nfkc.bin`, as `sentencepiece` has them.

    Without it they are taken from that package, where it is installed.

    >>> from spmlite import SentencePieceNormalizer
    >>> set_data_dir(tmp_path)
    >>> SentencePieceNormalizer(rule_name="nfkc")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    RuntimeError: there is no nfkc.bin in ...
    """
    global _data_dir
    _data_dir = Path(os.fsdecode(data_dir))


def named_charsmap(name: str) -> bytes:
    """The rules that have a name, compiled; see `set_data_dir`.

    Raises:
        RuntimeError: they are not here.

    >>> named_charsmap("identity")
    b''
    """
    if name == "identity":
        return b""
    if not all("a" <= letter <= "z" or letter in "_-" for letter in name):
        raise ValueError(f"rule_name {name!r} is none: such names are of small letters, _ and -")
    folder = _data_dir or _sentencepiece_data()
    if folder is None:
        raise RuntimeError(
            f"the rules of {name!r} are not here but in the package sentencepiece: install that, "
            "or tell set_data_dir where they are"
        )
    path = folder / f"{name}.bin"
    if not path.is_file():
        raise RuntimeError(f"there is no {path.name} in {folder}")
    return path.read_bytes()


def _sentencepiece_data() -> Path | None:
    """Where the package has its rules, if it is installed."""
    import importlib.metadata  # few need it, and it takes longer to import than all else

    try:
        found = importlib.metadata.distribution("sentencepiece")
    except importlib.metadata.PackageNotFoundError:
        return None
    return Path(str(found.locate_file("sentencepiece/package_data")))
