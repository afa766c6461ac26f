"""Fit every face of a die at each place of a picture, and measure the residuals.

What they come to is decided in vision/taught_dice/judging.py.
"""

from functools import lru_cache

import numpy as np
from msgspec import Struct

from companion.table import Face
from vision.arrays import Floats, Indices
from vision.taught_dice.discs import (
    DiscFrames,
    Levels,
    Tone,
    coarse_disc,
    fine_disc,
    rotation_matrices,
)
from vision.taught_dice.duels import Duel, fight, lay_on_each_other
from vision.taught_dice.fitting import FitTarget, FittedDiscs, fit_discs, prepare_target
from vision.taught_dice.looks import TURNS, FaceLook
from vision.taught_dice.searching import Hits, SearchBank, build_bank

_ROUNDS = 7
_SPOT = 0.16
"""Radii over which residuals are averaged: a pip is about as wide."""

_WORST = 0.06
"""Part of a disc whose residuals count: one pip of a face covers about as much."""

DIFFER = 0.8
"""Ink by which two faces differ where they fight."""

_SHIFT, _PLACES = 0.3, 9
_NEAR = 0.4
_NEARLY = 1.15
_LOOKS = 2
_UPPER = 0.7
"""Radius within which the middle counts most. Of 126 looks at drawn dice of ten facets
118 could be read without taking a strange one with 0.6 and 0.8, 107 without weights."""

_LIKELY, _BEGINNINGS = 3, 4
"""Places that are fitted from so many beginnings of each look."""


class DieLooks(Struct, frozen=True):
    """The looks of one die, ready for reading.

    *rivals* ``(L, L, count)`` has each look as it lies on another: ``[on, what]``.
    """

    looks: tuple[FaceLook, ...]
    bank: SearchBank
    model: FitTarget
    rivals: Floats
    tone: Tone = "grey"


class FittedFace(Struct, frozen=True):
    """A face fitted at a place, and how well it fits.

    Attributes:
        face: The face.
        look: Number of its look.
        likeness: Correlation of the ink, -1 to 1.
        worst: Residual where it is worst, in inks.
        residual: Geometric mean of *worst* and what *likeness* lacks to 1.
        size: Radius over that of the look in a photograph of this size.
        flatness: Short over long axis.
        hue: Distance of a and b to those of the look.
        strength: Of the ink over that of the look.
        inside: Part of the disc within the picture.
        turn: ``(2, 2)`` of the frame, px.
        middle: x and y, px.
        radius: Of the disc, px.
        ink: ``(count,)`` of the fine disc, what is seen there.
    """

    face: Face
    look: int
    likeness: float
    worst: float
    residual: float
    size: float
    flatness: float
    hue: float
    strength: float
    inside: float
    turn: Floats
    middle: tuple[float, float]
    radius: float
    ink: Floats


def prepare_looks(looks: list[FaceLook], tone: Tone = "grey") -> DieLooks:
    """Return looks ready for reading."""
    model = prepare_target(np.stack([look.ink for look in looks]))
    rivals = lay_on_each_other(model.ink[:, :, None], fine_disc())[..., 0]
    return DieLooks(tuple(looks), build_bank(looks), model, rivals, tone)


def distinct_frames(hits: Hits) -> DiscFrames:
    """Return one frame for each place of some hits, the likeliest."""
    radii, middles = hits.frames.radii(), hits.frames.middles
    kept: list[int] = []
    for index in range(len(radii)):
        ratio = radii[kept] / radii[index]
        # A two fits on half of a four: both sizes are looked at.
        near = np.hypot(*(middles[kept] - middles[index]).T) < _NEAR * radii[index]
        if not (near & (ratio > 1 / _NEARLY) & (ratio < _NEARLY)).any():
            kept.append(index)
    return hits.frames.only(kept)


def fit_faces(
    levels: Levels, die: DieLooks, frames: DiscFrames, long_px: float
) -> list[FittedFace]:
    """Return the faces that fit at each place, one for each look worth a try.

    *long_px* is the longer side of the photograph that the picture was cut from.
    """
    if not len(frames.middles):
        return []
    # Search may have slanted them to fit a wrong face.
    round_ones = np.eye(2, dtype=np.float32)[None] * frames.radii()[:, None, None]
    frames = DiscFrames(np.asarray(round_ones, np.float32), frames.middles)
    first, place = _fit_at(levels, die, frames, long_px, 1)
    if not first:
        return []
    # The likeliest places are fitted anew from more turns: on ten or twenty facets the
    # first that comes to mind is often that of another face.
    left = np.full(len(frames.middles), np.inf)
    np.minimum.at(left, place, [one.residual for one in first])
    likely = np.argsort(left)[:_LIKELY]
    again, _ = _fit_at(levels, die, frames.only(likely), long_px, _BEGINNINGS)
    return first + again


def _fit_at(
    levels: Levels, die: DieLooks, frames: DiscFrames, long_px: float, most: int
) -> tuple[list[FittedFace], list[int]]:
    """Return the faces that fit at places, and the numbers of these."""
    place, look, begun = starting_frames(levels, die, frames, most=most)
    found = fit_discs(levels, fine_disc(), die.model, look, begun, _ROUNDS)
    candidates = measure_fits(levels, die, found, look, long_px)
    sound = np.flatnonzero(_stayed(found.frames, frames, place)).tolist()
    return [candidates[k] for k in sound], place[sound].tolist()


