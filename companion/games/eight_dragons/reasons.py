"""The refusals that several judges share, and what fills their words.

No refusal says which card lies anywhere.
"""

from companion.games.core import (
    Cite,
    Refused,
)
from companion.games.eight_dragons import census, gains
from companion.games.eight_dragons.options import BOOK
from companion.games.eight_dragons.pieces import HAND_LIMIT, SQUARES
from companion.games.eight_dragons.state import Phase, State, Stop
from companion.games.hidden import (
    Hidden,
)
from companion.table import Params

NO = f"{BOOK}.no"

WAITING = {
    Phase.FIRST: (72, 72),
    Phase.SECOND: (72, 72),
    Phase.PAIR: (72, 78),
    Phase.BACK: (74, 74),
    Phase.DRAW: (102, 102),
    Phase.GRAB: (102, 102),
    Phase.GIVE: (106, 106),
    Phase.AFTER: (72, 86),
    Phase.LOOK: (124, 124),
    Phase.ASK: (126, 126),
    Phase.OVER: (122, 122),
}
"""What the rulebook says of each thing that the table may wait for."""

STOPS = {
    Stop.FIRST: ((98, 98), "ED7"),
    Stop.SECOND: ((98, 98), "ED8"),
    Stop.TWIN_FIRST: ((108, 108), "ED7"),
    Stop.TWIN_SECOND: ((108, 108), "ED8"),
}
"""The lines and the ruling by which each special card ends a turn."""


def refuse(
    name: str, lines: tuple[int, int], ruling: str = BOOK, params: Params = ()
) -> Refused:
    """Return a refusal by the name of its reason."""
    return Refused(ruling, f"{NO}.{name}", Cite(BOOK, *lines), params)


def waits(state: State) -> Refused:
    """Return the refusal that says what has to be done first."""
    if state.again and state.phase is Phase.AFTER:
        return refuse("waits_again", (72, 72), params=who(state))
    lines, ruling = WAITING[state.phase], BOOK
    if state.phase is Phase.BACK and state.stop is not None:
        lines, ruling = STOPS[state.stop]
    return refuse(f"waits_{state.phase}", lines, ruling, who(state))


def who(state: State) -> Params:
    """Name the seat that the table waits for."""
    return (("seat", gains.drawer(state)),)


def where(place: int) -> Params:
    """Name a place as people read it."""
    known = place in range(len(SQUARES))
    return (("square", SQUARES[place] if known else str(place)),)


def excess(state: State, ruling: str) -> Refused | None:
    """Return the refusal for whoever has more than four cards, None for the others.

    Source: rulebook l. 82-84; rulings ED4, ED5, ED13.
    """
    extra = len(state.hands[state.seat]) - HAND_LIMIT
    if extra <= 0:
        return None
    params = (("seat", state.seat), ("n", extra))
    return refuse("excess_first", (82, 84), ruling, params)


def not_free(state: State, place: int) -> Refused | None:
    """Return why no card can be turned or blocked at *place*, None if one can."""
    there = where(place)
    if place not in range(len(state.grid)):
        return refuse("no_such_place", (70, 70), params=there)
    spot = state.grid[place]
    if spot is None:
        return refuse("nothing_there", (72, 72), params=there)
    if place in state.up:
        return refuse("turned_already", (72, 72), params=there)
    if not isinstance(spot, Hidden):
        return refuse("spent", (98, 98), "ED9", there)
    if place in census.blocked_places(state):
        return refuse("blocked", (114, 114), "ED20", there)
    return None


def not_empty(state: State, place: int, line: int, ruling: str) -> Refused | None:
    """Return why no card can be put down at *place*, None if one can.

    *line* and *ruling* say where such a card may go (l. 78, ED3; l. 82, ED6).
    """
    if place not in range(len(state.grid)):
        return refuse("no_such_place", (70, 70), params=where(place))
    if state.grid[place] is not None:
        return refuse("place_taken", (line, line), ruling, where(place))
    return None
