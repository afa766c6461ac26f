"""Moves as one short line each, for the log, the buttons of a page and the tests.

``deal elf``, ``turn room``, ``sneak``, ``cry``, ``discard gold-3``, ``roll 7``,
``pass``, ``power``, ``play vision``, ``annul 1``, ``let 1``, ``point 2``,
``note 0 gold-3``, ``forget 0`` and ``show 0 gold-3``. Cards and characters go by the
ids of the box. A seat's ``note`` tells its secret, so it is written only where that
seat alone can read.
"""

from collections.abc import Callable
from typing import assert_never

from companion.games.core import (
    NotAMove,
)
from companion.games.dragon_run.box import Box
from companion.games.dragon_run.state import (
    Annul,
    Cry,
    Deal,
    Discard,
    ForgetNotes,
    LetPass,
    Move,
    NoteCard,
    Pass,
    Play,
    Point,
    Roll,
    ShowCard,
    Sneak,
    State,
    Turn,
    UsePower,
)
from companion.games.hidden import (
    Hidden,
)

BARE: dict[str, Move] = {
    "sneak": Sneak(),
    "cry": Cry(),
    "pass": Pass(),
    "power": UsePower(),
}

UNSEEN = "?"
"""Written for a card that the one who writes may not see."""


def notate(state: State, move: Move) -> str:
    """Return *move* as one line, the same in every state of one box."""
    tag = str(type(move).__struct_config__.tag)
    match move:
        case Sneak() | Cry() | Pass() | UsePower():
            return tag
        case Roll():
            return f"{tag} {move.pips}"
        case Annul() | LetPass() | Point() | ForgetNotes():
            return f"{tag} {move.seat}"
        case ShowCard() | NoteCard():
            return f"{tag} {move.seat} {_piece(state.setting.box, move)}"
        case Deal() | Turn() | Discard() | Play():
            return f"{tag} {_piece(state.setting.box, move)}"
        case _:
            assert_never(move)


def _piece(box: Box, move: Deal | Turn | Discard | Play | ShowCard | NoteCard) -> str:
    match move:
        case Deal():
            return _id(_heroes(box), move.hero)
        case Turn():
            return _id(_places(box), move.place)
        case NoteCard():
            return _id(_treasures(box), move.treasure.value)
        case Discard() | Play() | ShowCard():
            return _id(_treasures(box), move.treasure)
        case _:
            assert_never(move)


def _heroes(box: Box) -> list[str]:
    return [hero.id for hero in box.heroes]


def _places(box: Box) -> list[str]:
    return [card.id for card in box.places]


def _treasures(box: Box) -> list[str]:
    return [box.treasure_id(kind) for kind in box.kinds]


def _id(ids: list[str], number: int | None) -> str:
    return ids[number] if number is not None and 0 <= number < len(ids) else UNSEEN


def parse(state: State, text: str) -> Move:
    """Return the move that *text* writes.

    Raises:
        NotAMove: The text is no move of this game with this box.
    """
    word, *rest = text.split()[:4] or [""]
    try:
        return _read(state.setting.box, word, rest)
    except ValueError:
        shown = text if len(text) <= 40 else f"{text[:40]}..."
        raise NotAMove(
            f"{shown!r} is no move of Dragon Run here; write 'turn dragon', 'sneak', "
            "'cry', 'discard gold-1', 'roll 7', 'pass', 'power', 'play annulment', "
            "'annul 1', 'let 1', 'point 1', 'note 0 gold-1', 'forget 0' or "
            "'show 0 gold-1'"
        ) from None


def _read(box: Box, word: str, rest: list[str]) -> Move:
    match word, rest:
        case _, [] if word in BARE:
            return BARE[word]
        case _, [argument] if word in WITH_ONE:
            return WITH_ONE[word](box, argument)
        case "note", [seat, card]:
            kind = None if card == UNSEEN else _treasures(box).index(card)
            return NoteCard(_number(seat), Hidden(kind, (_number(seat),)))
        case "show", [seat, card]:
            return ShowCard(_number(seat), _treasures(box).index(card))
        case _:
            pass
    raise ValueError(word)


def _number(text: str) -> int:
    # int() would also take "+1", "1_0" and digits of other scripts, and then two
    # texts would stand for one move.
    if text.isascii() and text.isdigit() and (text == "0" or text[0] != "0"):
        return int(text)
    raise ValueError(text)


WITH_ONE: dict[str, Callable[[Box, str], Move]] = {
    "deal": lambda box, text: Deal(_heroes(box).index(text)),
    "turn": lambda box, text: Turn(_places(box).index(text)),
    "discard": lambda box, text: Discard(_treasures(box).index(text)),
    "play": lambda box, text: Play(_treasures(box).index(text)),
    "roll": lambda _box, text: Roll(_number(text)),
    "annul": lambda _box, text: Annul(_number(text)),
    "let": lambda _box, text: LetPass(_number(text)),
    "point": lambda _box, text: Point(_number(text)),
    "forget": lambda _box, text: ForgetNotes(_number(text)),
}
"""How a word with one more after it is read."""
