"""The ids of the lines that name dragons, faces, eggs and cells."""

from companion.games.dragorun.box import SNAIL_CELL, Cell
from companion.games.dragorun.options import BOOK
from companion.games.dragorun.pieces import SNAIL, TROPHY, Colour, Egg, Step
from companion.games.dragorun.state import State
from companion.table import Text, Value, Word


def dragon_name(dragon: Colour) -> Word:
    """Return the line of a dragon's name with its colour."""
    return Word(f"{BOOK}.dragon.{dragon}")


def colour_name(colour: Colour) -> Word:
    """Return the line of a colour alone, as the die shows it."""
    return Word(f"{BOOK}.colour.{colour}")


def step_name(step: Step) -> Text:
    """Return a face of the movement die; a number needs no words."""
    return Word(f"{BOOK}.step.{step}") if step in (TROPHY, SNAIL) else step.value


def egg_name(egg: Egg) -> Word:
    """Return the line of an egg's name."""
    return Word(f"{BOOK}.egg.{egg}")


def cell_value(state: State, cell: Cell) -> Value:
    """Return the number of a cell, or the line of the two that have a name."""
    if cell == SNAIL_CELL:
        return Word(f"{BOOK}.cell.snail")
    if cell == state.setting.box.finish:
        return Word(f"{BOOK}.cell.finish")
    return cell
