"""A copy of Dragorun: names of its pieces and places, its dice and eggs, its track."""

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
    fact_label,
    name_of,
    number_typed,
    places_before,
    space_name,
)
from companion.games.dragorun.box import Box
from companion.games.dragorun.pieces import FIFTHS, STEPS, Colour, Egg
from companion.games.dragorun.rules import FACES
from companion.table import BACK, Face, LinePart, Piece, Place, Text, Word


def _piece(_box: Box, piece: Piece, face: Face | None) -> tuple[NameLine, ...]:
    kind, _, colour = piece.partition("/")
    if colour:
        side = "marker_down" if face == BACK else "marker"
        return (name_of(f"piece.{side}", dragon=Word(f"dragorun.dragon.{colour}")),)
    if kind != "egg":
        return (Word(f"dragorun.dragon.{piece}"),)
    return (Word(f"dragorun.egg.{face}" if face else "table.piece.egg"),)


def _place(place: Place) -> NameLine:
    match place.split("/"):
        case ["egg" | "seat", seat, *_]:
            return places_before(seat)
        case ["track", "0"]:
            return name_of("place.snail")
        case ["track", cell]:
            return name_of("place.cell", number=int(cell))
        case _:
            return name_of(f"place.{place.partition('/')[0]}")


def _face(_box: Box, piece: Piece, face: Face) -> Text:
    if piece in ("colour", "egg"):
        return Word(f"dragorun.{piece}.{face}")
    if piece == "move" and face in ("trophy", "snail"):
        return Word(f"dragorun.step.{face}")
    return face


def _lesson(box: Box) -> Iterator[ShownSides]:
    yield Kind.DIE, "move", (step.value for step in STEPS)
    yield Kind.COLOUR, "colour", (colour.value for colour in FACES[box.fifth])
    eggs = (*(dragon.value for dragon in box.dragons), Egg.SNAIL, Egg.MUSHROOM)
    yield Kind.TOKEN, "egg", map(str, eggs)


# Where the dragons line up, how long the track is, and the fifth colour.


def _fields(box: Box) -> Iterator[Field]:
    yield Field("starts", fact_label("starts"), " ".join(map(str, box.starts)))
    yield Field("finish", fact_label("finish"), str(box.finish))
    choices = tuple((one.value, Word(f"dragorun.colour.{one.value}")) for one in FIFTHS)
    yield Field("fifth", fact_label("fifth"), box.fifth.value, choices)


def _read(box: Box, form: FilledForm) -> Box:
    words = form.get("starts", "").replace(",", " ").split()
    if not words or not all(word.isdecimal() and len(word) < 4 for word in words):
        raise BadFact("starts", "teach.fact.no_number")
    try:
        fifth = Colour(form.get("fifth", ""))
    except ValueError as error:
        raise BadFact("fifth", "teach.fact.no_choice") from error
    starts = tuple(int(word) for word in words)
    finish = number_typed(form, "finish")
    return replace(box, starts=starts, finish=finish, fifth=fifth)


def _spaces(box: Box) -> Iterator[tuple[Place, LinePart]]:
    yield "track/0", space_name("snail")
    for cell in range(1, box.finish):
        yield f"track/{cell}", space_name("track", number=cell)
    yield f"track/{box.finish}", space_name("finish")


COPY = Copy(
    name_piece=_piece,
    name_place=_place,
    name_face=_face,
    lesson=_lesson,
    fields=_fields,
    read=_read,
    spaces=_spaces,
    stands_on_spaces=True,
)
