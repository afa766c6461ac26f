"""Which places of Dragon Run's table a move concerns, and where they are drawn."""

from typing import Any

from companion.dashboard.boards.dragon_run.draw import PATH_Y, Dungeon
from companion.dashboard.boards.tapping import Area, Spots
from companion.games.dragon_run.state import Roll, State, Turn
from companion.words import Words

PILE, DIE = "pile", "die"


def spots(_state: State, move: Any) -> Spots:
    """Return the pile for a card that is turned, the die for a throw."""
    match move:
        case Turn():
            return (PILE,)
        case Roll():
            return (DIE,)
        case _:
            return ()


def areas(_state: State, drawing: Dungeon, words: Words) -> dict[str, Area]:
    """Return where the pile lies, and the faces of the die."""
    return {
        PILE: Area(drawing.pile_text, 40, PATH_Y, 60, 78),
        DIE: Area(words.say("boards.tap.die"), 180, 247, 344, 48),
    }
