"""The sizes of console and pods in ``parts.toml``, and where their holes are, mm.

Seen from above as they are used: x to the right, y to the back, (0, 0) in the middle.
"""

from typing import TypeAlias

from msgspec import Struct

Pair: TypeAlias = tuple[float, float]
Triple: TypeAlias = tuple[float, float, float]

_STEPS = (-1.5, -0.5, 0.5, 1.5)
"""Four in a row, from their middle."""


class Slot(Struct, frozen=True):
    """A cut in the rim of a box, for cables.

    Attributes:
        side: ``"back"``, ``"left"`` or ``"right"``.
        at: Where along that side, from its middle.
        wide, tall: Its size.
    """

    side: str
    at: float
    wide: float
    tall: float


class Boxes(Struct, frozen=True, forbid_unknown_fields=True):
    """``[boxes]``."""

    wall: float
    corner: float
    screw_in: float
    pilot: float
    pilot_deep: float
    screw: float
    tie: float
    tie_apart: float
    tie_in: float


class Pod(Struct, frozen=True, forbid_unknown_fields=True):
    """``[pod]``."""

    size: Triple
    button: float
    button_at: Pair
    led: float
    led_apart: float
    led_at: float
    slot: Pair

    @property
    def leds(self) -> tuple[Pair, ...]:
        """Return the middles of the windows."""
        return tuple((step * self.led_apart, self.led_at) for step in _STEPS)

    @property
    def slots(self) -> tuple[Slot, ...]:
        """Return where cables go in and out."""
        wide, tall = self.slot
        return tuple(Slot(side, 0.0, wide, tall) for side in ("back", "left", "right"))


class Console(Struct, frozen=True, forbid_unknown_fields=True):
    """``[console]``."""

    size: Triple
    button: float
    lamp: float
    apart: float
    buttons_at: float
    lamps_at: float
    display: Pair
    display_at: Pair
    knob: float
    knob_at: Pair
    buzzer: float
    buzzer_at: Pair
    slot: Pair
    slots_at: float

    @property
    def round_holes(self) -> tuple[tuple[float, Pair], ...]:
        """Return width and middle of every round hole."""
        row = [step * self.apart for step in _STEPS]
        return (
            *((self.button, (x, self.buttons_at)) for x in row),
            *((self.lamp, (x, self.lamps_at)) for x in row),
            (self.knob, self.knob_at), (self.buzzer, self.buzzer_at),
        )  # fmt: skip

    @property
    def slots(self) -> tuple[Slot, ...]:
        """Return where cables go in and out."""
        wide, tall = self.slot
        return tuple(
            Slot("back", at, wide, tall) for at in (-self.slots_at, self.slots_at)
        )
