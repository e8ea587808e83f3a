"""Classes of protobuf messages, made from a table.

Apart from the pool that all of a process share: so they get along with the oracle's own classes of
the same names, and with those that other packages bring.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

try:
    from google.protobuf import (  # type: ignore[import-untyped]
        descriptor_pb2,
        descriptor_pool,
        message_factory,
    )
except ImportError as error:
    raise ImportError(
        'protobuf is needed for return_type="proto" and for messages: pip install protobuf'
    ) from error

# By its name: a field's number, its type, and its default if that is not the type's own. A type
# is protobuf's word, or the full name of a message or an enum; `*` in front: any number of them.
Fields: TypeAlias = Mapping[str, tuple[int, str] | tuple[int, str, str]]
Values: TypeAlias = Mapping[str, int]
Message: TypeAlias = Any
Descriptor: TypeAlias = Any

_OPTIONAL, _REPEATED = 1, 3
_ENUM, _MESSAGE = 14, 11  # numbers of FieldDescriptorProto.Type
_SCALARS = {
    "float": 2,
    "uint64": 4,
    "int32": 5,
    "bool": 8,
    "string": 9,
    "bytes": 12,
    "uint32": 13,
}


def define(
    module: str, messages: Mapping[str, Fields], enums: Mapping[str, Values]
) -> dict[str, type[Message]]:
    """Make the classes of a package, `sentencepiece`.

    Args:
        module: where they are; a pickle finds them there.
        messages: by name, `Outer.Inner` for one within another, which comes first.
        enums: likewise, the numbers of their values.

    Returns:
        The classes that are within no other.
    """
    file = descriptor_pb2.FileDescriptorProto(
        name=f"{module}.proto", package="sentencepiece", syntax="proto2"
    )
    scopes: dict[str, Descriptor] = {"": file}
    for name, fields in messages.items():
        outer, _, inner = name.rpartition(".")
        siblings = scopes[outer].nested_type if outer else file.message_type
        scopes[name] = siblings.add(name=inner)
        for field, about in fields.items():
            _add_field(scopes[name], field, *about, enums=enums)
    for name, values in enums.items():
        outer, _, inner = name.rpartition(".")
        enum = scopes[outer].enum_type.add(name=inner)
        for value, number in values.items():
            enum.value.add(name=value, number=number)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return {name: _class(pool, module, name) for name in messages if "." not in name}


def _add_field(
    message: Descriptor,
    name: str,
    number: int,
    kind: str,
    default: str = "",
    *,
    enums: Mapping[str, Values],
) -> None:
    label = _REPEATED if kind.startswith("*") else _OPTIONAL
    kind = kind.removeprefix("*")
    field = message.field.add(name=name, number=number, label=label)
    if kind in _SCALARS:
        field.type = _SCALARS[kind]
    else:
        field.type = _ENUM if kind in enums else _MESSAGE
        field.type_name = f".sentencepiece.{kind}"
    if default:
        field.default_value = default


def _class(pool: Descriptor, module: str, name: str) -> type[Message]:
    made: type[Message] = message_factory.GetMessageClass(
        pool.FindMessageTypeByName(f"sentencepiece.{name}")
    )
    made.__module__ = module
    return made
