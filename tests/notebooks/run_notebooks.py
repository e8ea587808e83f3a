"""Runs notebooks in a folder, two at a time, and prints how their cells ended, as JSON."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

SECONDS = 120
AT_A_TIME = 2


async def main() -> None:
    folder, *files = sys.argv[1:]
    slots = asyncio.Semaphore(AT_A_TIME)
    ended = await asyncio.gather(*(run(file, folder, slots) for file in files))
    print(json.dumps({Path(file).name: end for file, end in zip(files, ended, strict=True)}))


async def run(file: str, folder: str, slots: asyncio.Semaphore) -> dict[str, object]:
    notebook = nbformat.read(file, as_version=4)
    client = NotebookClient(
        notebook, timeout=SECONDS, resources={"metadata": {"path": folder}}, kernel_name="python3"
    )
    failure = ""
    async with slots:
        try:
            await client.async_execute()
        except CellExecutionError as error:
            failure = str(error)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    texts = {cell.id: "".join(map(printed, cell.outputs)) for cell in cells}
    assertions = sum(cell.source.count("assert ") for cell in cells)
    return {"failure": failure, "printed": texts, "assertions": assertions}


def printed(output: nbformat.NotebookNode) -> str:
    return output.text if output.output_type == "stream" else json.dumps(output)


if __name__ == "__main__":
    asyncio.run(main())
