"""Asks a running table how its camera is, instead of fighting it for the device."""

import json
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias
from urllib.error import URLError
from urllib.request import Request, urlopen

import cv2
import numpy as np

from companion.words import Words
from firmware.finding import Finding, Level
from vision.camera.device import DeviceFacts
from vision.camera.light_check import measure_quality
from vision.mat.calibrate import calibrate, summarise
from vision.mat.limits import mat_limits

Fetch: TypeAlias = Callable[[str], bytes]
"""Returns what a path of the page holds; raises OSError where there is nothing."""

WAIT_S = 3.0

DRAWN = "drawn"
"""What a table calls its camera that has none."""


def fetch_from(port: int) -> Fetch:
    """Return what asks the page at *port* of this computer."""

    def fetch(path: str) -> bytes:
        asked = Request(
            f"http://127.0.0.1:{port}{path}", headers={"Accept-Language": "en"}
        )
        with urlopen(asked, timeout=WAIT_S) as answer:
            got: bytes = answer.read()
        return got

    return fetch


def is_table(fetch: Fetch) -> dict[str, Any] | None:
    """Return the status of the table that answers, None where another program does."""
    try:
        state = json.loads(fetch("/api/state"))
        status = state["status"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return status if isinstance(status, dict) else None


def examine_eye(fetch: Fetch, status: dict[str, Any]) -> Iterator[Finding]:
    """Yield how buttons, camera, light and focus of a running table are."""
    yield _buttons(status)
    trouble, name = status.get("camera_trouble"), status.get("camera") or "none"
    if trouble:
        # The page's own words, which end with what to do.
        why = status.get("camera_why") or "the table has trouble"
        yield Finding("camera", Level.FAIL, f"{name}: {why.rstrip('.')}.", trouble)
    elif name == "none":
        yield Finding(
            "camera", Level.WARN, "The table runs without a camera.",
            "Start it with --camera pi, or a webcam's number.",
        )  # fmt: skip
        return
    elif name == DRAWN:
        what = "The running table is drawn: no camera looks at one."
        yield Finding("camera", Level.OK, what)
        return
    else:
        yield Finding("camera", Level.OK, f"{name}, in use by the running table.")
    try:
        packed = np.frombuffer(fetch("/picture"), np.uint8)
    except (URLError, OSError):
        return
    picture = cv2.imdecode(packed, cv2.IMREAD_COLOR) if packed.size else None
    if picture is not None:
        seen = np.asarray(picture, np.uint8)
        yield from examine_picture(seen)
        yield from examine_mat(seen)


def _buttons(status: dict[str, Any]) -> Finding:
    """Return how the buttons of a running table are: it holds their pins."""
    name = status.get("pins") or "none"
    if trouble := status.get("pins_trouble"):
        evidence, _, remedy = str(trouble).partition(". ")
        return Finding("buttons", Level.FAIL, f"{evidence}.", remedy)
    if status.get("simulated", False):
        what = "The running table's are simulated: nothing is wired to them."
        return Finding("buttons", Level.OK, what)
    return Finding("buttons", Level.OK, f"In use by the running table ({name}).")


def examine_mode(facts: DeviceFacts) -> Finding:
    """Return what a camera gives, whatever it was asked for."""
    if facts.slow:
        return Finding(
            "mode", Level.WARN, f"{facts.mode}: a throw is seen late.",
            "Plug it into a socket of its own (a blue one), or take a webcam that "
            "gives MJPG.",
        )  # fmt: skip
    return Finding("mode", Level.OK, f"{facts.mode}.")


def examine_colours(facts: DeviceFacts, patches: bool | None) -> Finding:
    """Return whether red comes out red, as far as anything tells.

    Args:
        facts: What the camera itself has proven.
        patches: What the patches of a mat or of tiles say: whether it is mixed up,
            None where none is in view.
    """
    if patches is not None or facts.order is not None:
        mixed = facts.order is False if patches is None else patches
        by = "by the mat's patches" if patches is not None else "by taking red away"
        if mixed:
            what = f"The camera gives red for blue ({by}); the table puts it right."
            return Finding("colours", Level.OK, what)
        return Finding("colours", Level.OK, f"Red comes out red ({by}).")
    return Finding(
        "colours", Level.WARN, "Not known whether the camera swaps red and blue.",
        "Lay a printed mat or loose tiles in view once, or hold something red before "
        "the camera and look at the page.",
    )  # fmt: skip


def examine_missing(status: dict[str, Any]) -> Iterator[Finding]:
    """Yield what a running table goes on without."""
    for one in status.get("missing", ()):
        level = Level.FAIL if one["in_play"] else Level.WARN
        yield Finding("missing", level, f"{one['why'].rstrip('.')}.", one["text"])


def examine_picture(picture: np.ndarray) -> Iterator[Finding]:
    """Yield light and focus of a picture of the table, ``(h, w, 3)``, uint8, BGR."""
    look = measure_quality(picture)
    what = f"Brightest hundredth {look.brightest:.0f} of 255, "
    what += f"{look.burnt:.1%} burnt out."
    if look.is_dark:
        remedy = "Put a lamp beside the table, not behind the camera."
        yield Finding("light", Level.WARN, what, remedy)
    elif look.is_dazzled:
        remedy = "Turn the lamp until its reflection is outside the picture."
        yield Finding("light", Level.WARN, what, remedy)
    else:
        yield Finding("light", Level.OK, what)
    sharp = f"Sharpest edges rise by {look.sharpness:.0%} in one pixel."
    if look.is_blurred:
        remedy = (
            "Turn the lens until print is crisp, and fix the camera so that it rests."
        )
        yield Finding("focus", Level.WARN, sharp, remedy)
    else:
        yield Finding("focus", Level.OK, sharp)


def examine_mat(picture: np.ndarray) -> Iterator[Finding]:
    """Yield light and glare over the field of a mat or of tiles, where there are any.

    The table plays without markers too, so that none in view is nothing to tell.
    """
    rules = mat_limits().check
    found = summarise(calibrate(picture, "unknown", 100.0, rules), picture)
    if found.layout is None:
        return
    what = "Loose tiles" if found.layout == "tiles" else f"{found.layout} mat"
    evidence = f"{what}: {len(found.markers)} markers in view."
    if (stand := found.stand) is not None:
        evidence = (
            f"{what}: {len(found.markers)} markers, {stand.px_per_mm:.1f} px/mm; white "
            f"paper at {max(stand.lighting.white):.0f} of 255, "
            f"{stand.lighting.evenness:.0%} even; largest reflection in the field "
            f"{stand.glare_mm2:.0f} mm2, {rules.glare_mm2:.0f} are too many."
        )
    words = Words("en")
    remedy = " ".join(words.part(trouble) for trouble in found.troubles)
    yield Finding("mat", Level.WARN if remedy else Level.OK, evidence, remedy)
