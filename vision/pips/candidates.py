"""What the frames of a picture claim to show, as the network names them."""

import msgspec
import numpy as np
from msgspec import Struct

from vision.arrays import Floats, Mask, Picture
from vision.pips.facenet import chances
from vision.pips.patches import cut
from vision.pips.pip_frames import Frames, joined

UNREAD = 0.62
"""Frames nearer than this, in die widths, claim the same die."""


class Claims(Struct, frozen=True):
    """Frames and what each shows.

    Attributes:
        frames: Where.
        shown: ``(N, 7)`` chances of no face and of faces 1 to 6.
        widths: ``(N,)`` width of the die in pixels, as the network corrects it.
        pale: ``(N,)`` whether the frame comes from spots of the picture without white.
    """

    frames: Frames
    shown: Floats
    widths: Floats
    pale: Mask

    def apart(self, one: int, other: int) -> float:
        """Return the distance of two frames in pixels."""
        gap = self.frames.middles[one] - self.frames.middles[other]
        return float(np.sqrt((gap**2).sum()))

    def face(self, k: int) -> int:
        """Return the likeliest face of a frame."""
        return int(self.shown[k, 1:].argmax()) + 1


def claims_of(
    levels: tuple[Picture, ...], frames: Frames, promising: float, pale: bool = False
) -> Claims:
    """Return what frames show; those with some chance of a face are looked at again.

    A face stays what it is when it is turned or mirrored; what does not is no face.

    Args:
        levels: The picture and its halves.
        frames: Where to look.
        promising: Chance of any face from which a frame is looked at again.
        pale: Whether the frames come from the picture without white.
    """
    shown, growth = chances(cut(levels, frames))
    widths = frames.widths() * np.exp(np.clip(growth, -0.5, 0.5))
    again = np.flatnonzero(shown[:, 0] < 1 - promising)
    chosen = frames.only(again)
    across, down = chosen.across, chosen.down
    total = shown[again].copy()
    for one, other in ((-across, -down), (down, across), (-down, across)):
        turned = msgspec.structs.replace(chosen, across=one, down=other)
        total += chances(cut(levels, turned))[0]
    shown[again] = total / 4
    return Claims(frames, shown, widths, np.full(len(widths), pale))


def both(some: Claims, more: Claims) -> Claims:
    """Return the claims of both."""
    return Claims(
        joined(some.frames, more.frames),
        np.concatenate([some.shown, more.shown]),
        np.concatenate([some.widths, more.widths]),
        np.concatenate([some.pale, more.pale]),
    )


def free_of(points: Floats, middles: Floats, widths: Floats) -> Mask:
    """Return which points ``(N, 2)`` lie on no die; *middles* are ``(M, 2)``."""
    gap = points[:, None] - middles[None]
    near = np.sqrt((gap**2).sum(-1)) < UNREAD * widths[None]
    return np.asarray(~near.any(1), np.bool_)
