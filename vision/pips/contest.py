"""Non-maximum suppression: of the frames of one place the best names the die.

How sure that is depends on the others there; vision/pips/company.py judges all places.
"""

import numpy as np
from msgspec import Struct

from companion.table import BoxPx
from vision.arrays import Floats, Indices
from vision.pips.candidates import SAME_DIE, FaceCandidates
from vision.pips.limits import PipLimits

WORK_PX = 1400
"""Pictures are read with their longer side at this many pixels."""

_WHOLE_DIE = 3.0
"""So many times as wide a frame is about another thing: a red die on dark felt looks
like the one pip of a die that is five times as wide, as a pip is a fifth of its die."""

DOUBTFUL, LIKELY, SURE = 0, 1, 2
"""How far the frames of one place are trusted: likely needs company."""


WRONG_SHARES = ((0.98, 0.0005), (0.9, 0.006), (0.0, 0.023))
"""Share of wrong ones among dice that were taken, by the least chance of their face.

Source: vision/README.md, "How honest the figures are": 0 of 988, 1 of 257 and 3 of 151
on labelled photographs, each with half a wrong one added, as none is not never.
"""


class DetectedDie(Struct, frozen=True):
    """One die with pips in a picture.

    Attributes:
        faces: Candidate faces, 1 to 6, with their chances, 0 to 1, best first, as the
            network of frames gives them.
        sure: Whether the product takes the first face without asking.
        box: Left, top, right, bottom of the die, pixels of the given picture.
        width_px: Side of the top face in pixels of the given picture.
    """

    faces: tuple[tuple[int, float], ...]
    sure: bool
    box: BoxPx
    width_px: float

    @property
    def confidence(self) -> float:
        """How sure the first face is, 0 to 1: of one that is taken, as others proved.

        A die with a chance of 0.6 is taken only where crisp pips, company or the look
        of the whole die speak for it too: of 100 such dice 98 are right.
        """
        chance = self.faces[0][1]
        if not self.sure:
            return chance
        return 1 - next(share for least, share in WRONG_SHARES if chance >= least)


def group_by_die(candidates: FaceCandidates, limits: PipLimits) -> list[list[int]]:
    """Return indices of frames, one list a die, the best of each first."""
    some = 1 - candidates.chances[:, 0]
    counted = candidates.frames.faces
    named = np.where(counted, candidates.chances[np.arange(len(counted)), counted], 0)
    # A frame whose pips say what the network says is worth more than one that differs.
    worth = some + 0.3 * named
    order = [int(k) for k in np.argsort(-worth) if some[k] >= limits.ask * 0.5]
    groups: list[list[int]] = []
    for k in order:
        home = next(
            (group for group in groups if _share_die(candidates, group[0], k)), None
        )
        if home is None:
            groups.append([k])
        else:
            home.append(k)
    return groups


def _share_die(candidates: FaceCandidates, lead: int, other: int) -> bool:
    """Return whether two frames are on the same die."""
    return candidates.distance_px(lead, other) < SAME_DIE * max(
        float(candidates.widths[lead]), float(candidates.widths[other]) * 0.9
    )


def trust_group(
    candidates: FaceCandidates,
    group: list[int],
    limits: PipLimits,
    whole: Floats | None = None,
) -> int:
    """Return whether the lead of a group is doubtful, likely or sure.

    Args:
        candidates: The frames.
        group: Indices of those of one place, the best first.
        limits: Limits.
        whole: ``(7,)`` look of the whole die, instead of that of the candidates.
    """
    frames, chances, widths = candidates.frames, candidates.chances, candidates.widths
    lead, face = group[0], candidates.face(group[0])
    near = [k for k in group if candidates.distance_px(lead, k) < 0.25 * widths[lead]]
    # Another face that both pips and network give this place.
    rivals = [
        float(chances[k, frames.faces[k]])
        for k in near
        if frames.faces[k] not in (0, face)
        and not _is_part(candidates, k, lead)
        and widths[k] < _WHOLE_DIE * widths[lead]
    ]
    if max(rivals, default=0.0) >= limits.rival or not _is_plausible(
        candidates, lead, limits
    ):
        return DOUBTFUL
    chance = float(chances[lead, face])
    lone_fits = frames.faces[lead] != 1 or frames.misfits[lead] <= limits.lone_misfit
    if (
        lone_fits
        and chance >= limits.accept
        and _is_backed(candidates, near, face, limits)
    ):
        return SURE
    crisp = frames.rough[lead] < limits.rough and not candidates.pale[lead]
    crisp = crisp and frames.faces[lead] == face != 1
    if crisp and chance >= limits.accept_round:
        return SURE
    likely = _is_likely(candidates, near, face, limits)
    look = candidates.whole[lead] if whole is None else whole
    return _trust_by_look(candidates, lead, look, likely, limits)


