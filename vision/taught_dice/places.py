"""Compare each place of a picture with every face of a die.

What each face leaves unexplained is told; what that comes to is decided elsewhere.
"""

import numpy as np
from msgspec import Struct

from companion.table import Face
from vision.arrays import Floats, Indices
from vision.taught_dice.discs import Frames, Levels, Tone, coarse, fine, turned
from vision.taught_dice.fitting import Fit, Model, fit, model_of
from vision.taught_dice.looks import TURNS, Look
from vision.taught_dice.searching import Bank, Hits, bank_of

_ROUNDS = 7
_SPOT = 0.16
"""Radii over which leftovers are averaged: a pip is about as wide."""

_WORST = 0.06
"""Part of a disc whose leftovers count: one pip of a face covers about as much."""

_SHIFT, _PLACES = 0.3, 9
_NEAR = 0.4
_NEARLY = 1.15
_LOOKS = 2


class Die(Struct, frozen=True):
    """The looks of one die, ready for reading."""

    looks: tuple[Look, ...]
    bank: Bank
    model: Model
    tone: Tone = "grey"


class Candidate(Struct, frozen=True):
    """A face that a place may show, and how well that goes.

    Attributes:
        face: The face.
        look: Number of its look.
        likeness: Correlation of the ink, -1 to 1.
        worst: Leftover where it is worst, in inks.
        left: Geometric mean of *worst* and what *likeness* lacks to 1.
        size: Radius over that of the look in a photograph of this size.
        flatness: Short over long axis.
        hue: Distance of a and b to those of the look.
        strength: Of the ink over that of the look.
        inside: Part of the disc within the picture.
        turn: ``(2, 2)`` of the frame, px.
        middle: x and y, px.
        radius: Of the disc, px.
    """

    face: Face
    look: int
    likeness: float
    worst: float
    left: float
    size: float
    flatness: float
    hue: float
    strength: float
    inside: float
    turn: Floats
    middle: tuple[float, float]
    radius: float


def die_of(looks: list[Look], tone: Tone = "grey") -> Die:
    """Return looks ready for reading."""
    model = model_of(np.stack([look.ink for look in looks]))
    return Die(tuple(looks), bank_of(looks), model, tone)


def lone_places(hits: Hits) -> Frames:
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


def compare(
    levels: Levels, die: Die, frames: Frames, long_px: float
) -> list[Candidate]:
    """Return the faces that each place may show."""
    if not len(frames.middles):
        return []
    # Search may have slanted them to fit a wrong face.
    round_ones = np.eye(2, dtype=np.float32)[None] * frames.radii()[:, None, None]
    frames = Frames(np.asarray(round_ones, np.float32), frames.middles)
    place, look, begun = begun_at(levels, die, frames)
    found = fit(levels, fine(), die.model, look, begun, _ROUNDS)
    candidates = told(levels, die, found, look, long_px)
    sound = _sound(found.frames, frames, place)
    return [one for one, good in zip(candidates, sound, strict=True) if good]


def begun_at(
    levels: Levels, die: Die, frames: Frames, looks: int = _LOOKS, most: int = 1
) -> tuple[Indices, Indices, Frames]:
    """Return places, looks and where to begin for each look worth a try.

    Args:
        levels: The picture.
        die: Its looks.
        frames: The places.
        looks: Of each face, the likeliest.
        most: Beginnings of each look, the likeliest.
    """
    near = _shifted(frames)
    ink, _ = coarse().ink(coarse().sample(levels.grey, near))
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
    spins = turned(-turn * (360 / TURNS))
    begun = Frames(
        np.asarray(frames.turns[place] @ spins, np.float32),
        near.middles[place * _PLACES + shift],
    )
    return place, look, begun


def _shifted(frames: Frames) -> Frames:
    """Return each frame in nine places about its middle, ``9 N`` in all.

    Search may be off by a third of the radius, more than fitting mends.
    """
    steps = np.array([-_SHIFT, 0, _SHIFT], np.float32)
    away = np.stack(np.meshgrid(steps, steps), -1).reshape(-1, 2)
    middles = frames.middles[:, None] + np.einsum("nij,kj->nki", frames.turns, away)
    return Frames(
        np.repeat(frames.turns, _PLACES, 0),
        np.asarray(middles.reshape(-1, 2), np.float32),
    )


def _sound(found: Frames, begun: Frames, place: Indices) -> Floats:
    """Return which fits stayed about where they began."""
    ratio = found.radii() / begun.radii()[place]
    gone = np.hypot(*(found.middles - begun.middles[place]).T)
    upright = np.linalg.det(found.turns) > 0
    near = (ratio > 0.6) & (ratio < 1.6) & (gone < begun.radii()[place])
    return np.asarray(near & upright & (found.flatness() > 0.4))


def told(
    levels: Levels, die: Die, found: Fit, look: Indices, long_px: float
) -> list[Candidate]:
    """Return what fits of looks ``(N,)`` leave unexplained."""
    left = (found.ink - die.model.ink[look]) * found.inside
    spots = (left @ fine().blur(_SPOT).T) ** 2
    most = max(4, round(_WORST * spots.shape[1]))
    worst = np.sqrt(np.sort(spots, 1)[:, -most:].mean(1))
    colours = np.median(fine().sample(levels.lab, found.frames), 1)
    hue = np.linalg.norm(colours[:, 1:] - die.bank.colours[look, 1:], axis=1)
    radii, flat = found.frames.radii(), found.frames.flatness()
    size = radii / (die.bank.sizes[look] * long_px)
    strength = found.strength / np.array([die.looks[k].strength for k in look])
    inside = found.inside.mean(1)
    return [
        Candidate(
            face=die.looks[k].face,
            look=int(k),
            likeness=float(found.likeness[i]),
            worst=float(worst[i]),
            left=float(np.sqrt(worst[i] * max(0.0, 1 - found.likeness[i]))),
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
        )
        for i, k in enumerate(look.tolist())
    ]
