"""What is hidden is found and cut wherever it lies in a value, and nothing else is."""

from typing import Any

import pytest
from msgspec import Struct

from companion.games.hidden import Hidden, is_of_memory, is_private, redact


class Hand(Struct, frozen=True):
    """A hand of cards, with what all may see of it."""

    label: str
    cards: tuple[Hidden[str], ...] = ()
    best: Hidden[str] | None = None


class Tables(Struct, frozen=True):
    """What holds something hidden only within something else."""

    hands: tuple[Hand, ...] = ()
    marks: frozenset[Hidden[str]] = frozenset()
    score: int = 0


MINE = Hidden("dragon", (0,))
REMEMBERED = Hidden("dragon")


@pytest.mark.parametrize(
    ("thing", "private", "of_memory"),
    [
        (None, False, False),
        ("dragon", False, False),
        (MINE, True, False),
        (REMEMBERED, False, True),
        (Hand("a"), False, False),
        (Hand("a", (REMEMBERED, MINE)), True, True),
        (Hand("a", best=MINE), True, False),
        (Tables((Hand("a"), Hand("b", (MINE,)))), True, False),
        (Tables(marks=frozenset({REMEMBERED})), False, True),
        (Tables(score=3), False, False),
    ],
)
def test_it_is_found_in_any_depth(thing: Any, private: bool, of_memory: bool) -> None:
    assert is_private(thing) is private
    assert is_of_memory(thing) is of_memory


def test_only_who_may_see_it_sees_it() -> None:
    shown = Hand("a", (MINE, REMEMBERED))
    tables = Tables((shown, Hand("b")), frozenset({MINE}), 3)

    emptied = Hidden(None, (0,)), Hidden(None)
    assert redact(tables, 1) == Tables(
        (Hand("a", emptied), Hand("b")), frozenset({Hidden(None, (0,))}), 3
    )
    # What the referee alone remembers is for nobody's eyes.
    assert redact(tables, 0) == Tables(
        (Hand("a", (MINE, Hidden(None))), Hand("b")), frozenset({MINE}), 3
    )


def test_what_hides_nothing_is_returned_as_it_is() -> None:
    plain = Tables((Hand("a"),), score=3)

    assert redact(plain, None) is plain
