"""What an owner is led through to teach a copy: every face, die by die, card by card.

Values only. Each die ends with a test roll, each deck with a look over it; what is
asked next is in `teaching`.
"""

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, TypeAlias

from msgspec import Struct

from companion.games import find
from companion.games.drachenhort.pieces import DIE as DRACHENHORT_DIE
from companion.games.dragon_run.box import Box as DragonRunBox
from companion.games.dragorun.rules import FACES as COLOURS
from companion.table import BACK, Face, Piece, Text, Word


class Kind(StrEnum):
    """How a thing is told from others; also how it is called in a kit."""

    DIE = "die"  # by what is drawn on its faces
    COLOUR = "colour"  # a die with nothing on its faces but a colour
    TOKEN = "token"  # round and flat, by its print
    CARD = "card"


DIE, COLOUR, TOKEN, CARD = Kind

TAUGHT: Mapping[str, tuple[tuple[Piece, Kind], ...]] = {
    "drachenhort": (("die", DIE),),
    "dragon_run": (
        ("d10", DIE), ("place", CARD), ("treasure", CARD), ("character", CARD),
    ),
    "dragonix": (("card", CARD), ("token", TOKEN)),
    "dragorun": (("move", DIE), ("colour", COLOUR), ("egg", TOKEN)),
    "eight_dragons": (("card", CARD),),
}  # fmt: skip
"""What each game asks to be shown, in order. Figures and markers are not taught yet."""


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
        return self.kind in (DIE, COLOUR)


class Roll(Struct, frozen=True):
    """The test at the end of a die: a roll that must be read right before play."""

    kind: Kind
    piece: Piece


class Check(Struct, frozen=True):
    """The look over a deck once all its cards were shown: the table does it alone."""

    kind: Kind
    piece: Piece


Step: TypeAlias = Item | Roll | Check


class Course(Struct, frozen=True):
    """All steps of one game's lesson, in order."""

    game: str
    steps: tuple[Step, ...]

    @property
    def items(self) -> tuple[Item, ...]:
        """Return the faces to lay down."""
        return tuple(step for step in self.steps if isinstance(step, Item))

    def of(self, piece: Piece) -> tuple[Item, ...]:
        """Return the faces of one piece."""
        return tuple(item for item in self.items if item.piece == piece)

    def place_of(self, piece: Piece, face: Face) -> int | None:
        """Return the number of the step that asks for a face, None if none does."""
        for number, step in enumerate(self.steps):
            if isinstance(step, Item) and (step.piece, step.face) == (piece, face):
                return number
        return None

    @property
    def dice(self) -> tuple[Piece, ...]:
        """Return the dice that are tested with a roll."""
        return tuple(step.piece for step in self.steps if isinstance(step, Roll))


def course(game: str, box: Any) -> Course:
    """Return what an owner of *box* is led through.

    Raises:
        LookupError: No such game is known.
    """
    steps: list[Step] = []
    for piece, kind in TAUGHT[find(game).id]:
        sides = _sides(game, piece, box)
        steps += [
            Item(kind, piece, face, face_name(game, piece, face, box), count)
            for face, count in sides.items()
        ]
        if kind in (DIE, COLOUR):
            steps.append(Roll(kind, piece))
        elif kind is CARD:
            steps.append(Check(kind, piece))
    return Course(game, tuple(steps))


def _sides(game: str, piece: Piece, box: Any) -> Mapping[Face, int]:
    """Return the faces of a piece of one copy, each with how many sides show it."""
    match game, piece:
        case "drachenhort", "die":
            return Counter(str(pips) for pips in DRACHENHORT_DIE)
        case "dragorun", "colour":
            return Counter(colour.value for colour in COLOURS[box.fifth])
        case "dragorun", "egg":
            return Counter([*(d.value for d in box.dragons), "snail", "mushroom"])
        case "dragon_run", "place":
            return Counter({card.id: 1 for card in box.places})
        case "dragon_run", "treasure":
            return Counter({box.treasure_id(kind): 1 for kind in box.kinds})
        case "dragon_run", "character":
            # Both sides of each tile; how it lies is no other print.
            ends = ("fit", "wounded")
            return Counter(f"{hero.id}/{end}" for hero in box.heroes for end in ends)
        case _:
            found = (kind.faces for kind in find(game).pieces if kind.piece == piece)
            return Counter(dict.fromkeys(next(found), 1))


def face_name(game: str, piece: Piece, face: Face, box: Any) -> Text:
    """Return what people call a face: its text, or words of ours."""
    if face == BACK:
        return Word("teach.back")
    if game == "dragon_run":
        return _dragon_run_name(piece, face, box)
    match game, piece:
        case "dragorun", "move" if face in ("trophy", "snail"):
            return Word(f"dragorun.step.{face}")
        case ("dragorun", "colour" | "egg") | ("dragonix", _) | ("eight_dragons", _):
            return Word(f"{game}.{piece}.{face}")
        case _:
            return face


def _dragon_run_name(piece: Piece, face: Face, box: DragonRunBox) -> Text:
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
