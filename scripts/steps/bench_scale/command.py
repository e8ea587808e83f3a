"""Makes the files, measures each engine on one core and on two, prints and keeps the table."""

from __future__ import annotations

import argparse
import json
import re
import subprocess
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from .. import build, cache, console, demo, scale, test_data
from ..environment import CHECKOUT, Environment
from ..sources import fingerprint
from ..stop import Stop

DRIVER = Path(__file__).parent / "driver.py"
DOCS = CHECKOUT / "docs" / "scale.md"
RESULTS = CHECKOUT / "build" / "bench-scale.json"
MARKS = ("<!-- figures: scripts/bench-scale --docs -->", "<!-- end of figures -->")
CORES = (1, 2)
FILES = 8

# What is asked: at least so much of the speed of another row, per core.
ARROW_OF_ENGINE = 0.85
ENGINE_OF_ARROW = 0.5
MOST_MIB = 64

NAMES = {
    "python": "plain Python, Parquet to Parquet",
    "arrow": "`spmlite.arrow`, Parquet to Parquet",
    "memory": "`spmlite.arrow`, a column in memory",
    "ray": "`spmlite.ray`, Parquet to Parquet",
    "spark": "`spmlite.spark`, Parquet to Parquet",
}


@dataclass
class Row:
    """One engine on some cores."""

    engine: str
    cores: int
    megabytes_per_second: float
    output_mib: float = 0
    beyond_mib: float = 0


def main() -> int:
    """Measure the engines named as arguments, or all."""
    parser = argparse.ArgumentParser(prog="scripts/bench-scale", description=__doc__)
    parser.add_argument("engines", nargs="*", metavar="ENGINE", help=f"of {', '.join(NAMES)}")
    parser.add_argument("--megabytes", type=int, default=400, help="of text (400)")
    parser.add_argument("--rounds", type=int, default=2, help="the best of so many counts (2)")
    parser.add_argument("--docs", action="store_true", help=f"put the table into {DOCS.name}")
    arguments = parser.parse_args()
    engines = arguments.engines or list(NAMES)
    if not set(engines) <= set(NAMES):
        parser.error(f"the engines are: {', '.join(NAMES)}")
    build.build(["native", "python"])
    environment = scale.with_package()
    model = demo.model().fb
    folder = _parquet(environment, _text(), arguments.megabytes)
    rows = [_core_row(model, folder, arguments.rounds)]
    for name in engines:
        for cores in CORES:
            with console.step(f"{name}, {cores} of the cores"):
                rows.append(_best(environment, name, model, folder, cores, arguments.rounds))
    table = "\n".join(_table(rows, arguments.megabytes))
    console.say(table)
    RESULTS.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n", "utf-8")
    if arguments.docs:
        _put_into_docs(table)
    return 0


def _text() -> Path:
    texts = test_data.find_or_get().texts
    for name in ("shared/english", "botchan"):
        if name in texts:
            return texts[name]
    raise Stop("there is no English text: neither ../shared nor PyPI's sentencepiece gave one.")


def _parquet(environment: Environment, text: Path, megabytes: int) -> Path:
    """lines.txt and parquet/ of the text, each copy with a number before its lines."""
    program = """
import sys, pyarrow as pa, pyarrow.parquet as pq
text, folder, size, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
lines = [line for line in open(text, encoding="utf-8").read().split("\\n") if line]
copies = max(count, round(size * 1e6 / sum(len(line.encode()) for line in lines)))
for file in range(count):
    texts = [f"{copy} {line}" for copy in range(file, copies, count) for line in lines]
    table = pa.table({"text": texts})
    pq.write_table(table, f"{folder}/parquet/part-{file}.parquet", row_group_size=50_000)
    with open(f"{folder}/lines.txt", "a", encoding="utf-8") as lines_file:
        lines_file.write("\\n".join(texts) + "\\n")
"""

    def write(draft: Path) -> None:
        with console.step(f"{megabytes} MB of text in Parquet"):
            (draft / "parquet").mkdir()
            command: list[str | Path] = [environment.python, "-c", program, text, draft]
            console.run([*command, str(megabytes), str(FILES)], log="bench-scale-parquet")

    version = f"{text} {megabytes} {fingerprint('scripts/steps/bench_scale')}"
    return cache.made_once("bench-scale", version, write)


