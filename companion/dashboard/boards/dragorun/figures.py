"""The dragons, dice and eggs of Dragorun as small pictures on boards and buttons."""

from typing import Any

from companion.dashboard.boards.drawing import Icon
from companion.dashboard.boards.picking import Slot
from companion.games.dragorun.pieces import WHITE, Colour, Egg, Step
from companion.games.dragorun.state import (
    TURN,
    Deal,
    DrawEgg,
    MoveDragon,
    Place,
    ReturnEggs,
    State,
    Swap,
    Throw,
    ThrowColour,
    ThrowStep,
)
from companion.table import LinePart
from companion.words import Words

PICTURED = ("trophy", "snail")
"""Faces of the movement die that are no number."""

EGG_OF_ALL = ("snail", "mushroom")


def drake(colour: Colour, words: Words) -> Icon:
    """Return the picture of a dragon, with two letters of its colour."""
    return Icon("drake", str(colour), badge(colour, words))


def badge(colour: str, words: Words) -> str:
    """Return two letters for a colour, as nobody should need to see colours."""
    return words.say(f"boards.badge.{colour}")


def egg(found: Egg, words: Words) -> Icon:
    """Return the picture of an egg that has been turned over."""
    text = "" if found in EGG_OF_ALL else badge(found, words)
    return Icon("egg", str(found), text)


def colour_die(colour: Colour, words: Words) -> Icon:
    """Return a face of the colour die."""
    return Icon("hue", str(colour), "" if colour is WHITE else badge(colour, words))


def step_die(step: Step) -> Icon:
    """Return a face of the movement die."""
    if step in PICTURED:
        return Icon("die", str(step))
    return Icon("die", text=step.value.replace("-", "−"))


def icons(_state: State, move: Any, words: Words) -> tuple[Icon, ...]:
    """Return the pictures on the button of *move*."""
    match move:
        case Throw():
            return colour_die(move.colour, words), step_die(move.step)
        case ThrowColour():
            return (colour_die(move.colour, words),)
        case ThrowStep():
            return (step_die(move.step),)
        case MoveDragon() | Place() | Deal() | Swap():
            return (drake(move.dragon, words),)
        case DrawEgg():
            return (egg(move.egg, words),)
        case ReturnEggs():
            return (Icon("egg", "", ""),)
        case _:
            return ()


def slot(state: State, move: Any) -> Slot | None:
    """Return the pick that *move* belongs to."""
    match move:
        case Throw():
            again = "" if state.phase is TURN else "_again"
            return Slot(LinePart(f"boards.dragorun.throw{again}"), "dice", two=True)
        case ThrowColour():
            return Slot(LinePart("boards.dragorun.throw_colour"), "faces")
        case ThrowStep():
            return Slot(LinePart("boards.dragorun.throw_step"), "faces")
        case DrawEgg():
            return Slot(LinePart("boards.dragorun.draw_egg"), "faces")
        case Place():
            return Slot(LinePart("boards.dragorun.place"), "dice", two=True)
        case _:
            return None


def label(
    _state: State, move: Any, which: int, words: Words
) -> tuple[str, tuple[Icon, ...]]:
    """Return the name and the pictures of an answer in a pick."""
    match move:
        case Throw() | ThrowColour() if which == 0 or isinstance(move, ThrowColour):
            name = words.say(f"dragorun.colour.{move.colour}")
            return name, (colour_die(move.colour, words),)
        case Throw() | ThrowStep():
            return step_text(move.step, words), (step_die(move.step),)
        case Place():
            if which == 0:
                name = words.say(f"dragorun.dragon.{move.dragon}")
                return name, (drake(move.dragon, words),)
            return str(move.cell), (Icon("die", text=str(move.cell)),)
        case _:
            return words.say(f"dragorun.egg.{move.egg}"), (egg(move.egg, words),)


def step_text(step: Step, words: Words) -> str:
    """Return a face of the movement die in words."""
    if step in PICTURED:
        return words.say(f"dragorun.step.{step}")
    return step.value.replace("-", "−")
