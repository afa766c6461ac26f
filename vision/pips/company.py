"""Judge the faces of a picture together: which are dice, and which are sure.

What is only likely needs a sure die of its size; faces that share an edge are one
die's, and which is its top only the point below the camera tells; from far off the
vertical nobody can tell a side from a top.
"""

import numpy as np

from companion.table import BoxPx
from vision.arrays import Floats
from vision.ground.upper_side import STEEPEST, PointBelow
from vision.pips.candidates import FaceCandidates
from vision.pips.contest import (
    LIKELY,
    SURE,
    DetectedDie,
    group_by_die,
    trust_group,
)
from vision.pips.limits import PipLimits

_BODY = np.float32(1.2)
"""The box of a die over that of its top face: a die seen from near shows its sides."""


_ONE_DIE = np.float32(0.93)
"""Faces whose middles are nearer than this, in die widths, are of one die: a top and a
side lie up to 0.71 apart, or 0.92 of the width that is seen askance; tops of dice that
touch 0.96 and more, in photographs from above."""

_ROUGHLY = 1.4
"""Dice in doubt, aces above all, may seem so much wider or narrower than they are."""

_LEAST_ASKED = 0.35
"""Chance of a face from which it is asked about beside sure dice, where anything may
lie."""

_MOST_ALONE = 3
"""Likely dice that are asked about though none is sure: the back of a memory card, laid
in rows, looks like an ace."""

_SQUARE = 0.94
"""Short over long axis of a square face that nobody sees from far off the vertical: of
photographs at 40 degrees and more the squarest has 0.9."""

_SHOWN = 0.25
"""Part of a side that a die must show before it is called one: pips that are seen on
less than a quarter of it are no face."""

_OUTWARD = 0.5
"""Cosine of the angle up to which the middle of a top may lie beside the way that leads
outwards from the middle of a side: half a right angle where the die stands on edge, and
what the point below the camera is off."""

_CRISP_SLANT = 0.08
"""Roughest pips, in radii, whose flatness says how far off the vertical a face is."""


def decide_dice(
    candidates: FaceCandidates,
    groups: list[list[int]],
    limits: PipLimits,
    anywhere: bool = False,
    below: PointBelow | None = None,
) -> list[DetectedDie]:
    """Return the die that each group of frames shows.

    What is only likely needs company: a sure die of its size in the same picture.

    Args:
        candidates: The frames.
        groups: Their indices, one list a die, the best of each first.
        limits: Limits.
        anywhere: Whether dice may lie anywhere, among other things: then only what is
            as large as a sure die is asked about, or what is likely where none is sure.
        below: The point of the table below the camera, where it is known.
    """
    levels = [trust_group(candidates, group, limits) for group in groups]
    leads = [group[0] for group in groups]
    company = [k for k, trust in zip(leads, levels, strict=True) if trust == SURE]
    sides = _sides(candidates, groups, levels, limits, below)
    sure = [
        trust == SURE
        or (trust == LIKELY and has_company(candidates, group, company, limits))
        for group, trust in zip(groups, levels, strict=True)
    ]
    taken = [lead for lead, yes in zip(leads, sure, strict=True) if yes]
    each = zip(leads, sure, sides, strict=True)
    tops = [lead for lead, yes, side in each if yes and not side]
    likely = [lead for lead, trust in zip(leads, levels, strict=True) if trust]
    clutter = _clutter(candidates, leads, taken, likely) if anywhere else set()
    return [
        _die(candidates, lead, yes and not side)
        for lead, yes, side in zip(leads, sure, sides, strict=True)
        if lead not in clutter
        and not any(
            _is_farther(candidates, top, lead, below)
            for top in _neighbours(candidates, lead, tops)
        )
    ]


def has_company(
    candidates: FaceCandidates, group: list[int], company: list[int], limits: PipLimits
) -> bool:
    """Return whether a sure die is as wide as that of a group.

    Args:
        candidates: The frames.
        group: Those of the die, the best first.
        company: The best frame of each sure die.
        limits: Limits.
    """
    return any(
        _is_beside(candidates, k, company, limits.alike)
        for k in _as_sure(candidates, group)
    )


def _as_sure(candidates: FaceCandidates, group: list[int]) -> list[int]:
    """Return the lead of a group and frames that name its face as surely.

    How wide a die is does not follow from the one pip of an ace: others tell it better.
    """
    lead, face = group[0], candidates.face(group[0])
    chances = candidates.chances[:, face]
    return [lead, *(k for k in group[1:] if chances[k] >= chances[lead])]


def _clutter(
    candidates: FaceCandidates, leads: list[int], taken: list[int], likely: list[int]
) -> set[int]:
    """Return the doubts that are no dice where anything may lie.

    A die in doubt is likely, or about as large as one that is *taken*. Where there are
    more of either than a throw would leave they are print: squares, keys, backs.
    """
    doubts = [lead for lead in leads if lead not in taken]
    if not taken:
        asked = [lead for lead in doubts if lead in likely]
        return set(doubts) - set(asked if len(asked) <= _MOST_ALONE else ())
    near = [
        lead
        for lead in doubts
        if candidates.chances[lead, 1:].max() >= _LEAST_ASKED
        and _is_beside(candidates, lead, taken, _ROUGHLY)
    ]
    if len(near) > len(taken):
        near = [lead for lead in near if lead in likely]
    return set(doubts) - set(near)


