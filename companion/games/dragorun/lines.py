"""The ids of the lines that name dragons, faces, eggs and cells."""

from companion.games.dragorun.box import SNAIL_CELL, Cell
from companion.games.dragorun.options import BOOK
from companion.games.dragorun.pieces import SNAIL, TROPHY, Colour, Egg, Step
from companion.games.dragorun.state import State
from companion.table import Value


def dragon_name(dragon: Colour) -> str:
    """Return the line of a dragon's name with its colour."""
    return f"@{BOOK}.dragon.{dragon}"


def colour_name(colour: Colour) -> str:
    """Return the line of a colour alone, as the die shows it."""
    return f"@{BOOK}.colour.{colour}"


def step_name(step: Step) -> str:
    """Return a face of the movement die; a number needs no words."""
    return f"@{BOOK}.step.{step}" if step in (TROPHY, SNAIL) else step.value


def egg_name(egg: Egg) -> str:
    """Return the line of an egg's name."""
    return f"@{BOOK}.egg.{egg}"


def cell_value(state: State, cell: Cell) -> Value:
    """Return the number of a cell, or the line of the two that have a name."""
    if cell == SNAIL_CELL:
        return f"@{BOOK}.cell.snail"
    if cell == state.setting.box.finish:
        return f"@{BOOK}.cell.finish"
    return cell
