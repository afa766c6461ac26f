"""The supply of eggs, and the two ways in which eggs go back to it.

Source: rulebook l. 125-148.
"""

from msgspec.structs import replace

from companion.games.core import NotNow, with_value
from companion.games.dragorun import track
from companion.games.dragorun.events import AllEggsReturned, EggsReturned, Event
from companion.games.dragorun.pieces import EGGS, EGGS_OF_EACH, FIFTHS, NAMED, Egg
from companion.games.dragorun.state import (
    State,
)

KINDS = {
    fifth: (
        *((Egg(dragon.value), EGGS_OF_EACH) for dragon in (*NAMED, fifth)),
        (Egg.SNAIL, 1),
        (Egg.MUSHROOM, 1),
    )
    for fifth in FIFTHS
}
"""How many eggs of each kind are in the box, by the colour of the fifth dragon."""


def supply(state: State) -> tuple[tuple[Egg, int], ...]:
    """Return how many of each egg lie face down in the supply, none left out.

    Everybody can count this: an egg in front of a player lies face up.

    Source: rulebook l. 42, 125, 131.
    """
    held = [egg for eggs in state.eggs for egg in eggs]
    kinds = KINDS[state.setting.box.fifth]
    return tuple([(egg, count - held.count(egg)) for egg, count in kinds])


def eggs_left(state: State) -> int:
    """Return how many eggs lie in the supply."""
    return EGGS - sum(map(len, state.eggs))


def collect(state: State, events: list[Event]) -> State:
    """Put everybody's eggs back once the last one is drawn and has done its work.

    Source: rulebook l. 143; rulings DG16, DG29.
    """
    twelfth = state.setting.options.twelve_draws and state.drawn == EGGS
    if eggs_left(state) and not twelfth:
        return state
    events.append(AllEggsReturned())
    return replace(state, eggs=((),) * state.setting.seats, drawn=0)


def may_put_back(state: State) -> bool:
    """Tell whether the seat in turn, being last, has eggs that it may put back.

    Source: rulebook l. 144, 148; rulings DG17, DG18.
    """
    return bool(state.eggs[state.seat]) and track.is_last(state, state.mine)


def put_back(state: State, events: list[Event]) -> State:
    """Put all one's eggs back; the turn then runs as usual, a swap included.

    Source: rulebook l. 144; rulings DG17, DG18, DG30.
    """
    mine = state.eggs[state.seat]
    if not mine:
        raise NotNow("the player has no egg to put back")
    events.append(EggsReturned(state.seat, len(mine)))
    return replace(state, eggs=with_value(state.eggs, state.seat, ()))
