"""Tables of 8 Dragons to test on: small positions, and players with some sense.

Moves drawn evenly end most games within a few rounds, as every pair that is left lets
the table be asked. `keen` plays like people: takes pairs, lays dragons, plays on.
"""

import random
from functools import cache

from msgspec.structs import replace

from companion.games.core import (
    Config,
    Legal,
)
from companion.games.eight_dragons import GAME
from companion.games.eight_dragons.census import FOURS, match
from companion.games.eight_dragons.pieces import CARDS, PART, SQUARES, Card
from companion.games.eight_dragons.state import (
    FACE_DOWN,
    HELD,
    LYING,
    Decide,
    EndTurn,
    Lay,
    PlaceToken,
    Return,
    Shift,
    Take,
    Turn,
    rank,
)
from companion.games.hidden import (
    Hidden,
)
from tests.games.contract import Step

LONGEST = 4_000
PREFERRED = {Lay: 500, Take: 20, Shift: 0.1, PlaceToken: 0.05, EndTurn: 0.2}


def config(seats=2, first=0, **options):
    """Return a set-up; options are named by their number, as in ``ED7="goes_on"``."""
    return Config(seats, GAME.stand_in, tuple(options.items()), first)


def start(seats=2, first=0, **options):
    """Return a first position."""
    return GAME.setup(config(seats, first, **options))


def place(square):
    """Return the place of a square's name."""
    return SQUARES.index(square)


def table(*, grid="", hands=(), laid=(), state=None, seats=2, tokens=None, **more):
    """Return a position that holds only some cards.

    *grid* lists what lies on a1, a2, ... and everywhere else nothing: a card's name for
    one that the referee has seen, ``?`` for one it has not, ``-`` for an empty place,
    and a name with ``!`` for a card face up. *hands* are lists of names by seat.
    """
    state = start(seats) if state is None else state
    seats = state.setting.seats
    spots = [spot(word) for word in grid.split()]
    spots += [None] * (len(state.grid) - len(spots))
    held = [tuple(sorted((HELD[s][Card(name)] for name in hand.split()), key=rank))
            for s, hand in enumerate(hands)]  # fmt: skip
    held += [()] * (seats - len(held))
    dragons = list(laid) + [()] * (seats - len(laid))
    return replace(
        state,
        grid=tuple(spots),
        hands=tuple(held),
        laid=tuple(dragons),
        tokens=(0,) * seats if tokens is None else tokens,
        held=len(held[more.get("seat", state.seat)]),
        **more,
    )


def spot(word):
    """Return what lies at a place, by its word."""
    if word == "-":
        return None
    if word == "?":
        return FACE_DOWN
    return Card(word[:-1]) if word.endswith("!") else LYING[Card(word)]


def play(state, *texts):
    """Return the state after moves in notation, each of them legal."""
    for text in texts:
        move = GAME.parse(state, text)
        assert GAME.judge(state, move) == Legal(), (text, GAME.judge(state, move))
        state, _ = GAME.apply(state, move)
    return state


def events(state, text):
    """Return what one legal move brings about, and the state after it."""
    move = GAME.parse(state, text)
    assert GAME.judge(state, move) == Legal(), (text, GAME.judge(state, move))
    after, told = GAME.apply(state, move)
    return told, after


def verdict(state, text):
    """Return what the judge says of a move in notation."""
    return GAME.judge(state, GAME.parse(state, text))


def offered(state):
    """Return the notations of all legal moves."""
    return {GAME.notate(state, move) for move in GAME.legal(state)}


def hand(state, seat):
    """Return the names of the cards that a seat holds."""
    return [held.value.value for held in state.hands[seat]]


def dealt(seats=2, seed=1, **options):
    """Return a first position whose cards the referee all knows."""
    return GAME.resample(start(seats, **options), None, seed)


def keen(setting, seed):
    """Yield the steps of a game by players who want it to go somewhere."""
    dice = random.Random(seed)
    state = GAME.setup(setting)
    for _ in range(LONGEST):
        moves = tuple(GAME.legal(state))
        if not moves:
            return
        move = dice.choices(moves, [weight(state, move) for move in moves])[0]
        after, told = GAME.apply(state, move)
        yield Step(state, moves, move, after, told)
        state = after
    raise AssertionError(f"no end in {LONGEST} moves (seed {seed})")


def weight(state, move):
    """Return how much somebody with a good memory likes a move."""
    match move:
        case Decide():
            return 1 if move.over else 30
        case Return():
            return 1 if useful(state, move.card.value) else 40
        case Turn():
            return 20 if fits(state, move.card.value) else 1
        case _:
            return PREFERRED.get(type(move), 1)


def useful(state, card):
    """Tell whether the hand is nearer to a dragon with a card than without it."""
    cards = [Card(name) for name in hand(state, state.seat)]
    rest = list(cards)
    if card in rest:
        rest.remove(card)
    return nearest(rest) < nearest(cards)


def nearest(cards):
    """Return how many parts of some dragon are among *cards*."""
    return _nearest(frozenset(cards))


@cache
def _nearest(cards):
    return max(len(cards.intersection(four)) for four in FOURS)


def fits(state, card):
    """Tell whether a card turned second pairs with the first and helps the hand."""
    if not state.up or card not in PART:
        return False
    return match(state.grid[state.up[0]], card, twins_are_colour=False) is not None


def parts(*names):
    """Return cards by their names, in the order that a dragon lists them."""
    return tuple(sorted(map(Card, names), key=CARDS.index))


def is_part(hidden):
    """Tell whether a hidden card is part of a dragon."""
    return isinstance(hidden, Hidden) and hidden.value in PART
