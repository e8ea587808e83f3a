"""What a page downloads of an engine: its script, bundled and minified, and its model."""

from __future__ import annotations

import gzip
import tempfile
from pathlib import Path

from .. import console, node
from ..environment import CHECKOUT

# Each engine as a page would import it. What only Node has is left out, as it is never run.
ENTRIES = {
    "spmlite": 'export { Tokenizer } from "spmlite";',
    "huggingface": 'export { Tokenizer } from "@huggingface/tokenizers";',
    "sentencepiece-js": 'export { SentencePieceProcessor } from "@agnai/sentencepiece-js";',
    "llama-tokenizer-js": 'export { default } from "llama-tokenizer-js";',
    "gpt-tokenizer": 'export { encode } from "gpt-tokenizer";',
}
OF_NODE = ("crypto", "fs", "module", "node:*", "path", "url")
ESBUILD = CHECKOUT / "wasm" / "node_modules" / ".bin" / "esbuild"


def script_size(name: str, peers: Path) -> int:
    """In bytes, compressed by gzip. What is imported later, such as our converter, is apart."""
    own = f"--alias:spmlite={CHECKOUT / 'wasm' / 'dist' / 'index.js'}"
    with tempfile.TemporaryDirectory(dir=peers) as folder:
        entry = Path(folder) / "entry.js"
        entry.write_text(ENTRIES[name], "utf-8")
        options = ["--bundle", "--minify", "--splitting", "--format=esm", "--charset=utf8"]
        options += ["--platform=browser", "--log-level=error", f"--outdir={folder}/out", own]
        options += [f"--external:{module}" for module in OF_NODE]
        command: list[str | Path] = [ESBUILD, entry, *options]
        console.run(command, log=f"esbuild-{name}", env=node.find_or_get().environment())
        return file_size(Path(folder) / "out" / "entry.js", compressed=True)


def model_size(model: Path | None) -> int:
    """The same of a model; 0 where it is part of the script."""
    return 0 if model is None else file_size(model, compressed=True)


def file_size(file: Path, *, compressed: bool) -> int:
    """In bytes, as it is or compressed by gzip."""
    content = file.read_bytes()
    return len(gzip.compress(content, 9) if compressed else content)
