"""Candidates: the frames of a picture with the chances that the network gives them."""

import msgspec
import numpy as np
from msgspec import Struct

from vision.arrays import Floats, Mask, Picture
from vision.pips.facenet import face_chances
from vision.pips.patches import cut_patches
from vision.pips.pip_frames import PipFrames, join_frames

SAME_DIE = 0.62
"""Frames nearer than this, in die widths, are candidates for the same die."""


class FaceCandidates(Struct, frozen=True):
    """Frames and the face that each may show; all arrays have a row for each frame.

    Attributes:
        frames: Where, in pixels of the picture at working size.
        chances: ``(N, 7)``, 0 to 1, of no face and of faces 1 to 6; each row sums to 1.
        widths: ``(N,)`` width of the die in pixels, as the network corrects it.
        pale: ``(N,)`` whether the frame comes from spots of the picture without white.
        whole: ``(N, 7)``, 0 to 1, of no die and of faces 1 to 6, by the look of the
            whole die; rows of zeros where it was not looked at.
    """

    frames: PipFrames
    chances: Floats
    widths: Floats
    pale: Mask
    whole: Floats

    def distance_px(self, one: int, other: int) -> float:
        """Return the distance of two frames in pixels."""
        gap = self.frames.middles[one] - self.frames.middles[other]
        return float(np.sqrt((gap**2).sum()))

    def face(self, k: int) -> int:
        """Return the likeliest face of a frame."""
        return int(self.chances[k, 1:].argmax()) + 1


def classify_frames(
    levels: tuple[Picture, ...], frames: PipFrames, promising: float, pale: bool = False
) -> FaceCandidates:
    """Return frames with their chances, in four turns each where a face is likely.

    A face stays what it is when it is turned or mirrored; what does not is no face.

    Args:
        levels: The picture ``(H, W, 3)``, uint8, BGR, and its halves.
        frames: Where to look.
        promising: Chance of any face, 0 to 1, from which a frame is classified in four
            turns.
        pale: Whether the frames come from the picture without white.
    """
    chances, growth = face_chances(cut_patches(levels, frames))
    widths = frames.widths() * np.exp(np.clip(growth, -0.5, 0.5))
    again = np.flatnonzero(chances[:, 0] < 1 - promising)
    chosen = frames.only(again)
    across, down = chosen.across, chosen.down
    total = chances[again].copy()
    for one, other in ((-across, -down), (down, across), (-down, across)):
        turned = msgspec.structs.replace(chosen, across=one, down=other)
        total += face_chances(cut_patches(levels, turned))[0]
    chances[again] = total / 4
    unseen = np.zeros_like(chances)
    return FaceCandidates(frames, chances, widths, np.full(len(widths), pale), unseen)


def merge_candidates(some: FaceCandidates, more: FaceCandidates) -> FaceCandidates:
    """Return the candidates of both, in this order."""
    return FaceCandidates(
        join_frames(some.frames, more.frames),
        np.concatenate([some.chances, more.chances]),
        np.concatenate([some.widths, more.widths]),
        np.concatenate([some.pale, more.pale]),
        np.concatenate([some.whole, more.whole]),
    )


def points_off_dice(points: Floats, middles: Floats, widths: Floats) -> Mask:
    """Return which points ``(N, 2)`` lie on no die; *middles* are ``(M, 2)``."""
    gap = points[:, None] - middles[None]
    near = np.sqrt((gap**2).sum(-1)) < SAME_DIE * widths[None]
    return np.asarray(~near.any(1), np.bool_)
