"""Turn shots of faces into looks: what shots of one face have in common.

A face may have several looks: two faces of one name, or dice of two makers. Shots that
look like no other are reported, not used, where others agree.
"""

import numpy as np
from msgspec import Struct, structs

from companion.table import BoxPx, Face
from vision.arrays import Floats, Picture
from vision.taught_dice.discs import (
    TONES,
    DiscFrames,
    Levels,
    Tone,
    coarse_disc,
    fine_disc,
    prepare_levels,
    rotation_matrices,
)
from vision.taught_dice.fitting import FitTarget, fit_discs, perturb, prepare_target

FILLED = 0.75
"""Radius of the disc over half a side of the box about a face. Boxes of faces that lie
askew are up to 1.41 times as wide; of 0.75, 0.9 and 1.05 the least found most of the
blue dice, because edges of dice outshine their signs."""

TURNS = 24
"""Turns that are looked for; fitting mends 7.5 degrees."""

ALIKE = 0.75
"""Likeness from which two shots show one look."""

_SAME_SIZE = 1.5
"""Looks whose sizes differ by less are of dice of one size. First guess."""

_SIZES = (0.8, 1.0, 1.25)
_SHIFTS = (-0.2, 0.0, 0.2)
_NOISE = 0.01
"""Likeness that noise alone takes from two shots of one face."""

_ROUNDS = 8
_ENOUGH = 3
_TRIED = 3
_BEGINNINGS = 3


class FaceShot(Struct, frozen=True):
    """A picture that shows a face, and where.

    Attributes:
        face: Which face.
        picture: ``(H, W, 3)``, uint8, BGR.
        box: About the face, px.
        long_px: Longer side of the whole photograph that *picture* was cut from.
    """

    face: Face
    picture: Picture
    box: BoxPx
    long_px: float


class FaceLook(Struct, frozen=True):
    """What some shots of a face have in common.

    Attributes:
        face: Which face.
        ink: ``(13, count)`` of the fine disc and its little moves.
        rough: ``(14, count of the coarse disc)``, the same and no use for fitting.
        colour: Median L, a, b of the disc, 0 to 255.
        strength: Of the ink, grey values.
        size: Radius of the disc over the longer side of the photograph.
        shots: Numbers of the shots.
        spread: How far its shots are from it, 0 to 2.
    """

    face: Face
    ink: Floats
    rough: Floats
    colour: tuple[float, float, float]
    strength: float
    size: float
    shots: tuple[int, ...]
    spread: float


def first_frame(shot: FaceShot) -> DiscFrames:
    """Return the disc in the middle of the box of a shot."""
    left, top, right, bottom = shot.box
    radius = FILLED * np.sqrt((right - left) * (bottom - top)) / 2
    middle = np.array([[(left + right - 1) / 2, (top + bottom - 1) / 2]], np.float32)
    return DiscFrames(np.eye(2, dtype=np.float32)[None] * np.float32(radius), middle)


def rotate_frames(frames: DiscFrames) -> DiscFrames:
    """Return each frame in 24 turns, ``24 N`` in all."""
    spins = rotation_matrices(np.arange(TURNS) * (360 / TURNS))
    many = frames.turns[:, None] @ spins[None]
    return DiscFrames(
        np.asarray(many.reshape(-1, 2, 2), np.float32),
        np.repeat(frames.middles, TURNS, 0),
    )


class _PreparedShot(Struct, frozen=True):
    """A shot made ready."""

    shot: FaceShot
    levels: Levels
    frame: DiscFrames
    model: FitTarget
    bank: Floats


def _prepare_shot(shot: FaceShot, tone: Tone) -> _PreparedShot:
    levels, frame = prepare_levels(shot.picture, tone), first_frame(shot)
    ink = fine_disc().ink(fine_disc().sample(levels.grey, perturb(frame)))[0]
    bank = coarse_disc().ink(coarse_disc().sample(levels.grey, rotate_frames(frame)))[0]
    return _PreparedShot(shot, levels, frame, prepare_target(ink[None]), bank)


def frames_near(frame: DiscFrames) -> DiscFrames:
    """Return one frame in some sizes and places near it."""
    maps = [
        (size, across, down)
        for size in _SIZES
        for across in _SHIFTS
        for down in _SHIFTS
    ]
    turns = np.concatenate([frame.turns * np.float32(size) for size, _, _ in maps])
    shifts = np.array([[across, down] for _, across, down in maps], np.float32)
    middles = frame.middles + shifts @ frame.turns[0].T
    return DiscFrames(turns, np.asarray(middles, np.float32))


