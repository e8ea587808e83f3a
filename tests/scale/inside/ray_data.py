"""Ray Data with two workers on this machine, of which one is killed."""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import ray
import spmlite
import spmlite.ray

PAGE = Path(__file__).parents[3] / "docs" / "scale.md"
WORKERS = 2
BLOCK_BYTES = 2**20


class Recorder(spmlite.ray.Encoder):
    """An encoder that leaves the number of its process in a folder, and may be killed at work."""

    def __init__(self, model: object, folder: Path, victims: int) -> None:
        super().__init__(model, "text", "ids")
        self._folder = folder
        self._victims = victims

    def __call__(self, batch: pa.Table) -> pa.Table:
        ids = super().__call__(batch)
        (self._folder / f"worker-{os.getpid()}").touch()
        for victim in range(self._victims):
            try:
                (self._folder / f"victim-{victim}").touch(exist_ok=False)
            except FileExistsError:
                continue
            os.kill(os.getpid(), signal.SIGKILL)
        return ids


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    # A short name: the system limits the paths of sockets, which Ray puts there.
    with tempfile.TemporaryDirectory(prefix="ray", dir="/tmp") as folder:
        ray.init(
            num_cpus=WORKERS + 1,  # one reads the files
            include_dashboard=False,
            object_store_memory=500_000_000,
            log_to_driver=False,
            _node_ip_address="127.0.0.1",
            _temp_dir=folder,
        )
        context = ray.data.DataContext.get_current()
        context.execution_options.preserve_order = True
        # So small that there are several for each worker.
        context.target_max_block_size = BLOCK_BYTES
        context.enable_progress_bars = False
        yield
        ray.shutdown()


def encoded(
    parquet: Path, processor: spmlite.SentencePieceProcessor, folder: Path, victims: int = 0
) -> pa.Table:
    dataset = ray.data.read_parquet(str(parquet)).map_batches(
        Recorder,
        fn_constructor_args=(ray.put(processor), folder, victims),
        batch_format="pyarrow",
        batch_size=5000,
        zero_copy_batch=True,
        compute=ray.data.ActorPoolStrategy(size=WORKERS),
    )
    return pa.concat_tables(dataset.iter_batches(batch_format="pyarrow", batch_size=None))


def check(table: pa.Table, expected: list[list[int] | None]) -> None:
    """Nothing is lost or doubled, and the order is kept."""
    assert table["row"].to_pylist() == list(range(len(expected)))
    assert table["ids"].type == pa.list_(pa.int32())
    assert table["ids"].to_pylist() == expected


def test_parquet_through_two_workers(
    parquet: Path,
    processor: spmlite.SentencePieceProcessor,
    expected: list[list[int] | None],
    tmp_path: Path,
) -> None:
    check(encoded(parquet, processor, tmp_path), expected)
    assert len(list(tmp_path.glob("worker-*"))) == WORKERS


def test_the_example_of_the_page(
    example: Callable[[str, dict[str, str]], str],
    expected: list[list[int] | None],
    tmp_path: Path,
) -> None:
    exec(example("import ray", {"size=64": f"size={WORKERS}"}), {})
    check(pq.read_table(tmp_path / "ids").sort_by("row"), expected)
    assert "RLE_DICTIONARY" in encodings_of(tmp_path / "ids")["text"]


def test_only_ids_have_a_dictionary_where_the_page_says_so(tmp_path: Path) -> None:
    options = {"use_dictionary": ["ids.list.element"]}
    assert 'write_parquet("ids/", use_dictionary=["ids.list.element"])' in PAGE.read_text("utf-8")
    rows = pa.array([[260, 261], None, [260]], pa.list_(pa.int32()))
    table = pa.table({"text": ["Hello world", None, "Hello"], "ids": rows})
    ray.data.from_arrow(table).write_parquet(str(tmp_path / "ids"), **options)
    encodings = encodings_of(tmp_path / "ids")
    assert "RLE_DICTIONARY" in encodings["ids.list.element"]
    assert "RLE_DICTIONARY" not in encodings["text"]


def encodings_of(folder: Path) -> dict[str, tuple[str, ...]]:
    """How the first row group of one of the files stores each column."""
    group = pq.read_metadata(next(folder.iterdir())).row_group(0)
    columns = [group.column(number) for number in range(group.num_columns)]
    return {column.path_in_schema: column.encodings for column in columns}


def test_a_worker_is_killed(
    parquet: Path,
    processor: spmlite.SentencePieceProcessor,
    expected: list[list[int] | None],
    tmp_path: Path,
) -> None:
    check(encoded(parquet, processor, tmp_path, victims=1), expected)
    assert (tmp_path / "victim-0").exists()
    assert len(list(tmp_path.glob("worker-*"))) > WORKERS


def test_back_to_text(processor: spmlite.SentencePieceProcessor) -> None:
    rows = [[260, 261], None, [], [260]]
    table = pa.table({"ids": pa.array(rows, pa.list_(pa.int32()))})
    dataset = ray.data.from_arrow(table).map_batches(
        spmlite.ray.Decoder,
        fn_constructor_args=(processor, "ids", "text"),
        batch_format="pyarrow",
        compute=ray.data.ActorPoolStrategy(size=1),
    )
    assert [row["text"] for row in dataset.take_all()] == ["Hello world", None, "", "Hello"]
