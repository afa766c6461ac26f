"""Why a hand may not return, draw, grab, block, free or lay what it did.

Part of the judge in `refusals`, which says what is shared.
"""

from companion.games.core import (
    LEGAL,
    Refused,
    Unknown,
    Verdict,
)
from companion.games.eight_dragons import census, ends, gains, offers
from companion.games.eight_dragons.pieces import (
    COLOUR,
    HAND_LIMIT,
    PART,
    Card,
    Colour,
    Part,
)
from companion.games.eight_dragons.reasons import (
    NO,
    excess,
    not_empty,
    not_free,
    refuse,
    waits,
    where,
    who,
)
from companion.games.eight_dragons.state import (
    AFTER,
    DRAW,
    FIRST,
    GIVE,
    GRAB,
    PAIR,
    SECOND,
    SHAPE,
    Decline,
    Draw,
    Four,
    FreeToken,
    Grab,
    Lay,
    PlaceToken,
    State,
)
from companion.games.hidden import (
    Hidden,
)


def judge_return(state: State, card: Hidden[Card], place: int) -> Verdict:
    """Cards of the hand go back only in excess. Source: rulebook l. 82-84; ED4-ED6."""
    seat = state.seat
    hand = state.hands[seat]
    if state.phase not in (FIRST, PAIR, AFTER):
        return waits(state)
    if len(hand) <= HAND_LIMIT:
        params = (("seat", seat), ("n", len(hand)))
        return refuse("no_excess", (82, 82), "ED4", params)
    return (
        not_empty(state, place, 82, "ED6")
        or _not_told(card, (seat,), (82, 84))
        or _not_held(state, seat, card, (82, 84))
    )


def _not_told(
    card: Hidden[Card], seen_by: tuple[int, ...], lines: tuple[int, int]
) -> Verdict | None:
    if card.value is None:
        return Unknown(f"{NO}.hand_card_not_told")
    if card.seen_by != seen_by:
        return refuse("hand_not_secret", lines, "ED37")
    return None


def _not_held(
    state: State, seat: int, card: Hidden[Card], lines: tuple[int, int]
) -> Verdict:
    if card.value in offers.may_hold(state, state.hands[seat]):
        return LEGAL
    return refuse("not_in_hand", lines, params=(("seat", seat),))


def judge_gain(state: State, move: Draw | Grab | Decline) -> Verdict:
    """Draw, take a hand, or leave it. Source: rulebook l. 102-106; ED11, ED33."""
    if isinstance(move, Decline):
        if state.phase is GIVE:
            return refuse("must_give", (106, 106), "ED33", who(state))
        return LEGAL if state.phase in (DRAW, GRAB) else waits(state)
    if state.phase not in ((DRAW, GIVE) if isinstance(move, Draw) else (GRAB,)):
        return waits(state)
    wrong = _no_source(state, move.source)
    if wrong is not None or isinstance(move, Grab):
        return wrong or LEGAL
    seen_by = tuple(sorted((gains.drawer(state), move.source)))
    line = 106 if state.phase is GIVE else 102
    return _not_told(move.card, seen_by, (line, line)) or (
        _not_held(state, move.source, move.card, (line, line))
    )


def _no_source(state: State, source: int) -> Refused | None:
    if source not in range(state.setting.seats):
        return refuse("no_such_seat", (68, 68), params=(("n", source + 1),))
    if state.phase is GIVE:
        if source == state.seat:
            return None
        params = (("seat", gains.drawer(state)), ("from_seat", state.seat))
        return refuse("draw_from_trap", (106, 106), params=params)
    if source == state.seat:
        return refuse("own_hand", (102, 102), params=who(state))
    if not state.hands[source]:
        return refuse("empty_hand", (102, 102), "ED11", (("seat", source),))
    return None


def judge_token(state: State, move: PlaceToken | FreeToken) -> Verdict:
    """Block or free a card. Source: rulebook l. 112-114; ED18-ED21, ED31, ED34."""
    if isinstance(move, PlaceToken):
        return _judge_place_token(state, move.place)
    if state.phase not in (PAIR, AFTER):
        return waits(state)
    return _judge_free_token(state, move.place)


def _judge_place_token(state: State, place: int) -> Verdict:
    """Before or after playing, on a card that lies face down.

    Source: rulebook l. 112-114; rulings ED19, ED34.
    """
    if state.phase is SECOND:
        return refuse("token_between_cards", (112, 112), "ED34", who(state))
    if state.phase not in (FIRST, AFTER):
        return waits(state)
    if not state.tokens[state.seat]:
        return refuse("no_token", (70, 112), "ED18", who(state))
    wrong = not_free(state, place)
    if wrong is not None and wrong.ruling == "ED9":
        return refuse("token_on_spent", (114, 114), "ED19", where(place))
    return wrong or LEGAL


def _judge_free_token(state: State, place: int) -> Verdict:
    """Only a pair of the same part frees, and only one token.

    Source: rulebook l. 114; rulings ED21, ED31.
    """
    if place not in census.blocked_places(state):
        return refuse("no_token_there", (114, 114), params=where(place))
    if state.match is not SHAPE:
        return refuse("no_shape_pair", (114, 114), "ED21", who(state))
    if not ends.may_free(state):
        return refuse("freed_already", (114, 114), "ED31", who(state))
    return LEGAL


def judge_lay(state: State, cards: Four) -> Verdict:
    """A whole dragon, before or after playing, with no card too many.

    Source: rulebook l. 80-88; rulings ED5, ED15-ED17, ED32.
    """
    if state.phase not in (FIRST, AFTER):
        return waits(state)
    if census.dragon_colour(cards) is None:
        return _no_dragon(cards)
    if (wrong := excess(state, "ED5")) is not None:
        return wrong
    if Lay(cards) in offers.lays(state):
        return LEGAL
    return refuse("not_in_hand", (80, 86), params=(("seat", state.seat),))


def _no_dragon(cards: Four) -> Refused:
    if any(card not in PART for card in cards):
        if Card.GRAB in cards:
            return refuse("special_no_part", (98, 102), "ED17")
        return refuse("special_no_part", (57, 66))
    parts = len({PART[card] for card in cards})
    if parts < len(Part) or len(cards) != len(Part):
        return refuse("parts_missing", (80, 80), params=(("n", parts),))
    colours = {COLOUR[card] for card in cards}
    silver = [COLOUR[card] for card in cards].count(Colour.SILVER)
    if len(colours - {Colour.SILVER}) > 1:
        return refuse("mixed_colours", (88, 96), "ED16", (("n", len(colours)),))
    if Colour.MULTI in colours:
        return refuse("silver_in_multi", (88, 88), "ED15")
    return refuse("too_much_silver", (88, 88), "ED15", (("n", silver),))
