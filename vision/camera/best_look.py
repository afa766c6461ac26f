"""How many pictures of one stillness are read, and which one of the tray is believed.

One is enough where it leaves nothing in doubt. That two had to agree was measured on
photographs with a sensor's noise (`python -m vision.measure.bench.votes FOLDER`, table
in vision/README.md): as many were wrong, and more was asked. So it was on whole drawn
tables, of which `vision.tabletop.seen` says the same (vision/tabletop/README.md).
"""

from collections.abc import Iterable, Sequence
from itertools import islice

from companion.table import Reading

MOST_LOOKS = 2


def is_sure(reading: Reading) -> bool:
    """Return whether a reading shows something and leaves nothing in doubt."""
    return bool(reading.glimpses) and not (reading.choices or reading.trouble)


def surest(looks: Sequence[Reading]) -> Reading:
    """Return the reading that tells most for sure, of those what is least in doubt.

    One with trouble tells nothing; the last of equals is the table as it is now.
    """
    return max(
        reversed(looks),
        key=lambda one: (one.trouble is None, len(one.glimpses), -len(one.choices)),
    )


def believed(readings: Iterable[Reading]) -> Reading:
    """Return what is believed of the readings of one stillness, in their order.

    No more of them are taken than are needed.

    Raises:
        ValueError: No readings.
    """
    looks: list[Reading] = []
    for reading in islice(readings, MOST_LOOKS):
        looks.append(reading)
        if is_sure(reading):
            break
    if not looks:
        raise ValueError("no readings of a stillness; give at least one")
    return surest(looks)
