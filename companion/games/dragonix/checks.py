"""What can never be true of a sound state: everything that is wrong, not the first.

Nothing is mended here; a violation means a wrong edit of the table or a fault of ours.
"""

from collections import Counter
from collections.abc import Iterator

from companion.games.core import Violation
from companion.games.dragonix.cards import ALL_TROOPS, cards_of, in_order
from companion.games.dragonix.offers import SETTING_UP
from companion.games.dragonix.pieces import (
    ARMIES,
    COLOUR,
    COLOURED,
    FULL,
    HERO,
    HEROES,
    RISING,
    ROWS,
    SOLO_TOKENS,
    TOKENS,
    TOWER,
    VALUE,
    VALUES,
    Card,
    Row,
)
from companion.games.dragonix.state import (
    DEAL,
    EFFECT,
    MORE,
    NOWHERE,
    OVER,
    RECRUIT,
    Side,
    Stack,
    State,
)


def check(state: State) -> tuple[Violation, ...]:
    """Return everything about *state* that cannot be.

    Source: rulebook l. 17, 24-30, 46-64, 84, 100.
    """
    faults = [*_shape(state)]
    if not faults:
        faults += [
            *_cards(state),
            *_rows(state),
            *_dragons(state),
            *_tokens(state),
            *_notes(state),
            *_turn(state),
            *_end(state),
        ]
    return tuple(Violation(code) for code in dict.fromkeys(faults))


def _shape(state: State) -> Iterator[str]:
    """Lengths and ranges, without which nothing else can be asked."""
    if len(state.rows) != len(ROWS):
        yield "row_missing"
    if len(state.sides) != state.setting.seats:
        yield "seat_missing"
    if state.seat not in range(state.setting.seats):
        yield "no_such_seat"
    if state.red not in ARMIES or state.undead not in (NOWHERE, *ARMIES):
        yield "dragon_nowhere"
    if any(not _counts(side) for side in state.sides):
        yield "counts_wrong"
    if not set(_in_sight(state)) <= set(range(HERO + 1)):
        yield "no_such_card"


def _counts(side: Side) -> bool:
    """Tell whether a hand, a camp and its tokens hold what is said to be in them."""
    face_down = side.hand - len(side.shown) + side.camp - len(side.under)
    return (
        side.closed >= 0
        and side.closed_tokens >= 0
        and len(side.under) <= side.camp
        and len(side.mixed) <= face_down
    )


def _in_sight(state: State) -> Iterator[Card]:
    """Yield every card of which everybody knows where or whose it is."""
    for stack in state.rows:
        yield from stack.cards
    yield from state.boxed
    yield from state.deserters
    for side in state.sides:
        yield from (*side.shown, *side.under, *side.mixed)


def _cards(state: State) -> Iterator[str]:
    """All 52 cards are somewhere, and nowhere twice."""
    seen = Counter(_in_sight(state))
    if any(number > 1 for card, number in seen.items() if card != HERO):
        yield "card_twice"
    if state.unseen != ALL_TROOPS & ~cards_of(seen):
        yield "unseen_wrong"
    if seen[HERO] + state.heroes != HEROES or state.heroes < 0:
        yield "heroes_wrong"
    face_down = sum(
        side.hand + side.camp - len((*side.shown, *side.under, *side.mixed))
        for side in state.sides
    )
    if state.phase is DEAL:
        face_down += sum(not state.rows[row].cards for row in ARMIES)
    if face_down != state.unseen.bit_count() + state.heroes:
        yield "cards_do_not_add_up"


def _rows(state: State) -> Iterator[str]:
    for row, stack in enumerate(state.rows):
        if len(stack.values) != len(stack.cards):
            yield "value_missing"
            continue
        if len(stack.cards) >= FULL:
            yield "row_not_boxed"
        if stack.cards.count(HERO) > (row != TOWER):
            yield "too_many_heroes"
        yield from _values(row, stack)
        yield from _colours(row, stack)


def _values(row: Row, stack: Stack) -> Iterator[str]:
    if any(
        value not in range(1, VALUES + 1) or VALUE[card] not in (0, value)
        for card, value in zip(stack.cards, stack.values, strict=True)
    ):
        # On the tower a hero, which is a fault of its own, has no value at all.
        yield "value_wrong"
    steps = zip(stack.values, stack.values[1:], strict=False)
    if row != TOWER and any((a < b) != RISING[row] or a == b for a, b in steps):
        yield "row_out_of_order"


def _colours(row: Row, stack: Stack) -> Iterator[str]:
    """One people a row, but where a counter-order changed it (ruling DX39)."""
    colours = {COLOUR[card] for card in stack.cards if card != HERO}
    if COLOURED[row] and not stack.ordered and colours - {stack.colour}:
        yield "row_of_two_peoples"
    if stack.ordered and not (COLOURED[row] and stack.cards):
        yield "order_without_row"


def _dragons(state: State) -> Iterator[str]:
    if state.red == state.undead:
        yield "dragons_meet"
    there = state.undead != NOWHERE
    if there != (state.undead_by is not None or state.setting.both_fly):
        yield "undead_of_nobody"
    if state.undead_off and not there:
        yield "undead_off_but_gone"


def _tokens(state: State) -> Iterator[str]:
    """The tokens dealt are face down, open or spent. Source: rulebook l. 27-28, 100."""
    open_tokens = [token for side in state.sides for token in side.open_tokens]
    dealt = SOLO_TOKENS if state.setting.solo else TOKENS
    if Counter((*state.spent, *state.tokens, *open_tokens)) != Counter(dealt):
        yield "tokens_do_not_add_up"
    if sum(side.tokens - len(side.open_tokens) for side in state.sides) > len(
        state.tokens
    ):
        yield "too_many_tokens"


def _notes(state: State) -> Iterator[str]:
    for seat, side in enumerate(state.sides):
        if {side.noted.seen_by, side.noted_tokens.seen_by} != {(seat,)}:
            yield "note_not_secret"
        noted = Counter(side.noted.value or ())
        hidden = Counter(side.mixed) + Counter(in_order(state.unseen))
        hidden[HERO] += state.heroes
        if noted - hidden:
            yield "note_of_card_in_sight"
        if Counter(side.noted_tokens.value or ()) - Counter(state.tokens):
            yield "note_of_spent_token"


def _turn(state: State) -> Iterator[str]:
    turn = state.turn
    if turn.bound not in (NOWHERE, *range(len(ROWS))):
        yield "bound_to_nothing"
    if (turn.pending is not None) != (state.phase in (EFFECT, MORE)):
        yield "token_out_of_turn"
    if (turn.aim != NOWHERE) != (state.phase is MORE):
        yield "aim_out_of_turn"
    if turn.ghost is not None and turn.bound not in ARMIES:
        yield "taken_back_from_nowhere"
    if state.phase in SETTING_UP and any(stack.cards[1:] for stack in state.rows):
        yield "played_before_the_start"


def _end(state: State) -> Iterator[str]:
    """The game is over exactly when somebody has no card left (rulings DX1, DX31)."""
    if state.phase in SETTING_UP:
        return
    done = [not side.hand and not side.camp for side in state.sides]
    if state.phase is OVER:
        if not done[state.seat]:
            yield "over_with_cards_left"
        return
    if not state.setting.options.win_at_once and state.phase is not RECRUIT:
        done[state.seat] = False  # the dragon has to fly first
    if any(done):
        yield "game_over_unnoticed"
