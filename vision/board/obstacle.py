"""What may be in the way of comparing a board."""

from enum import StrEnum


class Obstacle(StrEnum):
    """Why a board cannot be compared; the value is the line that says so."""

    HAND = "core.eye.hand"
    THING = "core.eye.thing"
    DARK = "core.ask.dark"
    BRIGHT = "core.eye.bright"
    COLOURED = "core.eye.coloured"
    LAMP = "core.eye.lamp"
    MOVED = "core.eye.moved"
    FLAT = "core.eye.flat"
    CUT = "core.eye.cut"
