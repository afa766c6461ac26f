"""The facts of a box as a form: what is typed, what its sums are, and what is wrong.

Pure: text in, a box or the faulty line out. Which lines there are is said by the game's
`Copy`, and what a fact must be by its `check_box`.
"""

from collections.abc import Mapping
from typing import Any

from companion.games import find
from companion.games.copy import DrawnSide, Field, Sum
from companion.table import LinePart

MOST_SIGNS = 40
"""Of a line that is typed: the longest counts are two digits."""


def empty_form(game: str) -> dict[str, str]:
    """Return the form of a box of which nothing was told yet; {} where nothing is.

    It has the lines of the stand-in, and none of what stands in them.
    """
    return {field.name: field.blank for field in fields(game, find(game).stand_in)}


def with_answers(
    game: str, before: Mapping[str, str], typed: Mapping[str, str]
) -> dict[str, str]:
    """Return what a form tells once some of its lines were typed or chosen anew.

    What is told by taps stays as it was.
    """
    return {
        field.name: before.get(field.name, field.blank)
        if field.drawn
        else typed.get(field.name, before.get(field.name, field.blank))[:MOST_SIGNS]
        for field in fields(game, find(game).stand_in)
    }


def sides(game: str, form: Mapping[str, str]) -> tuple[DrawnSide, ...]:
    """Return the sides of a board to be drawn and tapped, none where it has none."""
    return find(game).copy.sides(form)


def tapped(
    game: str, form: Mapping[str, str], side: str, tool: str, number: int
) -> dict[str, str]:
    """Return what a form tells once a cell was tapped; as before for no cell of it."""
    for one in sides(game, form):
        if one.name == side and tool in one.tools and 1 <= number <= len(one.cells):
            return dict(find(game).copy.tap(form, side, tool, number))
    return dict(form)


def sums_so_far(game: str, form: Mapping[str, str]) -> tuple[Sum, ...]:
    """Return the sums of a form that is not filled yet."""
    copy, stand_in = find(game).copy, find(game).stand_in
    return tuple(copy.sums(copy.so_far(stand_in, form)))


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
