"""The game against its second implementation, over random games of every kind."""

import random
from itertools import product

import pytest
from msgspec.structs import replace

from companion.games.core import (
    Config,
)
from companion.games.eight_dragons import GAME
from companion.games.eight_dragons.options import RULINGS
from companion.games.eight_dragons.pieces import CARDS, ORDER
from companion.games.eight_dragons.state import FACE_DOWN, HELD, LYING, Turn, rank
from companion.games.hidden import (
    Hidden,
)
from tests.oracle.eight_dragons import DARK, NONE, TWIN, Lair

CHOICES = [(ruling.id, ruling.choices) for ruling in RULINGS if ruling.choices]

LONGEST = 100
"""Half of the games begin near their end, so that this much of each is enough."""

LIKED = {"take": 4, "lay": 9, "token": 0.3, "shift": 0.4, "decline": 0.4, "stop": 0.15}
"""How often a kind of move is drawn, when not once; it keeps the games going."""


def random_setting(dice):
    """Return a set-up: any number of seats, the defaults or any options."""
    options = ()
    if dice.random() < 0.6:
        options = tuple((ruling, dice.choice(choices)) for ruling, choices in CHOICES)
    seats = dice.choice(GAME.seats)
    return Config(seats, GAME.stand_in, options, first=dice.randrange(seats))


def oracle_of(setting):
    """Return the oracle's game for a set-up."""
    house = {ruling: choices[0] for ruling, choices in CHOICES} | dict(setting.options)
    return Lair(setting.seats, setting.first, house)


# --- games that begin late ----------------------------------------------------------


def jump(dice, state, oracle):
    """Return the state with a random late position, into which the oracle is put too.

    Dragons are laid, specials spent, hands half full, some of the rest is known.
    """
    places = dice.sample(range(len(oracle.grid)), len(oracle.grid))
    for _ in range(dice.choice((2, 4, 6, 7, 8, 8, 9))):
        lay(dice, oracle, places)
    for seat in range(oracle.seats):
        fill(dice, oracle, seat, places)
    spend(dice, oracle, places)
    look(dice, oracle, places)
    oracle.held = len(oracle.hands[oracle.who])
    for seat in range(oracle.seats):
        if dice.random() < 0.3 and len(oracle.free()) > 1:
            oracle.blocked[dice.choice(oracle.free())] = seat
            oracle.tokens[seat] -= 1
    return state_of(state, oracle)


def spend(dice, oracle, places):
    """Open most of the specials."""
    for card in range(20, TWIN):
        for _ in range(oracle.pool[card]):
            if dice.random() < 0.85:
                take(oracle, card, places, card)


def look(dice, oracle, places):
    """Let the referee know some of the cards that lie face down."""
    known = dice.random()
    rest = [card for card, count in enumerate(oracle.pool) for _ in range(count)]
    dice.shuffle(rest)
    for place, card in zip(places, rest, strict=True):
        if dice.random() < known:
            oracle.grid[place] = card
            oracle.pool[card] -= 1


def take(oracle, card, places, left=NONE):
    """Take an unseen card out of the pool, which leaves its place empty or it open."""
    place = places.pop()
    oracle.pool[card] -= 1
    oracle.grid[place] = left
    if left != NONE:
        oracle.spent.add(place)


def lay(dice, oracle, places):
    """Lay a dragon, at times one with a silver part, if its cards are there."""
    colour = dice.randrange(5)
    cards = [4 * colour + part for part in range(4)]
    if colour < 3 and dice.random() < 0.2:
        part = dice.randrange(4)
        cards[part] = 16 + part
    if all(oracle.pool[card] for card in cards):
        for card in cards:
            take(oracle, card, places)
        oracle.laid[dice.randrange(oracle.seats)].append(cards)


def fill(dice, oracle, seat, places):
    """Give a hand some parts, often of one dragon."""
    colour = dice.randrange(5)
    for part in dice.sample(range(4), dice.choice((0, 1, 2, 3, 3, 4))):
        other = dice.random() < 0.2
        card = 4 * (dice.randrange(5) if other else colour) + part
        if oracle.pool[card]:
            take(oracle, card, places)
            oracle.hands[seat].append(card)


