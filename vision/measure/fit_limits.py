"""Read each set of dice by limits that the other sets and drawn scenes choose.

``python -m vision.measure.fit_limits FOLDER`` writes the table in vision/README.md. The
frames of a picture do not depend on these limits, so they are sought once and judged
often; the set that is left out is then read anew from its photographs.
"""

import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from vision.arrays import Picture
from vision.camera.files import open_picture
from vision.drawn.scenes import Scene, TrueFace, draw_scene
from vision.measure.accuracy import OTHER_SETS, PIP_SETS, measure_set, write_table
from vision.measure.counts import Tally, TrueDie, count_dice, true_dice
from vision.measure.leave_one_out import best_limits, limits_in_words
from vision.pips.candidates import FaceCandidates
from vision.pips.company import decide_dice
from vision.pips.contest import group_by_die
from vision.pips.reader import (
    PipLimits,
    find_candidates,
    pip_limits,
    scale_die,
    to_work_size,
)

TRIED = {
    "accept": (0.97, 0.95, 0.93, 0.9),
    "accept_round": (0.9, 0.8, 0.7, 0.6, 0.5),
    "rough": (0.03, 0.05, 0.07),
    "accept_beside": (0.9, 0.8, 0.7, 0.6, 0.5),
    "alike": (1.1, 1.15, 1.2, 1.35, 1.5),
    "lone_misfit": (0.2, 0.3, 0.4),
    "sure_flatness": (0.65, 0.58, 0.5),
}
"""Values of each limit, the strictest first."""

SCENES = 200
_FIRST_SEED = 1_000_000
"""Far from the seeds that taught the network."""


class PictureCandidates(Struct, frozen=True):
    """A picture whose frames were found: what is left is to judge them."""

    truth: tuple[TrueDie, ...]
    candidates: FaceCandidates
    groups: list[list[int]]
    factor: float
    size: tuple[int, ...]

    def tally(self, limits: PipLimits) -> Tally:
        """Return the counts of this picture by some limits."""
        dice = decide_dice(self.candidates, self.groups, limits, anywhere=True)
        seen = tuple(scale_die(die, self.factor, self.size) for die in dice)
        return count_dice(self.truth, seen, self.size)


def find_in_picture(picture: Picture, truth: tuple[TrueDie, ...]) -> PictureCandidates:
    """Return a picture ``(h, w, 3)``, uint8, BGR, with all frames that it may show.

    Frames are sought by the strictest limits: then hardly a die is sure at the first
    look, and the second is taken nearly everywhere.
    """
    limits = replace(pip_limits(), **{name: some[0] for name, some in TRIED.items()})
    worked, factor = to_work_size(picture)
    candidates = find_candidates(worked, limits)
    groups = group_by_die(candidates, limits)
    return PictureCandidates(truth, candidates, groups, factor, picture.shape[:2])


def open_photographs(folder: Path, name: str) -> list[PictureCandidates]:
    """Return the photographs of a set that are measured."""
    truth = true_dice(folder, name)
    every = OTHER_SETS.get(name, 1)
    return [
        find_in_picture(open_picture(folder / photo).picture, truth[photo])
        for photo in sorted(truth)[::every]
    ]


def draw_scenes(scenes: int) -> list[PictureCandidates]:
    """Return drawn scenes, but for those with a die that shows more of a side."""
    some = (draw_scene(_FIRST_SEED + seed) for seed in range(scenes))
    return [
        find_in_picture(scene.picture, _true_dice(scene))
        for scene in some
        if all(face.face >= 0 for face in scene.truth)
    ]


def _true_dice(scene: Scene) -> tuple[TrueDie, ...]:
    height, width = scene.picture.shape[:2]
    return tuple(
        TrueDie(face.face, _box(face, width, height))
        for face in scene.truth
        if face.face and _in_sight(face, width, height)
    )


def _in_sight(face: TrueFace, width: int, height: int) -> bool:
    x, y = face.middle
    return bool(0 <= x < width and 0 <= y < height)


def _box(face: TrueFace, width: int, height: int) -> tuple[float, float, float, float]:
    half = 1.2 * (np.abs(face.across) + np.abs(face.down)) / 2
    (left, top), (right, bottom) = face.middle - half, face.middle + half
    return (
        float(left / width),
        float(top / height),
        float(right / width),
        float(bottom / height),
    )


def leave_one_out_table(folder: Path, scenes: int) -> str:
    """Return how each set of dice is read by the limits that all others choose."""
    counted = {
        name: _counting(open_photographs(folder, name))
        for name in (*PIP_SETS, *OTHER_SETS)
    }
    counted["drawn scenes"] = _counting(draw_scenes(scenes))
    lines = [
        "| set | limits that the others choose | right | asked | missed | wrong |",
        "|---|---|--:|--:|--:|--:|",
    ]
    for name in PIP_SETS:
        others = [some for other, some in counted.items() if other != name]
        limits = best_limits(pip_limits(), TRIED, others)
        row = measure_set(folder, name, limits)
        lines.append(
            f"| {name} | {limits_in_words(limits, TRIED)} | {row.right} "
            f"({row.right / row.dice:.1%}) | {row.asked} | {row.missed} | {row.wrong} |"
        )
        sys.stdout.write(lines[-1] + "\n")
    return "\n".join(lines)


def _counting(some: Sequence[PictureCandidates]) -> Callable[[PipLimits], list[Tally]]:
    """Return what counts some pictures by limits, each limits once."""
    return cache(lambda limits: [one.tally(limits) for one in some])


if __name__ == "__main__":
    text = leave_one_out_table(Path(sys.argv[1]), SCENES)
    write_table(Path(__file__).parents[1] / "README.md", text, "left_out")
