"""The facts of a box as a form: what is typed, what its sums are, and what is wrong.

Pure: text in, a box or the faulty line out. What a fact must be is said by the game's
own `check_box`; here it only becomes lines that people can fill in.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.games import find
from companion.games.drachenhort.box import (
    BACK_LIT,
    CARDS_OF_EACH,
    CELLS,
    FRONT_DARK,
    FRONT_TRAPS,
    LETTERS,
    Board,
)
from companion.games.drachenhort.pieces import (
    ADVENTURERS,
    JEWELS,
    NAMED,
    Adventurer,
    Light,
)
from companion.games.dragon_run.pieces import PLACES, SPECIALS, VALUABLES
from companion.games.dragonix.box import Colour as PeopleColour
from companion.games.dragonix.pieces import People
from companion.games.dragorun.pieces import FIFTHS
from companion.games.dragorun.pieces import Colour as DragonColour
from companion.table import LinePart, Text, Value, Word

ROW = 10
"""Cells of a board's way that are typed on one line."""


class Field(Struct, frozen=True):
    """One line of the form: its label, what stands in it, and what may stand there.

    *choices* has the values to choose from, each with its name; none for free text.
    *group* is a heading that several lines share.
    """

    name: str
    label: LinePart
    value: str
    choices: tuple[tuple[str, Text], ...] = ()
    group: str = ""


class Sum(Struct, frozen=True):
    """What the box must have so many of, and how many were typed."""

    label: LinePart
    wanted: int
    found: int

    @property
    def is_right(self) -> bool:
        """Tell whether as many were typed as the rulebook counts."""
        return self.wanted == self.found


class BadFact(ValueError):
    """A line of the form cannot be read; *field* names it, *line* says why."""

    def __init__(self, field: str, line: str, **values: str | int) -> None:
        super().__init__(field)
        self.field = field
        self.why = LinePart(line, tuple(values.items()))


def fields(game: str, box: Any) -> tuple[Field, ...]:
    """Return the form of a box, filled with its facts; none where it has none.

    What Dragon Run's cards do is told in kit.toml; here they are only counted.
    """
    forms = {
        "drachenhort": _drachenhort_fields,
        "dragorun": _dragorun_fields,
        "dragonix": _dragonix_fields,
        "dragon_run": _dragon_run_fields,
    }
    return tuple(forms[game](box)) if game in forms else ()


def read_facts(game: str, box: Any, form: Mapping[str, str]) -> Any:
    """Return the box that a form tells, over what *box* says already.

    Raises:
        BadFact: A line cannot be read.
    """
    readers = {
        "drachenhort": _read_drachenhort,
        "dragorun": _read_dragorun,
        "dragonix": _read_dragonix,
        "dragon_run": _read_dragon_run,
    }
    return readers[game](box, form) if game in readers else box


def sums(game: str, box: Any) -> tuple[Sum, ...]:
    """Return what the rulebook counts, beside what the box has."""
    counts = {"drachenhort": _drachenhort_sums, "dragon_run": _dragon_run_sums}
    return tuple(counts[game](box)) if game in counts else ()


def faults(game: str, box: Any) -> tuple[LinePart, ...]:
    """Return what cannot be about a box, the first fault first."""
    return tuple(
        LinePart(f"teach.fault.{fault.code}", fault.params)
        for fault in find(game).check_box(box)
    )


def _label(line: str, **values: Value) -> LinePart:
    return LinePart(f"teach.fact.{line}", tuple(values.items()))


def _number(form: Mapping[str, str], name: str) -> int:
    text = form.get(name, "").strip()
    if not text.isdecimal() or len(text) > 3:
        raise BadFact(name, "teach.fact.no_number")
    return int(text)


# Drachenhort: two sides of thirty cells, seven adventurers, seven cards of three.


def _drachenhort_fields(box: Any) -> Iterator[Field]:
    for side, board in (("front", box.front), ("back", box.back)):
        signs = "".join(_sign(cell) for cell in board.cells)
        for first in range(0, CELLS, ROW):
            label = _label("cells", first=first + 1, last=first + ROW)
            row = signs[first : first + ROW]
            yield Field(f"{side}-{first}", label, row, group=side)
    colours = tuple((one.value, Word(f"drachenhort.{one.value}")) for one in Adventurer)
    others = tuple(one for one in colours if one[0] not in {n.value for n in NAMED})
    for number, hero in enumerate(box.adventurers[len(NAMED) :], start=1):
        label = _label("hero", n=number)
        yield Field(f"hero-{number}", label, hero.value, others, "heroes")
    for number, group in enumerate(box.groups, start=1):
        for part, hero in enumerate(group, start=1):
            label = _label("card", n=number, part=part)
            yield Field(f"card-{number}-{part}", label, hero.value, colours, "cards")


def _sign(cell: Any) -> str:
    return next(sign for sign, one in LETTERS.items() if one == cell)


