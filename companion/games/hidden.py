"""Values that only some may see, and how they are cut out for whoever looks.

A game wraps a secret in `Hidden` and cannot forget it: states, moves, events, logs and
exports are all cut by one walk.
"""

from collections.abc import Iterator
from functools import cache
from types import NoneType
from typing import (
    Any,
    Generic,
    TypeAlias,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from msgspec import Struct
from msgspec.structs import replace

from companion.table import Seat

T = TypeVar("T")

Viewer: TypeAlias = Seat | None
"""Whose eyes: a seat, or None for everybody who only watches."""


class Hidden(Struct, Generic[T], frozen=True, gc=False):
    """A value that only some seats may see.

    A *value* of None is not known (or not to be known by the one who looks);
    ``seen_by=()`` with a value is known to the referee alone.
    """

    value: T | None
    seen_by: tuple[Seat, ...] = ()


def is_of_memory(thing: Any) -> bool:
    """Tell whether something in *thing* may be known to the referee alone."""
    if isinstance(thing, Hidden):
        return not thing.seen_by
    if isinstance(thing, Struct):
        return any(map(is_of_memory, _parts_that_may_hide(thing)))
    if isinstance(thing, tuple | frozenset):
        return any(is_of_memory(part) for part in thing)
    return False


def is_private(thing: Any) -> bool:
    """Tell whether a move, or any part of it, is for the eyes of some seats only.

    What the referee alone may remember of it (``seen_by=()``), such as a card that
    everybody sees being turned, makes no move private. None is no move, as where the
    record was set to what lies on the table for all to see.
    """
    if isinstance(thing, Hidden):
        return bool(thing.seen_by)
    if isinstance(thing, Struct):
        return any(map(is_private, _parts_that_may_hide(thing)))
    if isinstance(thing, tuple | frozenset):
        return any(is_private(part) for part in thing)
    return False


def as_remembered(thing: T) -> T:
    """Return *thing* as the referee alone remembers it: what lay open once for all.

    What some seats may see is emptied, as they may have entered it wrong.
    """
    # The walk is untyped; what comes out has the shape that went in.
    return _redact(thing, None, memory=True)  # type: ignore[no-any-return]


def redact(thing: T, viewer: Viewer) -> T:
    """Return *thing* with every hidden value emptied that *viewer* may not see.

    Walks values of any shape (Structs, tuples, frozensets), so a game cannot forget a
    secret: what is wrapped in `Hidden` is cut here, once, for states, moves, events,
    logs and exports alike. Parts without secrets are returned as they are.
    """
    # The walk is untyped; what comes out has the shape that went in.
    return _redact(thing, viewer)  # type: ignore[no-any-return]


def _redact(thing: Any, viewer: Viewer, *, memory: bool = False) -> Any:
    if isinstance(thing, Hidden):
        if thing.value is None or (memory and not thing.seen_by):
            return thing
        if viewer is not None and viewer in thing.seen_by:
            return Hidden(_redact(thing.value, viewer), thing.seen_by)
        return Hidden(None, thing.seen_by)
    if isinstance(thing, Struct):
        return _redact_struct(thing, viewer, memory=memory)
    if isinstance(thing, tuple | frozenset):
        parts = [_redact(part, viewer, memory=memory) for part in thing]
        if all(new is old for new, old in zip(parts, thing, strict=True)):
            return thing
        return type(thing)(parts)
    return thing


def _redact_struct(thing: Struct, viewer: Viewer, *, memory: bool) -> Struct:
    changed = {}
    for name in _fields_that_may_hide(type(thing)):
        old = getattr(thing, name)
        new = _redact(old, viewer, memory=memory)
        if new is not old:
            changed[name] = new
    return replace(thing, **changed) if changed else thing


def _parts_that_may_hide(thing: Struct) -> Iterator[Any]:
    return (getattr(thing, name) for name in _fields_that_may_hide(type(thing)))


@cache
def _fields_that_may_hide(kind: type[Struct]) -> tuple[str, ...]:
    """Return which fields of a kind can hold a secret, by what their values may be.

    Boxes, options and stacks are half of a state, and a state is redacted at each look.
    """
    hints = get_type_hints(kind)
    return tuple(name for name in kind.__struct_fields__ if _may_hide(hints[name]))


def _may_hide(hint: Any) -> bool:
    if get_args(hint):
        parts = (part for part in get_args(hint) if part is not Ellipsis)
        return get_origin(hint) is Hidden or any(map(_may_hide, parts))
    if not isinstance(hint, type) or hint is Hidden:
        return True
    if issubclass(hint, Struct):
        return bool(_fields_that_may_hide(hint))
    return not issubclass(hint, str | int | float | NoneType)
