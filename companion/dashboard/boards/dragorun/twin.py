"""The board of Dragorun in sentences, for whoever cannot see the drawing."""

from collections.abc import Iterator

from companion.dashboard.boards.dragorun.figures import step_text
from companion.games.dragorun import eggs
from companion.games.dragorun.box import SNAIL_CELL, UNPLACED
from companion.games.dragorun.state import NONE, State, seat_of
from companion.table import Value, Word
from companion.words import Words

TWIN = "boards.dragorun.twin"


def summary(state: State, words: Words) -> str:
    """Return one sentence that names the drawing."""
    values = {"number": state.race, "cells": state.setting.box.finish}
    return words.say("boards.dragorun.summary", values)


def sentences(state: State, words: Words) -> Iterator[str]:
    """Yield where everything is, a sentence each, the first dragon first."""
    order = sorted(range(len(state.cells)), key=lambda i: -state.cells[i])
    for index in order:
        yield _dragon(state, index, words)
    for seat, held in enumerate(state.eggs):
        if held:
            listed = ", ".join(words.say(f"dragorun.egg.{egg}") for egg in held)
            yield words.say(f"{TWIN}.eggs", {"seat": seat, "eggs": listed})
    yield words.say("boards.dragorun.eggs_left", {"n": eggs.eggs_left(state)})
    if state.colour is not None and state.step is not None:
        step = step_text(state.step, words)
        values: dict[str, Value] = {
            "colour": Word(f"dragorun.colour.{state.colour}"),
            "step": step,
        }
        yield words.say(f"{TWIN}.dice", values)


def _dragon(state: State, index: int, words: Words) -> str:
    cell, seat = state.cells[index], seat_of(state, index)
    where = {
        UNPLACED: "waiting",
        SNAIL_CELL: "snail",
        state.setting.box.finish: "finish",
    }.get(cell, "cell")
    name: dict[str, Value] = {
        "dragon": Word(f"dragorun.dragon.{state.setting.dragons[index]}"),
        "cell": cell,
    }
    placed = words.say(f"{TWIN}.{where}", name)
    if seat is None:
        return (
            placed
            if NONE in state.markers
            else f"{placed} {words.say(f'{TWIN}.spare')}"
        )
    kept = "protected" if state.hidden[seat] else "ridden"
    return f"{placed} {words.say(f'{TWIN}.{kept}', {'seat': seat})}"
