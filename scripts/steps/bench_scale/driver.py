"""One measurement: `driver.py ENGINE MODEL FOLDER OUTPUT CORES` prints one line of JSON.

The job is the same for all engines: read the Parquet files of FOLDER, add a column of ids, write
Parquet files to OUTPUT. Ray and Spark are started, and have done the job for one of the files,
before the clock is.
"""

from __future__ import annotations

import json
import os
import re
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import spmlite
import spmlite.arrow

# Tables of pyarrow, which has no types.
Table = Any
Result = dict[str, float]
# Several blocks for each worker.
BLOCK_BYTES = 16 * 2**20
MIB = 2**20


def main() -> None:
    """Measure, and print."""
    engine, model, folder, output, cores = sys.argv[1:]
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[: int(cores)]))
    pa.set_cpu_count(int(cores))
    processor = spmlite.SentencePieceProcessor(model_file=model)
    print(json.dumps(ENGINES[engine](processor, Path(folder), Path(output), int(cores))))


def plain_python(
    processor: spmlite.SentencePieceProcessor, folder: Path, output: Path, cores: int
) -> Result:
    """A list of str, one call for each, lists of int: what people write first."""
    del cores

    def add_ids(table: Table) -> Table:
        rows = [processor.encode(text) for text in table["text"].to_pylist()]
        return table.append_column("ids", pa.array(rows, pa.list_(pa.int32())))

    return timed(lambda: convert_files(folder, output, add_ids))


def arrow(
    processor: spmlite.SentencePieceProcessor, folder: Path, output: Path, cores: int
) -> Result:
    """The column as it is, over threads."""

    def add_ids(table: Table) -> Table:
        ids = spmlite.arrow.encode(table["text"], processor, num_threads=cores)
        return table.append_column("ids", ids.to_pyarrow())

    return timed(lambda: convert_files(folder, output, add_ids))


def arrow_in_memory(
    processor: spmlite.SentencePieceProcessor, folder: Path, output: Path, cores: int
) -> Result:
    """The column alone, without files: the speed of the call, and the memory that it takes."""
    del output
    column = pa.concat_tables(map(pq.read_table, files(folder)))["text"].combine_chunks()
    before = peak_from_now()
    start = time.perf_counter()
    ids = spmlite.arrow.encode(column, processor, num_threads=cores)
    seconds = time.perf_counter() - start
    made = ids.to_pyarrow().nbytes
    beyond = (peak() - before - made) / MIB
    return {"seconds": seconds, "output_mib": made / MIB, "beyond_mib": beyond}


def ray_data(
    processor: spmlite.SentencePieceProcessor, folder: Path, output: Path, cores: int
) -> Result:
    """A pool of one actor a core."""
    import ray
    import spmlite.ray

    ray.init(
        num_cpus=cores + 1,  # one writes, on the same cores
        include_dashboard=False,
        log_to_driver=False,
        logging_level="ERROR",
        _node_ip_address="127.0.0.1",
    )
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.target_max_block_size = BLOCK_BYTES

    def job(source: Path, target: Path) -> None:
        dataset = ray.data.read_parquet(str(source)).map_batches(
            spmlite.ray.Encoder,
            fn_constructor_args=(ray.put(processor), "text", "ids"),
            batch_format="pyarrow",
            batch_size=None,
            zero_copy_batch=True,
            compute=ray.data.ActorPoolStrategy(size=cores),
        )
        dataset.write_parquet(str(target))

    job(files(folder)[0], output / "first")
    result = timed(lambda: job(folder, output / "all"))
    ray.shutdown()
    return result


def spark(
    processor: spmlite.SentencePieceProcessor, folder: Path, output: Path, cores: int
) -> Result:
    """`local[cores]`."""
    import spmlite.spark
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master(f"local[{cores}]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.memory", "4g")
        .config("spark.sql.files.maxPartitionBytes", "16m")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")

    def job(source: Path, target: Path) -> None:
        frame = session.read.parquet(str(source))
        spmlite.spark.encode(frame, processor, "text", "ids").write.parquet(str(target))

    job(files(folder)[0], output / "first")
    result = timed(lambda: job(folder, output / "all"))
    session.stop()
    return result


def files(folder: Path) -> list[Path]:
    """The Parquet files, in order."""
    return sorted(folder.glob("*.parquet"))


def convert_files(folder: Path, output: Path, convert: Callable[[Table], Table]) -> None:
    """File by file, so that memory is that of one."""
    for file in files(folder):
        pq.write_table(convert(pq.read_table(file)), output / file.name, compression="snappy")


def timed(job: Callable[[], None]) -> Result:
    """Run the job once, as it is run in life."""
    start = time.perf_counter()
    job()
    return {"seconds": time.perf_counter() - start}


def peak_from_now() -> int:
    """Begin to watch the peak of memory; the bytes that are in memory now."""
    if sys.platform == "linux":
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
        return _status("VmRSS")
    return peak()


def peak() -> int:
    """The most bytes that there were in memory."""
    if sys.platform == "linux":
        return _status("VmHWM")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _status(name: str) -> int:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    found = re.search(rf"^{name}:\s+(\d+) kB$", status, re.MULTILINE)
    return int(found[1]) * 1024 if found else 0


ENGINES: dict[str, Callable[[spmlite.SentencePieceProcessor, Path, Path, int], Result]] = {
    "python": plain_python,
    "arrow": arrow,
    "memory": arrow_in_memory,
    "ray": ray_data,
    "spark": spark,
}


if __name__ == "__main__":
    main()
