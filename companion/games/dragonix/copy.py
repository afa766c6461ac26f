"""A copy of Dragonix: names of its pieces and places, its cards and tokens."""

from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.copy import (
    BadFact,
    Copy,
    Field,
    FilledForm,
    Kind,
    NameLine,
    ShownSides,
    Zone,
    asks_of_area,
    name_of,
    places_before,
)
from companion.games.dragonix.box import Box, Colour
from companion.games.dragonix.dealing import SEATS
from companion.games.dragonix.pieces import CARDS, ROWS, People, Token
from companion.table import BACK, Face, LinePart, Piece, Place, Text, Word


def _piece(_box: Box, piece: Piece, face: Face | None) -> tuple[NameLine, ...]:
    if piece not in ("card", "token", "camp"):
        return (Word(f"dragonix.dragon.{piece}"),)
    if face in (None, BACK):
        return (name_of(f"piece.{'token' if piece == 'token' else 'card'}"),)
    return (Word(f"dragonix.{piece}.{face}"),)


def _place(place: Place) -> NameLine:
    match place.split("/"):
        case ["army", row, *_]:
            return name_of("place.row", row=Word(f"dragonix.row.{ROWS[int(row) - 1]}"))
        case ["tower", *_]:
            return name_of("place.row", row=Word("dragonix.row.tower"))
        case ["camp" | "tokens" as name, seat, *_]:
            return name_of(f"place.{name}", seat=int(seat))
        case ["event" | "show", seat, *_]:
            return places_before(seat)
        case _:
            return name_of(f"place.{place.partition('/')[0]}")


def _face(_box: Box, piece: Piece, face: Face) -> Text:
    return Word(f"dragonix.{piece}.{face}")


def _lesson(_box: Box) -> Iterator[ShownSides]:
    yield Kind.CARD, "card", CARDS
    yield Kind.TOKEN, "token", (*(token.value for token in Token), BACK)


# The colours of the four peoples.


def _fields(box: Box) -> Iterator[Field]:
    choices = tuple((one.value, Word(f"teach.colour.{one.value}")) for one in Colour)
    for people, colour in zip(People, box.colours, strict=True):
        label = LinePart(f"dragonix.{people.value}")
        yield Field(people.value, label, colour.value, choices)


def _read(box: Box, form: FilledForm) -> Box:
    colours = []
    for people in People:
        try:
            colours.append(Colour(form.get(people.value, "")))
        except ValueError as error:
            raise BadFact(people.value, "teach.fact.no_choice") from error
    return replace(box, colours=tuple(colours))


def _zones(_box: Box) -> tuple[Zone, ...]:
    """Return where cards lie: in the five rows, and before each player at first."""
    rows = [
        Zone("row", n, asks_of_area("army", number=n), (f"army/{n}",), ("card",))
        for n in range(1, 5)
    ]
    tower = Zone("row", 5, asks_of_area("tower"), ("tower",), ("card",))
    seats = [
        Zone(
            "before", seat + 1, asks_of_area("before", number=seat + 1),
            (f"show/{seat}", f"event/{seat}"), ("card",), seat=seat,
        )
        for seat in range(SEATS.stop - 1)
    ]  # fmt: skip
    return (*rows, tower, *seats)


COPY = Copy(
    name_piece=_piece,
    name_place=_place,
    name_face=_face,
    lesson=_lesson,
    fields=_fields,
    read=_read,
    zones=_zones,
)
