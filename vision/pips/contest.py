"""Let the frames of one place compete, and judge how sure the winner is."""

import numpy as np
from msgspec import Struct

from companion.table import BoxPx
from vision.arrays import Floats, Indices
from vision.pips.candidates import UNREAD, Claims
from vision.pips.limits import PipLimits

WORK_PX = 1400
"""Pictures are read with their longer side at this many pixels."""

_BODY = np.float32(1.2)
"""The box of a die over that of its top face: a die seen from near shows its sides."""


_DOUBTFUL, _LIKELY, _SURE = 0, 1, 2


class DieSeen(Struct, frozen=True):
    """One die in a picture.

    Attributes:
        faces: Candidate faces with their chances, best first.
        sure: Whether the product takes the first face without asking.
        box: Left, top, right, bottom of the die, pixels of the given picture.
        width_px: Side of the top face in pixels of the given picture.
    """

    faces: tuple[tuple[int, float], ...]
    sure: bool
    box: BoxPx
    width_px: float


def places(claims: Claims, limits: PipLimits) -> list[list[int]]:
    """Return groups of frames that claim one place, the best of each first."""
    some = 1 - claims.shown[:, 0]
    counted = claims.frames.faces
    named = np.where(counted, claims.shown[np.arange(len(counted)), counted], 0)
    # A frame whose pips say what the network says is worth more than one that differs.
    worth = some + 0.3 * named
    order = [int(k) for k in np.argsort(-worth) if some[k] >= limits.ask * 0.5]
    groups: list[list[int]] = []
    for k in order:
        home = next((group for group in groups if _share(claims, group[0], k)), None)
        if home is None:
            groups.append([k])
        else:
            home.append(k)
    return groups


def _share(claims: Claims, lead: int, other: int) -> bool:
    """Return whether two frames claim the same die."""
    return claims.apart(lead, other) < UNREAD * max(
        float(claims.widths[lead]), float(claims.widths[other]) * 0.9
    )


def judge(claims: Claims, groups: list[list[int]], limits: PipLimits) -> list[DieSeen]:
    """Return the die that each group of frames shows.

    What is only likely needs company: a sure die of its size in the same picture.
    """
    levels = [_trust(claims, group, limits) for group in groups]
    pairs = list(zip(groups, levels, strict=True))
    sizes = [claims.widths[group[0]] for group, trust in pairs if trust == _SURE]
    dice: list[DieSeen] = []
    for group, trust in pairs:
        width = claims.widths[group[0]]
        alike = any(1 / limits.alike < width / size < limits.alike for size in sizes)
        sure = trust == _SURE or (trust == _LIKELY and alike)
        dice.append(_die(claims, group[0], sure))
    return dice


def known(claims: Claims, limits: PipLimits) -> tuple[Floats, Floats]:
    """Return middles ``(N, 2)`` and widths ``(N,)`` of dice that need no company."""
    groups = places(claims, limits)
    sure = [g[0] for g in groups if _trust(claims, g, limits) == _SURE]
    return claims.frames.middles[sure], claims.widths[sure]


def _die(claims: Claims, lead: int, sure: bool) -> DieSeen:
    shown = claims.shown[lead]
    best = np.argsort(-shown[1:])[:3] + 1
    chance = [(int(face), round(float(shown[face]), 4)) for face in best]
    faces = tuple(pair for pair in chance if pair[1] > 0.01) or (chance[0],)
    return DieSeen(faces, sure, _box(claims, lead), float(claims.widths[lead]))


def _trust(claims: Claims, group: list[int], limits: PipLimits) -> int:
    """Return whether the lead of a group is doubtful, likely or sure."""
    frames, shown, widths = claims.frames, claims.shown, claims.widths
    lead, face = group[0], claims.face(group[0])
    near = [k for k in group if claims.apart(lead, k) < 0.25 * widths[lead]]
    # Another face that both pips and network claim for this place.
    rivals = [
        float(shown[k, frames.faces[k]])
        for k in near
        if frames.faces[k] not in (0, face)
    ]
    if max(rivals, default=0.0) >= limits.rival or not _plausible(claims, lead, limits):
        return _DOUBTFUL
    chance = float(shown[lead, face])
    lone_fits = frames.faces[lead] != 1 or frames.misfits[lead] <= limits.lone_misfit
    if lone_fits and chance >= limits.accept and _backed(claims, near, face, limits):
        return _SURE
    crisp = frames.rough[lead] < limits.rough and not claims.pale[lead]
    if chance >= limits.accept_round and frames.faces[lead] == face != 1 and crisp:
        return _SURE
    return _LIKELY if _likely(claims, near, face, limits) else _DOUBTFUL


def _backed(claims: Claims, near: list[int], face: int, limits: PipLimits) -> bool:
    """Return whether more than one frame's look speaks for a face."""
    shown = claims.shown
    if any(claims.frames.faces[k] == face and shown[k, face] > 0.5 for k in near):
        return True
    # Pips are lost in glare, and several frames say the same nevertheless. Outlines of
    # dice are no witnesses: they named three where a side face lent a third pip.
    agree = [k for k in near if claims.frames.faces[k] and shown[k, face] > 0.8]
    return len(agree) >= limits.witnesses


def _likely(claims: Claims, near: list[int], face: int, limits: PipLimits) -> bool:
    """Return whether a face is worth taking beside a sure die of its size."""
    frames, shown = claims.frames, claims.shown
    chance = float(shown[near[0], face])
    counted = any(frames.faces[k] == face and shown[k, face] > 0.5 for k in near)
    if chance >= limits.accept_beside and counted:
        return True
    # A lone pip is no witness of more: in clear dice it may be that of a side face.
    agree = [k for k in near if shown[k, face] > 0.8 and frames.faces[k] != 1]
    pips = any(frames.faces[k] > 1 for k in agree)
    return chance >= limits.accept and pips and len(agree) >= limits.witnesses


def _plausible(claims: Claims, k: int, limits: PipLimits) -> bool:
    """Return whether a frame looks like the top face of a die, whatever it shows."""
    frames = claims.frames
    if frames.faces[k] == 1 and frames.misfits[k] > limits.worst_misfit:
        # The one sign on an ace of clubs lies as a pip does, but is not round.
        return False
    one: Indices = np.array([k])
    shape = frames.only(one)
    return bool(
        shape.flatness()[0] >= limits.sure_flatness
        and shape.widths()[0] <= limits.widest * WORK_PX
    )


def _box(claims: Claims, k: int) -> BoxPx:
    frames = claims.frames
    half: Floats = (np.abs(frames.across[k]) + np.abs(frames.down[k])) / 2
    half = half * (_BODY * claims.widths[k] / frames.widths()[k])
    if frames.faces[k] == 1:
        # How an ace is turned is not known: the box of a middling turn.
        half = half * np.float32(1.15)
    left, top = (round(float(edge)) for edge in frames.middles[k] - half)
    right, bottom = (round(float(edge)) for edge in frames.middles[k] + half)
    return left, top, right, bottom
