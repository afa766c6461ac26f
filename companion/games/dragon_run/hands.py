"""What each hand holds, as far as it was entered: drawing, losing, noting cards.

A camera does not see a hand. How many cards it has is known, which they are only from
its owner's notes; a hand that is not wholly noted may hold whatever nobody has shown.
"""

from functools import lru_cache
from typing import TypeAlias

from msgspec.structs import replace

from companion.games.core import NotNow, with_value
from companion.games.dragon_run.box import worth
from companion.games.dragon_run.events import (
    CardNoted,
    Drawn,
    Event,
    NotesForgotten,
    NothingToDraw,
    TreasuresShuffled,
)
from companion.games.dragon_run.pieces import GOLD, SPECIALS
from companion.games.dragon_run.state import (
    ForgetNotes,
    NoteCard,
    State,
)
from companion.games.hidden import (
    Hidden,
)
from companion.table import Seat

Notes: TypeAlias = tuple[Hidden[tuple[int, ...]], ...]

ENDLESS = 1_000
"""More points than all treasures together."""

WORTH = tuple(worth(kind) for kind in range(GOLD + SPECIALS))
"""The points of each kind of treasure."""

DEAREST_FIRST = tuple(reversed(range(GOLD)))


def noted_kinds(state: State, seat: Seat) -> tuple[int, ...]:
    """Return the kinds that a seat has noted, as far as this state tells them."""
    return state.noted[seat].value or ()


def unknown_count(state: State, seat: Seat) -> int:
    """Return how many cards of a hand are not known here."""
    return state.hands[seat] - len(state.noted[seat].value or ())


def may_note(state: State, seat: Seat, kind: int) -> bool:
    """Tell whether one of the cards not yet noted may be of *kind*.

    Other seats' notes do not count: what one is offered must not betray their cards.
    """
    return unknown_count(state, seat) > 0 and state.unseen[kind] > noted_kinds(
        state, seat
    ).count(kind)


def may_hold(state: State, seat: Seat, kind: int) -> bool:
    """Tell whether a hand may hold a card of *kind*."""
    return kind in noted_kinds(state, seat) or may_note(state, seat, kind)


def can_pay(state: State, seat: Seat, points: int) -> bool:
    """Tell whether a hand may be worth *points*, above 0, or more."""
    known = state.noted[seat].value or ()
    if state.hands[seat] > len(known):  # a single card may do, which is soon told
        for kind in DEAREST_FIRST:
            if WORTH[kind] >= points and state.unseen[kind] > known.count(kind):
                return True
    return most(state, seat, points) >= points


def most(state: State, seat: Seat, enough: int = ENDLESS) -> int:
    """Return the most points that a hand may be worth, or at least *enough*."""
    known = state.noted[seat].value or ()
    room = state.hands[seat] - len(known)
    unseen = state.unseen
    points = 0
    for kind in known:
        points += WORTH[kind]
    for kind in DEAREST_FIRST:
        if not room or points >= enough:
            break
        if cards := unseen[kind] - known.count(kind):
            cards = min(cards, room)
            points += cards * WORTH[kind]
            room -= cards
    return points


def least(state: State, seat: Seat) -> int:
    """Return the fewest points that a hand may be worth."""
    known = noted_kinds(state, seat)
    points = sum(map(worth, known))
    room = state.hands[seat] - len(known)
    for kind in sorted(state.loose, key=worth):
        cards = min(room, state.unseen[kind] - known.count(kind))
        points += cards * worth(kind)
        room -= cards
    return points


def payables(state: State) -> tuple[int, ...]:
    """Return with which kinds the acting seat may pay and can then pay the rest.

    Source: rulebook l. 76, 99; rulings RN3, RN27.
    """
    known = state.noted[state.seat].value or ()
    whole = state.hands[state.seat] == len(known)
    gold = _gold(known if whole else state.loose)
    need = state.need - state.paid
    if need <= WORTH[0]:
        return gold
    return tuple(
        kind
        for kind in gold
        if WORTH[kind] >= need or _can_pay_after(state, kind, need - WORTH[kind])
    )


@lru_cache(maxsize=4096)
def _gold(kinds: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(kind for kind in kinds if kind < GOLD))


def _can_pay_after(state: State, kind: int, rest: int) -> bool:
    return can_pay(lose(state, state.seat, kind), state.seat, rest)


