"""How one game is drawn on the page; what an artist leaves out is neutral."""

from collections.abc import Callable
from typing import Any, TypeAlias

from msgspec import Struct

from companion.dashboard.boards.drawing import Drawing, Icon
from companion.dashboard.boards.likely import Likely
from companion.dashboard.boards.picking import Slot
from companion.dashboard.boards.tapping import Area, Spots
from companion.games.hidden import (
    Viewer,
)
from companion.story.log import Story
from companion.words import Words

Moves: TypeAlias = tuple[Any, ...]
Named: TypeAlias = tuple[str, tuple[Icon, ...]]


def list_layout(
    story: Story, state: Any, _legal: Moves, _viewer: Viewer, words: Words
) -> Drawing:
    """Return a board in words alone: what should lie where."""
    lying = sorted(story.game.layout(state), key=lambda thing: (thing[2], thing[0]))
    twin = tuple(
        f"{place}: {piece}" + (f" ({face})" if face else "")
        for piece, face, place in lying
    )
    return Drawing(words.say("dashboard.board.listed"), twin)


class Artist(Struct, frozen=True):
    """How one game is drawn: the whole board, and the pictures on a move's button.

    *likely* says which button comes first. *notes* are the kinds of move that only tell
    the table a secret; None where that is told by what they hide. *slot* tells which
    pick a move belongs to, and *label* names the answers there. *note* and *hand* are
    the lines over what a phone notes, and over what it alone knows to be its own.
    *at_one_go* are moves that people make one after the other without a choice, and the
    line on their common button; of those that the rules do not need the rest is left.
    *spots* are the places of the board that a move concerns, and *areas* where on a
    drawing each of them lies, so that it can be tapped.
    """

    game: str = ""
    draw: Callable[[Story, Any, Moves, Viewer, Words], Drawing] = list_layout
    icons: Callable[[Any, Any, Words], tuple[Icon, ...]] = lambda _state, _move, _w: ()
    likely: Likely | None = None
    notes: tuple[type, ...] | None = None
    slot: Callable[[Any, Any], Slot | None] = lambda _state, _move: None
    label: Callable[[Any, Any, int, Words], Named] | None = None
    at_one_go: Callable[[Any], tuple[str, Moves]] = lambda _state: ("", ())
    spots: Callable[[Any, Any], Spots] = lambda _state, _move: ()
    areas: Callable[[Any, Any, Words], dict[str, Area]] = lambda _state, _board, _w: {}
    note: str = "boards.note"
    hand: str = "boards.hand"
