"""Asks a running table how its camera is, instead of fighting it for the device."""

import json
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias
from urllib.error import URLError
from urllib.request import Request, urlopen

import cv2
import numpy as np

from companion.words.said import Part, say
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
        yield Finding(
            "camera",
            Level.FAIL,
            say("doctor.table.trouble", name=name, why=why.rstrip(".")),
            trouble,
        )
    elif name == "none":
        yield Finding(
            "camera",
            Level.WARN,
            say("doctor.table.none"),
            say("doctor.table.none_do"),
        )
        return
    elif name == DRAWN:
        yield Finding("camera", Level.OK, say("doctor.table.drawn"))
        return
    else:
        yield Finding("camera", Level.OK, say("doctor.table.in_use", name=name))
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
        return Finding("buttons", Level.OK, say("doctor.buttons.simulated"))
    return Finding("buttons", Level.OK, say("doctor.buttons", name=name))


def examine_mode(facts: DeviceFacts) -> Finding:
    """Return what a camera gives, whatever it was asked for."""
    if facts.slow:
        return Finding(
            "mode",
            Level.WARN,
            say("doctor.mode.slow", mode=str(facts.mode)),
            say("doctor.mode.slow_do"),
        )
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
        by = "mat" if patches is not None else "taken"
        what = say(f"doctor.colours.{'mixed' if mixed else 'right'}_{by}")
        return Finding("colours", Level.OK, what)
    return Finding(
        "colours",
        Level.WARN,
        say("doctor.colours.unknown"),
        say("doctor.colours.unknown_do"),
    )


def examine_missing(status: dict[str, Any]) -> Iterator[Finding]:
    """Yield what a running table goes on without."""
    for one in status.get("missing", ()):
        level = Level.FAIL if one["in_play"] else Level.WARN
        yield Finding("missing", level, f"{one['why'].rstrip('.')}.", one["text"])


def examine_picture(picture: np.ndarray) -> Iterator[Finding]:
    """Yield light and focus of a picture of the table, ``(h, w, 3)``, uint8, BGR."""
    look = measure_quality(picture)
    shares = {"brightest": f"{look.brightest:.0f}", "burnt": f"{look.burnt:.1%}"}
    what = say("doctor.light", **shares)
    if look.is_dark:
        yield Finding("light", Level.WARN, what, say("doctor.light.dark_do"))
    elif look.is_dazzled:
        yield Finding("light", Level.WARN, what, say("doctor.light.bright_do"))
    else:
        yield Finding("light", Level.OK, what)
    sharp = say("doctor.focus", sharpness=f"{look.sharpness:.0%}")
    if look.is_blurred:
        yield Finding("focus", Level.WARN, sharp, say("doctor.focus_do"))
    else:
        yield Finding("focus", Level.OK, sharp)


UNEVEN = 0.3
"""Darkest over brightest white paper, in linear light. A lamp 40 cm from the middle of
an A3 mat and 60 cm up leaves 0.40, one 36 cm from it and 35 cm up 0.18: it stands too
near (inverse squares, `tests/doctor/test_running_table.py`). Such a table is read all
the same; but shadows are longer, and reflections larger."""


def examine_mat(picture: np.ndarray) -> Iterator[Finding]:
    """Yield light and glare over the field of a mat or of tiles, where there are any.

    The table plays without markers too, so that none in view is nothing to tell.
    """
    rules = mat_limits().check
    found = summarise(calibrate(picture, "unknown", 100.0, rules), picture)
    if found.layout is None:
        return
    tiles = found.layout == "tiles"
    layout: dict[str, Part] = {} if tiles else {"layout": str(found.layout)}
    what = say("doctor.mat.tiles" if tiles else "doctor.mat.mat", **layout)
    count = len(found.markers)
    evidence = say("doctor.mat.seen", what=what, count=count)
    if (stand := found.stand) is not None:
        evidence = say(
            "doctor.mat.measured",
            what=what,
            count=count,
            scale=f"{stand.px_per_mm:.1f}",
            white=f"{max(stand.lighting.white):.0f}",
            even=f"{stand.lighting.evenness:.0%}",
            glare=f"{stand.glare_mm2:.0f}",
            most=f"{rules.glare_mm2:.0f}",
        )
    if found.troubles:
        remedy = say("doctor.mat_do", troubles=tuple(found.troubles))
        yield Finding("mat", Level.WARN, evidence, remedy)
    elif stand is not None and stand.lighting.evenness < UNEVEN:
        yield Finding("mat", Level.WARN, evidence, say("doctor.mat.uneven_do"))
    else:
        yield Finding("mat", Level.OK, evidence)
