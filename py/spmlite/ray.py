"""Ray Data: texts to ids, and back, by the workers of a cluster.

The model goes to the workers once, each makes one processor of it, and batches stay in Arrow::

    model = ray.put(spmlite.SentencePieceProcessor(model_file="tokenizer.model"))
    dataset = dataset.map_batches(
        spmlite.ray.Encoder,
        fn_constructor_args=(model, "text", "ids"),
        batch_format="pyarrow",
        compute=ray.data.ActorPoolStrategy(size=2),
    )
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import ray

from spmlite import arrow

if TYPE_CHECKING:
    from spmlite.processor import SentencePieceProcessor

# ray.ObjectRef and pyarrow.Table: neither has types that mypy could read.
ObjectRef: TypeAlias = Any
Table: TypeAlias = Any


class _Converter:
    def __init__(
        self,
        model: SentencePieceProcessor | ObjectRef,
        source: str,
        target: str,
        *,
        num_threads: int = 1,
    ) -> None:
        """Take the model, in the worker.

        Args:
            model: a processor, better what `ray.put` returned for it: then each machine gets it
                once. Its `add_bos`, `add_eos` and `reverse` count.
            source: the column to read.
            target: the column to add.
            num_threads: of each worker; 1 as Ray starts a worker for each core.
        """
        self._processor = ray.get(model) if isinstance(model, ray.ObjectRef) else model
        self._source = source
        self._target = target
        self._num_threads = num_threads


class Encoder(_Converter):
    """For `map_batches`: adds a column of ids, `list<int32>`; see `spmlite.arrow.encode`."""

    def __call__(self, batch: Table) -> Table:
        """The batch, with the column added."""
        column = batch[self._source]
        ids = arrow.encode(column, self._processor, num_threads=self._num_threads)
        return batch.append_column(self._target, ids.to_pyarrow())


class Decoder(_Converter):
    """For `map_batches`: adds a column of texts, `utf8`; see `spmlite.arrow.decode`."""

    def __call__(self, batch: Table) -> Table:
        """The batch, with the column added."""
        column = batch[self._source]
        texts = arrow.decode(column, self._processor, num_threads=self._num_threads)
        return batch.append_column(self._target, texts.to_pyarrow())
