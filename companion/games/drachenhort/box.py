"""The facts of one copy that the rulebook leaves to pictures, and a copy of our own.

Nothing here is guessed about the real box: an owner tells the cells of both sides and
the seven groups once, and `check_box` compares them with what the rulebook counts.
"""

from collections import Counter
from typing import TypeAlias

from msgspec import Struct

from companion.games.core import Violation
from companion.games.drachenhort.pieces import (
    ADVENTURERS,
    JEWELS,
    NAMED,
    Adventurer,
    Light,
)

Group: TypeAlias = tuple[Adventurer, Adventurer, Adventurer]

CELLS = 30
FRONT_TRAPS = 3
FRONT_DARK = 3
BACK_LIT = 2
CARDS_OF_EACH = 3


class Cell(
    Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True
):
    """One cell of the way out. A jewel on a trap is never won (ruling DH11)."""

    light: Light = Light.HALVES
    trap: bool = False
    jewel: bool = False


class Board(
    Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True
):
    """One side of the board: its cells in the order of the way, from the start room.

    *exit_on_last* tells that the way out is the last of the cells rather than beyond
    it (ruling DH28).
    """

    cells: tuple[Cell, ...]
    exit_on_last: bool = False

    @property
    def last(self) -> int:
        """Return the number of the last cell that one can stand on, counted from 1."""
        return len(self.cells) - self.exit_on_last

    @property
    def jewels(self) -> tuple[int, ...]:
        """Return the numbers of the cells where a jewel is laid."""
        return tuple(n for n, cell in enumerate(self.cells, start=1) if cell.jewel)


class Box(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One copy of the game.

    *adventurers* sets the order in which a state lists them. A group is the three
    heroes of one card.
    """

    front: Board
    back: Board
    adventurers: tuple[Adventurer, ...]
    groups: tuple[Group, ...]


LETTERS = {
    ".": Cell(),
    "j": Cell(jewel=True),
    "t": Cell(trap=True),
    "d": Cell(Light.DARK),
    "D": Cell(Light.DARK, jewel=True),
    "l": Cell(Light.LIT),
    "L": Cell(Light.LIT, jewel=True),
}


def draw_board(text: str) -> Board:
    """Return the board that one letter a cell describes; blanks do not count.

    ``.`` two halves, ``j`` the same with a jewel, ``t`` trap, ``d`` wholly dark and
    ``l`` wholly lit, ``D`` and ``L`` these with a jewel.
    """
    return Board(tuple(LETTERS[letter] for letter in text.replace(" ", "")))


def _groups(ring: tuple[Adventurer, ...]) -> tuple[Group, ...]:
    # Steps 0, 1 and 3 around a ring of seven: any two groups share one hero, so no
    # two players are ever wholly with or wholly against each other.
    return tuple((ring[n], ring[(n + 1) % 7], ring[(n + 3) % 7]) for n in range(7))


_A = Adventurer
STAND_IN = Box(
    front=draw_board(". j . j t j . D . j  . t j d . . j . t j  . D j . j . . j . ."),
    back=draw_board(". . j d j t . j t t  j l . j d j . j L .  t j . j . D . j t ."),
    adventurers=(_A.GREEN, _A.RED, _A.BLUE, _A.ORANGE, _A.WHITE, _A.YELLOW, _A.VIOLET),
    groups=_groups(
        (_A.GREEN, _A.RED, _A.YELLOW, _A.WHITE, _A.BLUE, _A.ORANGE, _A.VIOLET)
    ),
)
"""A copy of our own invention, so that a first game needs no box."""


def check_box(box: Box) -> tuple[Violation, ...]:
    """Return everything in which *box* differs from what the rulebook counts.

    Source: rulebook l. 65-67, 75-79, 97, 147, 183, 209-211; ruling DH23.
    """
    return (
        *_check_board("front", box.front),
        *_check_front(box.front),
        *_count("back", "lit", BACK_LIT, _lights(box.back, Light.LIT)),
        *_check_board("back", box.back),
        *_check_adventurers(box),
        *_check_groups(box),
    )


def _check_board(side: str, board: Board) -> tuple[Violation, ...]:
    return (
        *_count(side, "cells", CELLS, len(board.cells)),
        *_count(side, "jewels", JEWELS, len(board.jewels)),
    )


def _check_front(board: Board) -> tuple[Violation, ...]:
    traps = sum(cell.trap for cell in board.cells)
    return (
        *_count("front", "traps", FRONT_TRAPS, traps),
        *_count("front", "dark", FRONT_DARK, _lights(board, Light.DARK)),
    )


def _lights(board: Board, light: Light) -> int:
    return sum(cell.light is light for cell in board.cells)


def _count(side: str, what: str, wanted: int, found: int) -> tuple[Violation, ...]:
    if wanted == found:
        return ()
    return (Violation(f"{side}_{what}", (("wanted", wanted), ("found", found))),)


def _check_adventurers(box: Box) -> tuple[Violation, ...]:
    colours = set(box.adventurers)
    found = [] if len(box.adventurers) == ADVENTURERS else ["adventurers_not_seven"]
    if len(colours) != len(box.adventurers):
        found.append("adventurer_twice")
    if not colours.issuperset(NAMED):
        found.append("adventurer_of_the_rulebook_missing")
    return tuple(Violation(code) for code in found)


def _check_groups(box: Box) -> tuple[Violation, ...]:
    groups = {frozenset(group) for group in box.groups}
    shares = Counter(hero for group in box.groups for hero in group)
    known_one = frozenset((_A.GREEN, _A.RED, _A.WHITE))
    faults = {
        "groups_not_seven": len(box.groups) != ADVENTURERS,
        "group_twice": len(groups) != len(box.groups),
        "group_not_of_three": any(len(group) != CARDS_OF_EACH for group in groups),
        "hero_not_in_three_groups": any(
            shares[hero] != CARDS_OF_EACH for hero in box.adventurers
        ),
        "group_of_a_stranger": not set(shares).issubset(box.adventurers),
        "group_of_the_rulebook_missing": known_one not in groups,
    }
    return tuple(Violation(code) for code, true in faults.items() if true)
