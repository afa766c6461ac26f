"""Judges each picture of a live camera: fresh and usable, or what is wrong with it.

A pure state machine that is given pictures with the sensor's own time; it keeps no
clock. A frozen sensor is told from a still table by that time, and by noise, which no
two pictures of a living sensor share.
"""

import zlib
from collections.abc import Callable
from enum import StrEnum
from typing import TypeAlias

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from vision.arrays import Floats, Picture
from vision.camera.device import StampedPicture
from vision.camera.view import ALIKE, correlation, is_swapped, is_turned, shrink_view

Patches: TypeAlias = Callable[[Picture], bool | None]
"""Says by the mat's patches whether red and blue are mixed up; None: cannot say."""

WIDTH_PX = 320
"""Brightness is judged at this width."""


class Fault(StrEnum):
    """What can be wrong with a camera; the value is the line that tells people."""

    STARTING = "core.eye.starting"
    NOT_YET = "core.eye.not_yet"
    LOST = "core.eye.lost"
    HANGS = "core.eye.hangs"
    HELD = "core.eye.held"
    FROZEN = "core.eye.frozen"
    LATE = "core.eye.late"
    DARK = "core.eye.dark"
    BRIGHT = "core.eye.bright"
    COLOURS = "core.eye.colours"
    TURNED = "core.eye.turned"


class HealthLimits(Struct, frozen=True):
    """Limits of a usable picture.

    Attributes:
        frozen_s: The sensor's time may stand still for so long: 15 pictures at 30 a
            second, and half of what the banner may take.
        alike_s: Pictures may be the same to the last bit for so long, twelve at 15 a
            second. Noise makes that impossible on a living sensor; a driver that
            repeats one picture is caught, and reported within a second.
        old_s: An older picture shows the table before the last throw.
        absurd_s: A stamp further off than this comes from another clock.
        dark: The brightest hundredth of a usable picture is above this, 0 to 255. The
            darkest of 1406 photographs of dice and cards has 96.
        glare: Share of burnt-out pixels (250 and above) in a usable picture. The
            brightest of those photographs has 0.033.
        accept_s: A turned view is taken for the new one after this time: somebody
            wanted it so, and has seen a notice.
        order_looks: So many good pictures of a device that was opened are searched for
            colour patches, and after these one of every *order_each*: hands may lie on
            them, or a mat may be laid later. A look takes 90 ms of a PC where six
            markers are in view, 15 ms where there are none.
    """

    frozen_s: float = 0.5
    alike_s: float = 0.8
    old_s: float = 1.0
    absurd_s: float = 60.0
    dark: float = 32.0
    glare: float = 0.5
    accept_s: float = 30.0
    order_looks: int = 5
    order_each: int = 300


SIDES = 0.01
"""Share by which the sides of a still may be other ones than those of the video."""


class Health(Struct, frozen=True):
    """What is remembered of the pictures before; start with ``Health()``.

    Attributes:
        stamp_s: The sensor's newest time, None before there was one.
        stamped_at_s: When that time was first heard.
        mark: Checksum of the last picture.
        marked_at_s: When a picture with that checksum first came.
        seen: The last good picture, small; what a camera that comes back must show.
        shape: Height and width of the last good picture.
        proven: The device has shown that view since it was opened.
        turned_at_s: When a turned view was first seen, None if none is.
        mixed: Whether the device gives red for blue, by the patches; None while no
            patch was seen.
        looks: Good pictures since the device was opened, until the patches answer.
    """

    stamp_s: float | None = None
    stamped_at_s: float = 0.0
    mark: int | None = None
    marked_at_s: float = 0.0
    seen: Floats | None = None
    shape: tuple[int, int] | None = None
    proven: bool = False
    turned_at_s: float | None = None
    mixed: bool | None = None
    looks: int = 0


class PictureVerdict(Struct, frozen=True):
    """The verdict on one picture.

    Attributes:
        health: What to remember.
        fault: What is wrong, None for nothing that people need to know.
        fresh: The picture is news; an old or repeated one must not be read.
        taken_at_s: When it was taken, on the clock of the program.
        picture: The picture, its colours put right where the device mixes them up.
    """

    health: Health
    fault: Fault | None
    fresh: bool
    taken_at_s: float
    picture: Picture


def after_reopening(health: Health) -> Health:
    """Return what is still known once the device was opened again: only the view."""
    return Health(seen=health.seen, shape=health.shape)


