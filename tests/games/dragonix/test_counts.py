"""Positions after n moves from tight spots, for each option: one number guards all.

Notes are left out, they change nothing on the table. Sequences of moves are counted,
not different positions.
"""

import pytest

from companion.games.dragonix import GAME
from companion.games.dragonix.moves import NoteCard, NoteToken
from tests.games.dragonix.tables import new_game, scene


def count(state, depth):
    """Return how many sequences of *depth* moves there are."""
    moves = [m for m in GAME.legal(state) if not isinstance(m, NoteCard | NoteToken)]
    if depth == 1:
        return len(moves)
    return sum(count(GAME.apply(state, move)[0], depth - 1) for move in moves)


def rich(options):
    """Return a position with something of everything."""
    return scene(
        hands=("sun5 hero rock8", "krak2 ?"),
        camps=(2, 2),
        under=("sun10", ""),
        I="sun4 hero sun9",
        II="rock9 rock3",
        III="krak4 krak7",
        IV="forest9",
        tower="rock1 rock2",
        red="IV",
        tokens=("plague volunteers flight", "undead"),
        rest="krak9 forest3",
        options=options,
    )


def stuck(options):
    """Return a position where only the tower takes a card, and then the last one."""
    return scene(
        hands=("sun5", "rock9 hero"),
        camps=(0, 0),
        I="sun9",
        II="sun2",
        III="rock4",
        IV="rock2",
        tower="sun1 sun3",
        red="I",
        undead="III",
        undead_by=0,
        tokens=("", "flight"),
        options=options,
    )


def alone(options):
    """Return the end of a solo game, with a hero to exchange and cards to take back."""
    return scene(
        hands=("sun5 sun8",),
        camps=(2,),
        seats=1,
        I="sun4 hero",
        II="forest1",
        III="rock9",
        IV="rock1",
        tower="krak1",
        red="III",
        undead="IV" if "SOLO" in options else None,
        rest="sun3 hero",
        options=options,
    )


COUNTS = [
    (rich, "", [8, 41, 146, 515, 1848, 5531]),
    (rich, "DX14=alone", [8, 47, 180, 674, 2605, 8183]),
    (rich, "DX15=same_value", [7, 36, 127, 447, 1626, 4814]),
    (rich, "DX20=while_there", [8, 41, 146, 513, 1857, 5604]),
    (rich, "DX22=refused", [8, 40, 134, 450, 1651, 4927]),
    (rich, "DX23=counts", [8, 41, 151, 570, 2120, 6716]),
    (stuck, "", [1, 0, 0, 0, 0, 0]),
    (stuck, "DX1=after_flight", [1, 2, 0, 0, 0, 0]),
    (stuck, "DX9=armies_only", [3, 2, 4, 4, 12, 32]),
    (alone, "", [2, 3, 3, 4, 6, 6, 8, 14, 23, 36]),
    (alone, "DX1=after_flight", [2, 3, 3, 4, 6, 6, 8, 14, 23, 38]),
    (alone, "DX14=alone", [3, 5, 5, 9, 15, 15, 21, 37, 78, 130]),
    (alone, "DX15=same_value", [2, 3, 3, 4, 6, 6, 8, 14, 23, 32]),
    (alone, "DX36=beside", [2, 3, 3, 4, 6, 6, 8, 20, 23, 9]),
    (alone, "SOLO=variant", [2, 3, 3, 3, 3, 3, 3, 3, 4, 7]),
]


def test_the_first_cards():
    assert [count(new_game(), depth) for depth in (1, 2)] == [48, 48 * 47]


@pytest.mark.parametrize(("spot", "option", "counts"), COUNTS)
def test_sequences_of_moves(spot, option, counts):
    state = spot(dict([option.split("=")]) if option else {})

    assert [count(state, depth) for depth in range(1, len(counts) + 1)] == counts
