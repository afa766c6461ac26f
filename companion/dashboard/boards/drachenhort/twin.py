"""The board of Drachenhort in sentences, for whoever cannot see the drawing."""

from companion.games.drachenhort.pieces import Adventurer, Light
from companion.games.drachenhort.state import HALL, OFF, START, Phase, State
from companion.table import Word
from companion.words import Words


def summary(state: State, words: Words) -> str:
    """Return one sentence that names the drawing."""
    if state.phase in (Phase.SHOW, Phase.OVER):
        return words.say("dashboard.drachenhort.summary.over")
    running = sum(cell != OFF for cell in state.cells)
    values = {"round": state.round, "n": running}
    return words.say("dashboard.drachenhort.summary", values)


def sentences(state: State, words: Words) -> list[str]:
    """Return where everything stands, a sentence each."""
    lines = [
        _tell_place(hero, cell, lit, words)
        for hero, cell, lit in zip(
            state.setting.box.adventurers, state.cells, state.lit, strict=True
        )
    ]
    where = {HALL: "hall", START: "start"}.get(state.dragon, "cell")
    lines.append(
        words.say(f"dashboard.drachenhort.twin.dragon.{where}", {"cell": state.dragon})
    )
    cells = list(enumerate(state.board.cells, start=1))
    lists = {
        "jewels": list(state.jewels),
        "traps": [n for n, cell in cells if cell.trap],
        "dark": [n for n, cell in cells if cell.light is Light.DARK],
        "lit_cells": [n for n, cell in cells if cell.light is Light.LIT],
    }
    for what, numbers in lists.items():
        if numbers:
            listed = ", ".join(map(str, numbers))
            lines.append(
                words.say(f"dashboard.drachenhort.twin.{what}", {"cells": listed})
            )
    return lines


def _tell_place(hero: Adventurer, cell: int, lit: bool, words: Words) -> str:
    where = {OFF: "off", START: "start"}.get(cell, "lit" if lit else "shadow")
    return words.say(
        f"dashboard.drachenhort.twin.{where}",
        {"adventurer": Word(f"drachenhort.{hero}"), "cell": cell},
    )