def judge_picture(
    before: Health,
    shot: StampedPicture,
    now_s: float,
    limits: HealthLimits,
    patches: Patches,
) -> PictureVerdict:
    """Return the verdict on one more picture, which came at *now_s*."""
    age_s = _age_s(shot, now_s, limits)
    taken_at_s, picture = now_s - age_s, shot.picture
    if shot.stamp_s is not None and shot.stamp_s == before.stamp_s:
        frozen = now_s - before.stamped_at_s > limits.frozen_s
        fault = Fault.FROZEN if frozen else None
        return PictureVerdict(before, fault, False, taken_at_s, picture)
    health = replace(before, stamp_s=shot.stamp_s, stamped_at_s=now_s)
    if age_s > limits.old_s:
        return PictureVerdict(health, Fault.LATE, False, taken_at_s, picture)
    health = _with_checksum(health, picture, now_s)
    fault = _light_fault(picture, limits)
    if fault is None and now_s - health.marked_at_s > limits.alike_s:
        return PictureVerdict(health, Fault.FROZEN, False, taken_at_s, picture)
    if fault is None:
        health = _with_colour_order(health, picture, limits, patches)
    if health.mixed:
        picture = np.ascontiguousarray(picture[..., ::-1])
    if fault is None:
        health, fault = _compare_view(health, picture, now_s, limits)
    return PictureVerdict(health, fault, fault is None, taken_at_s, picture)


def judge_still(
    health: Health,
    shot: StampedPicture,
    asked_at_s: float,
    now_s: float,
    limits: HealthLimits,
) -> PictureVerdict:
    """Return the verdict on a still that was *asked_at_s* for and came at *now_s*.

    It must show what the video showed: by its sides, its light and its colours. What is
    known of the device is left as it is; where the video has red for blue, so has it.
    """
    age_s = _age_s(shot, now_s, limits)
    taken_at_s, picture = now_s - age_s, shot.picture
    fault: Fault | None = None
    if shot.stamp_s is not None and shot.stamp_s == health.stamp_s:
        fault = Fault.FROZEN
    elif taken_at_s < asked_at_s:
        fault = Fault.LATE
    else:
        fault = _light_fault(picture, limits)
    if fault is None:
        if health.mixed:
            picture = np.ascontiguousarray(picture[..., ::-1])
        fault = _other_view(health, picture)
    return PictureVerdict(health, fault, fault is None, taken_at_s, picture)


def _other_view(health: Health, picture: Picture) -> Fault | None:
    """Return what is wrong where a still does not show what the video showed."""
    if health.seen is None or health.shape is None:
        return None
    now = shrink_view(picture)
    if is_swapped(health.seen, now):
        return Fault.COLOURS
    wide = picture.shape[1] * health.shape[0] / (picture.shape[0] * health.shape[1])
    before = health.seen
    alike = correlation(before.mean(axis=2), now.mean(axis=2))
    # A sensor of other sides than the video's shows more, or less, of the table.
    return Fault.TURNED if abs(wide - 1) > SIDES or alike <= ALIKE else None


def _with_colour_order(
    health: Health, picture: Picture, limits: HealthLimits, patches: Patches
) -> Health:
    """Ask the patches, until they answer, which colour comes first."""
    if health.mixed is not None:
        return health
    looks = health.looks + 1
    due = looks <= limits.order_looks or looks % limits.order_each == 0
    return replace(health, looks=looks, mixed=patches(picture) if due else None)


def _age_s(shot: StampedPicture, now_s: float, limits: HealthLimits) -> float:
    """Return how old a picture is, s; 0 where its time is of no use."""
    if shot.stamp_s is None:
        return 0.0
    age_s = now_s - shot.stamp_s
    return age_s if 0.0 <= age_s <= limits.absurd_s else 0.0


def _with_checksum(health: Health, picture: Picture, now_s: float) -> Health:
    # A sixty-fourth of the pixels: noise leaves no two of them equal in each.
    mark = zlib.crc32(np.ascontiguousarray(picture[::8, ::8]).tobytes())
    if mark == health.mark:
        return health
    return replace(health, mark=mark, marked_at_s=now_s)


def _light_fault(picture: Picture, limits: HealthLimits) -> Fault | None:
    grey = cv2.cvtColor(picture[::2, ::2], cv2.COLOR_BGR2GRAY)
    if grey.shape[1] > WIDTH_PX:
        height_px = max(1, round(grey.shape[0] * WIDTH_PX / grey.shape[1]))
        grey = cv2.resize(grey, (WIDTH_PX, height_px), interpolation=cv2.INTER_AREA)
    if float(np.percentile(grey, 99)) < limits.dark:
        return Fault.DARK
    if float(np.mean(np.asarray(grey) >= 250)) > limits.glare:
        return Fault.BRIGHT
    return None


def _compare_view(
    health: Health, picture: Picture, now_s: float, limits: HealthLimits
) -> tuple[Health, Fault | None]:
    """Hold the first pictures after a reopening against the view before it."""
    now, shape = shrink_view(picture), (picture.shape[0], picture.shape[1])
    if not health.proven and health.seen is not None:
        if is_swapped(health.seen, now):
            return health, Fault.COLOURS
        on_its_side = shape[0] != shape[1] and shape[::-1] == health.shape
        if on_its_side or is_turned(health.seen, now):
            since_s = now_s if health.turned_at_s is None else health.turned_at_s
            if now_s - since_s < limits.accept_s:
                return replace(health, turned_at_s=since_s), Fault.TURNED
    return (
        replace(health, seen=now, shape=shape, proven=True, turned_at_s=None),
        None,
    )
