"""Moves as one short line each, for the log, the buttons of a page and the tests.

``throw 2``, ``advance green``, ``pass``, ``dragon``, ``rank green``, ``flip``,
``note 0 3`` and ``show 1 5`` with the seat first and then the card. A seat's ``note``
tells its secret, so it is written only where that seat alone can read.
"""

from typing import assert_never

from companion.games.core import (
    NotAMove,
)
from companion.games.drachenhort.pieces import Adventurer
from companion.games.drachenhort.state import (
    Advance,
    FlipBoard,
    Move,
    MoveDragon,
    NoteGroup,
    Pass,
    Rank,
    ShowGroup,
    State,
    Throw,
)
from companion.games.hidden import (
    Hidden,
)

BARE: dict[str, Move] = {"pass": Pass(), "dragon": MoveDragon(), "flip": FlipBoard()}

UNSEEN = "?"
"""Written for a group that the one who writes may not see."""


def notate(_state: State, move: Move) -> str:
    """Return *move* as one line, the same in every state."""
    match move:
        case Throw():
            return f"throw {move.pips}"
        case Advance():
            return f"advance {move.adventurer}"
        case Rank():
            return f"rank {move.adventurer}"
        case NoteGroup():
            card = UNSEEN if move.group.value is None else move.group.value
            return f"note {move.seat} {card}"
        case ShowGroup():
            return f"show {move.seat} {move.group}"
        case Pass() | MoveDragon() | FlipBoard():
            return str(type(move).__struct_config__.tag)
        case _:
            assert_never(move)


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
            f"{text!r} is no move of Drachenhort; write 'throw 2', 'advance green', "
            "'pass', 'dragon', 'rank green', 'flip', 'note 0 3' or 'show 0 3'"
        ) from None


def _read(word: str, rest: list[str]) -> Move:
    match word, rest:
        case "throw", [pips]:
            return Throw(_number(pips))
        case "advance", [colour]:
            return Advance(Adventurer(colour))
        case "rank", [colour]:
            return Rank(Adventurer(colour))
        case "note", [seat, group]:
            value = None if group == UNSEEN else _number(group)
            return NoteGroup(_number(seat), Hidden(value, (_number(seat),)))
        case "show", [seat, group]:
            return ShowGroup(_number(seat), _number(group))
        case _, [] if word in BARE:
            return BARE[word]
    raise ValueError(word)


def _number(text: str) -> int:
    # int() would also take "+1", "1_0" and digits of other scripts, and then two
    # texts would stand for one move.
    if text.isascii() and text.isdigit() and (text == "0" or text[0] != "0"):
        return int(text)
    raise ValueError(text)
