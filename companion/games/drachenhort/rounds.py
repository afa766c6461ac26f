"""Leaving the board, the medals of a round, its end, and the set-up of the second.

Source: rulebook l. 155-193.
"""

from msgspec.structs import replace

from companion.games.core import with_value
from companion.games.drachenhort import scoring
from companion.games.drachenhort.events import (
    BoardFlipped,
    Captured,
    Escaped,
    Event,
    MedalGiven,
    RoundEnded,
)
from companion.games.drachenhort.pieces import ADVENTURERS, MEDALS
from companion.games.drachenhort.state import (
    FLIP,
    HALL,
    OFF,
    RANK,
    START,
    THROW,
    State,
    next_seat,
)


def capture(state: State, index: int, events: list[Event]) -> State:
    """Take an adventurer off with the lowest medal that is left.

    Source: rulebook l. 155-157.
    """
    events.append(Captured(state.setting.box.adventurers[index]))
    return _give(_take_off(state, index), index, _medals_left(state)[0], events)


def escape(state: State, index: int, events: list[Event]) -> State:
    """Take an adventurer off with the highest medal, and end the round.

    The round ends at once, even if all who remain stand in shadow.

    Source: rulebook l. 159-161; ruling DH26.
    """
    events.append(Escaped(state.seat, state.setting.box.adventurers[index]))
    out = _give(_take_off(state, index), index, MEDALS[-1], events)
    return end_round(out, events)


def all_but_one_captured(state: State) -> bool:
    """Tell whether the dragon has caught the last but one.

    Source: rulebook l. 99, 171.
    """
    return state.cells.count(OFF) == ADVENTURERS - 1


def end_round(state: State, events: list[Event]) -> State:
    """Give the medals left by nearness to the exit, then close the round.

    Those that stand level wait for a `Rank` each, until one of them is left.

    Source: rulebook l. 159-161, 171-173; rulings DH17, DH18, DH19.
    """
    while 0 in state.given:
        front = level_heroes(state)
        if len(front) > 1:
            return replace(state, phase=RANK, pips=0)
        state = rank(state, front[0], events)
    events.append(RoundEnded(state.round))
    if state.round == 1:
        return replace(state, phase=FLIP, pips=0)
    return scoring.lay_open(replace(state, pips=0), events)


def level_heroes(state: State) -> tuple[int, ...]:
    """Return those between whom the next medal lies.

    They are who stands on the dragon's cell or else, as a round ends, whoever is
    nearest to the exit among those without a medal.
    """
    waiting = [index for index, medal in enumerate(state.given) if not medal]
    cells = state.cells
    spot = state.dragon
    if spot not in cells:
        spot = max(cells[index] for index in waiting)
    return tuple(index for index in waiting if cells[index] == spot)


def rank(state: State, index: int, events: list[Event]) -> State:
    """Give the highest medal that is left to an adventurer still on the board."""
    return _give(state, index, _medals_left(state)[-1], events)


def flip(state: State, events: list[Event]) -> State:
    """Set up the second round.

    Source: rulebook l. 175-193; rulings DH16, DH20.
    """
    setting = state.setting
    first = setting.first if setting.options.oldest_restarts else next_seat(state)
    events.append(BoardFlipped(first))
    return replace(
        state,
        round=2,
        phase=THROW,
        seat=first,
        cells=(START,) * ADVENTURERS,
        lit=(True,) * ADVENTURERS,
        dragon=HALL,
        jewels=setting.box.back.jewels,
        removed=len(state.jewels),
    )


def _take_off(state: State, index: int) -> State:
    cells = with_value(state.cells, index, OFF)
    return replace(state, cells=cells, lit=with_value(state.lit, index, False))


def _give(state: State, index: int, medal: int, events: list[Event]) -> State:
    hero = state.setting.box.adventurers[index]
    events.append(MedalGiven(hero, state.metal, medal))
    given = with_value(state.given, index, medal)
    silver, gold = state.medals
    medals = (given, gold) if state.round == 1 else (silver, given)
    return replace(state, medals=medals)


def _medals_left(state: State) -> tuple[int, ...]:
    given = state.given
    return tuple(medal for medal in MEDALS if medal not in given)
