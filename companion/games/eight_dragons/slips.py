"""What a hand seems to have done where no move explains the table, and why not."""

from collections.abc import Iterator

from companion.games.core import (
    Refused,
    first_refusal,
)
from companion.games.eight_dragons.layout import BACK, CARD, PLACES, TOKEN
from companion.games.eight_dragons.pieces import Card
from companion.games.eight_dragons.refusals import judge
from companion.games.eight_dragons.state import (
    FreeToken,
    Move,
    PlaceToken,
    State,
    Take,
    Turn,
    TurnBack,
)
from companion.games.hidden import (
    Hidden,
)
from companion.table import Changes, Placed, Removed
from companion.table import Turned as TurnedOnTheSpot


def objection(state: State, changes: Changes) -> Refused | None:
    """Return why the rules refuse what changed, None if it looks like no move."""
    return first_refusal(judge, state, _moves(changes))


def _moves(changes: Changes) -> Iterator[Move]:
    numbers = {place: number for number, place in enumerate(PLACES)}
    for sight in sorted(changes, key=repr):
        if isinstance(sight, TurnedOnTheSpot) or sight.place not in numbers:
            continue
        yield from _at(numbers[sight.place], sight)


def _at(place: int, sight: Placed | Removed) -> Iterator[Move]:
    came = isinstance(sight, Placed)
    if sight.piece == TOKEN:
        yield PlaceToken(place) if came else FreeToken(place)
    elif sight.piece == CARD and not came:
        yield Take(place)
    elif sight.face == BACK:
        yield TurnBack(place)
    elif sight.face is not None:
        yield Turn(place, Hidden(Card(sight.face), ()))
