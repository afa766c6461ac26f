"""Moves as one short line each, for the log, the buttons of a page and the tests.

``place red 3``, ``deal 0 red``, ``throw blue +2``, ``colour red`` and ``step snail``
for one die thrown again, ``move green 14``, ``swap yellow``, ``egg mushroom``,
``return``, ``decide 1``, ``again``.
"""

from companion.games.core import NotAMove
from companion.games.dragorun.pieces import Colour, Egg, Step
from companion.games.dragorun.state import (
    Deal,
    Decide,
    DrawEgg,
    Move,
    MoveDragon,
    Place,
    RaceAgain,
    ReturnEggs,
    State,
    Swap,
    Throw,
    ThrowColour,
    ThrowStep,
)

WORDS: dict[type, str] = {
    Place: "place",
    Deal: "deal",
    Throw: "throw",
    ThrowColour: "colour",
    ThrowStep: "step",
    MoveDragon: "move",
    Swap: "swap",
    DrawEgg: "egg",
    ReturnEggs: "return",
    Decide: "decide",
    RaceAgain: "again",
}
"""The first word of each kind of move; its values follow in their order."""


def notate(_state: State, move: Move) -> str:
    """Return *move* as one line, the same in every state."""
    values = (str(getattr(move, name)) for name in move.__struct_fields__)
    return " ".join((WORDS[type(move)], *values))


def parse(_state: State, text: str) -> Move:
    """Return the move that *text* writes.

    Raises:
        NotAMove: The text is no move of this game.
    """
    word, *rest = text.split()[:4] or [""]
    try:
        return _read(word, rest)
    except ValueError:
        raise NotAMove(
            f"{text[:40]!r} is no move of Dragorun; write 'throw blue +2', "
            "'colour red', 'step snail', 'move green 14', 'swap yellow', "
            "'egg mushroom', 'return', 'place red 3', 'deal 0 red', 'decide 1' or "
            "'again'"
        ) from None


def _read(word: str, rest: list[str]) -> Move:
    match word, rest:
        case "throw", [colour, step]:
            return Throw(Colour(colour), Step(step))
        case "colour", [colour]:
            return ThrowColour(Colour(colour))
        case "step", [step]:
            return ThrowStep(Step(step))
        case "move", [dragon, cell]:
            return MoveDragon(Colour(dragon), _number(cell))
        case "swap", [dragon]:
            return Swap(Colour(dragon))
        case "egg", [egg]:
            return DrawEgg(Egg(egg))
        case _:
            return _read_seldom(word, rest)


def _read_seldom(word: str, rest: list[str]) -> Move:
    match word, rest:
        case "return", []:
            return ReturnEggs()
        case "place", [dragon, cell]:
            return Place(Colour(dragon), _number(cell))
        case "deal", [seat, dragon]:
            return Deal(_number(seat), Colour(dragon))
        case "decide", [seat]:
            return Decide(_number(seat))
        case "again", []:
            return RaceAgain()
        case _:
            raise ValueError(word)


def _number(text: str) -> int:
    # int() would also take "+1", "1_0" and digits of other scripts, and then two
    # texts would stand for one move.
    if text.isascii() and text.isdigit() and (text == "0" or text[0] != "0"):
        return int(text)
    raise ValueError(text)
