"""What the event tokens do.

Source: rulebook l. 76-80, 120-154; rulings DX19 to DX25, DX38 to DX44.
"""

from collections.abc import Callable

from msgspec.structs import replace

from companion.games.core import NotNow, with_value
from companion.games.dragonix import hands, reach, turns
from companion.games.dragonix.events import (
    Event,
    HeroPlaced,
    Inserted,
    Recoloured,
    Reinforced,
    Soared,
    Struck,
    Summoned,
    TokenPlayed,
    TowerClosed,
)
from companion.games.dragonix.hands import Hand
from companion.games.dragonix.moves import (
    Enough,
    Insert,
    PlayToken,
    Recolour,
    Soar,
    Strike,
    Summon,
)
from companion.games.dragonix.pieces import (
    ARMIES,
    COLOURED,
    HERO,
    PEOPLES,
    RED,
    ROWS,
    UNDEAD,
    Card,
    Dragon,
    Row,
    Token,
)
from companion.games.dragonix.stacks import (
    fit_between,
    insert_card,
    recolour_row,
    without_last,
)
from companion.games.dragonix.state import (
    EFFECT,
    MORE,
    NOWHERE,
    PLAY,
    RECRUIT,
    State,
)
from companion.games.hidden import (
    redact,
)

Events = list[Event]

COLOURED_ROWS = tuple(row for row in range(len(ROWS)) if COLOURED[row])


def strikes(state: State) -> tuple[Row, ...]:
    """Return the armies that the plague may strike.

    Source: rulebook l. 132; ruling DX22.
    """
    if state.turn.aim != NOWHERE:
        return (state.turn.aim,)
    rows = [row for row in ARMIES if state.rows[row].cards]
    if state.setting.options.plague_anywhere:
        return tuple(rows)
    return tuple(row for row in rows if not reach.under_dragon(state, row))


def recolours(state: State) -> tuple[Row, ...]:
    """Return the rows whose people a counter-order may change.

    Source: rulebook l. 140; rulings DX10, DX21, DX39.
    """
    return tuple([row for row in COLOURED_ROWS if peoples(state, row)])


def peoples(state: State, row: Row) -> list[int]:
    """Return the other peoples that a row may be made to ask for.

    Where a card was taken back and a part of the cards placed that it was in the way
    of, the rest of them must still fit.

    Source: rulebook l. 76, 140; rulings DX10, DX19, DX39.
    """
    stack, turn = state.rows[row], state.turn
    if not stack.cards:
        return []
    others = [people for people in range(len(PEOPLES)) if people != stack.colour]
    if turn.ghost is None or row != turn.bound:
        return others
    hand = hands.hand_of(state, state.seat)
    return [
        people
        for people in others
        if reach.goes_on(state, row, recolour_row(stack, people), hand, turn.placed)
    ]


def summons(state: State) -> tuple[Row, ...]:
    """Return the armies that the undead dragon may come to.

    Source: rulebook l. 84, 144; rulings DX26, DX42.
    """
    if state.undead != NOWHERE:
        return ()
    turn = state.turn
    free = NOWHERE if turn.placed and turn.ghost is None else turn.bound
    return tuple([row for row in ARMIES if row not in (state.red, free)])


def inserts(state: State) -> tuple[tuple[Card, Row, int], ...]:
    """Return which cards may be put between others, in which army and where.

    Source: rulebook l. 148-150; rulings DX10, DX23.
    """
    hand = hands.hand_of(state, state.seat)
    rows = reach.insert_rows(state)
    if state.turn.aim != NOWHERE:
        rows = (state.turn.aim,)
    return tuple(
        (card, row, slot)
        for row in rows
        for card, slot in reach.insertable(state, row, hand)
        if state.turn.ghost is None or _owed_after(state, row, hand, card, slot)
    )


def _owed_after(state: State, row: Row, hand: Hand, card: Card, slot: int) -> bool:
    """Tell whether what a card taken back was in the way of can follow a volunteer.

    Source: rulebook l. 66, 76; rulings DX10, DX19.
    """
    after = insert_card(row, state.rows[row], card, slot)
    placed = state.turn.placed or state.setting.options.insert_counts
    return reach.goes_on(state, row, after, hand.without(card), placed)


def _may_insert(state: State) -> bool:
    """Tell whether volunteers have somewhere to go (rulings DX10, DX23)."""
    if state.turn.ghost is not None:
        return bool(inserts(state))
    cards = hands.hand_of(state, state.seat).cards
    return any(
        cards & fitting
        for row in reach.insert_rows(state)
        for fitting in fit_between(row, state.rows[row])
    )


def soars(state: State) -> tuple[Dragon, ...]:
    """Return the dragons that have an effect to lose. Source: rulebook l. 154."""
    red = () if state.red_off else (RED,)
    there = state.undead != NOWHERE and not state.undead_off
    return (*red, UNDEAD) if there else red