def starting_frames(
    levels: Levels,
    die: DieLooks,
    frames: DiscFrames,
    looks: int = _LOOKS,
    most: int = 1,
) -> tuple[Indices, Indices, DiscFrames]:
    """Return places ``(M,)``, looks ``(M,)`` and frames ``M`` to begin fitting at.

    Args:
        levels: The picture.
        die: Its looks.
        frames: The places.
        looks: Of each face, the likeliest.
        most: Beginnings of each look, the likeliest.
    """
    near = _shift_frames(frames)
    ink, _ = coarse_disc().ink(coarse_disc().sample(levels.grey, near))
    count = len(frames.middles)
    alike = (ink @ die.bank.full.T).reshape(count, _PLACES, len(die.looks), TURNS)
    every = alike.transpose(0, 2, 1, 3).reshape(count, len(die.looks), -1)
    best = np.argpartition(-every, most - 1, axis=2)[:, :, :most]
    how = every.max(2)
    faces = np.array([look.face for look in die.looks])
    pairs = []
    for face in np.unique(faces):
        own = np.flatnonzero(faces == face)
        order = own[np.argsort(-how[:, own], axis=1)[:, :looks]]
        pairs += [(at, int(k)) for at in range(count) for k in order[at].tolist()]
    place = np.repeat(np.array([at for at, _ in pairs], np.int64), most)
    look = np.repeat(np.array([k for _, k in pairs], np.int64), most)
    chosen = best[place, look, np.tile(np.arange(most), len(pairs))]
    shift, turn = chosen // TURNS, chosen % TURNS
    spins = rotation_matrices(-turn * (360 / TURNS))
    begun = DiscFrames(
        np.asarray(frames.turns[place] @ spins, np.float32),
        near.middles[place * _PLACES + shift],
    )
    return place, look, begun


def _shift_frames(frames: DiscFrames) -> DiscFrames:
    """Return each frame in nine places about its middle, ``9 N`` in all.

    Search may be off by a third of the radius, more than fitting mends.
    """
    steps = np.array([-_SHIFT, 0, _SHIFT], np.float32)
    away = np.stack(np.meshgrid(steps, steps), -1).reshape(-1, 2)
    middles = frames.middles[:, None] + np.einsum("nij,kj->nki", frames.turns, away)
    return DiscFrames(
        np.repeat(frames.turns, _PLACES, 0),
        np.asarray(middles.reshape(-1, 2), np.float32),
    )


def _stayed(found: DiscFrames, begun: DiscFrames, place: Indices) -> Floats:
    """Return which fits stayed about where they began."""
    ratio = found.radii() / begun.radii()[place]
    gone = np.hypot(*(found.middles - begun.middles[place]).T)
    upright = np.linalg.det(found.turns) > 0
    near = (ratio > 0.6) & (ratio < 1.6) & (gone < begun.radii()[place])
    return np.asarray(near & upright & (found.flatness() > 0.4))


def measure_fits(
    levels: Levels, die: DieLooks, found: FittedDiscs, look: Indices, long_px: float
) -> list[FittedFace]:
    """Return fits of looks ``(N,)`` as faces, each with its residual."""
    left = (found.ink - die.model.ink[look]) * found.inside
    spots = (left @ _spot_blur().T) ** 2
    most = max(4, round(_WORST * spots.shape[1]))
    worst = np.sqrt(np.sort(spots, 1)[:, -most:].mean(1))
    colours = np.median(fine_disc().sample(levels.lab, found.frames), 1)
    hue = np.linalg.norm(colours[:, 1:] - die.bank.colours[look, 1:], axis=1)
    radii, flat = found.frames.radii(), found.frames.flatness()
    size = radii / (die.bank.sizes[look] * long_px)
    strength = found.strength / np.array([die.looks[k].strength for k in look])
    inside = found.inside.mean(1)
    return [
        FittedFace(
            face=die.looks[k].face,
            look=int(k),
            likeness=float(found.likeness[i]),
            worst=float(worst[i]),
            residual=float(np.sqrt(worst[i] * max(0.0, 1 - found.likeness[i]))),
            size=float(size[i]),
            flatness=float(flat[i]),
            hue=float(hue[i]),
            strength=float(strength[i]),
            inside=float(inside[i]),
            turn=found.frames.turns[i],
            middle=(
                float(found.frames.middles[i, 0]),
                float(found.frames.middles[i, 1]),
            ),
            radius=float(radii[i]),
            ink=found.ink[i],
        )
        for i, k in enumerate(look.tolist())
    ]


@lru_cache(maxsize=1)
def _spot_blur() -> Floats:
    return fine_disc().blur(_SPOT)


def fight_others(die: DieLooks, one: FittedFace) -> Duel:
    """Return what a fitted face comes to against all others, where they differ."""
    others = [n for n, look in enumerate(die.looks) if look.face != one.face]
    own = die.model.ink[one.look][:, None]
    rivals = die.rivals[one.look][others][..., None]
    return fight(one.ink[:, None], own, rivals, DIFFER, _weight())


@lru_cache(maxsize=1)
def _weight() -> Floats:
    """Return how much each point counts in a fight, ``(count,)``.

    Facets beside the upper one are seen from elsewhere wherever the die lies.
    """
    square = (fine_disc().points ** 2).sum(1)
    return np.asarray(np.exp(-square / _UPPER**2), np.float32)
