"""Cameras as one port, and the recorded one: a folder of pictures.

A camera hands over pictures and never reads them. Live ones: `vision.camera.feed`.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from vision.arrays import Picture
from vision.camera.files import PictureUnreadable, VisionError, open_picture
from vision.ground.upper_side import PointBelow

PICTURE_ENDINGS = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp"})


class CameraMissing(VisionError, OSError):
    """There is no such camera, or it gives no pictures."""


class Frame(Struct, frozen=True):
    """One picture of the table.

    Attributes:
        picture: ``(h, w, 3)``, uint8, BGR; None when it could not be opened.
        taken_at: Seconds on the clock that the camera was given.
        position: Number of the picture in a recorded camera, None for a live one.
        name: What the picture is called, for the log.
        trouble: One line of why there is no picture, or none to be read.
        fault: Id of the line that tells people the same in their language.
        below: The point of the table below the camera, where a board shows it.
        fine: The same table in more pixels, where a still was taken of it: only for
            whoever reads what was taught. All boxes are in pixels of *picture*.
    """

    picture: Picture | None
    taken_at: float
    position: int | None
    name: str
    trouble: str | None = None
    fault: str | None = None
    below: PointBelow | None = None
    fine: Picture | None = None


class Camera(Protocol):
    """Anything that pictures of the table come from."""

    def read(self) -> Frame | None:
        """Return the next picture, or None when there will be no more."""

    def close(self) -> None:
        """Let go of the device."""


def pictures_in(folder: Path) -> tuple[Path, ...]:
    """Return the pictures of a folder in the order of their names.

    Raises:
        CameraMissing: There is no such folder.
    """
    if not folder.is_dir():
        raise CameraMissing(f"{folder} is no folder; give one with pictures in it")
    try:
        found = sorted(folder.iterdir())
    except OSError as error:
        raise CameraMissing(f"{folder} cannot be read: {error.strerror}") from error
    return tuple(
        path
        for path in found
        if path.suffix.lower() in PICTURE_ENDINGS and not path.name.startswith(".")
    )


def no_pictures(folder: Path) -> CameraMissing:
    """Return what is wrong with a folder without a picture."""
    endings = ", ".join(sorted(PICTURE_ENDINGS))
    return CameraMissing(f"{folder} holds no pictures; put some in ({endings})")


class FolderCamera:
    """Pictures of a folder in name order, one for each reading that is awaited.

    Attributes:
        position: Number of the picture that comes next; kept with a game, it makes a
            restart go on where it was.
    """

    def __init__(
        self, folder: Path, position: int = 0, clock: Callable[[], float] = lambda: 0.0
    ) -> None:
        """List the folder.

        Raises:
            CameraMissing: No such folder, or no picture in it.
        """
        self._paths = pictures_in(folder)
        if not self._paths:
            raise no_pictures(folder)
        self._clock = clock
        self.position = max(0, position)

    @property
    def exhausted(self) -> bool:
        """Whether all pictures have been handed over."""
        return self.position >= len(self._paths)

    def read(self) -> Frame | None:
        """Return the next picture, or None after the last one.

        A file that cannot be opened becomes a frame with a trouble: the game goes on
        and asks.
        """
        if self.exhausted:
            return None
        number, path = self.position, self._paths[self.position]
        self.position += 1
        try:
            picture = open_picture(path).picture
        except PictureUnreadable as error:
            return Frame(None, self._clock(), number, path.name, str(error))
        return Frame(picture, self._clock(), number, path.name)

    def close(self) -> None:
        """Do nothing: a folder needs no closing."""
