"""The oracle's older names: each method has its name in CamelCase as well.

What types they have is in `__init__.pyi`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeVar

Class = TypeVar("Class", bound=type)


def camel_case(name: str) -> str:
    """The oracle's other name of a method.

    >>> camel_case("nbest_encode_as_ids")
    'NBestEncodeAsIds'
    """
    return "".join(map(str.capitalize, name.split("_"))).replace("Nbest", "NBest")


def with_camel_case(*, but: Collection[str] = ()) -> Callable[[Class], Class]:
    """Decorate a class: all its public methods get a second name, but for some."""

    def add(decorated: Class) -> Class:
        for name, method in list(vars(decorated).items()):
            if not name.startswith("_") and name not in but:
                setattr(decorated, camel_case(name), method)
        return decorated

    return add