def _sides(
    candidates: FaceCandidates,
    groups: list[list[int]],
    levels: list[int],
    limits: PipLimits,
    below: PointBelow | None,
) -> list[bool]:
    """Return for each group whether its face may be the side of a die."""
    slants = [_slant(candidates, group) for group in groups]
    seen = [slant for (slant, _), trust in zip(slants, levels, strict=True) if trust]
    # From far off the vertical a side looks like a top: none is told from the other.
    flat = bool(seen) and float(np.median(seen)) < limits.sure_slant
    named = [group[0] for group in groups if _names(candidates, group[0])]
    # What the point below the camera shows to be a top is no side, however flat.
    edges = [_neighbours(candidates, group[0], named) for group in groups]
    tops = [
        bool(some)
        and all(_is_farther(candidates, group[0], one, below) for one in some)
        for group, some in zip(groups, edges, strict=True)
    ]
    # Lit from low, pips look flat too; a square that is seen square is the proof.
    square = any(
        trust and _is_square(candidates, group[0])
        for group, trust in zip(groups, levels, strict=True)
    )
    return [
        not top
        and (
            bool(some)
            or (not square and (flat or (crisp and slant < limits.sure_slant)))
        )
        for some, top, (slant, crisp) in zip(edges, tops, slants, strict=True)
    ]


def _is_square(candidates: FaceCandidates, k: int) -> bool:
    """Return whether four pips of a four or five make a square that is none askance."""
    frame = candidates.frames.only(np.array([k]))
    return bool(frame.faces[0] in (4, 5) and frame.flatness()[0] > _SQUARE)


def _names(candidates: FaceCandidates, k: int) -> bool:
    """Return whether both pips and network give a frame one face."""
    face = candidates.face(k)
    counted = int(candidates.frames.faces[k]) == face
    return counted and float(candidates.chances[k, face]) > 0.5


def _is_beside(
    candidates: FaceCandidates, lead: int, company: list[int], alike: float
) -> bool:
    """Return whether some other die is as wide as this one."""
    widths = candidates.widths
    return any(
        1 / alike < widths[lead] / widths[other] < alike
        for other in company
        if other != lead
    )


def _slant(candidates: FaceCandidates, group: list[int]) -> tuple[float, bool]:
    """Return how far off the vertical a face is seen, and whether crisp pips say so.

    It is the cosine, by the pips of the plain picture if there are any; 1 without pips.
    """
    face, frames = candidates.face(group[0]), candidates.frames
    counted = [k for k in group if frames.faces[k] == face]
    counted.sort(key=lambda k: bool(candidates.pale[k]))
    if not counted:
        return 1.0, False
    k = counted[0]
    crisp = frames.rough[k] < _CRISP_SLANT and not candidates.pale[k]
    return float(frames.pip_flatness[k]), bool(crisp)


def _neighbours(candidates: FaceCandidates, lead: int, others: list[int]) -> list[int]:
    """Return the faces that share an edge with a face: they are one die's."""
    return [
        other
        for other in others
        if other != lead
        and _is_beside(candidates, lead, [other], _ROUGHLY)
        and candidates.distance_px(lead, other)
        < _ONE_DIE * max(candidates.widths[lead], candidates.widths[other])
    ]


def _is_farther(
    candidates: FaceCandidates, one: int, other: int, below: PointBelow | None
) -> bool:
    """Return whether of two faces of a die *one* is farther from the camera's foot.

    The top stands higher than the sides, and is seen pushed away from there.
    """
    if below is None:
        return False
    middles = candidates.frames.middles
    out = middles[[one, other]].mean(0) - np.array((below.x, below.y), np.float32)
    far = float(np.hypot(*out))
    if STEEPEST * far / below.wide_px < _SHOWN:
        return False
    apart = middles[one] - middles[other]
    return float(apart @ out) > _OUTWARD * far * float(np.hypot(*apart))


def locate_sure_dice(
    candidates: FaceCandidates, limits: PipLimits
) -> tuple[Floats, Floats]:
    """Return middles ``(N, 2)`` and widths ``(N,)``, px, of dice sure by themselves."""
    groups = group_by_die(candidates, limits)
    sure = [g[0] for g in groups if trust_group(candidates, g, limits) == SURE]
    return candidates.frames.middles[sure], candidates.widths[sure]


def _die(candidates: FaceCandidates, lead: int, sure: bool) -> DetectedDie:
    chances = candidates.chances[lead]
    best = np.argsort(-chances[1:])[:3] + 1
    chance = [(int(face), round(float(chances[face]), 4)) for face in best]
    faces = tuple(pair for pair in chance if pair[1] > 0.01) or (chance[0],)
    return DetectedDie(
        faces, sure, _box(candidates, lead), float(candidates.widths[lead])
    )


def _box(candidates: FaceCandidates, k: int) -> BoxPx:
    frames = candidates.frames
    half: Floats = (np.abs(frames.across[k]) + np.abs(frames.down[k])) / 2
    half = half * (_BODY * candidates.widths[k] / frames.widths()[k])
    if frames.faces[k] == 1:
        # How an ace is turned is not known: the box of a middling turn.
        half = half * np.float32(1.15)
    left, top = (round(float(edge)) for edge in frames.middles[k] - half)
    right, bottom = (round(float(edge)) for edge in frames.middles[k] + half)
    return left, top, right, bottom