def draw(state: State, seat: Seat, count: int, events: list[Event]) -> State:
    """Give a seat treasures from the pile, face down.

    Source: rulebook l. 124, 153; rulings RN20, RN25, RN26.
    """
    while count:
        if not state.stock:
            state = _refill(state, events)
        if not state.stock:
            events.append(NothingToDraw(seat))
            return state
        cards = min(count, state.stock)
        events += [Drawn(seat)] * cards
        hands = with_value(state.hands, seat, state.hands[seat] + cards)
        state = replace(state, hands=hands, stock=state.stock - cards)
        count -= cards
    if not state.stock and state.setting.options.refill_at_once:
        return _refill(state, events)
    return state


def _refill(state: State, events: list[Event]) -> State:
    if not state.discard:
        return state
    unseen = list(state.unseen)
    for kind in state.discard:
        if kind is not None:  # a card lost face down never was among the seen
            unseen[kind] += 1
    events.append(TreasuresShuffled(len(state.discard)))
    stock = state.stock + len(state.discard)
    loose = tuple(kind for kind, left in enumerate(unseen) if left)
    return replace(state, stock=stock, unseen=tuple(unseen), loose=loose, discard=())


def lose(state: State, seat: Seat, kind: int) -> State:
    """Take a card out of a hand for all to see; the caller says where it lies now.

    The table is right: a card that contradicts the notes of its owner undoes them all,
    and one that another seat has noted is no longer noted there.

    Raises:
        NotNow: There is no such hand, or all such cards lie open already.
    """
    if not state.hands[seat] or kind not in state.loose:
        raise NotNow(f"seat {seat} cannot hold a treasure of kind {kind}")
    known = state.noted[seat].value or ()
    if kind in known:
        index = known.index(kind)
        known = known[:index] + known[index + 1 :]
    elif len(known) == state.hands[seat]:
        known = ()
    left = state.unseen[kind] - 1
    notes = state.noted
    if known != notes[seat].value:
        notes = with_value(notes, seat, Hidden(known, (seat,)))
    if left < max(state.hands):  # else no hand is large enough to have noted more
        notes = still_possible(notes, kind, left)
    loose = state.loose
    if not left:
        loose = tuple(other for other in loose if other != kind)
    return replace(
        state,
        hands=with_value(state.hands, seat, state.hands[seat] - 1),
        unseen=with_value(state.unseen, kind, left),
        loose=loose,
        noted=notes,
    )


def still_possible(notes: Notes, kind: int, left: int) -> Notes:
    """Return the notes without those cards of *kind* that cannot be any more."""
    for seat, note in enumerate(notes):
        if note.value and note.value.count(kind) > left:
            rest = tuple(card for card in note.value if card != kind)
            notes = with_value(notes, seat, Hidden(rest, note.seen_by))
    return notes


def forget(state: State, *seats: Seat) -> State:
    """Return the state without the notes of some seats.

    Nobody entered which card was taken out of a hand unseen.
    """
    notes = list(state.noted)
    for seat in seats:
        if notes[seat].value:
            notes[seat] = Hidden((), notes[seat].seen_by)
    return replace(state, noted=tuple(notes))


def note(state: State, move: NoteCard, events: list[Event]) -> State:
    """Keep what a seat says of its own hand, for that seat's eyes only.

    Source: rulebook l. 54; ruling RN21.
    """
    seat, kind = move.seat, move.treasure.value
    if not 0 <= seat < state.setting.seats:
        raise NotNow(f"there is no seat {seat}")
    known = state.noted[seat].value or ()
    if kind is not None:
        if (
            kind not in state.loose
            or state.hands[seat] <= len(known)
            or state.unseen[kind] <= known.count(kind)
        ):
            raise NotNow(f"seat {seat} cannot hold a treasure of kind {kind}")
        known = tuple(sorted((*known, kind)))
    events.append(CardNoted(seat, move.treasure))
    return replace(state, noted=with_value(state.noted, seat, Hidden(known, (seat,))))


def take_back(state: State, move: ForgetNotes, events: list[Event]) -> State:
    """Forget what a seat has noted, as some of it was wrong. Source: ruling RN21."""
    if not 0 <= move.seat < state.setting.seats:
        raise NotNow(f"there is no seat {move.seat}")
    events.append(NotesForgotten(move.seat))
    return replace(forget(state, move.seat), forgot=True)
