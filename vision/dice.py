"""Read ordinary pip dice: what each shows, how sure that is, and where it lies.

Spots that could be pips suggest frames of faces; a small network says what each frame
shows; the frames of one place then compete. What cannot be told for sure is said to be
unsure, with its candidates. No kit is needed and no colour is expected.
"""

import tomllib
from functools import lru_cache
from pathlib import Path

import cv2
import msgspec
import numpy as np
from msgspec import Struct

from companion.table import BoxPx
from vision.arrays import Floats, Picture
from vision.facenet import chances
from vision.lattices import Frames, find_frames
from vision.patches import cut, pyramid
from vision.spots import SpotRules, find_spots

WORK_PX = 1400
"""Pictures are read with their longer side at this many pixels."""

_BODY = np.float32(1.2)
"""The box of a die over that of its top face: a die seen from near shows its sides."""

MOST_GROWN = 2.0
"""Small pictures are enlarged this much at most; more adds pixels but no pips."""


class DiceRules(Struct, frozen=True):
    """Limits of acceptance; vision/thresholds.toml says what chose each."""

    accept: float = 0.9
    ask: float = 0.5
    rival: float = 0.5
    flatness: float = 0.5
    witnesses: int = 3
    lone_misfit: float = 0.3
    sure_flatness: float = 0.58
    widest: float = 0.5
    spots: SpotRules = SpotRules()


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


@lru_cache(maxsize=1)
def usual_rules() -> DiceRules:
    """Return the limits in vision/thresholds.toml."""
    text = Path(__file__).with_name("thresholds.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text)["dice"], DiceRules)


def read_dice(picture: Picture, rules: DiceRules) -> tuple[DieSeen, ...]:
    """Return the dice in a picture ``(H, W, 3)``, uint8, BGR, the surest first."""
    worked, scale = _to_work_size(picture)
    frames = find_frames(find_spots(worked, rules.spots))
    frames = frames.only(frames.flatness() > rules.flatness)
    if not len(frames.faces):
        return ()
    levels = pyramid(worked)
    shown, growth = chances(cut(levels, frames))
    _look_again(levels, frames, shown, rules)
    dice = _compete(frames, shown, growth, rules)
    return tuple(_scaled(die, scale, picture.shape[:2]) for die in dice)


def _look_again(
    levels: tuple[Picture, ...],
    frames: Frames,
    shown: Floats,
    rules: DiceRules,
) -> None:
    """Put the mean over three more turns of each promising frame into *shown*.

    A face stays what it is when it is turned or mirrored; what does not is no face.
    """
    promising = np.flatnonzero(shown[:, 0] < 1 - rules.ask / 2)
    chosen = frames.only(promising)
    across, down = chosen.across, chosen.down
    total = shown[promising].copy()
    for one, other in ((-across, -down), (down, across), (-down, across)):
        turned = msgspec.structs.replace(chosen, across=one, down=other)
        total += chances(cut(levels, turned))[0]
    shown[promising] = total / 4


def _to_work_size(picture: Picture) -> tuple[Picture, float]:
    """Return the picture at working size and how many of its pixels make one."""
    factor = min(WORK_PX / max(picture.shape[:2]), MOST_GROWN)
    if abs(factor - 1) < 0.1:
        return picture, 1.0
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    resized = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=way)
    return np.asarray(resized, np.uint8), factor


def _scaled(die: DieSeen, factor: float, shape: tuple[int, ...]) -> DieSeen:
    left, top, right, bottom = (round(edge / factor) for edge in die.box)
    box = (
        max(0, left),
        max(0, top),
        min(int(shape[1]), right),
        min(int(shape[0]), bottom),
    )
    return DieSeen(die.faces, die.sure, box, die.width_px / factor)


def _compete(
    frames: Frames, shown: Floats, growth: Floats, rules: DiceRules
) -> list[DieSeen]:
    """Return one die for each place where some frame shows a face."""
    some = 1 - shown[:, 0]
    named = shown[np.arange(len(shown)), frames.faces]
    # A frame whose pips say what the network says is worth more than one that differs.
    worth = some + 0.3 * named
    widths = frames.widths() * np.exp(np.clip(growth, -0.5, 0.5))
    order = [int(k) for k in np.argsort(-worth) if some[k] >= rules.ask * 0.5]
    taken: list[tuple[int, list[int]]] = []
    for k in order:
        home = next(
            (group for lead, group in taken if _share(frames, widths, lead, k)), None
        )
        if home is None:
            taken.append((k, [k]))
        else:
            home.append(k)
    return [_judge(frames, shown, widths, group, rules) for _, group in taken]


def _share(frames: Frames, widths: Floats, lead: int, other: int) -> bool:
    """Return whether two frames claim the same die."""
    return _apart(frames, lead, other) < 0.62 * max(
        float(widths[lead]), float(widths[other]) * 0.9
    )


def _judge(
    frames: Frames, shown: Floats, widths: Floats, group: list[int], rules: DiceRules
) -> DieSeen:
    lead = group[0]
    face = int(shown[lead, 1:].argmax()) + 1
    near = [k for k in group if _apart(frames, lead, k) < 0.25 * widths[lead]]
    backed = any(frames.faces[k] == face and shown[k, face] > 0.5 for k in near)
    # Another face that both pips and network claim for this place.
    rival = max(
        (float(shown[k, frames.faces[k]]) for k in near if frames.faces[k] != face),
        default=0.0,
    )
    # Or pips are lost in glare, and several frames say the same nevertheless.
    backed = backed or sum(shown[k, face] > 0.8 for k in near) >= rules.witnesses
    sure = bool(
        shown[lead, face] >= rules.accept
        and rival < rules.rival
        and backed
        and _plausible(frames, lead, rules)
    )
    best = np.argsort(-shown[lead, 1:])[:3] + 1
    chance = [(int(f), round(float(shown[lead, f]), 4)) for f in best]
    faces = tuple(pair for pair in chance if pair[1] > 0.01)
    return DieSeen(
        faces or (chance[0],), sure, _box(frames, widths, lead), float(widths[lead])
    )


def _plausible(frames: Frames, k: int, rules: DiceRules) -> bool:
    """Return whether a frame looks like the top face of a die, whatever it shows."""
    if frames.faces[k] == 1 and frames.misfits[k] > rules.lone_misfit:
        # The one sign on an ace of clubs lies as a pip does, but is not round.
        return False
    one = frames.only(np.array([k]))
    return bool(
        one.flatness()[0] >= rules.sure_flatness
        and one.widths()[0] <= rules.widest * WORK_PX
    )


def _apart(frames: Frames, one: int, other: int) -> float:
    gap = frames.middles[one] - frames.middles[other]
    return float(np.sqrt((gap**2).sum()))


def _box(frames: Frames, widths: Floats, k: int) -> BoxPx:
    half = (np.abs(frames.across[k]) + np.abs(frames.down[k])) / 2
    half = half * (_BODY * widths[k] / frames.widths()[k])
    if frames.faces[k] == 1:
        # How an ace is turned is not known: the box of a middling turn.
        half = half * np.float32(1.15)
    left, top = (round(float(edge)) for edge in frames.middles[k] - half)
    right, bottom = (round(float(edge)) for edge in frames.middles[k] + half)
    return left, top, right, bottom