def join_targets(models: list[FitTarget]) -> FitTarget:
    """Return all faces of some models."""
    return FitTarget(
        np.concatenate([model.ink for model in models]),
        np.concatenate([model.slopes for model in models]),
        np.concatenate([model.solve for model in models]),
    )


def _starts(levels: Levels, frame: DiscFrames, bank: Floats) -> list[DiscFrames]:
    """Return where to begin fitting each face of a bank ``(F * 24, count)``."""
    near = frames_near(frame)
    seen = coarse_disc().ink(coarse_disc().sample(levels.grey, near))[0]
    alike = (seen @ bank.T).reshape(len(seen), -1, TURNS)
    every = alike.transpose(1, 0, 2).reshape(alike.shape[1], -1)
    begun = []
    for best in np.argsort(-every, 1)[:, :_BEGINNINGS].T:
        place, turn = best // TURNS, best % TURNS
        # What the bank holds turned by some angle is seen turned back by it.
        back = rotation_matrices(-turn * (360 / TURNS))
        turns = np.asarray(near.turns[place] @ back, np.float32)
        begun.append(DiscFrames(turns, near.middles[place]))
    return begun


def _fit_shots(
    taken: _PreparedShot, models: list[_PreparedShot], most: int = _BEGINNINGS
) -> tuple[DiscFrames, Floats]:
    """Return where and how well other shots' faces fit one shot."""
    bank = np.concatenate([one.bank for one in models])
    model = join_targets([one.model for one in models])
    every = np.arange(len(models))
    fits = []
    for begun in _starts(taken.levels, taken.frame, bank)[:most]:
        found = fit_discs(taken.levels, fine_disc(), model, every, begun, _ROUNDS)
        sound = (found.frames.flatness() > 0.5) & (_growth(found.frames, begun) < 1.5)
        fits.append((found.frames, np.where(sound, found.likeness, 0.0)))
    best = np.argmax([how for _, how in fits], 0)
    return (
        DiscFrames(
            np.stack([fits[k][0].turns[i] for i, k in enumerate(best)]),
            np.stack([fits[k][0].middles[i] for i, k in enumerate(best)]),
        ),
        np.stack([fits[k][1][i] for i, k in enumerate(best)]),
    )


def _growth(one: DiscFrames, other: DiscFrames) -> Floats:
    ratio = one.radii() / np.maximum(other.radii(), 1e-6)
    return np.asarray(np.maximum(ratio, 1 / np.maximum(ratio, 1e-6)), np.float32)


def learn_face_looks(
    face: Face, shots: list[tuple[int, FaceShot]], tone: Tone
) -> tuple[list[FaceLook], list[int]]:
    """Return the looks of one face, and the shots that look like no other."""
    taken = [_prepare_shot(shot, tone) for _, shot in shots]
    numbers = [number for number, _ in shots]
    frames: list[DiscFrames] = []
    alike = np.eye(len(taken), dtype=np.float32)
    for index, one in enumerate(taken):
        where, how = _fit_shots(one, taken)
        frames.append(where)
        alike[index] = np.where(np.arange(len(taken)) == index, 1.0, how)
    left, looks, alone = list(range(len(taken))), [], []
    while left:
        near = {
            lead: [k for k in left if k == lead or alike[k, lead] > ALIKE]
            for lead in left
        }
        lead = max(left, key=lambda k: (len(near[k]), alike[left, k].sum()))
        group = near[lead]
        left = [k for k in left if k not in group]
        if len(group) == 1 and len(taken) >= _ENOUGH:
            alone.append(numbers[lead])
            continue
        own = [taken[k].frame if k == lead else frames[k].only([lead]) for k in group]
        members = [taken[k] for k in group]
        looks.append(
            _average_look(face, members, own, tuple(numbers[k] for k in group))
        )
    return looks, alone


