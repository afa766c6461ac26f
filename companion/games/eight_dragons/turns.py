"""A player's turn: turning cards, taking or leaving a pair, excess, tokens, dragons.

Source: rulebook l. 70-88, 98-114. How a turn ends is in `ends`, what gains and traps
move from hand to hand in `gains`.
"""

from msgspec.structs import replace

from companion.games.core import NotNow, with_value
from companion.games.eight_dragons import census, gains, lying, scoring
from companion.games.eight_dragons.ends import after_play, end_turn, play_over
from companion.games.eight_dragons.events import (
    CardReturned,
    CardShifted,
    CardTaken,
    CardTurned,
    CardTurnedBack,
    DragonLaid,
    Event,
    NoPairTurned,
    PairSwapped,
    PairTurned,
    TokenFreed,
    TokenPlaced,
    TokenReturned,
    TwinTurned,
)
from companion.games.eight_dragons.gains import with_cards, without_card
from companion.games.eight_dragons.pieces import PART, SQUARES, Card
from companion.games.eight_dragons.recall import without_impossible
from companion.games.eight_dragons.state import (
    AFTER,
    BACK,
    HELD,
    LYING,
    PAIR,
    SECOND,
    Four,
    Left,
    State,
    Stop,
)
from companion.games.hidden import (
    Hidden,
)


def turn(state: State, place: int, card: Card | None, events: list[Event]) -> State:
    """Turn over the card of a place, which shows what it is.

    Source: rulebook l. 72; ruling ED2.
    """
    if card is None or not _lies_down(state, place):
        raise NotNow(f"no known card can be turned at place {place}")
    if state.phase is AFTER:
        state = _anew(state)
    events.append(CardTurned(state.seat, LYING[card]))
    if card in PART:
        return _turn_part(state, place, card, events)
    if card is Card.TWIN:
        return _turn_twin(state, place, events)
    return gains.spend(
        replace(state, grid=with_value(state.grid, place, card)), card, events
    )


def as_shown(state: State, place: int, card: Card | None) -> State:
    """Return *state* once *card* is seen at a place: whatever was remembered, it shows.

    The same state where that was right, or is possible.
    """
    if card is None or not _lies_down(state, place) or state.grid[place] == LYING[card]:
        return state
    if not lying.is_spent(state, card):
        return state
    seen = without_impossible(
        replace(state, grid=with_value(state.grid, place, card)), (card,)
    )
    return replace(seen, grid=with_value(seen.grid, place, LYING[card]))


def _lies_down(state: State, place: int) -> bool:
    grid = state.grid
    return 0 <= place < len(grid) and isinstance(grid[place], Hidden)


def _turn_part(state: State, place: int, card: Card, events: list[Event]) -> State:
    """Compare the second card with the first; equal in both ways is shape (ED1)."""
    grid = with_value(state.grid, place, card)
    if not state.up:
        return replace(state, phase=SECOND, grid=grid, up=(place,))
    up = (*state.up, place)
    match = census.match(
        _face_up(state, state.up[0]),
        card,
        twins_are_colour=state.setting.options.twins_are_colour,
    )
    if match is None:
        events.append(NoPairTurned(state.seat))
        return replace(state, phase=BACK, grid=grid, up=up)
    events.append(PairTurned(state.seat, match))
    # It lies there until it is taken, so it is left as long as nobody takes it (ED23).
    left = (*state.left, (state.seat, *up))
    return replace(state, phase=PAIR, grid=grid, up=up, match=match, left=left)


def _turn_twin(state: State, place: int, events: list[Event]) -> State:
    """End the play: the twin card stays where it is and looks as before.

    Source: rulebook l. 108; rulings ED8, ED10.
    """
    events.append(TwinTurned(state.seat))
    spent = state.setting.options.twin_spent
    stop = Stop.TWIN_SECOND if state.up else Stop.TWIN_FIRST
    shown = Card.TWIN if spent else LYING[Card.TWIN]
    grid = with_value(state.grid, place, shown)
    moved_on = state.moved_on or spent
    return play_over(replace(state, grid=grid, moved_on=moved_on, stop=stop), events)


def _face_up(state: State, place: int) -> Card:
    card = state.grid[place] if place in state.up else None
    if not isinstance(card, Card):
        raise NotNow(f"no turned card waits at place {place}")
    return card


def miss(state: State, events: list[Event]) -> State:
    """End a turn in which two cards were turned that are no pair.

    Both lie face down again where they lay, so that nothing has changed but whose turn
    it is; nobody need say which cards they were, as the end of the game is judged by
    what lies elsewhere (ED24). A dragon or a token that follows may as well come first
    (ED32, ED34).

    Source: rulebook l. 72-74.
    """
    if len(census.free_places(state)) < 2:
        raise NotNow("no two cards lie free to be turned")
    events.append(NoPairTurned(state.seat))
    return end_turn(_anew(state), events)


def _anew(state: State) -> State:
    """Return *state* without what holds for the last play of this turn alone."""
    return replace(state, match=None, kept=0, freed=False, stop=None, again=False)


def take(state: State, place: int, events: list[Event]) -> State:
    """Take a card of the pair into the hand. Source: rulebook l. 72-74."""
    card = _face_up(state, place)
    held = HELD[state.seat][card]
    events.append(CardTaken(state.seat, held))
    taken = replace(
        state,
        grid=with_value(state.grid, place, None),
        hands=with_value(
            state.hands, state.seat, with_cards(state.hands[state.seat], held)
        ),
        up=_up_without(state, place),
        kept=state.kept + 1,
        took=True,
        left=tuple([pair for pair in state.left if place not in pair[1:]]),
    )
    return taken if taken.up else play_over(taken, events)


