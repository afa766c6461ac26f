"""The game against its second implementation, over random games of every kind."""

import random
from itertools import product

import pytest
from msgspec.structs import replace

from companion.games.core import Config
from companion.games.dragorun import GAME
from companion.games.dragorun.box import STAND_IN, Box
from companion.games.dragorun.options import RULINGS
from companion.games.dragorun.pieces import FIFTHS, Egg
from companion.games.dragorun.state import TURN
from tests.oracle.dragorun import MUSHROOM, Race

CHOICES = [(ruling.id, ruling.choices) for ruling in RULINGS if ruling.choices]

LONGEST = 120
"""Races that nobody wins are run again and again; this much of a game is enough."""


def random_box(dice):
    """Return a copy with a short track, as more happens near its two ends."""
    starts = sorted(dice.sample(range(1, 9), 5))
    return Box(tuple(starts), starts[-1] + dice.randint(1, 9), dice.choice(FIFTHS))


def random_setting(dice):
    """Return a set-up: any copy, any number of seats, the defaults or any options."""
    box = random_box(dice) if dice.random() < 0.8 else STAND_IN
    options = ()
    if dice.random() < 0.6:
        options = tuple((ruling, dice.choice(choices)) for ruling, choices in CHOICES)
    seats = dice.choice(GAME.seats)
    return Config(seats, box, options, first=dice.randrange(seats))


def oracle_of(setting):
    """Return the oracle's game for a set-up."""
    house = {ruling: choices[0] for ruling, choices in CHOICES} | dict(setting.options)
    names = [colour.value for colour in setting.box.dragons]
    box = setting.box
    return Race(box.starts, box.finish, names, setting.seats, setting.first, house)


def jump(dice, state, oracle):
    """Return the state with a random position, into which the oracle is put as well.

    Most dragons stand near the two ends of the track, every kind of egg is out, and
    often it is the leader's rider who holds the mushroom.
    """
    oracle.at = random_cells(dice, oracle.end)
    oracle.line = [dragon for dragon in range(5) if oracle.at[dragon] == 0]
    dice.shuffle(oracle.line)
    oracle.rides = dice.sample(range(5), oracle.seats)
    oracle.pale = [
        seat != oracle.who and dice.random() < 0.3 for seat in range(oracle.seats)
    ]
    out = dice.sample([*range(5), *range(7)], dice.randint(0, 11))
    lead = oracle.at.index(max(oracle.at))
    for egg in out:
        seat = dice.randrange(oracle.seats)
        if egg == MUSHROOM and lead in oracle.rides and dice.random() < 0.7:
            seat = oracle.rides.index(lead)
        oracle.eggs[seat].append(egg)
    oracle.drawn, oracle.task = len(out), "turn"
    faces = (*state.setting.dragons, Egg.SNAIL, Egg.MUSHROOM)
    return replace(
        state,
        phase=TURN,
        cells=tuple(oracle.at),
        line=tuple(oracle.line),
        markers=tuple(oracle.rides),
        hidden=tuple(oracle.pale),
        eggs=tuple(tuple(Egg(faces[egg]) for egg in row) for row in oracle.eggs),
        drawn=len(out),
    )


def random_cells(dice, end):
    """Return where five dragons may stand, several of them on the snail cell."""
    rear = dice.choice((0, 1, 2, 3, 4, 4, 4, 4, 5))
    front = range(max(1, end - (2 if rear == 4 else 6)), end)
    cells = [0] * rear + dice.sample(front, 5 - rear)
    dice.shuffle(cells)
    return cells


def face(state):
    """Return the state as the oracle shows its own."""
    return (
        state.race,
        state.phase.value,
        state.seat,
        state.colour,
        state.step,
        list(state.cells),
        list(state.line),
        list(state.markers),
        list(state.hidden),
        [list(row) for row in state.eggs],
        state.drawn,
        list(state.winners),
    )


def draw(dice, moves, rear):
    """Draw the kind of a move and then the move, so that swaps are not drowned.

    In games for the *rear* most dice show the snail, so that dragons meet there.
    """
    word = dice.choice(sorted({text.split()[0] for text in moves}))
    texts = [text for text in moves if text.split()[0] == word]
    back = [text for text in texts if text.endswith((" snail", " -1"))]
    return dice.choice(back if rear and back and dice.random() < 0.7 else texts)


def compare(seed):
    """Play one game on both sides and return how many moves it had."""
    dice = random.Random(seed)
    setting = random_setting(dice)
    state, oracle = GAME.setup(setting), oracle_of(setting)
    if dice.random() < 0.5:
        state = jump(dice, state, oracle)
    rear = dice.random() < 0.2
    count = 0
    while count < LONGEST:
        legal = {GAME.notate(state, move): move for move in GAME.legal(state)}
        assert sorted(legal) == sorted(oracle.moves()), (seed, count)
        if not legal:
            break
        text = draw(dice, list(legal), rear)
        oracle.do(text)
        state, _ = GAME.apply(state, legal[text])
        assert face(state) == oracle.face(), (seed, count, text)
        count += 1
    assert_same_end(state, oracle)
    return count


def assert_same_end(state, oracle):
    """Compare the outcome and the points, of which there are none before the end."""
    outcome = GAME.outcome(state)
    assert (outcome is not None) == (oracle.task == "over")
    won = oracle.won if outcome else []
    assert list(outcome.winners if outcome else ()) == won
    points = [int(seat in won) for seat in range(oracle.seats)]
    assert [score.low for score in GAME.scores(state)] == points
    assert [score.high for score in GAME.scores(state)] == points


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
