"""Which dice of a picture lie where dice fall, and what they show to the game."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from companion.kits.between import Point
from companion.story.log import Story
from companion.table import (
    TRAY,
    BoxPx,
    Face,
    Piece,
    Reading,
    Shown,
    SurePiece,
    UnsurePiece,
)

SeenDice: TypeAlias = tuple[tuple[SurePiece, ...], tuple[UnsurePiece, ...]]
"""The dice that lie in the tray, and those that nobody can tell."""

AsTapped: TypeAlias = Callable[[Point], Point]
"""Where a point of a picture lay in the one that was tapped, before any knock; both as
parts of the picture's sides."""


class Tray(NamedTuple):
    """Where dice fall.

    Attributes:
        box: Left, top, right and bottom as tapped, as parts of the picture; None where
            dice may fall anywhere.
    """

    box: tuple[float, float, float, float] | None

    def holds(self, box: BoxPx, shape: tuple[int, ...], as_tapped: AsTapped) -> bool:
        """Tell whether the middle of a box lies in it."""
        if self.box is None:
            return True
        high, wide = shape[:2]
        x, y = as_tapped(((box[0] + box[2]) / 2 / wide, (box[1] + box[3]) / 2 / high))
        left, top, right, bottom = self.box
        return left <= x <= right and top <= y <= bottom

    def dice(
        self, reading: Reading, shape: tuple[int, ...], as_tapped: AsTapped
    ) -> SeenDice:
        """Return the dice of a reading that lie in it, and those that nobody can tell.

        Args:
            reading: The dice of a picture.
            shape: Of the picture.
            as_tapped: As far as this picture tells how the camera was knocked.
        """
        found = tuple(
            SurePiece(sight.piece, sight.face, TRAY, glimpse.confidence, glimpse.box_px)
            for glimpse in reading.glimpses
            if isinstance(sight := glimpse.sight, Shown)
            and glimpse.box_px is not None
            and self.holds(glimpse.box_px, shape, as_tapped)
        )
        doubts = tuple(
            UnsurePiece(
                TRAY,
                tuple((choice.piece or "", face, odds) for face, odds in choice.faces),
                choice.box_px,
            )
            for choice in reading.choices
            if choice.box_px is not None and self.holds(choice.box_px, shape, as_tapped)
        )
        return found, doubts


def in_words(story: Story, dice: Mapping[Piece, Face]) -> dict[Piece, Face]:
    """Return faces of dice in the game's words: a five may be the second two."""
    words = {meaning.seen: meaning.means for meaning in story.header.meanings}
    return dict(words.get(die, die) for die in dice.items())
