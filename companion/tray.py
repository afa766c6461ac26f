"""Where the dice of a tray last lay: a die that lies there still was not thrown.

Each die has a place of its own, as one of two may be thrown again while the other lies.
"""

from companion.at_rest import SAME_DIE, overlap
from companion.log import Story
from companion.news import Lies, Unclear
from companion.sights import TRAY
from companion.table import BoxPx, Piece, Shown

BESIDE = 0.25
"""Overlap of two boxes below which a die lies beside where it lay: one moved by its own
width shares 0.25 of a box that is a quarter wider than itself and 0 of a tight one."""


class Tray:
    """Remembers the box of each die in the picture."""

    def __init__(self) -> None:
        self._lain: dict[Piece, BoxPx] = {}

    @property
    def knows(self) -> bool:
        """Return whether any die was seen in the tray."""
        return bool(self._lain)

    def thrown(
        self, lying: tuple[Lies, ...], unclear: tuple[Unclear, ...]
    ) -> frozenset[Piece]:
        """Return the dice in the tray that do not lie where they last lay."""
        named = {thing.piece for thing in lying if thing.place == TRAY}
        named |= {p for d in unclear if d.place == TRAY for p, _, _ in d.choices}
        return frozenset(named - self._still(lying, unclear))

    def elsewhere(self, lying: tuple[Lies, ...]) -> frozenset[Shown]:
        """Return the dice that lie beside where they lay: no sleeve pushes so far."""
        return frozenset(
            Shown(thing.piece, thing.face, TRAY)
            for thing in lying
            if thing.place == TRAY and thing.face is not None
            and thing.box_px is not None and thing.piece in self._lain
            and overlap(thing.box_px, self._lain[thing.piece]) < BESIDE
        )  # fmt: skip

    def remember(self, lying: tuple[Lies, ...], unclear: tuple[Unclear, ...]) -> None:
        """Keep where each die lies; one that is in a hand lies nowhere."""
        still = self._still(lying, unclear)
        lain = {die: box for die, box in self._lain.items() if die in still}
        for doubt in unclear:
            for piece in {piece for piece, _, _ in doubt.choices} - lain.keys():
                if doubt.place == TRAY and doubt.box_px is not None:
                    lain[piece] = doubt.box_px
        for thing in lying:
            if thing.place == TRAY and thing.box_px is not None:
                lain[thing.piece] = thing.box_px
        self._lain = lain

    def _still(
        self, lying: tuple[Lies, ...], unclear: tuple[Unclear, ...]
    ) -> set[Piece]:
        """Return the dice that lie where they last lay, however they are read now.

        No other die comes to lie in just the same place.
        """
        there = [one.box_px for one in lying if one.place == TRAY]
        there += [one.box_px for one in unclear if one.place == TRAY]
        return {
            die
            for die, lain in self._lain.items()
            if any(box is not None and overlap(box, lain) > SAME_DIE for box in there)
        }


def throws_awaited(story: Story, shown: frozenset[Shown]) -> frozenset[Piece]:
    """Return the dice of which a legal throw would show just what they show."""
    if not shown:
        return frozenset()
    return frozenset(
        sight.piece
        for move in story.game.legal(story.state)
        for sight in story.game.evidence(story.state, move)
        if isinstance(sight, Shown) and sight in shown
    )