def _trust_by_look(
    candidates: FaceCandidates,
    lead: int,
    whole: Floats,
    likely: bool,
    limits: PipLimits,
) -> int:
    """Return how far a face that is not sure by its frames is trusted by its look."""
    face = candidates.face(lead)
    chance = float(candidates.chances[lead, face])
    if np.delete(whole[1:], face - 1).max() >= limits.whole:
        return DOUBTFUL
    if whole[face] < limits.whole:
        return LIKELY if likely else DOUBTFUL
    if not likely:
        return LIKELY if chance >= limits.ask else DOUBTFUL
    # Signs of a card lie as pips of a die do, and whole look like one, but are rougher;
    # the light on a shiny pawn is as round as a pip, but its frame has a lower chance.
    crisp = candidates.frames.rough[lead] < limits.whole_rough
    return SURE if crisp and chance >= limits.accept_round else LIKELY


def _is_part(candidates: FaceCandidates, k: int, lead: int) -> bool:
    """Return whether the pips of a frame are some of another's: a row of a six."""
    few, many = (set(candidates.frames.pips[i].tolist()) - {-1} for i in (k, lead))
    both_plain = bool(candidates.pale[k] == candidates.pale[lead])
    return both_plain and few < many


def _is_backed(
    candidates: FaceCandidates, near: list[int], face: int, limits: PipLimits
) -> bool:
    """Return whether more than one frame's look speaks for a face."""
    chances = candidates.chances
    if any(candidates.frames.faces[k] == face and chances[k, face] > 0.5 for k in near):
        return True
    # Pips are lost in glare, and several frames say the same nevertheless. Outlines of
    # dice are no witnesses: they named three where a side face lent a third pip.
    agree = [k for k in near if candidates.frames.faces[k] and chances[k, face] > 0.8]
    return len(agree) >= limits.witnesses


def _is_likely(
    candidates: FaceCandidates, near: list[int], face: int, limits: PipLimits
) -> bool:
    """Return whether a face is worth taking beside a sure die of its size."""
    frames, chances = candidates.frames, candidates.chances
    chance = float(chances[near[0], face])
    counted = any(frames.faces[k] == face and chances[k, face] > 0.5 for k in near)
    if chance >= limits.accept_beside and counted:
        return True
    # A lone pip is no witness of more: in clear dice it may be that of a side face.
    agree = [k for k in near if chances[k, face] > 0.8 and frames.faces[k] != 1]
    pips = any(frames.faces[k] > 1 for k in agree)
    return chance >= limits.accept and pips and len(agree) >= limits.witnesses


def _is_plausible(candidates: FaceCandidates, k: int, limits: PipLimits) -> bool:
    """Return whether a frame looks like the top face of a die, whatever it shows."""
    frames = candidates.frames
    if frames.faces[k] == 1 and frames.misfits[k] > limits.worst_misfit:
        # The one sign on an ace of clubs lies as a pip does, but is not round.
        return False
    one: Indices = np.array([k])
    shape = frames.only(one)
    return bool(
        shape.flatness()[0] >= limits.sure_flatness
        and shape.widths()[0] <= limits.widest * WORK_PX
    )
