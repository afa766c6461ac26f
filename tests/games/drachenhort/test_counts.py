"""Positions after n moves from one tight spot, for every option: one number guards all.

The numbers were counted by the game and by the oracle alike; the second test counts
again with the oracle.
"""

import copy

import pytest

from companion.games.drachenhort import GAME
from companion.games.drachenhort.options import RULINGS
from companion.games.drachenhort.state import NoteGroup
from tests.games.drachenhort.tables import HEROES, scene
from tests.games.drachenhort.test_differential import oracle_side
from tests.oracle.drachenhort import Hoard

CORNER = (
    ".jtldttjd..",
    {"green": "start", "red": "1d", "blue": "4", "orange": "9d", "white": "10d"},
)
"""Traps, dark and lit cells on a short way, the exit in reach."""

CELLAR = ("........dd..", {"green": "9d", "red": "10d"})
"""All stand on wholly dark cells."""


def spot(place, options):
    """Return a position with the dragon still in the hall."""
    way, heroes = place
    return scene(way, options=options, **heroes)


def counts(state, depth):
    """Return how many positions there are after 1, 2, ... *depth* moves."""
    found, layer = [], [state]
    for _ in range(depth):
        layer = [
            GAME.apply(before, move)[0]
            for before in layer
            for move in GAME.legal(before)
            if not isinstance(move, NoteGroup)
        ]
        found.append(len(layer))
    return tuple(found)


def oracle_counts(game, depth):
    """Return the same of the oracle."""
    found, layer = [], [game]
    for _ in range(depth):
        layer = [after(before, text) for before in layer for text in before.tasks()]
        found.append(len(layer))
    return tuple(found)


def after(game, text):
    """Return a copy of the oracle's game with one more move."""
    copied = copy.copy(game)
    for name in ("at", "left", "jewels_of", "noted", "open"):
        setattr(copied, name, list(getattr(game, name)))
    copied.medal = [list(row) for row in game.medal]
    copied.do(text)
    return copied


def oracle_spot(place, options):
    """Return the oracle's game in the same spot."""
    state = spot(place, options)
    copy_of = state.setting.box
    game = Hoard(
        oracle_side(copy_of.front),
        oracle_side(copy_of.back),
        list(HEROES),
        copy_of.groups,
        2,
        0,
        set(options.values()),
    )
    game.at = [cell + 1 for cell in state.cells]
    game.gone = sum(1 << i for i, cell in enumerate(state.cells) if cell < 0)
    game.shade = sum(
        1 << i for i, lit in enumerate(state.lit) if not lit and not game.gone >> i & 1
    )
    game.medal = [list(row) for row in state.medals]
    game.left = [value for value in game.left if value not in state.medals[0]]
    return game


DEFAULTS: dict[str, str] = {}
EXPECTED = [
    (CORNER, DEFAULTS, (5, 13, 53, 117, 439, 1315, 6285)),
    (CORNER, {"DH1": "optional"}, (5, 18, 78, 257, 1094, 3725)),
    (CORNER, {"DH6": "never"}, (5, 13, 53, 117, 431, 1307, 6257)),
    (CORNER, {"DH7": "next_cell"}, (5, 13, 53, 129, 509, 1533, 7269)),
    (CORNER, {"DH8": "never_forward"}, (5, 13, 53, 117, 431, 1299, 6189)),
    (CORNER, {"DH12": "exact"}, (5, 13, 53, 132, 486, 1568, 6862)),
    (CELLAR, DEFAULTS, (5, 6, 22, 34, 100, 152, 205, 807)),
    (CELLAR, {"DH2": "reroll"}, (5, 22, 90, 370, 1492, 5984)),
    (CELLAR, {"DH3": "repeat"}, (5, 6, 6, 14, 16, 36, 201, 1091)),
]


@pytest.mark.parametrize(("place", "options", "expected"), EXPECTED)
def test_the_game_counts_these_positions(place, options, expected):
    assert counts(spot(place, options), len(expected)) == expected


@pytest.mark.slow
@pytest.mark.parametrize(("place", "options", "expected"), EXPECTED)
def test_the_oracle_counts_them_too(place, options, expected):
    assert oracle_counts(oracle_spot(place, options), len(expected)) == expected


def test_every_option_that_can_change_a_count_does():
    told = {ruling for _, options, _ in EXPECTED for ruling in options}
    choices = {ruling.id for ruling in RULINGS if ruling.choices}

    # Who draws the lots and who begins the second round change no number of ways.
    assert told == choices - {"DH17", "DH20"}
    for place in (CORNER, CELLAR):
        counted = [expected for where, _, expected in EXPECTED if where is place]
        assert len(set(counted)) == len(counted)
