"""Positions after n moves from two tight spots, for every option that matters.

One number guards all: each way that dice, cards and hands may go is counted, notes
apart. The first numbers are reckoned by hand below.
"""

import pytest

from companion.games.dragon_run import GAME
from companion.games.dragon_run.options import RULINGS
from companion.games.dragon_run.state import ForgetNotes, NoteCard
from tests.games.dragon_run.tables import scene

END = {
    "seats": 2,
    "heroes": "elf dwarf",
    "turned": "room room room room crypt chest mirror",
    "anger": 2,
    "noted": {0: "gold-1 gold-2 light", 1: "gold-3"},
    "wounded": (1,),
    "stock": 1,
}
"""Two are left with few cards; a room, the bridge and the Dragon lie face down."""

ALONE = {
    "seats": 2,
    "heroes": "wizard cleric",
    "turned": "room room room room room bridge mirror",
    "anger": 2,
    "noted": {0: "gold-2 gold-2", 1: ""},
    "wounded": (0,),
    "tilted": (0,),
    "out": (1,),
    "stock": 2,
}
"""One is left; the crypt, the chest and the Dragon lie face down."""


def counts(place, options, depth):
    """Return how many positions there are after 1, 2, ... *depth* moves."""
    layer = [scene(**place, options=options)]
    found = []
    for _ in range(depth):
        layer = [
            GAME.apply(before, move)[0]
            for before in layer
            for move in GAME.legal(before)
            if not isinstance(move, NoteCard | ForgetNotes)
        ]
        found.append(len(layer))
    return tuple(found)


DEFAULTS: dict[str, str] = {}
EXPECTED = [
    (END, DEFAULTS, (7, 34, 176, 1029, 6243)),
    (END, {"RN4": "forbid"}, (7, 33, 168, 974, 5773)),
    (END, {"RN8": "rush_only"}, (7, 34, 176, 1021, 6213)),
    (END, {"RN9": "action"}, (7, 36, 194, 1196, 7607)),
    (END, {"RN10": "rush"}, (7, 31, 159, 908, 5355)),
    (END, {"RN11": "this_turn"}, (7, 34, 177, 1039, 6335)),
    (END, {"RN11": "until_shuffled"}, (6, 30, 164, 988, 6046)),
    (END, {"RN26": "at_once"}, (7, 34, 176, 1029, 6237)),
    (END, {"RN28": "no"}, (7, 34, 176, 1028, 6225)),
    (ALONE, DEFAULTS, (5, 14, 59, 227, 1336, 8658)),
    (ALONE, {"RN4": "forbid"}, (5, 14, 59, 226, 1297, 8284)),
    (ALONE, {"RN8": "rush_only"}, (5, 14, 59, 227, 1321, 8593)),
    (ALONE, {"RN9": "action"}, (5, 14, 59, 227, 1350, 8982)),
    (ALONE, {"RN10": "rush"}, (5, 14, 59, 227, 1321, 8470)),
    (ALONE, {"RN11": "this_turn"}, (5, 15, 61, 244, 1376, 8846)),
    (ALONE, {"RN11": "until_shuffled"}, (5, 14, 58, 217, 1318, 8580)),
    (ALONE, {"RN13": "yes"}, (5, 14, 59, 227, 1366, 9294)),
    (ALONE, {"RN26": "at_once"}, (5, 14, 59, 227, 1338, 8695)),
    (ALONE, {"RN28": "no"}, (4, 12, 46, 192, 1212, 7966)),
]


def test_the_first_counts_are_those_reckoned_by_hand():
    # Turn one of three cards, sneak, cry, use the power, play the light: 7. Then
    # - room: pass, two cards, and as nobody knows what was drawn, any of five potions
    #   and talismans = 8;
    # - bridge: two cards, sneak, cry, power, light = 6;
    # - Dragon: the other seat may turn six kinds, sneak, cry, use the power = 9;
    # - sneak: pay 1 or 2 = 2; cry: pay 1 or 2 = 2;
    # - power: three cards, sneak, cry, light = 6;
    # - light: the other hand is noted and cannot annul it, so let it pass = 1.
    assert counts(END, DEFAULTS, 2) == (7, 8 + 6 + 9 + 2 + 2 + 6 + 1)


@pytest.mark.parametrize(("place", "options", "expected"), EXPECTED)
def test_the_game_counts_these_positions(place, options, expected):
    assert counts(place, options, len(expected)) == expected


def test_every_option_that_can_change_a_count_does():
    told = {ruling for _, options, _ in EXPECTED for ruling in options}
    choices = {ruling.id for ruling in RULINGS if ruling.choices}

    # Who wins at the end changes no number of ways.
    assert told == choices - {"RN17", "RN19"}
    for place in (END, ALONE):
        counted = [expected for where, _, expected in EXPECTED if where is place]
        assert len(set(counted)) == len(counted)
