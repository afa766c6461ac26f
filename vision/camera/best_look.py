"""How many pictures of one stillness are read, and which reading is used.

One is enough where it leaves nothing in doubt. That two had to agree was measured on
photographs with a sensor's noise (`python -m vision.measure.bench.votes FOLDER`, table
in vision/README.md): as many were wrong, and more was asked. It was the same on whole
drawn tables (vision/tabletop/README.md).
"""

from collections.abc import Iterable, Sequence
from itertools import islice

from companion.table import Reading

MOST_LOOKS = 2


def is_reading_sure(reading: Reading) -> bool:
    """Return whether a reading shows something and leaves nothing in doubt."""
    return bool(reading.glimpses) and not (reading.choices or reading.trouble)


def surest_reading(looks: Sequence[Reading]) -> Reading:
    """Return the reading with most sure things, and of those with fewest doubts.

    One with trouble comes last; the last of equals is the table as it is now.
    """
    return max(
        reversed(looks),
        key=lambda one: (one.trouble is None, len(one.glimpses), -len(one.choices)),
    )


def choose_reading(readings: Iterable[Reading]) -> Reading:
    """Return the reading to use, of those of one stillness in their order.

    No more of them are taken than are needed.

    Raises:
        ValueError: No readings.
    """
    looks: list[Reading] = []
    for reading in islice(readings, MOST_LOOKS):
        looks.append(reading)
        if is_reading_sure(reading):
            break
    if not looks:
        raise ValueError("no readings of a stillness; give at least one")
    return surest_reading(looks)
