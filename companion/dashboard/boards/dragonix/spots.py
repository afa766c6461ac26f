"""Which rows and dragons of Dragonix a move concerns, and where they are drawn."""

from typing import Any

from companion.dashboard.boards.dragonix.draw import Armies
from companion.dashboard.boards.tapping import Area, Spots
from companion.games.dragonix.moves import (
    Fly,
    Insert,
    Play,
    Recolour,
    Soar,
    Strike,
    Summon,
    Swap,
    TakeBack,
    TurnUp,
)
from companion.games.dragonix.pieces import ROWS, Dragon
from companion.games.dragonix.state import State
from companion.words import Words

KINDS = {"dragon": Dragon.RED, "undead": Dragon.UNDEAD}
"""What a dragon is called where it is drawn."""


def spots(_state: State, move: Any) -> Spots:
    """Return the row, the dragon, or the dragon and the row that it flies to."""
    match move:
        case Play() | TurnUp() | Swap() | TakeBack() | Strike() | Recolour():
            return (_row(move.row),)
        case Summon() | Insert():
            return (_row(move.row),)
        case Fly():
            return _dragon(move.dragon), _row(move.row)
        case Soar():
            return (_dragon(move.dragon),)
        case _:
            return ()


def _row(row: int) -> str:
    return f"row-{ROWS[row]}"


def _dragon(dragon: Dragon) -> str:
    return f"dragon-{dragon}"


def areas(_state: State, drawing: Armies, words: Words) -> dict[str, Area]:
    """Return where the cards of each row lie, and each dragon before its row."""
    found = {
        _row(number): Area(row.name, 204, row.y, 296, 66)
        for number, row in enumerate(drawing.rows)
    }
    for perched in drawing.dragons:
        dragon = KINDS[perched.kind]
        name = words.say(f"dragonix.dragon.{dragon}")
        found[_dragon(dragon)] = Area(name, perched.x, perched.y, 48, 66)
    return found
