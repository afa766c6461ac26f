"""What can never be true of a sound position, whatever was played.

Source: rulebook l. 55-70, 82-88, 98, 112-118.
"""

from collections.abc import Iterator

from companion.games.core import (
    Violation,
)
from companion.games.eight_dragons import census
from companion.games.eight_dragons.pieces import HAND_LIMIT, PART, Card
from companion.games.eight_dragons.state import (
    AFTER,
    BACK,
    DRAW,
    FACE_DOWN,
    FIRST,
    GIVE,
    PAIR,
    SECOND,
    Phase,
    State,
)
from companion.games.hidden import (
    Hidden,
    as_remembered,
    redact,
)

TURNED = {SECOND: (1,), PAIR: (1, 2), BACK: (1, 2)}
"""How many turned cards wait in each phase; they may in a draw as well."""


def check(state: State) -> tuple[Violation, ...]:
    """Return everything about *state* that cannot be."""
    faults = [*_shape(state)]
    if not faults:
        faults += [
            *_cards(state),
            *_secrets(state),
            *_hands(state),
            *_turned(state),
            *_dragons(state),
            *_tokens(state),
            *_turn(state),
        ]
    return tuple(Violation(code) for code in faults)


def _shape(state: State) -> Iterator[str]:
    """Lengths and ranges, without which nothing else can be asked."""
    seats = state.setting.seats
    rows = (state.hands, state.laid, state.tokens)
    if any(len(row) != seats for row in rows):
        yield "seat_missing"
    if state.seat not in range(seats):
        yield "no_such_seat"
    if len(state.grid) != sum(state.setting.counts):
        yield "place_missing"
    places = range(len(state.grid))
    named = {*state.up, *census.blocked_places(state)}
    for _, one, other in state.left:
        named |= {one, other}
    if not named <= {*places}:
        yield "no_such_place"


def _cards(state: State) -> Iterator[str]:
    """Every card is in the rectangle, in a hand or laid, and none twice."""
    left = census.unaccounted(state)
    if any(min(census.unaccounted(known)) < 0 for known in _as_known(state)):
        yield "card_twice"
    unknown = [spot for spot in state.grid if spot == FACE_DOWN]
    unknown += [held for hand in state.hands for held in hand if held.value is None]
    if sum(left) != len(unknown):
        yield "cards_do_not_add_up"


def _as_known(state: State) -> Iterator[State]:
    """Yield *state* as each seat knows it, and as the table remembers it.

    Two hands may say that they hold the same card: one of them was told wrongly, but
    nobody could be told so without betraying the other.
    """
    yield as_remembered(state)
    for seat in range(state.setting.seats):
        yield redact(state, seat)


def _secrets(state: State) -> Iterator[str]:
    lying = [spot for spot in state.grid if isinstance(spot, Hidden)]
    if any(spot.seen_by for spot in lying):
        yield "card_not_secret"
    for seat, hand in enumerate(state.hands):
        if any(held.seen_by != (seat,) for held in hand):
            yield "hand_not_secret"


def _hands(state: State) -> Iterator[str]:
    """Too many cards are held only by who plays, or by who drew after a trap."""
    for seat, hand in enumerate(state.hands):
        if any(held.value is not None and held.value not in PART for held in hand):
            yield "special_in_hand"
        if len(hand) > HAND_LIMIT and seat not in (state.seat, state.next_seat):
            yield "hand_too_big"
    if state.phase is SECOND and len(state.hands[state.seat]) > HAND_LIMIT:
        yield "turned_with_excess"


def _turned(state: State) -> Iterator[str]:
    """No part of a dragon lies face up but those just turned."""
    up = [
        place
        for place, spot in enumerate(state.grid)
        if isinstance(spot, Card) and spot in PART
    ]
    if sorted(state.up) != up:
        yield "left_face_up"
    waiting = TURNED.get(state.phase, (0, 1))
    if len(state.up) not in waiting or (state.up and state.phase in (FIRST, AFTER)):
        yield "turned_out_of_turn"
    if Card.TWIN in state.grid and not state.setting.options.twin_spent:
        yield "twin_spent"


def _dragons(state: State) -> Iterator[str]:
    for dragons in state.laid:
        if any(census.dragon_colour(dragon) is None for dragon in dragons):
            yield "no_dragon"


def _tokens(state: State) -> Iterator[str]:
    blocked = census.blocked_places(state)
    if len(set(blocked)) < len(blocked):
        yield "two_tokens_on_one_card"
    if not all(isinstance(state.grid[place], Hidden) for place in blocked):
        yield "token_on_no_card"
    if sum(state.tokens) + len(blocked) > state.setting.seats:
        yield "token_too_many"
    if min(state.tokens) < 0:
        yield "token_missing"


def _turn(state: State) -> Iterator[str]:
    if (state.draws > 0) != (state.phase in (DRAW, GIVE)):
        yield "draw_out_of_turn"
    if state.phase is PAIR and state.match is None:
        yield "pair_that_is_none"
    if state.again and state.phase in (FIRST, SECOND, Phase.OVER):
        yield "replay_out_of_turn"
    if (state.end is not None) != (state.phase in (Phase.ASK, Phase.OVER)):
        yield "end_unnoticed"
