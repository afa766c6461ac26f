"""What a live camera is, seen from the feed: a device that gives pictures.

Any device may fail or hang in any call; `vision.camera.feed` copes with it.
"""

from typing import Protocol, runtime_checkable

from msgspec import Struct

from vision.arrays import Picture

CLOSE_S = 3.0
"""A camera that lives is let go of within a second; one that takes longer hangs."""


class StampedPicture(Struct, frozen=True):
    """One picture as a device gives it.

    Attributes:
        picture: ``(h, w, 3)``, uint8, BGR.
        stamp_s: When the sensor took it, on the clock of the program where the device
            can say so; None where it gives no time.
    """

    picture: Picture
    stamp_s: float | None


class DeviceFacts(Struct, frozen=True):
    """What a device gives, whatever it was asked for.

    Attributes:
        mode: Format, size and speed, for people.
        order: Whether red and blue are where they should be, as far as that was
            proven; False for mixed up, and put right. None where that is not known.
        slow: It gives so few pictures that a throw is seen late.
    """

    mode: str
    order: bool | None = None
    slow: bool = False


class CameraDevice(Protocol):
    """A camera that has been opened. Any call may raise, or never come back."""

    def shoot(self) -> StampedPicture:
        """Return the next picture; waits for it."""

    def adapt(self) -> None:
        """Find exposure and colours anew: the light has changed."""

    def facts(self) -> DeviceFacts:
        """Return what it gives."""

    def abandon(self) -> None:
        """Let go of it, where that helps, while another thread hangs in it."""

    def close(self) -> None:
        """Let go of it."""


@runtime_checkable
class TakesStills(Protocol):
    """A device that takes larger pictures than those of its video."""

    def still(self) -> StampedPicture:
        """Return a picture in full resolution, of what the video shows.

        The video stands meanwhile and goes on afterwards as before. May raise, or
        never come back, as all other calls.
        """


class FeedLimits(Struct, frozen=True):
    """How patient a feed is, in seconds.

    Attributes:
        silent_s: No picture for so long is a loss. The banner is due within 1 s, and
            whoever looks may just be reading a picture for some tenths of one.
        stuck_s: A device that gives no answer for so long is left behind.
        open_s: The same for one that is being opened or adapts: a Pi's camera takes up
            to 2 s to find its exposure.
        close_s: The same for one that is being closed; a Pi's gives up before.
        held_s: A driver that holds the camera for so long, in a thread of ours that was
            left behind, lets go of it only when the program ends.
        adapt_s: A camera that is dark or dazzled for so long adapts to the light.
        least_pause_s, most_pause_s: Between two attempts to open a device that is
            gone. The longest one and the opening fit into the 5 s within which the
            table reads again.
        look_s: How often whoever waits in `Feed.read` looks at the time.
        still_s: A still that takes longer is given up, and the device is left behind.
            The Pi's gives up by itself before, after 5 s.
        stills_again_s: So long no still is asked for after *most_failed* in a row that
            did not come or were of no use: each costs the table a second or more.
        most_failed: See above; one that is an error of the driver counts for all.
        most_stuck: Threads that hang in a driver at most; each holds some memory.
    """

    silent_s: float = 0.5
    stuck_s: float = 4.0
    open_s: float = 15.0
    close_s: float = CLOSE_S + 1.0
    held_s: float = 30.0
    adapt_s: float = 2.0
    least_pause_s: float = 0.25
    most_pause_s: float = 2.0
    look_s: float = 0.2
    still_s: float = 6.0
    stills_again_s: float = 300.0
    most_failed: int = 3
    most_stuck: int = 3
