"""Large files of text, read and written in little memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

# So many bytes of lines are worked on at a time: enough for all threads, and little memory.
BATCH_BYTES = 4 << 20

Advance = Callable[[int], object]


def batches_of_lines(file: IO[bytes], advance: Advance) -> Iterator[list[bytes]]:
    """The lines of a file, without their line feeds, some megabytes at a time.

    Args:
        file: open in binary mode. Of a terminal each line is a batch: who types sees an answer.
        advance: told of the bytes of each batch when the next one is asked for.
    """
    size = 1 if file.isatty() else BATCH_BYTES
    while lines := file.readlines(size):
        yield [line.removesuffix(b"\n") for line in lines]
        advance(sum(map(len, lines)))


@contextmanager
def progress_bar(total: int | None, shown: bool = True) -> Iterator[Advance]:
    """A bar on stderr that counts bytes.

    Args:
        total: how many there are, if that is known.
        shown: False for none.
    """
    if not shown:
        yield lambda _: None
        return
    from tqdm import tqdm  # type: ignore[import-untyped]

    with tqdm(total=total, unit="B", unit_scale=True, delay=0.3, leave=False) as bar:
        yield bar.update


@contextmanager
def written_whole(path: Path) -> Iterator[IO[bytes]]:
    """A file to write that is there whole in the end, or not at all."""
    import tempfile  # few need it, and it takes long to import

    with _naming(path):
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    draft = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
        # A temporary file is its owner's alone; this one is like any other.
        umask = os.umask(0)
        os.umask(umask)
        draft.chmod(0o666 & ~umask)
        with _naming(path):
            draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """What is wrong is the file that was asked for, not the temporary one."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
