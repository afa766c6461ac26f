"""The facts of a box as a form: what is typed, what its sums are, and what is wrong.

Pure: text in, a box or the faulty line out. Which lines there are is said by the game's
`Copy`, and what a fact must be by its `check_box`.
"""

from collections.abc import Mapping
from typing import Any

from companion.games import find
from companion.games.copy import Field, Sum
from companion.table import LinePart


def fields(game: str, box: Any) -> tuple[Field, ...]:
    """Return the form of a box, filled with its facts; none where it has none."""
    return tuple(find(game).copy.fields(box))


def read_facts(game: str, box: Any, form: Mapping[str, str]) -> Any:
    """Return the box that a form tells, over what *box* says already.

    Raises:
        BadFact: A line cannot be read.
    """
    return find(game).copy.read(box, form)


def sums(game: str, box: Any) -> tuple[Sum, ...]:
    """Return what the rulebook counts, beside what the box has."""
    return tuple(find(game).copy.sums(box))


def faults(game: str, box: Any) -> tuple[LinePart, ...]:
    """Return what cannot be about a box, the first fault first."""
    return tuple(
        LinePart(f"teach.fault.{fault.code}", fault.params)
        for fault in find(game).check_box(box)
    )