def state_of(state, oracle):
    """Return the state that the oracle shows."""
    # The last two are for NONE, -2, and DARK, -1.
    down = [*(LYING[card] for card in CARDS), None, FACE_DOWN]
    return replace(
        state,
        grid=tuple(
            CARDS[card] if place in oracle.spent else down[card]
            for place, card in enumerate(oracle.grid)
        ),
        hands=tuple(
            tuple(sorted((HELD[seat][CARDS[card]] for card in hand), key=rank))
            for seat, hand in enumerate(oracle.hands)
        ),
        laid=tuple(
            tuple(tuple(CARDS[card] for card in sorted(four)) for four in mine)
            for mine in oracle.laid
        ),
        tokens=tuple(oracle.tokens),
        blocked=tuple(sorted(oracle.blocked.items())),
        held=oracle.held,
    )


# --- the comparison -----------------------------------------------------------------


def spot(thing):
    """Return the card at a place and whether it lies open, as the oracle has them."""
    if thing is None:
        return NONE, False
    if isinstance(thing, Hidden):
        return (DARK if thing.value is None else ORDER[thing.value]), False
    return ORDER[thing], True


SPOTS = {id(thing): spot(thing) for thing in (None, *CARDS, *LYING.values())}
"""The places of most states by their identity, which is faster than to look."""


def face(state):
    """Return the state as the oracle shows its own."""
    return (
        state.phase.value,
        state.seat,
        [SPOTS.get(id(thing)) or spot(thing) for thing in state.grid],
        list(state.up),
        [[rank(card) for card in hand] for hand in state.hands],
        [[[ORDER[card] for card in four] for four in mine] for mine in state.laid],
        list(state.tokens),
        dict(state.blocked),
        state.end and state.end.value,
    )


TURNS = {}
"""Turns by their identity with their texts, as most of all moves are these."""


def text_of(state, move):
    """Return the notation of a move."""
    if not isinstance(move, Turn):
        return GAME.notate(state, move)
    known = TURNS.get(id(move))
    if known is None:
        if len(TURNS) > 5_000:
            TURNS.clear()
        known = TURNS[id(move)] = (move, GAME.notate(state, move))
    return known[1]


def draw(dice, texts):
    """Draw the kind of a move and then the move, so that it is not always a turn."""
    words = [text.partition(" ")[0] for text in texts]
    kinds = sorted(set(words))
    kind = dice.choices(kinds, [LIKED.get(word, 1) for word in kinds])[0]
    return dice.choice([n for n, word in enumerate(words) if word == kind])


def compare(seed):
    """Play one game on both sides and return how many moves it had."""
    dice = random.Random(seed)
    setting = random_setting(dice)
    state, oracle = GAME.setup(setting), oracle_of(setting)
    if dice.random() < 0.5:
        state = jump(dice, state, oracle)
    count = 0
    while count < LONGEST:
        moves = list(GAME.legal(state))
        texts = [text_of(state, move) for move in moves]
        assert sorted(texts) == sorted(oracle.moves()), (seed, count)
        if not moves:
            break
        chosen = draw(dice, texts)
        oracle.do(texts[chosen])
        state, _ = GAME.apply(state, moves[chosen])
        assert face(state) == oracle.face(), (seed, count, texts[chosen])
        count += 1
    assert_same_end(state, oracle)
    return count


def assert_same_end(state, oracle):
    """Compare the points, and the winners of a game that is over."""
    outcome = GAME.outcome(state)
    assert (outcome is not None) == (oracle.task == "over")
    if outcome:
        assert list(outcome.winners) == oracle.winners()
    scores = GAME.scores(state)
    assert [score.low for score in scores] == oracle.points()
    assert [score.high for score in scores] == oracle.points()


def test_forty_games_are_the_same():
    assert sum(map(compare, range(40))) > 2_000


@pytest.mark.slow
def test_a_quarter_of_a_thousand_games_are_the_same():
    assert sum(map(compare, range(100, 350))) > 12_500


@pytest.mark.long
def test_twenty_thousand_games_are_the_same(record_property):
    moves = sum(map(compare, range(1_000_000, 1_020_000)))

    record_property("figures", f"20,000 games, {moves:,} moves, 0 mismatches")
    assert moves > 1_000_000


def test_every_option_and_its_opposite_come_up():
    settings = [random_setting(random.Random(seed)) for seed in range(100)]

    chosen = {pair for setting in settings for pair in setting.options}
    every = {pair for ruling, kinds in CHOICES for pair in product([ruling], kinds)}
    assert chosen == every