def _average_look(
    face: Face,
    members: list[_PreparedShot],
    frames: list[DiscFrames],
    numbers: tuple[int, ...],
) -> FaceLook:
    frames = _centre_frames(members, frames)
    inks = np.stack(
        [
            fine_disc().ink(fine_disc().sample(one.levels.grey, perturb(frame)))[0]
            for one, frame in zip(members, frames, strict=True)
        ]
    )
    roughs = np.stack(
        [
            coarse_disc().ink(coarse_disc().sample(one.levels.grey, perturb(frame)))[0]
            for one, frame in zip(members, frames, strict=True)
        ]
    )
    colours = np.concatenate(
        [
            fine_disc().sample(one.levels.lab, frame)[0]
            for one, frame in zip(members, frames, strict=True)
        ]
    )
    strengths = [
        float(fine_disc().ink(fine_disc().sample(one.levels.grey, frame))[1][0])
        for one, frame in zip(members, frames, strict=True)
    ]
    ink = _normalise(inks.mean(0))
    away = 1 - (inks[:, 0] * ink[0]).mean(1)
    sizes = [
        float(frame.radii()[0]) / one.shot.long_px
        for one, frame in zip(members, frames, strict=True)
    ]
    colour = np.median(colours, 0)
    return FaceLook(
        face,
        ink,
        _normalise(roughs.mean(0)),
        (float(colour[0]), float(colour[1]), float(colour[2])),
        float(np.median(strengths)),
        float(np.median(sizes)),
        numbers,
        float(away.max()),
    )


def _centre_frames(
    members: list[_PreparedShot], frames: list[DiscFrames]
) -> list[DiscFrames]:
    """Return frames with the size and middle that the boxes mean on the whole."""
    growth = [
        np.log(one.frame.radii()[0] / frame.radii()[0])
        for one, frame in zip(members, frames, strict=True)
    ]
    size = np.float32(np.exp(np.mean(growth)))
    shifts = [
        np.linalg.solve(frame.turns[0], one.frame.middles[0] - frame.middles[0])
        for one, frame in zip(members, frames, strict=True)
    ]
    shift = np.mean(shifts, 0)
    return [
        DiscFrames(
            np.asarray(frame.turns * size, np.float32),
            np.asarray(frame.middles + shift @ frame.turns[0].T, np.float32),
        )
        for frame in frames
    ]


def _normalise(ink: Floats) -> Floats:
    power = np.sqrt((ink**2).mean(-1, keepdims=True) + 1e-6)
    return np.asarray(ink / power, np.float32)


def learn_all_looks(
    shots: list[FaceShot], tone: Tone
) -> tuple[list[FaceLook], list[int]]:
    """Return the looks of all faces, and the numbers of shots that stand alone."""
    looks: list[FaceLook] = []
    alone: list[int] = []
    for face in sorted({shot.face for shot in shots}):
        own = [(n, shot) for n, shot in enumerate(shots) if shot.face == face]
        some, lone = learn_face_looks(face, own, tone)
        looks += some
        alone += lone
    return looks, alone


def unify_sizes(looks: list[FaceLook]) -> list[FaceLook]:
    """Return looks with the size that most shots have, where they have about that.

    All faces of a die are equally large. Shots of one face may come from photographs
    that were taken from nearer, and its looks would seem larger than they are.
    """
    shots = np.repeat([look.size for look in looks], [len(k.shots) for k in looks])
    usual = float(np.median(shots))
    return [
        structs.replace(look, size=usual)
        if 1 / _SAME_SIZE < look.size / usual < _SAME_SIZE
        else look
        for look in looks
    ]


def single_shot_look(number: int, shot: FaceShot, tone: Tone) -> FaceLook:
    """Return the look of a single shot."""
    taken = _prepare_shot(shot, tone)
    return _average_look(shot.face, [taken], [taken.frame], (number,))


def choose_tone(shots: list[FaceShot]) -> Tone:
    """Return the tone in which shots of one face are most alike, and no others."""
    several: dict[Face, list[FaceShot]] = {}
    for shot in shots:
        several.setdefault(shot.face, []).append(shot)
    some = [own[:_TRIED] for own in several.values() if len(own) > 1]
    if not some:
        return "grey"
    return min(TONES, key=lambda tone: _confusion(some, tone))


def _confusion(faces: list[list[FaceShot]], tone: Tone) -> float:
    """Return what shots of one face lack in likeness over what those of others lack.

    Each is held against the nearest of its face, and the nearest of the other faces.
    """
    taken = [[_prepare_shot(shot, tone) for shot in own] for own in faces]
    lacks = []
    for number, own in enumerate(taken):
        alike = np.stack([_fit_shots(one, own)[1] for one in own])
        np.fill_diagonal(alike, 0.0)
        within = 1 - float(alike.max(0).mean())
        others = [one[0] for k, one in enumerate(taken) if k != number]
        between = 1 - float(_fit_shots(own[0], others)[1].max()) if others else 1.0
        lacks.append((within + _NOISE) / (between + _NOISE))
    return float(np.exp(np.mean(np.log(lacks))))
