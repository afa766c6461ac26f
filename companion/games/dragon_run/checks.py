"""What can never be true of a sound state: everything that is wrong, not the first.

Nothing is mended here; a violation means a wrong edit of the table or a fault of ours.
"""

from collections.abc import Iterator

from companion.games.core import Violation
from companion.games.dragon_run import hands
from companion.games.dragon_run.pieces import (
    ANGER,
    ASKING,
    CRY_COST,
    FACES,
    OUT,
    SNEAK_COST,
)
from companion.games.dragon_run.state import (
    ANSWER,
    CRIED,
    DEAL,
    EFFECT,
    NOBODY,
    OVER,
    PAY,
    REDIRECT,
    ROLL,
    SHOW,
    State,
    alive,
)

PAYING = (PAY, ROLL, CRIED)
ENDED = (SHOW, OVER)


def check(state: State) -> tuple[Violation, ...]:
    """Return everything about *state* that cannot be.

    Source: rulebook l. 28-32, 41-54, 113-118, 163-171.
    """
    faults = [*_shape(state)]
    if not faults:
        faults += [
            *_places(state),
            *_treasures(state),
            *_notes(state),
            *_adventurers(state),
            *_turn(state),
            *_end(state),
        ]
    return tuple(Violation(code) for code in faults)


def _shape(state: State) -> Iterator[str]:
    """Lengths and ranges, without which nothing else can be asked."""
    seats = state.setting.seats
    rows = (state.heroes, state.health, state.tilted, state.hands, state.noted)
    if any(len(row) != seats for row in (*rows, state.fronts, state.shown)):
        yield "seat_missing"
    if state.seat not in range(seats):
        yield "no_such_seat"
    box = state.setting.box
    if len(state.pile) != len(box.places) or len(state.unseen) != len(box.kinds):
        yield "kind_missing"
    if not set(state.turned) <= set(range(len(box.places))):
        yield "no_such_place"
    elif not {*_seen(state), *_noted(state)} <= {None, *box.kinds}:
        yield "no_such_treasure"


def _seen(state: State) -> list[int | None]:
    rows = (*state.fronts, *state.shown)
    return [*state.discard, *(kind for row in rows for kind in row)]


def _noted(state: State) -> list[int]:
    return [kind for note in state.noted for kind in note.value or ()]


def _places(state: State) -> Iterator[str]:
    counts = [card.count for card in state.setting.box.places]
    known = [left + state.turned.count(n) for n, left in enumerate(state.pile)]
    if known != counts or min(state.pile) < 0:
        yield "places_do_not_add_up"
    # The Dragon's fire brings every card back into the pile; only the last one of a
    # game, or one that waits to be redirected, may still lie open.
    if state.pile[state.setting.dragon] == 0 and not _breathing(state):
        yield "dragon_lies_open"
    if not 0 <= state.since <= len(state.turned):
        yield "turn_began_later"


def _breathing(state: State) -> bool:
    return state.phase in (*ENDED, REDIRECT)


def _treasures(state: State) -> Iterator[str]:
    seen = _seen(state)
    known = [left + seen.count(kind) for kind, left in enumerate(state.unseen)]
    if tuple(known) != state.setting.copies or min(state.unseen) < 0:
        yield "treasures_do_not_add_up"
    hidden = state.stock + sum(state.hands) + state.discard.count(None)
    if hidden != sum(state.unseen) or min(state.stock, *state.hands) < 0:
        yield "hidden_treasures_do_not_add_up"
    if list(state.loose) != [kind for kind, left in enumerate(state.unseen) if left]:
        yield "loose_kinds_wrong"
    box = state.setting.box
    if not all(box.is_talisman(kind) for row in state.fronts for kind in row):
        yield "no_talisman_in_front"


def _notes(state: State) -> Iterator[str]:
    for seat, note in enumerate(state.noted):
        known = note.value or ()
        if note.seen_by != (seat,):
            yield "note_not_secret"
        if len(known) > state.hands[seat]:
            yield "more_noted_than_held"
        if list(known) != sorted(known):
            yield "notes_out_of_order"
        if any(known.count(kind) > state.unseen[kind] for kind in known):
            yield "noted_what_lies_open"


def _adventurers(state: State) -> Iterator[str]:
    dealt = [hero for hero in state.heroes if hero != NOBODY]
    if len(set(dealt)) < len(dealt):
        yield "hero_twice"
    if not set(dealt) <= set(range(len(state.setting.box.heroes))):
        yield "no_such_hero"
    if (NOBODY in state.heroes) != (state.phase is DEAL):
        yield "hero_missing"
    for seat, health in enumerate(state.health):
        has = state.hands[seat] + len(state.fronts[seat]) + len(state.shown[seat])
        if health is OUT and has:
            yield "burned_with_treasures"
    if not 0 <= state.anger <= ANGER[state.setting.seats]:
        yield "no_such_anger"


def _turn(state: State) -> Iterator[str]:
    if state.phase in PAYING:
        rest = state.need - state.paid
        if state.need not in (SNEAK_COST, CRY_COST):
            yield "payment_for_nothing"
        elif (rest > 0) != (state.phase is PAY):
            yield "payment_short"
        elif rest > hands.most(state, state.seat):
            yield "payment_cannot_end"
    elif (state.need or state.paid) and state.back is not ROLL:
        yield "payment_out_of_turn"  # a potion may come between payment and roll
    if state.phase not in ENDED and state.health[state.seat] is OUT:
        yield "turn_of_a_burned"
    if state.rolled not in (None, *FACES):
        yield "no_such_face"
    yield from _effects(state)


def _effects(state: State) -> Iterator[str]:
    asking = bool(state.todo) and state.todo[0].kind in ASKING
    if state.phase is EFFECT and not asking:
        yield "effect_asks_nothing"
    if state.todo and state.phase not in (EFFECT, ANSWER):
        yield "effect_left_over"
    if state.phase is ANSWER and (not state.todo or state.back is None):
        yield "potion_without_effect"


def _end(state: State) -> Iterator[str]:
    living = alive(state)
    if state.phase not in ENDED and (not state.anger or not living):
        yield "game_over_unnoticed"
    if state.phase in ENDED and living and state.anger:
        yield "dragon_awake"
    if state.phase is SHOW and not any(state.hands):
        yield "game_over_unnoticed"
    if state.phase is OVER and any(state.hands):
        yield "treasures_not_shown"
    if any(state.shown) and state.phase not in ENDED:
        yield "shown_too_early"
