"""Guess where faces lie from the outlines of whole dice, where pips are too faint.

A die makes a round spot itself, however faint its pips. Such frames say nothing about
the number of pips; vision/pips/facenet.py names it and vision/pips/contest.py decides.
"""

import numpy as np

from vision.arrays import Floats, Mask
from vision.pips.pip_frames import PipFrames
from vision.pips.spot_edges import Spots

WIDTHS = (1.6, 1.9)
"""Die widths tried, in radii of the spot that the die makes: a square makes 1.78."""

TURNS = 3
"""Turns tried within a quarter: frames then are 15 degrees off at most."""

_LEAST, _MOST = 0.7, 1.6
"""Width that an outline gives over that of a die's top: sides widen it."""

LEAST_PX = 9.0
"""Least radius of a spot that may be a die; smaller ones have no pips to see."""


def frames_on_outlines(spots: Spots, free: Mask, most: int) -> PipFrames:
    """Return frames on the roundest large spots, TURNS * len(WIDTHS) for each.

    Args:
        spots: Of the whole picture, roundest first.
        free: ``(N,)`` which spots lie on no die that is known.
        most: Spots that are taken for a die at most.
    """
    fit = free & (spots.radii > LEAST_PX) & (spots.flatness > 0.6)
    large = np.flatnonzero(fit)[:most]
    angles = np.arange(TURNS) * (np.pi / 2 / TURNS)
    sides = np.stack([np.cos(angles), np.sin(angles)], -1)
    across = np.concatenate([sides * width for width in WIDTHS])
    grown = spots.radii[large, None, None] * across[None]
    return _frames(np.repeat(spots.centres[large], len(across), 0), grown)


def may_be_dice(spots: Spots, widths: Floats) -> Mask:
    """Return which spots ``(N,)`` are as large as a die of some widths; all if none."""
    if not len(widths):
        return np.ones(len(spots.radii), np.bool_)
    share = spots.radii[:, None] * np.float32(np.mean(WIDTHS)) / widths[None]
    return np.asarray(((share > _LEAST) & (share < _MOST)).any(1), np.bool_)


def _frames(middles: Floats, across: Floats) -> PipFrames:
    across = across.reshape(-1, 2).astype(np.float32)
    count = len(across)
    return PipFrames(
        middles=middles.astype(np.float32),
        across=across,
        down=np.stack([-across[:, 1], across[:, 0]], -1),
        faces=np.zeros(count, np.int64),
        misfits=np.zeros(count, np.float32),
        pips=np.full((count, 6), -1, np.int64),
        rough=np.full(count, 9, np.float32),
        pip_flatness=np.ones(count, np.float32),
    )
