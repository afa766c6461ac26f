"""Long lists of moves as a few questions: which colour, then which number.

A pick is one form whose fields, joined by blanks, are the notation of the move. It only
ever offers moves that are legal: where two questions could be answered in a way that
fits no move, the first answer gets a form of its own.
"""

from collections.abc import Callable, Iterable
from typing import Any, Self

from msgspec import Struct
from msgspec.structs import replace

from companion.dashboard.boards.drawing import Icon
from companion.dashboard.boards.tapping import Spots, common
from companion.table import LinePart

MANY = 5
"""Fewer buttons than this are read faster than a form is opened."""


class PickAnswer(Struct, frozen=True, gc=False):
    """An answer: the word that it adds to the notation, its name and its pictures.

    *spots* are the places of the board that all its moves concern, parted by blanks.
    """

    word: str
    text: str
    icons: tuple[Icon, ...] = ()
    spots: str = ""


class Slot(Struct, frozen=True, gc=False):
    """Which pick a move belongs to.

    *title* puts the question; *shape* says how its answers are laid out. *two* moves
    ask for the first word after the verb too, before they ask for the second. Fewer
    than *least* moves stay buttons.
    """

    title: LinePart
    shape: str
    two: bool = False
    icons: tuple[Icon, ...] = ()
    least: int = MANY


class Pick(Struct, frozen=True):
    """A form: *verb*, one of *at* if there are any, one of *what*, and *tail*.

    *by* is the player whose move it is, where that is not the one who looks; a
    *private* one tells the table a secret. *first* is asked before all plain buttons.
    *chosen* are the answers of the move that the table's own button would make now.
    *spots* are the places of the board that all its moves concern, parted by blanks.
    """

    key: str
    title: str
    shape: str
    verb: str
    at: tuple[PickAnswer, ...]
    what: tuple[PickAnswer, ...]
    tail: str = ""
    icons: tuple[Icon, ...] = ()
    by: str | None = None
    private: bool = False
    first: bool = False
    chosen: tuple[str, ...] = ()
    spots: str = ""

    @property
    def leading(self) -> str:
        """Return the notation of the first move that the form can make."""
        answers = (choices[0].word for choices in (self.at, self.what) if choices)
        return " ".join(filter(None, (self.verb, *answers, self.tail)))

    def with_chosen(self, notation: str) -> Self:
        """Return the pick with the answers marked that make up *notation*, if any."""
        if not notation.startswith(self.verb):
            return self
        for at in self.at or (None,):
            for what in self.what:
                answers = (at.word, what.word) if at else (what.word,)
                line = " ".join(filter(None, (self.verb, *answers, self.tail)))
                if line == notation:
                    return replace(self, chosen=answers)
        return self


class PickMove(Struct, frozen=True, gc=False):
    """A move that belongs to a pick: its words, whose it is, and where it happens."""

    move: Any
    words: tuple[str, ...]
    slot: Slot
    by: str | None = None
    private: bool = False
    spots: Spots = ()


Label = Callable[[Any, int], tuple[str, tuple[Icon, ...]]]
"""Gives the name and pictures of a move's first (0) or second (1) answer."""


def gather(
    moves: Iterable[PickMove], say: Callable[[LinePart], str], label: Label
) -> tuple[list[Pick], list[Any]]:
    """Return the picks that *moves* make, and the moves that are too few for one."""
    shelves: dict[tuple[Any, ...], list[PickMove]] = {}
    for thing in moves:
        tail = thing.words[2 + thing.slot.two :]
        key = (thing.words[0], thing.slot, tail, thing.by, thing.private)
        shelves.setdefault(key, []).append(thing)
    picks, left = [], []
    for shelf in shelves.values():
        if len(shelf) < shelf[0].slot.least:
            left += [thing.move for thing in shelf]
        else:
            picks += _picks(shelf, say(shelf[0].slot.title), label)
    return picks, left


def _picks(shelf: list[PickMove], title: str, label: Label) -> list[Pick]:
    slot = shelf[0].slot
    if not slot.two:
        return [_pick(shelf, title, (), label)]
    rows = [*_by_word(shelf, 1)]
    answers = [{thing.words[2] for thing in row} for row in rows]
    first = _choices(rows, 1, 0, label)
    if all(row == answers[0] for row in answers):
        whole = _pick(shelf, title, first, label)
        return [whole]
    return [
        replace(_pick(row, f"{title} {at.text}", (at,), label), icons=at.icons)
        for at, row in zip(first, rows, strict=True)
    ]


def _pick(
    shelf: list[PickMove], title: str, at: tuple[PickAnswer, ...], label: Label
) -> Pick:
    one, slot = shelf[0], shelf[0].slot
    tail = " ".join(one.words[2 + slot.two :])
    only = at[0].word if len(at) == 1 else ""
    return Pick(
        key=" ".join(filter(None, (one.words[0], only, tail, one.by))),
        title=title,
        shape=slot.shape,
        verb=one.words[0],
        at=at,
        what=_choices(_by_word(shelf, 1 + slot.two), 1 + slot.two, 1, label),
        tail=tail,
        icons=slot.icons,
        by=one.by,
        private=one.private,
        spots=_spots(shelf),
    )


def _by_word(shelf: list[PickMove], at: int) -> Iterable[list[PickMove]]:
    rows: dict[str, list[PickMove]] = {}
    for thing in shelf:
        rows.setdefault(thing.words[at], []).append(thing)
    return rows.values()


def _spots(moves: list[PickMove]) -> str:
    return " ".join(common(thing.spots for thing in moves))


def _choices(
    rows: Iterable[list[PickMove]], at: int, which: int, label: Label
) -> tuple[PickAnswer, ...]:
    return tuple(
        PickAnswer(row[0].words[at], *label(row[0].move, which), spots=_spots(row))
        for row in rows
    )
