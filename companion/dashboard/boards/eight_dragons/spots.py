"""Which places of the rectangle a move of 8 Dragons concerns."""

from typing import Any

from companion.dashboard.boards.eight_dragons.draw import Rectangle
from companion.dashboard.boards.tapping import Area, Spots
from companion.games.eight_dragons.pieces import SQUARES
from companion.games.eight_dragons.state import (
    FreeToken,
    PlaceToken,
    Return,
    Shift,
    State,
    Take,
    Turn,
    TurnBack,
)
from companion.words import Words


def spots(_state: State, move: Any) -> Spots:
    """Return where the card lies, and where it goes."""
    match move:
        case Turn() | Take() | TurnBack() | PlaceToken() | FreeToken() | Return():
            return (SQUARES[move.place],)
        case Shift():
            return SQUARES[move.place], SQUARES[move.there]
        case _:
            return ()


def areas(_state: State, drawing: Rectangle, _words: Words) -> dict[str, Area]:
    """Return where each place of the rectangle is drawn."""
    return {
        spot.name: Area(spot.name, spot.x, spot.y, 47, 60) for spot in drawing.spots
    }
