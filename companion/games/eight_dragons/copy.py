"""A copy of 8 Dragons: names of its cards and squares, its cards to show, their rows.

It has no board; what lies before players is nowhere printed, and no fact of its box
differs from copy to copy.
"""

from collections.abc import Iterator
from typing import Any

from companion.games.copy import Copy, Kind, NameLine, ShownSides, name_of
from companion.games.eight_dragons.layout import CARD, PLACES, TOKEN
from companion.games.eight_dragons.pieces import CARDS, ROWS, SQUARES, Card
from companion.table import BACK, Face, Piece, Place, Text, Word


def _piece(_box: Any, piece: Piece, face: Face | None) -> tuple[NameLine, ...]:
    if piece == TOKEN:
        return (name_of("piece.token"),)
    if face in (None, BACK):
        return (name_of("piece.card_down"),)
    return (Word(f"eight_dragons.card.{face}"),)


def _place(place: Place) -> NameLine:
    return name_of("place.square", square=SQUARES[PLACES.index(place)])


def _face(_box: Any, piece: Piece, face: Face) -> Text:
    if piece == TOKEN:
        return Word("table.piece.token")
    return Word(f"eight_dragons.{piece}.{face}")


def _lesson(_box: Any) -> Iterator[ShownSides]:
    # One card's face is its back (ruling ED10): it is shown as the back of all.
    faces = (card.value for card in CARDS if card is not Card.TWIN)
    yield Kind.CARD, CARD, (*faces, BACK)
    # All tokens look alike.
    yield Kind.TOKEN, TOKEN, (TOKEN,)


def _rows(_box: Any) -> tuple[tuple[Place, ...], ...]:
    # Squares are numbered down the columns (rulebook l. 70).
    return tuple(PLACES[row::ROWS] for row in range(ROWS))


COPY = Copy(
    name_piece=_piece,
    name_place=_place,
    name_face=_face,
    lesson=_lesson,
    rows=_rows,
)
