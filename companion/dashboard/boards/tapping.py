"""The board itself as buttons: which of its places stand for which legal moves.

A game names the places that a move concerns, such as where a figure stands and where it
would go, and says where each lies on its drawing. Whoever taps one gets the moves that
concern it, whichever of their places comes first. The plain buttons stay.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from msgspec import Struct

from companion.words import Words

Spots: TypeAlias = tuple[str, ...]
"""The names of the places that a move concerns, for scripts alone; no blanks."""


class Area(Struct, frozen=True, gc=False):
    """Where a place lies on the drawing, and what people call it.

    *x* and *y* are its middle, in units of the drawing, of which a phone shows about
    one a pixel: 44 are what a finger needs.

    Source: WCAG 2.2, 2.5.5 Target Size (Enhanced).
    """

    name: str
    x: float
    y: float
    width: float = 46.0
    height: float = 46.0


class Target(Struct, frozen=True, gc=False):
    """A place that can be tapped now; *name* says what a tap does or begins."""

    spot: str
    name: str
    x: float
    y: float
    width: float
    height: float


def targets(
    moves: Iterable[tuple[Any, Spots]],
    areas: Mapping[str, Area],
    text: Callable[[Any], str],
    words: Words,
) -> tuple[Target, ...]:
    """Return the places of *areas* that some of *moves* concern, in their order.

    *text* gives the words of a move.
    """
    here: defaultdict[str, list[Any]] = defaultdict(list)
    for move, spots in moves:
        for spot in dict.fromkeys(spots):
            here[spot].append(move)
    return tuple(
        Target(
            spot,
            _name(area.name, here[spot], text, words),
            area.x - area.width / 2,
            area.y - area.height / 2,
            area.width,
            area.height,
        )
        for spot, area in areas.items()
        if spot in here
    )


def _name(
    place: str, moves: list[Any], text: Callable[[Any], str], words: Words
) -> str:
    if len(moves) == 1:
        return words.say("boards.tap.one", {"place": place, "move": text(moves[0])})
    return words.say("boards.tap.some", {"place": place, "n": len(moves)})


def common(all_spots: Iterable[Spots]) -> Spots:
    """Return the places that every one of some moves concerns."""
    first, *rest = all_spots
    return tuple(spot for spot in first if all(spot in other for other in rest))