def _size(environment: Environment, folder: Path) -> int:
    """The bytes of all texts."""
    program = (
        "import sys, pyarrow.parquet as pq, pyarrow.compute as pc\n"
        "sizes = (pc.binary_length(pq.read_table(file)['text']) for file in sys.argv[1:])\n"
        "print(sum(pc.sum(column).as_py() for column in sizes))"
    )
    command: list[str | Path] = [environment.python, "-c", program]
    files = sorted((folder / "parquet").glob("*.parquet"))
    return int(console.run([*command, *files], log="bench-scale-size"))


def _core_row(model: Path, folder: Path, rounds: int) -> Row:
    """The C++ engine on one core and the same lines, by its own program, with a fresh cache."""
    command: list[str | Path] = [CHECKOUT / "build" / "spm_bench", f"--model={model}"]
    options = [f"--text={folder / 'lines.txt'}", "--mode=line", f"--reps={rounds}"]
    with console.step("the C++ engine"):
        printed = console.run([*command, *options], log="spm-bench")
    return Row("core", 1, float(json.loads(printed.strip().splitlines()[-1])["cold_mb_s"]))


def _best(
    environment: Environment, name: str, model: Path, folder: Path, cores: int, rounds: int
) -> Row:
    results = [_measure(environment, name, model, folder, cores) for _ in range(rounds)]
    best = min(results, key=lambda result: result["seconds"])
    rate = _size(environment, folder) / 1e6 / best["seconds"]
    beyond = max(result.get("beyond_mib", 0) for result in results)
    return Row(name, cores, rate, best.get("output_mib", 0), beyond)


def _measure(
    environment: Environment, name: str, model: Path, folder: Path, cores: int
) -> dict[str, float]:
    output = cache.root() / "bench-scale-output"
    cache.remove(output)
    output.mkdir(parents=True)
    command: list[str | Path] = [
        environment.python,
        DRIVER,
        name,
        model,
        folder / "parquet",
        output,
    ]
    done = subprocess.run(
        [*command, str(cores)],
        env=scale.variables(environment),
        capture_output=True,
        text=True,
        check=False,
    )
    cache.remove(output)
    found = re.findall(r"^\{.*\}$", done.stdout, re.MULTILINE)
    if done.returncode != 0 or not found:
        raise Stop(f"{name} on {cores} cores failed: {done.stderr.strip()[-2000:]}")
    result: dict[str, float] = json.loads(found[-1])
    return result


def _table(rows: list[Row], megabytes: int) -> Iterator[str]:
    rates = {(row.engine, row.cores): row.megabytes_per_second for row in rows}
    yield f"{megabytes} MB of English, Gemma 3, MB/s of UTF-8:"
    yield ""
    yield "| | 1 core | 2 cores | growth | per core, of what |"
    yield "|---|---|---|---|---|"
    yield f"| the C++ engine, the lines in memory | {rates['core', 1]:.0f} | | | |"
    for name, title in NAMES.items():
        if (name, 1) not in rates:
            continue
        one, two = rates[name, 1], rates[name, 2]
        share = _share(name, rates)
        yield f"| {title} | {one:.0f} | {two:.0f} | {two / one:.2f} | {share} |"
    for row in rows:
        if row.engine == "memory":
            yield ""
            yield (
                f"Memory beyond input and output, {row.cores} threads, {row.output_mib:.0f} MiB "
                f"made: {row.beyond_mib:.0f} MiB (asked: at most {MOST_MIB})."
            )


def _share(name: str, rates: dict[tuple[str, int], float]) -> str:
    """The ratio on both cores, and what was asked."""
    if name == "memory":
        ratio = rates[name, 1] / rates["core", 1]
        return f"{ratio:.2f} of the engine (asked: {ARROW_OF_ENGINE})"
    if name in ("ray", "spark") and ("arrow", 2) in rates:
        ratio = rates[name, 2] / rates["arrow", 2]
        return f"{ratio:.2f} of Arrow on two cores (asked: {ENGINE_OF_ARROW})"
    return ""


def _put_into_docs(table: str) -> None:
    text = DOCS.read_text("utf-8")
    begin, end = MARKS
    if begin not in text or end not in text:
        raise Stop(f"{DOCS.name} lacks the lines {begin} and {end}, between which the table goes.")
    head, _, rest = text.partition(begin)
    tail = rest.partition(end)[2]
    DOCS.write_text(f"{head}{begin}\n{table}\n{end}{tail}", "utf-8")
