"""What an owner is led through to teach a copy: every face, die by die, card by card.

Values only. Each die ends with a test roll, each deck with a look over it; what is
asked next is in `kits.next_step`. Which pieces a game has shown is in its `Copy`.
"""

from typing import Any, TypeAlias

from msgspec import Struct

from companion.games import find
from companion.games.copy import Item, Kind
from companion.table import Face, Piece, Text


class RollStep(Struct, frozen=True):
    """The test at the end of a die: a roll that must be read right before play."""

    kind: Kind
    piece: Piece


class CheckStep(Struct, frozen=True):
    """The look over a deck once all its cards were shown: the table does it alone."""

    kind: Kind
    piece: Piece


LessonStep: TypeAlias = Item | RollStep | CheckStep


class Course(Struct, frozen=True):
    """All steps of one game's lesson, in order."""

    game: str
    steps: tuple[LessonStep, ...]

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
        return tuple(step.piece for step in self.steps if isinstance(step, RollStep))


def course(game: str, box: Any) -> Course:
    """Return what an owner of *box* is led through.

    Raises:
        LookupError: No such game is known.
    """
    steps: list[LessonStep] = []
    for items in find(game).copy.items(box):
        kind, piece = items[0].kind, items[0].piece
        steps += items
        if kind in (Kind.DIE, Kind.COLOUR):
            steps.append(RollStep(kind, piece))
        elif kind is Kind.CARD:
            steps.append(CheckStep(kind, piece))
    return Course(game, tuple(steps))


def face_name(game: str, piece: Piece, face: Face, box: Any) -> Text:
    """Return what people call a face: its text, or words of ours."""
    return find(game).copy.face_name(box, piece, face)
