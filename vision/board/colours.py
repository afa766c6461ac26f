"""What people call the colour of a piece."""

from collections.abc import Iterable

import numpy as np

from vision.arrays import Floats

_HUES = {
    "pink": 5.0,
    "red": 35.0,
    "orange": 62.0,
    "yellow": 97.0,
    "green": 148.0,
    "turquoise": 190.0,
    "blue": 278.0,
    "violet": 318.0,
}
"""Angle of what people call by these names in the plane of CIELAB, degrees."""

NAMES = frozenset((*_HUES, "white", "black"))
"""Colours that a piece may be called by."""

_SAME_HUE = 22.0
"""Degrees up to which a piece has the colour that it is called by. First guess: names
lie 27 and more apart, and a lamp turns hues by some ten."""

_GREYISH = 16.0
"""Chroma in CIELAB up to which a thing may be white or black."""


def name_colour(lab: Floats, names: Iterable[str]) -> str | None:
    """Return the one of some names that a colour ``(3,)`` in CIELAB has.

    None where none of them or several are as near.
    """
    light, chroma = float(lab[0]), float(np.hypot(lab[1], lab[2]))
    hue = float(np.degrees(np.arctan2(lab[2], lab[1])) % 360)
    if chroma < _GREYISH:
        grey = "white" if light > 60 else "black" if light < 30 else ""
        named = [name for name in names if name == grey]
    else:
        named = [
            name
            for name in names
            if name in _HUES and abs((hue - _HUES[name] + 180) % 360 - 180) < _SAME_HUE
        ]
    return named[0] if len(named) == 1 else None
