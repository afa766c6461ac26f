"""A player's turn and the dragon's: throw, advance, traps, jewels, waking, catching.

Source: rulebook l. 87-157.
"""

from msgspec.structs import replace

from companion.games.core import NotNow, with_value
from companion.games.drachenhort import rounds, track
from companion.games.drachenhort.box import Board
from companion.games.drachenhort.events import (
    Advanced,
    DragonLeftHall,
    DragonMoved,
    DragonWoken,
    Event,
    JewelWon,
    Passed,
    PutAhead,
    Stuck,
    StuckAgain,
    Thrown,
    Trapped,
)
from companion.games.drachenhort.pieces import FACES, Adventurer
from companion.games.drachenhort.state import (
    ADVANCE,
    DRAGON,
    HALL,
    OFF,
    RANK,
    THROW,
    State,
    next_seat,
)


def throw(state: State, pips: int, events: list[Event]) -> State:
    """Take note of the die; where it lets nobody move, the turn is over.

    Source: rulebook l. 89-93; ruling DH2.
    """
    events.append(Thrown(state.seat, pips))
    thrown = replace(state, phase=ADVANCE, pips=pips)
    options = state.setting.options
    # Who stands in light can go, unless only the exact throw leaves (DH12).
    if (True in state.lit and not options.exact_exit) or track.movers(thrown):
        return thrown
    if options.reroll and _another_throw_helps(thrown):
        events.append(StuckAgain(state.seat, pips))
        return state
    events.append(Stuck(state.seat, pips))
    return _end_turn(thrown, events)


def _another_throw_helps(state: State) -> bool:
    # Else a table could throw for ever, with the last two in wholly dark cells where
    # each needs the exact 1 to leave (DH2 with DH12).
    return any(track.movers(replace(state, pips=pips)) for pips in FACES)


def leave(state: State, events: list[Event]) -> State:
    """Leave the throw unused (ruling DH1)."""
    events.append(Passed(state.seat))
    return _end_turn(state, events)


def advance(state: State, hero: Adventurer, events: list[Event]) -> State:
    """Move *hero* by the throw, and on from a trap.

    Source: rulebook l. 107-119, 159; rulings DH26, DH27.
    """
    index = state.index(hero)
    if state.cells[index] == OFF:
        raise NotNow(f"the {hero} adventurer is no longer on the board")
    board = state.board
    last = board.last
    others = track.others(state, index)
    cell = track.walk(last, others, state.cells[index], state.pips)
    if cell <= last:
        events.append(Advanced(state.seat, hero, cell))
        if board.cells[cell - 1].trap:
            events.append(Trapped(hero, cell))
            cell = track.spring(state, others, cell)
            if cell <= last:
                events.append(PutAhead(hero, cell))
    if cell > last:
        return rounds.escape(state, index, events)
    return _end_turn(_arrive(state, board, index, cell, events), events)


def _arrive(
    state: State, board: Board, index: int, cell: int, events: list[Event]
) -> State:
    """Put an adventurer down in the dark half and win the jewel of the cell.

    Source: rulebook l. 109, 113; rulings DH9, DH10, DH11.
    """
    cells = with_value(state.cells, index, cell)
    lit = with_value(state.lit, index, track.is_lit(board, cell, arriving=True))
    if cell not in state.jewels or board.cells[cell - 1].trap:
        return replace(state, cells=cells, lit=lit)
    events.append(JewelWon(state.seat, cell))
    jewels = tuple(jewel for jewel in state.jewels if jewel != cell)
    won = with_value(state.won, state.seat, state.won[state.seat] + 1)
    return replace(state, cells=cells, lit=lit, jewels=jewels, won=won)


def _end_turn(state: State, events: list[Event]) -> State:
    """Wake the dragon when all are in shadow, else hand the die on.

    Source: rulebook l. 89, 145; rulings DH3, DH4, DH5.
    """
    if True in state.lit:
        return replace(state, phase=THROW, seat=next_seat(state), pips=0)
    events.append(DragonWoken())
    return replace(state, phase=DRAGON, pips=0)


def move_dragon(state: State, events: list[Event]) -> State:
    """Shift everybody into the light, move the dragon, let it catch.

    Source: rulebook l. 147-157; rulings DH14, DH16, DH21, DH30.
    """
    board = state.board
    lit = tuple([track.is_lit(board, cell, arriving=False) for cell in state.cells])
    stop = track.dragon_stop(state)
    events.append(DragonLeftHall() if state.dragon == HALL else DragonMoved(stop))
    return _catch(replace(state, lit=lit, dragon=stop), events)


def _catch(state: State, events: list[Event]) -> State:
    """Let the dragon catch who stands on its cell.

    Two can stand there only where a table takes the second trap by the letter (DH7);
    who of them was caught first is then settled like any tie (DH17).

    Source: rulebook l. 151-157, 171; rulings DH3, DH31.
    """
    if state.dragon in state.cells:
        caught = rounds.level_heroes(state)
        if len(caught) > 1:
            return replace(state, phase=RANK)
        return _capture(state, caught[0], events)
    if state.setting.options.dragon_repeats and True not in state.lit:
        events.append(DragonWoken())
        return replace(state, phase=DRAGON)
    return replace(state, phase=THROW, seat=next_seat(state))


def _capture(state: State, index: int, events: list[Event]) -> State:
    after = rounds.capture(state, index, events)
    if rounds.all_but_one_captured(after):
        return rounds.end_round(after, events)
    return _catch(after, events)


def rank(state: State, hero: Adventurer, events: list[Event]) -> State:
    """Give the next medal to *hero*, one of those that stand level.

    Source: rulebook l. 161; ruling DH17.
    """
    index = state.index(hero)
    if index not in rounds.level_heroes(state):
        raise NotNow(f"the {hero} adventurer does not stand level with another")
    if state.cells[index] == state.dragon:
        return _capture(state, index, events)
    return rounds.end_round(rounds.rank(state, index, events), events)
