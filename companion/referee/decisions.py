"""What the referee may decide about a reading or a claim, and how sure it has to be."""

from typing import Any, TypeAlias

from msgspec import Struct

from companion.games.core import Refused, Unknown
from companion.story.log import Asked, Made


class Thresholds(Struct, frozen=True, gc=False):
    """How sure a glimpse must be, 0 to 1.

    At *accept* and above a legal move is taken; below *ask* a glimpse is not even
    offered first. The bound of vision for `seen` is what *accept* is checked against,
    so that silent errors stay under one in a thousand.
    """

    accept: float = 0.9
    ask: float = 0.2


class Ignored(Struct, frozen=True, gc=False):
    """Nothing to do: nobody waited for it, or it says what is known already."""

    why: str


class TurnedAway(Struct, frozen=True, gc=False):
    """A claim that the rules refuse or cannot judge: the verdict says why.

    *secret* says that it rests on what not everybody may know, so that it is shown to
    whoever claimed it and to nobody else.
    """

    verdict: Refused | Unknown
    secret: bool = False


class NotUnderstood(Struct, frozen=True, gc=False):
    """A claim that is no move of this game; *why* repeats it."""

    why: str


class SeveralMade(Struct, frozen=True, gc=False):
    """Moves in a row that one look at the table proves together."""

    made: tuple[Made[Any], ...]


class TableInOrder(Struct, frozen=True, gc=False):
    """The whole table lies as the record says."""


Decision: TypeAlias = (
    Made[Any]
    | SeveralMade
    | Asked
    | TableInOrder
    | Ignored
    | TurnedAway
    | NotUnderstood
)
