"""The game against its second implementation, over random games of every kind."""

import random
from itertools import product

import pytest

from companion.games.core import Config
from companion.games.drachenhort import GAME
from companion.games.drachenhort.box import STAND_IN, Board, Box, Cell
from companion.games.drachenhort.options import RULINGS
from companion.games.drachenhort.pieces import Light
from tests.oracle.drachenhort import Hoard, Side

CHOICES = [(ruling.id, ruling.choices) for ruling in RULINGS if ruling.choices]

LONGEST = 1_000
"""A wild board may lead somebody from trap to trap for ever; then this is enough."""


def oracle_side(board):
    """Return a board as the oracle has it."""
    return Side(
        [cell.light.value for cell in board.cells],
        [cell.trap for cell in board.cells],
        [cell.jewel for cell in board.cells],
        board.exit_on_last,
    )


def random_board(dice):
    """Return a board with more traps, dark and lit cells than any real one."""
    lights = [Light.HALVES] * 4 + [Light.DARK, Light.LIT]
    return Board(
        tuple(
            Cell(dice.choice(lights), dice.random() < 0.2, dice.random() < 0.4)
            for _ in range(dice.randint(8, 30))
        ),
        exit_on_last=dice.random() < 0.3,
    )


def random_setting(dice):
    """Return a set-up: the stand-in or a wild board, the defaults or any options."""
    copy = STAND_IN
    if dice.random() < 0.6:
        sides = (random_board(dice), random_board(dice))
        copy = Box(*sides, STAND_IN.adventurers, STAND_IN.groups)
    options = ()
    if dice.random() < 0.6:
        options = tuple((ruling, dice.choice(choices)) for ruling, choices in CHOICES)
    seats = dice.choice(GAME.seats)
    return Config(seats, copy, options, first=dice.randrange(seats))


def oracle_of(setting):
    """Return the oracle's game for a set-up."""
    return Hoard(
        oracle_side(setting.box.front),
        oracle_side(setting.box.back),
        [hero.value for hero in setting.box.adventurers],
        setting.box.groups,
        setting.seats,
        setting.first,
        {choice for _, choice in setting.options},
    )


def face(state):
    """Return the state as the oracle shows its own."""
    return (
        state.round,
        state.phase.value,
        state.seat,
        state.pips,
        list(state.cells),
        list(state.lit),
        state.dragon,
        list(state.jewels),
        list(state.won),
        [list(row) for row in state.medals],
        [hidden.value for hidden in state.noted],
        list(state.shown),
    )


def compare(seed):
    """Play one game on both sides and return how many moves it had."""
    dice = random.Random(seed)
    setting = random_setting(dice)
    state, oracle = GAME.setup(setting), oracle_of(setting)
    keeps_notes = dice.random() < 0.3
    count = 0
    while count < LONGEST:
        moves = list(GAME.legal(state))
        texts = [GAME.notate(state, move) for move in moves]
        assert sorted(texts) == sorted(oracle.moves()), (seed, count)
        if not moves:
            assert_same_end(state, oracle)
            break
        if not keeps_notes:
            moves = [m for m, t in zip(moves, texts, strict=True) if t[:4] != "note"]
        move = dice.choice(moves)
        oracle.do(GAME.notate(state, move))
        state, _ = GAME.apply(state, move)
        assert face(state) == oracle.face(), (seed, count, move)
        count += 1
    return count


def assert_same_end(state, oracle):
    """Compare the points and the winners of a game that is over."""
    points = oracle.points()
    assert [score.low for score in GAME.scores(state)] == points
    winners = [seat for seat, mine in enumerate(points) if mine == max(points)]
    assert list(GAME.outcome(state).winners) == winners


def test_forty_games_are_the_same():
    assert sum(map(compare, range(40))) > 2_000


@pytest.mark.slow
def test_a_quarter_of_a_thousand_games_are_the_same():
    assert sum(map(compare, range(100, 350))) > 20_000


@pytest.mark.long
@pytest.mark.parametrize("part", range(8))
def test_twenty_thousand_games_are_the_same(part):
    first = 1_000_000 + 2_500 * part

    assert sum(map(compare, range(first, first + 2_500))) > 200_000


def test_every_option_and_its_opposite_come_up():
    settings = [random_setting(random.Random(seed)) for seed in range(100)]

    chosen = {pair for setting in settings for pair in setting.options}
    every = {pair for ruling, kinds in CHOICES for pair in product([ruling], kinds)}
    assert chosen == every
