"""Let two looks fight over what was seen, only where they differ from each other.

As a whole, dice of ten facets and tokens of one make look much alike; and what was
never shown looks like one of them as a whole, but seldom exactly where that one is told
from its nearest look-alike. Nothing here knows pictures.
"""

import cv2
import numpy as np
from msgspec import Struct

from vision.arrays import Floats, Mask
from vision.taught_dice.discs import Disc, rotation_matrices

TURNS = np.arange(0.0, 360.0, 7.5)


class Duel(Struct, frozen=True):
    """What the hardest fight of a look came to.

    Attributes:
        won: 1 where what was seen is the look, -1 where it is the rival, 0 as near to
            both.
        left: What it does not explain, over what it differs from that rival by.
    """

    won: float
    left: float


NO_RIVAL = Duel(1.0, 0.0)
LOST = Duel(-1.0, 9.0)


def lay_on_each_other(looks: Floats, disc: Disc) -> Floats:
    """Return each of ``(F, count, C)`` of a disc as it lies on each other.

    The first index says on which, the second what. They are turned about their middle;
    two of one make then lie edge on edge.
    """
    squares = np.zeros((len(looks), disc.side, disc.side, looks.shape[2]), np.float32)
    squares[:, disc.within] = looks
    turned = []
    for spin in rotation_matrices(TURNS):
        pixels = (disc.points @ spin.T + 1) / 2 * disc.side - 0.5
        x, y = np.asarray(pixels.T, np.float32)[:, :, None]
        turned += [cv2.remap(one, x, y, cv2.INTER_LINEAR) for one in squares]
    every = np.stack(turned).reshape(len(TURNS), *looks.shape)
    likeness = np.einsum("apc,tbpc->atb", looks, every, optimize=True)
    power = np.sqrt((every**2).sum((2, 3)))[None] + 1e-6
    best = (likeness / power).argmax(1)
    return np.asarray(every[best, np.arange(len(looks))[None]], np.float32)


def differing(one: Floats, other: Floats, least: float) -> Mask:
    """Return where looks ``(..., count, C)`` that lie on each other differ."""
    return np.asarray(np.abs(one - other).max(-1) > least, np.bool_)


def fight(
    seen: Floats, own: Floats, rivals: Floats, least: float, weight: Floats
) -> Duel:
    """Return what a look comes to against all its rivals ``(R, count, C)``.

    Args:
        seen: ``(count, C)`` what was seen, laid on the look.
        own: The look.
        rivals: Others, laid on it.
        least: Difference of two looks that counts.
        weight: ``(count,)`` how much each point counts.
    """
    if not len(rivals):
        return NO_RIVAL
    where = (differing(own[None], rivals, least) * weight)[..., None]
    apart = (((own - rivals) ** 2) * where).sum((1, 2))
    to_own = (((seen - own) ** 2)[None] * where).sum((1, 2))
    to_rival = (((seen - rivals) ** 2) * where).sum((1, 2))
    if (apart <= 0).any():
        return LOST
    won = (to_rival - to_own) / apart
    hardest = int(won.argmin())
    left = float(np.sqrt((to_own / apart).max()))
    return Duel(float(won[hardest]), left)