def turn_back(state: State, place: int, events: list[Event]) -> State:
    """Turn a card face down where it lies. Source: rulebook l. 74, 78, 98, 108."""
    grid = with_value(state.grid, place, LYING[_face_up(state, place)])
    events.append(CardTurnedBack(state.seat))
    turned = replace(state, grid=grid, up=_up_without(state, place))
    return turned if turned.up else play_over(turned, events)


def shift(state: State, place: int, there: int, events: list[Event]) -> State:
    """Put a card of the pair face down elsewhere.

    Source: rulebook l. 78; ruling ED3.
    """
    card = _face_up(state, place)
    _must_be_empty(state, there)
    grid = with_value(with_value(state.grid, place, None), there, LYING[card])
    events.append(CardShifted(state.seat))
    left = _left_at(state, {place: there})
    shifted = replace(state, grid=grid, up=_up_without(state, place), left=left)
    return shifted if shifted.up else play_over(shifted, events)


def swap(state: State, events: list[Event]) -> State:
    """Let the two cards change places, face down.

    Source: rulebook l. 78; ruling ED3.
    """
    if len(state.up) != 2:
        raise NotNow("two cards must lie open to change places")
    one, other = state.up
    grid = with_value(state.grid, one, LYING[_face_up(state, other)])
    grid = with_value(grid, other, LYING[_face_up(state, one)])
    events.append(PairSwapped(state.seat))
    left = _left_at(state, {one: other, other: one})
    return play_over(replace(state, grid=grid, up=(), left=left), events)


def _left_before(state: State) -> tuple[Left, ...]:
    """Return the pairs left without the one just turned, as that one frees a token.

    Source: rulebook l. 126; ruling ED23.
    """
    left, fresh = state.left, state.match and not (state.kept or state.freed)
    return left[:-1] if fresh and left and left[-1][0] == state.seat else left


def _left_at(state: State, to: dict[int, int]) -> tuple[Left, ...]:
    """Return the pairs that were left, where some of their cards have moved."""
    return tuple(
        [(seat, to.get(one, one), to.get(two, two)) for seat, one, two in state.left]
    )


def _up_without(state: State, place: int) -> tuple[int, ...]:
    return tuple([other for other in state.up if other != place])


def _must_be_empty(state: State, place: int) -> None:
    if place not in range(len(state.grid)) or state.grid[place] is not None:
        raise NotNow(f"place {place} is not an empty place of the rectangle")


def return_card(
    state: State, card: Card | None, place: int, events: list[Event]
) -> State:
    """Put a card of the hand face down on an empty place.

    Source: rulebook l. 82-84; rulings ED4, ED6, ED37.
    """
    _must_be_empty(state, place)
    if card is None:
        raise NotNow("a card that goes back must be named, in private")
    hands = with_value(
        state.hands, state.seat, without_card(state.hands[state.seat], card)
    )
    events.append(CardReturned(state.seat, HELD[state.seat][card]))
    grid = with_value(state.grid, place, LYING[card])
    returned = replace(state, grid=grid, hands=hands)
    return after_play(without_impossible(returned, (card,), place), events)


def place_token(state: State, place: int, events: list[Event]) -> State:
    """Block a card with a token of the seat.

    Where a table allows no token before a replay, placing one gives the replay up.

    Source: rulebook l. 112-114; rulings ED19, ED34.
    """
    tokens, seat = state.tokens, state.seat
    if not tokens[seat] or not _lies_down(state, place):
        raise NotNow(f"seat {seat} has no token for place {place}")
    events.append(TokenPlaced(seat, SQUARES[place]))
    placed = replace(
        state,
        tokens=with_value(tokens, seat, tokens[seat] - 1),
        blocked=tuple(sorted((*state.blocked, (place, seat)))),
        again=state.again and state.setting.options.token_between,
        moved_on=True,
    )
    return after_play(placed, events)


def free_token(state: State, place: int, events: list[Event]) -> State:
    """Take a token off a card, which may then be turned.

    Source: rulebook l. 114; rulings ED18, ED21, ED31.
    """
    owners = [owner for blocked, owner in state.blocked if blocked == place]
    if not owners:
        raise NotNow(f"no token lies at place {place}")
    events.append(TokenFreed(state.seat, SQUARES[place]))
    blocked = tuple(entry for entry in state.blocked if entry[0] != place)
    freed = replace(
        state, blocked=blocked, freed=True, moved_on=True, left=_left_before(state)
    )
    to = state.setting.options.token_to
    if to != "retired":
        seat = owners[0] if to == "owner" else state.seat
        events.append(TokenReturned(seat))
        freed = replace(
            freed, tokens=with_value(state.tokens, seat, state.tokens[seat] + 1)
        )
    return after_play(freed, events)


def lay(state: State, cards: Four, events: list[Event]) -> State:
    """Lay a whole dragon; it is the seat's for good.

    Source: rulebook l. 86-88; rulings ED28, ED32.
    """
    points = scoring.worth(cards)
    hand = state.hands[state.seat]
    for card in cards:
        hand = without_card(hand, card)
    colour = census.dragon_colour(cards)
    assert colour is not None
    silver = scoring.has_silver(cards)
    events.append(DragonLaid(state.seat, colour, silver, points))
    laid = with_value(state.laid, state.seat, (*state.laid[state.seat], cards))
    hands = with_value(state.hands, state.seat, hand)
    after = replace(state, hands=hands, laid=laid, moved_on=True)
    return after_play(without_impossible(after, cards), events)
