"""What a dragon is worth, the points of each seat, and who won.

Source: rulebook l. 86-96; rulings ED25, ED26.
"""

from companion.games.core import Cite, NotNow, Outcome, Score
from companion.games.eight_dragons.census import dragon_colour
from companion.games.eight_dragons.options import BOOK
from companion.games.eight_dragons.pieces import COLOUR, SILVER_COSTS, WORTH, Colour
from companion.games.eight_dragons.state import (
    OVER,
    End,
    Four,
    State,
)
from companion.table import LinePart, Seat, Word

CITES = {
    End.NO_PAIR: (124, 124),
    End.DEAD_END: (122, 126),
    End.PAIR_LEFT: (126, 126),
    End.BARREN: (122, 126),
}
"""What the rulebook says of each end."""


def has_silver(dragon: Four) -> bool:
    """Tell whether a silver part stands in for another colour's."""
    silver = [COLOUR[card] is Colour.SILVER for card in dragon]
    return any(silver) and not all(silver)


def worth(dragon: Four) -> int:
    """Return the points of a dragon: 5 less with a silver part in another colour.

    Raises:
        NotNow: The cards are no dragon.

    Source: rulebook l. 88-96; ruling ED15.
    """
    colour = dragon_colour(dragon)
    if colour is None:
        raise NotNow(f"{', '.join(dragon)} are no dragon")
    return WORTH[colour] - SILVER_COSTS * has_silver(dragon)


def scores(state: State) -> tuple[Score, ...]:
    """Return the points of each seat: its dragons; cards in hand count nothing.

    Source: rulebook l. 86; ruling ED26.
    """
    return tuple(_score(seat, dragons) for seat, dragons in enumerate(state.laid))


def _score(seat: Seat, dragons: tuple[Four, ...]) -> Score:
    parts = tuple((_part(dragon), worth(dragon)) for dragon in dragons)
    total = sum(points for _, points in parts)
    return Score(seat, total, total, parts)


def _part(dragon: Four) -> LinePart:
    kind = "mended" if has_silver(dragon) else "whole"
    colour = Word(f"{BOOK}.dragon.{dragon_colour(dragon)}")
    return LinePart(f"{BOOK}.part.{kind}", (("dragon", colour),))


def points(state: State, seat: Seat) -> int:
    """Return the points of one seat."""
    return sum(map(worth, state.laid[seat]))


def winners(state: State) -> tuple[Seat, ...]:
    """Return who has the most points; of those the most dragons, if a table says so.

    Source: rulebook l. 51; ruling ED25.
    """
    count_dragons = state.setting.options.more_dragons
    marks = [
        (sum(map(worth, dragons)), len(dragons) if count_dragons else 0)
        for dragons in state.laid
    ]
    return tuple(seat for seat, mark in enumerate(marks) if mark == max(marks))


def outcome(state: State) -> Outcome | None:
    """Return who won and why the game ended, None while it runs."""
    if state.phase is not OVER or state.end is None:
        return None
    return Outcome(
        winners(state), f"{BOOK}.end.{state.end}", Cite(BOOK, *CITES[state.end])
    )
