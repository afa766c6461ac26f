"""Fit faces to a picture: move, turn, stretch and slant a disc until its ink agrees.

Inverse compositional fitting of an affine map, many at once.

Source: Baker and Matthews, Lucas-Kanade 20 Years On, IJCV 56 (2004).
"""

import numpy as np
from msgspec import Struct

from vision.arrays import Floats, Indices, Mask
from vision.taught_dice.discs import Disc, DiscFrames, Levels

_STEP = 0.05
_STIFF = np.diag((0.03, 0.03, 0.03, 0.03, 0.003, 0.003)).astype(np.float32)
"""Stretch and slant are held back more than place: without it discs shrink onto one
sign of a face. First guess."""

_LEAP = 0.15
"""No step is longer than this part of the radius."""


class FitTarget(Struct, frozen=True):
    """Faces made ready for fitting.

    Attributes:
        ink: ``(F, count)`` what each shows.
        slopes: ``(F, count, 6)`` change of the ink with each of six moves.
        solve: ``(F, 6, 6)`` from slopes times difference to moves.
    """

    ink: Floats
    slopes: Floats
    solve: Floats


class FittedDiscs(Struct, frozen=True):
    """Discs that were fitted.

    Attributes:
        frames: Where they came to lie.
        ink: ``(N, count)`` what is seen there.
        strength: ``(N,)`` in grey values.
        inside: ``(N, count)`` what lies in the picture.
        likeness: ``(N,)`` correlation with the face, -1 to 1.
    """

    frames: DiscFrames
    ink: Floats
    strength: Floats
    inside: Mask
    likeness: Floats


def affine_maps(steps: Floats) -> Floats:
    """Return affine maps ``(N, 3, 3)`` of moves ``(N, 6)``."""
    maps = np.tile(np.eye(3, dtype=np.float32), (len(steps), 1, 1))
    maps[:, 0, :2] += steps[:, 0:2]
    maps[:, 1, :2] += steps[:, 2:4]
    maps[:, :2, 2] = steps[:, 4:6]
    return maps


def apply_maps(frames: DiscFrames, maps: Floats) -> DiscFrames:
    """Return frames after maps ``(N, 3, 3)`` of their unit disc."""
    shift = np.einsum("nij,nj->ni", frames.turns, maps[:, :2, 2])
    return DiscFrames(
        np.asarray(frames.turns @ maps[:, :2, :2], np.float32),
        np.asarray(frames.middles + shift, np.float32),
    )


def perturb(frames: DiscFrames) -> DiscFrames:
    """Return each frame and twelve little moves of it, ``13 N`` in all."""
    steps = np.zeros((13, 6), np.float32)
    steps[np.arange(1, 13, 2), np.arange(6)] = _STEP
    steps[np.arange(2, 13, 2), np.arange(6)] = -_STEP
    many = DiscFrames(np.repeat(frames.turns, 13, 0), np.repeat(frames.middles, 13, 0))
    return apply_maps(many, np.tile(affine_maps(steps), (len(frames.turns), 1, 1)))


def prepare_target(ink: Floats, stiff: Floats = _STIFF) -> FitTarget:
    """Return faces ready for fitting, from inks ``(F, 13, count)`` of tried frames.

    *stiff* ``(6, 6)`` holds moves back.
    """
    slopes = (ink[:, 1::2] - ink[:, 2::2]).transpose(0, 2, 1) / (2 * _STEP)
    square = np.einsum("fpi,fpj->fij", slopes, slopes)
    solve = np.linalg.inv(square + stiff * ink.shape[2])
    return FitTarget(
        np.asarray(ink[:, 0], np.float32),
        np.asarray(slopes, np.float32),
        np.asarray(solve, np.float32),
    )


def fit_discs(
    levels: Levels,
    disc: Disc,
    model: FitTarget,
    faces: Indices,
    frames: DiscFrames,
    rounds: int,
) -> FittedDiscs:
    """Return where faces ``(N,)`` of a model fit best, begun at *frames*."""
    goal, slopes, solve = model.ink[faces], model.slopes[faces], model.solve[faces]
    size = levels.grey[0].shape
    for turn in range(rounds + 1):
        ink, strength = disc.ink(disc.sample(levels.grey, frames))
        inside = disc.inside(frames, size)
        if turn == rounds:
            break
        off = (ink - goal) * inside
        steps = np.einsum("nij,nj->ni", solve, np.einsum("npi,np->ni", slopes, off))
        back = np.linalg.inv(affine_maps(np.clip(steps, -_LEAP, _LEAP)))
        frames = apply_maps(frames, back)
    return FittedDiscs(frames, ink, strength, inside, correlate(ink, goal, inside))


def correlate(some: Floats, other: Floats, where: Mask) -> Floats:
    """Return the correlation ``(N,)`` of inks ``(N, count)`` where both are seen."""
    a, b = some * where, other * where
    power = (a * a).sum(1) * (b * b).sum(1)
    return np.asarray((a * b).sum(1) / np.sqrt(power + 1e-6), np.float32)
