"""A copy of Dragon Run: names of its pieces and places, its die and cards, its form.

What its cards do stands in kit.toml; here they are only counted.
"""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from companion.games.copy import (
    Copy,
    Field,
    FilledForm,
    Kind,
    NameLine,
    ShownSides,
    Sum,
    Zone,
    asks_of_area,
    fact_label,
    name_of,
    number_typed,
    places_before,
)
from companion.games.dragon_run.box import Box
from companion.games.dragon_run.layout import ACROSS
from companion.games.dragon_run.pieces import (
    FACES,
    FIT,
    PLACES,
    SEATS,
    SPECIALS,
    VALUABLES,
    WOUNDED,
)
from companion.table import Face, LinePart, Piece, Place, Text


def _piece(box: Box, piece: Piece, face: Face | None) -> tuple[NameLine, ...]:
    names = {place.id: place.name for place in box.places}
    names |= {hero.id: hero.name for hero in box.heroes}
    names |= {box.treasure_id(kind): box.treasure_name(kind) for kind in box.kinds}
    known, *how = (face or "").split("/")
    if known not in names:
        return (name_of(f"piece.{piece}"),)
    health = (LinePart(f"boards.dragon_run.{word}") for word in how[:1])
    across = (LinePart("boards.dragon_run.power.used") for _ in how[1:])
    return (names[known], *health, *across)


def _place(place: Place) -> NameLine:
    match place.split("/"):
        case ["front" | "open" | "seat", seat, *_]:
            return places_before(seat)
        case ["path", number]:
            return name_of("place.path_card", number=int(number))
        case ["anger", number]:
            return name_of("place.anger", number=int(number))
        case _:
            return name_of(f"place.{place.partition('/')[0]}")


def _face(box: Box, piece: Piece, face: Face) -> Text:
    match piece:
        case "place":
            return next(card.name for card in box.places if card.id == face)
        case "treasure":
            kind = next(one for one in box.kinds if box.treasure_id(one) == face)
            return box.treasure_name(kind)
        case "character":
            hero = face.partition("/")[0]
            return next(one.name for one in box.heroes if one.id == hero)
        case _:
            return face


def _lesson(box: Box) -> Iterator[ShownSides]:
    yield Kind.DIE, "d10", map(str, FACES)
    yield Kind.CARD, "place", (card.id for card in box.places)
    yield Kind.CARD, "treasure", map(box.treasure_id, box.kinds)
    # Both sides of each tile; how it lies is no other print.
    sides = (f"{hero.id}/{end}" for hero in box.heroes for end in (FIT, WOUNDED))
    yield Kind.CARD, "character", sides


# How many cards there are of each kind.


def _fields(box: Box) -> Iterator[Field]:
    for kind, count in enumerate(box.gold):
        label = LinePart(f"dragon_run.gold-{kind + 1}")
        yield Field(f"gold-{kind + 1}", label, str(count), group="gold")
    for group, things in (("special", box.specials), ("place", box.places)):
        for thing in things:
            label = fact_label("count_of", thing=thing.name)
            yield Field(f"{group}-{thing.id}", label, str(thing.count), group=group)


def _read(box: Box, form: FilledForm) -> Any:
    def counted(group: str, things: Any) -> Any:
        return tuple(
            replace(thing, count=number_typed(form, f"{group}-{thing.id}"))
            for thing in things
        )

    kinds = range(1, len(box.gold) + 1)
    return replace(
        box,
        gold=tuple(number_typed(form, f"gold-{kind}") for kind in kinds),
        specials=counted("special", box.specials),
        places=counted("place", box.places),
    )


def _so_far(box: Box, form: FilledForm) -> Any:
    digits = {name: text if text.isdecimal() else "0" for name, text in form.items()}
    return _read(box, digits)


def _sums(box: Box) -> Iterator[Sum]:
    yield Sum(fact_label("gold"), VALUABLES, sum(box.gold))
    yield Sum(fact_label("special"), SPECIALS, sum(one.count for one in box.specials))
    yield Sum(fact_label("place"), PLACES, sum(one.count for one in box.places))


def _zones(_box: Box) -> tuple[Zone, ...]:
    """Return where cards lie: two piles, face up, and what each player has before him.

    Source: rulebook l. 45 (a player's tile), 46 (turned place cards).
    """
    path = Zone("pile", 1, asks_of_area("path"), ("path/",), ("place",), is_pile=True)
    discard = Zone(
        "pile", 2, asks_of_area("discard"), ("discard/",), ("treasure",),
        is_pile=True,
    )  # fmt: skip
    seats = [
        Zone(
            "before", seat + 1, asks_of_area("before", number=seat + 1),
            (f"seat/{seat}", f"front/{seat}/", f"open/{seat}/"),
            ("character", "treasure"), seat=seat, across=f"/{ACROSS}",
        )
        for seat in range(SEATS.stop - 1)
    ]  # fmt: skip
    return (path, discard, *seats)


COPY = Copy(
    name_piece=_piece,
    name_place=_place,
    name_face=_face,
    lesson=_lesson,
    fields=_fields,
    read=_read,
    sums=_sums,
    so_far=_so_far,
    zones=_zones,
)
