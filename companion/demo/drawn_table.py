"""The drawn table as a thing: pieces that hands move, and a camera above it.

A camera of this table gives pictures only while something happens or somebody wants to
be seen: a headless game waits for nobody. Time is counted by pictures.
"""

import threading
from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from companion.table import Face, LaidPiece, Layout, Piece, Place
from vision.camera.port import Frame
from vision.drawn.lessons import CROOKED_DEG
from vision.drawn.tabletop import DrawnPiece, Hand, Tabletop
from vision.tabletop.plan import CARD, DICE, DIE, FIGURE, TOKEN, Plan, Spot

PICTURES_S = 15.0
"""Pictures a second, as a Pi camera gives them to a busy program."""

STILL_PICTURES = 6
"""After an act: as many as the eye needs to find the table at rest and read twice."""

KNOCKS, KNOCK_PX = 0.04, 4.0
"""Share of acts in which somebody knocks at the mast; how far the picture slides."""

APART_MM = 3.0
"""People leave about so much room between two pieces."""


class _Scene(NamedTuple):
    """What one picture will show."""

    ground: str
    lying: tuple[DrawnPiece, ...]
    hand: Hand | None
    slid_px: tuple[float, float]
    turned_deg: float


class DrawnTable:
    """Pieces on a drawn table, and the camera above them.

    Args:
        plan: Where places lie.
        tabletop: Draws it.
        seed: How crooked people put things down.
        pace: Called before each picture, to wait in a demo that people watch.
    """

    def __init__(
        self,
        plan: Plan,
        tabletop: Tabletop,
        seed: int,
        pace: Callable[[], None] = lambda: None,
    ) -> None:
        self._plan = plan
        self._tabletop = tabletop
        self._random = np.random.default_rng(seed)
        self._pace = pace
        self._turn = threading.Condition()
        self._script: list[_Scene] = []
        self._slid_px = (0.0, 0.0)
        self._turned_deg = 0.0
        self._idle = False
        self._closed = False
        self._number = 0
        self._lying: list[tuple[LaidPiece, DrawnPiece]] = []
        self.ground = plan.grounds[0].name

    # What hands do.

    def lay(
        self, layout: Layout, ground: str, dice: dict[Piece, Face] | None = None
    ) -> None:
        """Make the table lie as *layout* says, moving only what differs.

        *dice* are thrown: each comes to lie anew, with the face that it shows.
        """
        before = tuple(one for _, one in self._lying)
        spots = self._change(layout, dice or {})
        self.ground = ground
        after = tuple(one for _, one in self._lying)
        with self._turn:
            for x_mm, y_mm in spots[:2]:
                self._script.append(self._scene(ground, before, Hand(x_mm, y_mm)))
            if self._random.random() < KNOCKS:
                right, down = self._random.normal(0, KNOCK_PX, 2)
                self._slid_px = (float(right), float(down))
            still = self._scene(ground, after, None)
            self._begin([still] * STILL_PICTURES)

    def movable(self) -> dict[Piece, tuple[Place, ...]]:
        """Return figures and cards, and the places where each may be put.

        A row of cards is named as often as it has room for one.
        """
        return {
            thing.piece: tuple(spot.place for spot in self._plan.spots_of(thing.piece))
            for thing in self._plan.things
            if thing.shape in (FIGURE, CARD)
        }

    def has_pips(self, piece: Piece) -> bool:
        """Tell whether a die is an ordinary one, which stands in for the game's own."""
        return self._plan.thing(piece).shape is DIE

    def linger(self) -> None:
        """Let the camera look once more at the table as it lies."""
        with self._turn:
            lying = tuple(one for _, one in self._lying)
            self._begin([self._scene(self.ground, lying, None)])

    def wave(self, hands: Iterable[Hand | None]) -> None:
        """Let hands come and go over the table as it lies, one picture each.

        None is a picture without a hand.
        """
        with self._turn:
            lying = tuple(one for _, one in self._lying)
            self._begin([self._scene(self.ground, lying, hand) for hand in hands])

    def knock(self, slid_px: tuple[float, float], turned_deg: float) -> None:
        """Leave the camera somewhere else from now on: somebody bumped against it."""
        with self._turn:
            self._slid_px, self._turned_deg = slid_px, turned_deg

    def _scene(
        self, ground: str, lying: tuple[DrawnPiece, ...], hand: Hand | None
    ) -> _Scene:
        return _Scene(ground, lying, hand, self._slid_px, self._turned_deg)

    def _begin(self, scenes: list[_Scene]) -> None:
        """Show these after what is still to be shown; the turn is the caller's."""
        self._script += scenes
        self._idle = self._idle and not scenes
        self._turn.notify_all()

    def wait_until_seen(self, timeout_s: float) -> bool:
        """Return once the camera has shown all that happened, or False in time."""
        with self._turn:
            return self._turn.wait_for(lambda: self._idle or self._closed, timeout_s)

    # The camera's port.

    def read(self) -> Frame | None:
        """Return the next picture; waits until there is something to see."""
        with self._turn:
            if not self._script:
                self._idle = True
                self._turn.notify_all()
            self._turn.wait_for(lambda: self._script or self._closed)
            if self._closed:
                return None
            scene = self._script.pop(0)
        self._pace()
        picture = self._tabletop.picture(*scene)
        self._number += 1
        taken_at = self._number / PICTURES_S
        return Frame(picture, taken_at, None, f"picture-{self._number}")

    def close(self) -> None:
        """End; a camera that waits gives no more pictures."""
        with self._turn:
            self._closed = True
            self._turn.notify_all()

    # How people put things down.

    def _change(
        self, layout: Layout, dice: dict[Piece, Face]
    ) -> list[tuple[float, float]]:
        """Move what differs from a layout; return where hands were."""
        wanted = Counter(
            (piece, face, place)
            for piece, face, place in layout
            if self._plan.thing(piece).shape not in DICE
        )
        kept: list[tuple[LaidPiece, DrawnPiece]] = []
        hands: list[tuple[float, float]] = []
        for where, one in self._lying:
            if self._plan.thing(where[0]).shape in DICE and where[0] not in dice:
                kept.append((where, one))
            elif wanted[where] > 0:
                wanted[where] -= 1
                kept.append((where, one))
            else:
                hands.append((one.x_mm, one.y_mm))
        self._lying = kept
        put = sorted(wanted.elements(), key=str)
        hands += [self._put(where, where[1]) for where in put]
        for piece, face in dice.items():
            spot = self._plan.spots_of(piece)[0]
            hands.append(self._put((piece, None, spot.place), face))
        return hands

    def _put(self, where: LaidPiece, face: Face | None) -> tuple[float, float]:
        """Put one thing down where there is room, a little crooked."""
        piece, _, place = where
        thing = self._plan.thing(piece)
        spots = self._plan.spots_of(piece, place)
        assert spots, f"the plan has no spot for {piece} at {place}"
        spot = next((spot for spot in spots if self._is_free(spot)), spots[0])
        tries = [self._try(spot, thing.width_mm) for _ in range(60)]
        if thing.shape in (TOKEN, CARD):
            tries = [(spot.x_mm, spot.y_mm)]
        x_mm, y_mm = max(tries, key=lambda at: min(self._room(at, piece), APART_MM))
        x_mm += float(self._random.uniform(-1, 1))
        y_mm += float(self._random.uniform(-1, 1))
        turn = float(self._random.uniform(0, 360))
        if thing.shape is CARD:
            turn = self._laid(piece, face)
        self._lying.append((where, DrawnPiece(piece, face, x_mm, y_mm, turn)))
        return x_mm, y_mm

    def _laid(self, piece: Piece, face: Face | None) -> float:
        """Return how a card is turned: either way up, across if its face says so."""
        quarter = next(
            (
                look.quarter
                for look in self._plan.looks
                if (look.piece, look.face) == (piece, face)
            ),
            0,
        )
        upright = 90.0 * quarter + 180.0 * int(self._random.integers(2))
        return upright + float(self._random.normal(0, CROOKED_DEG))

    def _is_free(self, spot: Spot) -> bool:
        """Tell whether nothing flat lies on a spot yet; other pieces find room."""
        return all(
            self._plan.thing(one.piece).shape not in (TOKEN, CARD)
            or spot.depth_mm(one.x_mm, one.y_mm) < 0
            for _, one in self._lying
        )

    def _try(self, spot: Spot, width_mm: float) -> tuple[float, float]:
        """Return a point of a spot, most often near its middle."""
        wide = max(0.0, spot.width_mm / 2 - width_mm / 2 - 3)
        high = max(0.0, spot.height_mm / 2 - width_mm / 2 - 3)
        return (
            spot.x_mm + wide * float(np.clip(self._random.normal(0, 0.5), -1, 1)),
            spot.y_mm + high * float(np.clip(self._random.normal(0, 0.5), -1, 1)),
        )

    def _room(self, at: tuple[float, float], piece: Piece) -> float:
        """Return how far a piece at a point would be from the next one, mm."""
        radius = self._reach(piece)
        gaps = [
            float(np.hypot(at[0] - one.x_mm, at[1] - one.y_mm))
            - radius
            - self._reach(one.piece)
            for _, one in self._lying
        ]
        return min(gaps, default=1e3)

    def _reach(self, piece: Piece) -> float:
        thing = self._plan.thing(piece)
        return thing.reach_mm or max(thing.width_mm, thing.height_mm) / 2