WORKS: dict[Token, Callable[[State], bool]] = {
    Token.PRISON: lambda _state: True,
    Token.PLAGUE: lambda state: bool(strikes(state)),
    Token.REINFORCE: lambda state: state.side.camp > 0,
    Token.COUNTER: lambda state: bool(recolours(state)),
    Token.UNDEAD: lambda state: bool(summons(state)),
    Token.VOLUNTEERS: _may_insert,
    Token.FLIGHT: lambda state: bool(soars(state)),
}
"""Whether each token would have an effect now; else it may not be played.

Source: rulebook l. 76, 120-154.
"""


def play_token(state: State, move: PlayToken, events: Events) -> State:
    """Lay a token open; what needs no choice happens at once.

    Source: rulebook l. 76-78, 126, 136.
    """
    token = move.token
    events.append(TokenPlayed(state.seat, token))
    after = hands.use_token(state, token)
    if token is Token.PRISON:
        events.append(TowerClosed(state.seat))
        return replace(after, prison_by=state.seat)
    if token is Token.REINFORCE:
        return _reinforce(after, events)
    if token is Token.FLIGHT and len(soars(state)) == 1:
        return _soar(after, soars(state)[0], events)
    turn = replace(state.turn, pending=token)
    return replace(after, phase=EFFECT, turn=turn)


def _reinforce(state: State, events: Events) -> State:
    """Move one card from the camp to the hand, whichever its owner likes.

    The camp is shuffled, so what lay under it may now be anywhere in it.

    Source: rulebook l. 136; ruling DX24.
    """
    side = state.side
    if not side.camp:
        raise NotNow("the camp is empty")
    events.append(Reinforced(state.seat))
    side = replace(
        side,
        hand=side.hand + 1,
        camp=side.camp - 1,
        under=(),
        mixed=tuple(sorted((*side.mixed, *side.under))),
    )
    # What was not in the hand when a card was taken back may be there now.
    turn = replace(state.turn, barred=0)
    return replace(state, turn=turn, sides=with_value(state.sides, state.seat, side))


def strike(state: State, move: Strike, events: Events) -> State:
    """Send the last card of an army into the box; a second one may follow.

    Source: rulebook l. 132.
    """
    row = move.row
    if row not in ARMIES or not state.rows[row].cards:
        raise NotNow("there is no card for the plague")
    stack = state.rows[row]
    card = stack.cards[-1]
    events.append(Struck(card, row))
    after = replace(
        state,
        rows=with_value(state.rows, row, without_last(row, stack)),
        boxed=(*state.boxed, card),
    )
    if state.phase is MORE or not after.rows[row].cards:
        return _resume(after)
    return replace(after, phase=MORE, turn=replace(state.turn, aim=row))


def recolour(state: State, move: Recolour, events: Events) -> State:
    """Let a row ask for another people. Source: rulebook l. 140; ruling DX21."""
    row = move.row
    if row not in range(len(ROWS)) or not state.rows[row].cards:
        raise NotNow("there is no card whose people could be changed")
    events.append(Recoloured(row, move.people))
    stack = recolour_row(state.rows[row], PEOPLES.index(move.people))
    return _resume(replace(state, rows=with_value(state.rows, row, stack)))


def summon(state: State, move: Summon, events: Events) -> State:
    """Bring the undead dragon to an army. Source: rulebook l. 144."""
    if move.row not in ARMIES:
        raise NotNow("the undead dragon comes to an army")
    events.append(Summoned(state.seat, move.row))
    return _resume(replace(state, undead=move.row, undead_by=state.seat))


def soar(state: State, move: Soar, events: Events) -> State:
    """Take a dragon's effect away. Source: rulebook l. 154; ruling DX20."""
    return _soar(state, move.dragon, events)


def _soar(state: State, dragon: Dragon, events: Events) -> State:
    events.append(Soared(dragon))
    if dragon == RED:
        return _resume(replace(state, red_off=True))
    return _resume(replace(state, undead_off=True))


def insert(state: State, move: Insert, events: Events) -> State:
    """Put a card between two of an army; a second one may follow.

    Source: rulebook l. 148-150; rulings DX23, DX38.
    """
    card, row, slot = move.card, move.row, move.slot
    if row not in ARMIES or slot not in range(1, len(state.rows[row].cards)):
        raise NotNow("there are no two cards to put it between")
    after = hands.use_card(state, state.seat, card)
    stack = insert_card(row, state.rows[row], card, slot)
    if card == HERO:
        events.append(HeroPlaced(state.seat, row, stack.values[slot]))
    else:
        events.append(Inserted(state.seat, card, row))
    counts = state.setting.options.insert_counts
    turn = replace(state.turn, bound=row, aim=row, placed=state.turn.placed or counts)
    after = turns.settle(after, turn, row, stack, events)
    # As all may know it: else the table would wait where a note of the hand fits.
    second = state.phase is EFFECT and inserts(redact(after, None))
    after = replace(after, phase=MORE) if second else _resume(after)
    return turns.finish(after, events)


def enough(state: State, _move: Enough, _told: Events) -> State:
    """Leave the second card. Source: rulebook l. 132, 150."""
    return _resume(state)


def _resume(state: State) -> State:
    """Go on with the turn where the token interrupted it."""
    turn = replace(state.turn, pending=None, aim=NOWHERE)
    return replace(state, phase=RECRUIT if turn.flown else PLAY, turn=turn)
