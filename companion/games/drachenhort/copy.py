"""A copy of Drachenhort: names of its pieces and places, its die, form and spaces."""

from collections.abc import Iterator

from companion.games.copy import Copy, Kind, NameLine, ShownSides, name_of, space_name
from companion.games.drachenhort.box import Box
from companion.games.drachenhort.box_form import (
    fields,
    read_form,
    sides,
    so_far,
    sums,
    tap,
)
from companion.games.drachenhort.pieces import DIE
from companion.table import Face, LinePart, Piece, Place, Word


def _piece(_box: Box, piece: Piece, _face: Face | None) -> tuple[NameLine, ...]:
    kind, _, value = piece.partition("/")
    if value:
        return (name_of("piece.medal", metal=Word(f"drachenhort.{kind}"), value=value),)
    if piece in ("dragon", "jewel"):
        return (name_of(f"piece.{piece}"),)
    return (Word(f"drachenhort.{piece}"),)


def _place(place: Place) -> NameLine:
    match place.split("/"):
        case ["cell", number, *half]:
            return name_of(".".join(("place.cell", *half)), number=int(number))
        case _:
            return name_of(f"place.{place.partition('/')[0]}")


def _lesson(_box: Box) -> Iterator[ShownSides]:
    yield Kind.DIE, "die", (str(pips) for pips in DIE)


def _spaces(box: Box) -> Iterator[tuple[Place, LinePart]]:
    yield "hall", space_name("hall")
    yield "start", space_name("start")
    for cell in range(1, len(box.front.cells) + 1):
        yield f"cell/{cell}", space_name("cell", number=cell)
    # The score board lies beside the plan (rulebook l. 95). Who stands there was caught
    # or has escaped: that is seen on the plan, so that it need not be in view.


COPY = Copy(
    name_piece=_piece,
    name_place=_place,
    lesson=_lesson,
    fields=fields,
    read=read_form,
    sums=sums,
    so_far=so_far,
    sides=sides,
    tap=tap,
    spaces=_spaces,
    stands_on_spaces=True,
    is_one_way=True,
    halves=("light", "dark"),
)