def _read_drachenhort(box: Any, form: Mapping[str, str]) -> Any:
    heroes = [_hero(form, f"hero-{n}") for n in range(1, ADVENTURERS - len(NAMED) + 1)]
    return replace(
        box,
        front=replace(box.front, cells=_cells(form, "front")),
        back=replace(box.back, cells=_cells(form, "back")),
        adventurers=(*NAMED, *heroes),
        groups=tuple(
            tuple(_hero(form, f"card-{n}-{part}") for part in range(1, 4))
            for n in range(1, ADVENTURERS + 1)
        ),
    )


def _cells(form: Mapping[str, str], side: str) -> tuple[Any, ...]:
    cells = []
    for first in range(0, CELLS, ROW):
        name = f"{side}-{first}"
        row = form.get(name, "").replace(" ", "")
        for sign in row:
            if sign not in LETTERS:
                raise BadFact(name, "teach.fact.no_sign", sign=sign)
        if len(row) != ROW:
            raise BadFact(name, "teach.fact.not_ten", n=len(row))
        cells += [LETTERS[sign] for sign in row]
    return tuple(cells)


def _hero(form: Mapping[str, str], name: str) -> Adventurer:
    try:
        return Adventurer(form.get(name, ""))
    except ValueError as error:
        raise BadFact(name, "teach.fact.no_choice") from error


def _drachenhort_sums(box: Any) -> Iterator[Sum]:
    for side, board in (("front", box.front), ("back", box.back)):
        yield Sum(_label(f"{side}_cells"), CELLS, len(board.cells))
        yield Sum(_label(f"{side}_jewels"), JEWELS, len(board.jewels))
    traps = sum(cell.trap for cell in box.front.cells)
    yield Sum(_label("front_traps"), FRONT_TRAPS, traps)
    yield Sum(_label("front_dark"), FRONT_DARK, _lit(box.front, Light.DARK))
    yield Sum(_label("back_lit"), BACK_LIT, _lit(box.back, Light.LIT))
    shares = Counter(hero for group in box.groups for hero in group)
    for hero in box.adventurers:
        label = _label("shares", hero=Word(f"drachenhort.{hero.value}"))
        yield Sum(label, CARDS_OF_EACH, shares[hero])


def _lit(board: Board, light: Light) -> int:
    return sum(cell.light is light for cell in board.cells)


# Dragorun: where the dragons line up, how long the track is, and the fifth colour.


def _dragorun_fields(box: Any) -> Iterator[Field]:
    yield Field("starts", _label("starts"), " ".join(map(str, box.starts)))
    yield Field("finish", _label("finish"), str(box.finish))
    choices = tuple((one.value, Word(f"dragorun.colour.{one.value}")) for one in FIFTHS)
    yield Field("fifth", _label("fifth"), box.fifth.value, choices)


def _read_dragorun(box: Any, form: Mapping[str, str]) -> Any:
    words = form.get("starts", "").replace(",", " ").split()
    if not words or not all(word.isdecimal() and len(word) < 4 for word in words):
        raise BadFact("starts", "teach.fact.no_number")
    try:
        fifth = DragonColour(form.get("fifth", ""))
    except ValueError as error:
        raise BadFact("fifth", "teach.fact.no_choice") from error
    starts = tuple(int(word) for word in words)
    return replace(box, starts=starts, finish=_number(form, "finish"), fifth=fifth)


# Dragonix: the colours of the four peoples.


def _dragonix_fields(box: Any) -> Iterator[Field]:
    choices = tuple(
        (one.value, Word(f"teach.colour.{one.value}")) for one in PeopleColour
    )
    for people, colour in zip(People, box.colours, strict=True):
        label = LinePart(f"dragonix.{people.value}")
        yield Field(people.value, label, colour.value, choices)


def _read_dragonix(box: Any, form: Mapping[str, str]) -> Any:
    colours = []
    for people in People:
        try:
            colours.append(PeopleColour(form.get(people.value, "")))
        except ValueError as error:
            raise BadFact(people.value, "teach.fact.no_choice") from error
    return replace(box, colours=tuple(colours))


# Dragon Run: how many cards there are of each kind.


def _dragon_run_fields(box: Any) -> Iterator[Field]:
    for kind, count in enumerate(box.gold):
        label = LinePart(f"dragon_run.gold-{kind + 1}")
        yield Field(f"gold-{kind + 1}", label, str(count), group="gold")
    for group, things in (("special", box.specials), ("place", box.places)):
        for thing in things:
            label = _label("count_of", thing=thing.name)
            yield Field(f"{group}-{thing.id}", label, str(thing.count), group=group)


def _read_dragon_run(box: Any, form: Mapping[str, str]) -> Any:
    def counted(group: str, things: Any) -> Any:
        return tuple(
            replace(thing, count=_number(form, f"{group}-{thing.id}"))
            for thing in things
        )

    gold = tuple(_number(form, f"gold-{kind}") for kind in range(1, len(box.gold) + 1))
    return replace(
        box,
        gold=gold,
        specials=counted("special", box.specials),
        places=counted("place", box.places),
    )


def _dragon_run_sums(box: Any) -> Iterator[Sum]:
    yield Sum(_label("gold"), VALUABLES, sum(box.gold))
    yield Sum(_label("special"), SPECIALS, sum(one.count for one in box.specials))
    yield Sum(_label("place"), PLACES, sum(one.count for one in box.places))
