"""The facts of a box of Drachenhort as a form: what is typed, and what its sums are."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from companion.games.copy import (
    BadFact,
    DrawnCell,
    DrawnSide,
    Field,
    FilledForm,
    Sum,
    fact_label,
)
from companion.games.drachenhort.box import (
    BACK_LIT,
    CARDS_OF_EACH,
    CELLS,
    FRONT_DARK,
    FRONT_TRAPS,
    LETTERS,
    Board,
    Box,
    Cell,
)
from companion.games.drachenhort.pieces import (
    ADVENTURERS,
    JEWELS,
    NAMED,
    Adventurer,
    Light,
)
from companion.table import Word

ROW = 10
"""Cells of a board's way that are typed on one line."""


def fields(box: Box) -> Iterator[Field]:
    """Yield two sides of thirty cells, seven adventurers, seven cards of three."""
    for side, board in (("front", box.front), ("back", box.back)):
        signs = "".join(_sign(cell) for cell in board.cells)
        for first in range(0, CELLS, ROW):
            label = fact_label("cells", first=first + 1, last=first + ROW)
            row = signs[first : first + ROW]
            name = f"{side}-{first}"
            yield Field(name, label, row, group=side, blank=ROW * ".", drawn=True)
    colours = tuple((one.value, Word(f"drachenhort.{one.value}")) for one in Adventurer)
    others = tuple(one for one in colours if one[0] not in {n.value for n in NAMED})
    for number, hero in enumerate(box.adventurers[len(NAMED) :], start=1):
        label = fact_label("hero", n=number)
        yield Field(f"hero-{number}", label, hero.value, others, "heroes")
    for number, group in enumerate(box.groups, start=1):
        for part, hero in enumerate(group, start=1):
            label = fact_label("card", n=number, part=part)
            yield Field(f"card-{number}-{part}", label, hero.value, colours, "cards")


def _sign(cell: Any) -> str:
    return next(sign for sign, one in LETTERS.items() if one == cell)


def read_form(box: Box, form: FilledForm) -> Box:
    """Return the box that a form tells, over what *box* says already."""
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


def _cells(form: FilledForm, side: str) -> tuple[Any, ...]:
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


def _hero(form: FilledForm, name: str) -> Adventurer:
    try:
        return Adventurer(form.get(name, ""))
    except ValueError as error:
        raise BadFact(name, "teach.fact.no_choice") from error


def so_far(box: Box, form: FilledForm) -> Box:
    """Return the box that a form tells which is not filled yet, for its sums alone."""
    known = {hero.value: hero for hero in Adventurer}

    def told(name: str) -> tuple[Adventurer, ...]:
        found = known.get(form.get(name, ""))
        return () if found is None else (found,)

    heroes = [hero for n in (1, 2) for hero in told(f"hero-{n}")]
    groups = [
        tuple(hero for part in range(1, 4) for hero in told(f"card-{n}-{part}"))
        for n in range(1, ADVENTURERS + 1)
    ]
    return replace(
        box,
        front=replace(box.front, cells=_cells(form, "front")),
        back=replace(box.back, cells=_cells(form, "back")),
        adventurers=(*NAMED, *heroes),
        groups=tuple(groups),
    )


TOOLS = ("jewel", "trap", "dark", "lit")
"""What a cell may be told to have by a tap, and told not to have by another one."""


def sides(form: FilledForm) -> tuple[DrawnSide, ...]:
    """Return both sides of the board as a form tells them so far."""
    return tuple(
        DrawnSide(
            side,
            TOOLS,
            tuple(
                DrawnCell(number, str(cell.light), cell.trap, cell.jewel)
                for number, cell in enumerate(_cells(form, side), start=1)
            ),
        )
        for side in ("front", "back")
    )


def tap(form: FilledForm, side: str, tool: str, number: int) -> FilledForm:
    """Return what a form tells once a cell was tapped; another tap takes it back."""
    cell = _cells(form, side)[number - 1]
    match tool:
        case "jewel":
            told = Cell(cell.light, jewel=not cell.jewel)
        case "trap":
            told = Cell(trap=not cell.trap)
        case _:
            light = Light.DARK if tool == "dark" else Light.LIT
            again = Light.HALVES if cell.light is light else light
            told = Cell(again, jewel=cell.jewel)
    first = (number - 1) // ROW * ROW
    name, at = f"{side}-{first}", number - 1 - first
    row = form[name]
    return {**form, name: row[:at] + _sign(told) + row[at + 1 :]}


def sums(box: Box) -> Iterator[Sum]:
    """Yield what the rulebook counts, beside what the box has."""
    for side, board in (("front", box.front), ("back", box.back)):
        yield Sum(fact_label(f"{side}_cells"), CELLS, len(board.cells))
        yield Sum(fact_label(f"{side}_jewels"), JEWELS, len(board.jewels))
    traps = sum(cell.trap for cell in box.front.cells)
    yield Sum(fact_label("front_traps"), FRONT_TRAPS, traps)
    yield Sum(fact_label("front_dark"), FRONT_DARK, _lit(box.front, Light.DARK))
    yield Sum(fact_label("back_lit"), BACK_LIT, _lit(box.back, Light.LIT))
    shares = Counter(hero for group in box.groups for hero in group)
    for hero in box.adventurers:
        label = fact_label("shares", hero=Word(f"drachenhort.{hero.value}"))
        yield Sum(label, CARDS_OF_EACH, shares[hero])


def _lit(board: Board, light: Light) -> int:
    return sum(cell.light is light for cell in board.cells)
