"""What a game says of a copy of it: what its things are called, what an owner shows.

Values and pure functions. Each game fills a `Copy` in its own ``copy.py``; what it
leaves out is neutral: pieces and places by their ids, nothing to show, type or tap.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Any, TypeAlias

from msgspec import Struct

from companion.table import BACK, Face, LinePart, Piece, Place, Seat, Text, Value, Word


class Kind(StrEnum):
    """How a thing is told from others; also how it is called in a kit."""

    DIE = "die"  # by what is drawn on its faces
    COLOUR = "colour"  # a die with nothing on its faces but a colour
    TOKEN = "token"  # round and flat, by its print
    CARD = "card"


class Item(Struct, frozen=True):
    """One face to lay down.

    *sides* counts the sides of a die that show it, *name* is what people call the face:
    its text, or words of ours.
    """

    kind: Kind
    piece: Piece
    face: Face
    name: Text
    sides: int = 1

    @property
    def key(self) -> tuple[str, Piece, Face]:
        """Return what tells it from all others."""
        return self.kind.value, self.piece, self.face

    @property
    def has_facets(self) -> bool:
        """Tell whether it is one of ten facets, with a sign in a part of it."""
        return self.piece == "d10"

    @property
    def is_die(self) -> bool:
        """Tell whether it is a side of a die."""
        return self.kind in (Kind.DIE, Kind.COLOUR)


ShownSides: TypeAlias = tuple[Kind, Piece, Iterable[Face]]
"""A piece to show, and what its sides show: what two of them show comes twice."""


class Field(Struct, frozen=True):
    """One line of the form: its label, what stands in it, and what may stand there.

    *choices* has the values to choose from, each with its name; none for free text.
    *group* is a heading that several lines share. *blank* is what stands there before
    anything is told. One that is *drawn* is told by taps on a drawing alone.
    """

    name: str
    label: LinePart
    value: str
    choices: tuple[tuple[str, Text], ...] = ()
    group: str = ""
    blank: str = ""
    drawn: bool = False


class Sum(Struct, frozen=True):
    """What the box must have so many of, and how many were typed."""

    label: LinePart
    wanted: int
    found: int

    @property
    def is_right(self) -> bool:
        """Tell whether as many were typed as the rulebook counts."""
        return self.wanted == self.found


class BadFact(ValueError):
    """A line of the form cannot be read; *field* names it, *line* says why."""

    def __init__(self, field: str, line: str, **values: str | int) -> None:
        super().__init__(field)
        self.field = field
        self.why = LinePart(line, tuple(values.items()))


FilledForm: TypeAlias = Mapping[str, str]
"""What was typed, by the names of the fields."""


class DrawnCell(Struct, frozen=True):
    """A cell of a board as it is drawn to be tapped: what was told of it so far.

    *light* is ``halves``, ``dark`` or ``lit``; *mark* is ``start`` or ``finish``, and
    one that is *out* lies behind the end of the way.
    """

    number: int
    light: str = "halves"
    trap: bool = False
    jewel: bool = False
    mark: str = ""
    out: bool = False


class DrawnSide(Struct, frozen=True):
    """A side of a board to be told by taps: a tool is chosen, then cells are tapped."""

    name: str
    tools: tuple[str, ...]
    cells: tuple[DrawnCell, ...]


NameLine: TypeAlias = LinePart | Text


class Zone(Struct, frozen=True):
    """An area of the table in which people lay cards of a game, as they like.

    Attributes:
        family: Areas of one family are of one size; the first of it is shown by two
            corners, all others by one.
        number: Which one of the family it is, from 1.
        asks: The lines that ask for its upper left and its lower right corner.
        covers: The places that lie in it; one that ends in a slash stands for all that
            begin so, each for one card.
        cards: The pieces that are cards there.
        is_pile: Whether cards lie on top of each other: only the top one is seen.
        seat: Whose it is; None of one that all share.
        across: Ends the face of a card that lies a quarter turn from how it was laid;
            empty where that means nothing.
    """

    family: str
    number: int
    asks: tuple[LinePart, LinePart]
    covers: tuple[Place, ...]
    cards: tuple[Piece, ...]
    is_pile: bool = False
    seat: Seat | None = None
    across: str = ""

    @property
    def corners(self) -> tuple[Place, Place]:
        """Return what its two corners are called among the spaces that are tapped."""
        return f"{self.family}/1/{self.number}", f"{self.family}/2/{self.number}"

    def has(self, place: Place) -> bool:
        """Tell whether a place lies in it."""
        return any(
            place == one or (one.endswith("/") and place.startswith(one))
            for one in self.covers
        )

    def printed(self, face: Face) -> Face:
        """Return what is printed on a card that shows a face, however it lies."""
        return face.removesuffix(self.across)

    def turned(self, face: Face) -> Face:
        """Return the face of a card that was turned by a quarter."""
        printed = self.printed(face)
        return printed if printed != face else face + self.across


class Copy(Struct, frozen=True):
    """A copy of a game, as its owner meets it.

    Attributes:
        name_piece: What people call a piece of a box that shows a face, or None: names
            that are said one after the other.
        name_place: What people call a place.
        name_face: What people call a face of a piece of a box.
        lesson: What the owner of a box is asked to show, in order.
        fields: The form of a box, filled with its facts.
        read: The box that a form tells, over what the box says already; raises
            `BadFact`.
        sums: What the rulebook counts, beside what a box has.
        so_far: The box that a form tells which is not filled yet, for its sums alone.
        sides: The sides of the board to be drawn, as a form tells them so far.
        tap: What a form tells once a cell of a side was tapped with a tool.
        spaces: The spaces that are printed on the board of a box, with their names.
        rows: The places of cards that are laid in rows, row by row, from left to right;
            a game may use fewer rows and columns, those that come first.
        zones: The areas in which cards are laid otherwise.
        stands_on_spaces: Whether figures move from space to space.
        is_one_way: Whether all spaces follow each other, as far apart, along one way.
        halves: What the halves of each numbered space are called on which one stands,
            the brighter one first; none where it is one.
    """

    name_piece: Callable[[Any, Piece, Face | None], tuple[NameLine, ...]] = (
        lambda _box, piece, face: (piece,) if face is None else (piece, face)
    )
    name_place: Callable[[Place], NameLine] = lambda place: place
    name_face: Callable[[Any, Piece, Face], Text] = lambda _box, _piece, face: face
    lesson: Callable[[Any], Iterable[ShownSides]] = lambda _box: ()
    fields: Callable[[Any], Iterable[Field]] = lambda _box: ()
    read: Callable[[Any, FilledForm], Any] = lambda box, _form: box
    sums: Callable[[Any], Iterable[Sum]] = lambda _box: ()
    so_far: Callable[[Any, FilledForm], Any] = lambda box, _form: box
    sides: Callable[[FilledForm], tuple[DrawnSide, ...]] = lambda _form: ()
    tap: Callable[[FilledForm, str, str, int], FilledForm] = (
        lambda form, _side, _tool, _cell: form
    )
    spaces: Callable[[Any], Iterable[tuple[Place, LinePart]]] = lambda _box: ()
    rows: Callable[[Any], tuple[tuple[Place, ...], ...]] = lambda _box: ()
    zones: Callable[[Any], tuple[Zone, ...]] = lambda _box: ()
    stands_on_spaces: bool = False
    is_one_way: bool = False
    halves: tuple[str, ...] = ()

    def parts(self, space: Place) -> tuple[Place, ...]:
        """Return the places of a printed space on which one stands."""
        is_numbered = space.rpartition("/")[2].isdecimal()
        return tuple(f"{space}/{half}" for half in self.halves if is_numbered) or (
            space,
        )

    def items(self, box: Any) -> tuple[tuple[Item, ...], ...]:
        """Return the faces of each piece that the owner of *box* is asked to show."""
        return tuple(
            tuple(
                Item(kind, piece, face, self.face_name(box, piece, face), sides)
                for face, sides in Counter(faces).items()
            )
            for kind, piece, faces in self.lesson(box)
        )

    def face_name(self, box: Any, piece: Piece, face: Face) -> Text:
        """Return what people call a face; all cards have a back."""
        return Word("teach.back") if face == BACK else self.name_face(box, piece, face)


def fact_label(line: str, **values: Value) -> LinePart:
    """Return the label of a line of the form."""
    return LinePart(f"teach.fact.{line}", tuple(values.items()))


def space_name(line: str, **values: Value) -> LinePart:
    """Return the name of a space that is tapped."""
    return LinePart(f"teach.space.{line}", tuple(values.items()))


def number_typed(form: FilledForm, name: str) -> int:
    """Return the number that was typed into a field.

    Raises:
        BadFact: It is none, or has more than three digits.
    """
    text = form.get(name, "").strip()
    if not text.isdecimal() or len(text) > 3:
        raise BadFact(name, "teach.fact.no_number")
    return int(text)


def asks_of_area(line: str, **values: Value) -> tuple[LinePart, LinePart]:
    """Return the lines that ask for two corners of an area."""
    return space_name(f"{line}_area", **values), space_name(
        f"{line}_area_end", **values
    )


def name_of(line: str, **values: Value) -> LinePart:
    """Return the name of a piece or a place."""
    return LinePart(f"table.{line}", tuple(values.items()))


def places_before(seat: str) -> LinePart:
    """Return the name of the places in front of a player, by the seat's number."""
    return name_of("place.before", seat=int(seat))
