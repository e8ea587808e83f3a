"""Runs a notebook in a folder, and prints how its cells ended, as JSON."""

from __future__ import annotations

import json
import sys

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

SECONDS = 120


def main() -> None:
    file, folder = sys.argv[1:]
    notebook = nbformat.read(file, as_version=4)
    client = NotebookClient(
        notebook, timeout=SECONDS, resources={"metadata": {"path": folder}}, kernel_name="python3"
    )
    failure = ""
    try:
        client.execute()
    except CellExecutionError as error:
        failure = str(error)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    texts = {cell.id: "".join(map(printed, cell.outputs)) for cell in cells}
    assertions = sum(cell.source.count("assert ") for cell in cells)
    print(json.dumps({"failure": failure, "printed": texts, "assertions": assertions}))


def printed(output: nbformat.NotebookNode) -> str:
    return output.text if output.output_type == "stream" else json.dumps(output)


if __name__ == "__main__":
    main()
