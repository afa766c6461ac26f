"""A copy of Dragorun: names of its pieces and places, its dice and eggs, its track."""

from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.copy import (
    BadFact,
    Copy,
    DrawnCell,
    DrawnSide,
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
    starts = " ".join(map(str, box.starts))
    yield Field("starts", fact_label("starts"), starts, drawn=True)
    yield Field("finish", fact_label("finish"), str(box.finish), drawn=True)
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


DRAWN_CELLS = 42
"""Cells of a track that is drawn to be tapped: seven rows, more than any board has
that we have seen; the tap that tells the finish cell cuts off what is left."""


def _told(form: FilledForm) -> tuple[set[int], int]:
    starts = {int(word) for word in form.get("starts", "").split() if word.isdecimal()}
    finish = form.get("finish", "")
    return starts, int(finish) if finish.isdecimal() else 0


def _sides(form: FilledForm) -> tuple[DrawnSide, ...]:
    starts, finish = _told(form)
    marks = dict.fromkeys(starts, "start") | {finish: "finish"}
    cells = (
        DrawnCell(number, mark=marks.get(number, ""), out=0 < finish < number)
        for number in range(1, DRAWN_CELLS + 1)
    )
    return (DrawnSide("track", ("start", "finish"), tuple(cells)),)


def _tap(form: FilledForm, _side: str, tool: str, number: int) -> FilledForm:
    starts, finish = _told(form)
    if tool == "finish":
        return {**form, "finish": "" if number == finish else str(number)}
    return {**form, "starts": " ".join(map(str, sorted(starts ^ {number})))}


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
    sides=_sides,
    tap=_tap,
    spaces=_spaces,
    stands_on_spaces=True,
)
