"""Turn a settled picture of the table into a reading for the referee.

The reader knows what is awaited and where; it knows no rules and decides no moves.
"""

from msgspec import Struct

from companion.table import TRAY, Glimpse, Place, Reading, Shown, UnsureSight
from vision.arrays import Picture
from vision.camera.port import Frame
from vision.ground.upper_side import PointBelow
from vision.pips.reader import PIP_DIE, DetectedDie, PipLimits, pip_limits
from vision.see import read_pip_dice


class Awaited(Struct, frozen=True):
    """What the rules wait for; a piece of None lets the reader look for anything.

    *dice* is how many dice should lie there, None when that is open: with more in sight
    nothing is taken without asking, and with just as many the rest is clutter.
    """

    piece: str | None = PIP_DIE
    place: Place = TRAY
    dice: int | None = None


class Reader:
    """The eye of a table. It keeps its limits and nothing else."""

    def __init__(self, limits: PipLimits | None = None) -> None:
        self._limits = limits or pip_limits()

    def read(
        self,
        picture: Picture,
        awaited: Awaited,
        taken_at: float = 0.0,
        below: PointBelow | None = None,
    ) -> Reading:
        """Return what a picture ``(h, w, 3)``, uint8, BGR, shows.

        *below* is the point of the table below the camera, where it is known.
        """
        dice = read_pip_dice(picture, awaited.piece, self._limits, below)
        sure = [die for die in dice if die.sure]
        unsure = [die for die in dice if not die.sure]
        if awaited.dice is not None and len(sure) > awaited.dice:
            # One of them is no die of this throw, and nobody can say which.
            unsure, sure = [*sure, *unsure], []
        elif len(sure) == awaited.dice:
            # All are accounted for: what is left is clutter.
            unsure = []
        return Reading(
            glimpses=tuple(_glimpse(die, awaited.place) for die in sure),
            choices=tuple(_choice(die, awaited.place) for die in unsure),
            taken_at=taken_at,
        )

    def read_frame(self, frame: Frame, awaited: Awaited) -> Reading:
        """Return what a camera's frame shows, or its trouble."""
        if frame.picture is None:
            return Reading(
                (), (), frame.taken_at, "camera", frame.position, "no_picture"
            )
        reading = self.read(frame.picture, awaited, frame.taken_at, frame.below)
        return Reading(
            reading.glimpses,
            reading.choices,
            frame.taken_at,
            "camera",
            frame.position,
        )


def _glimpse(die: DetectedDie, place: Place) -> Glimpse:
    face = str(die.faces[0][0])
    return Glimpse(Shown(PIP_DIE, face, place), die.confidence, die.box)


def _choice(die: DetectedDie, place: Place) -> UnsureSight:
    faces = tuple((str(face), confidence) for face, confidence in die.faces)
    return UnsureSight(PIP_DIE, place, faces, die.box)
