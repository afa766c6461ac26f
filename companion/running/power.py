"""What a Raspberry Pi says of its supply and its heat, as bits and as a line.

Source: Raspberry Pi documentation, `vcgencmd get_throttled`: bits 0 to 3 are now, bits
16 to 19 the same since it was started.
"""

from msgspec import Struct

LOW, CAPPED, SLOWED, HOT = 1 << 0, 1 << 1, 1 << 2, 1 << 3
"""Too little voltage; speed capped; slowed down; near the limit of its heat."""

NOW = LOW | CAPPED | SLOWED | HOT
SINCE = 16
"""How far the bits of the past lie above those of now."""


class Power(Struct, frozen=True, gc=False):
    """*now* and *past*: bits of this moment, and of any since the program started."""

    now: int = 0
    past: int = 0


def after_bits(power: Power, bits: int) -> Power:
    """Return *power* once the Pi has reported *bits*.

    What is over is remembered here, as a kernel may forget it when it has been read.
    """
    return Power(bits & NOW, power.past | (bits | bits >> SINCE) & NOW)


def power_line(power: Power) -> str | None:
    """Return the line that warns of the present, None where nothing is amiss."""
    if power.now & LOW:
        return "core.power.low"
    if power.now & HOT:
        return "core.power.hot"
    return "core.power.slowed" if power.now else None
