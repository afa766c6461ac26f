"""Moves as one short line each, for the log, the buttons of a page and the tests.

A card is ``forest7`` or ``hero``, a row ``I``, ``II``, ``III``, ``IV`` or ``tower``:
``open sun4 II``, ``reveal 0 hero``, ``begin 1``, ``play krak9 I``, ``swap rock3 III``,
``back IV``, ``token plague``, ``strike I``, ``recolour tower sun``, ``summon II``,
``insert sun5 I 2`` (behind the second card), ``soar red``, ``enough``, ``fly red III``,
``recruit``, ``note 0 sun4`` and ``token-note 0 plague``. A seat's notes tell secrets,
so they are written only where that seat alone can read.
"""

from typing import assert_never

from companion.games.core import (
    NotAMove,
)
from companion.games.dragonix.moves import (
    Begin,
    Enough,
    Fly,
    Insert,
    Move,
    NoteCard,
    NoteToken,
    Play,
    PlayToken,
    Recolour,
    Recruit,
    Reveal,
    Soar,
    Strike,
    Summon,
    Swap,
    TakeBack,
    TurnUp,
)
from companion.games.dragonix.pieces import (
    CARDS,
    ROWS,
    Card,
    Dragon,
    People,
    Row,
    Token,
)
from companion.games.dragonix.state import State
from companion.games.hidden import (
    Hidden,
)

BARE: dict[str, Move] = {"enough": Enough(), "recruit": Recruit()}
UNSEEN = "?"
"""Written for a card or token that the one who writes may not see."""

ON_ROW: dict[str, type[TakeBack] | type[Strike] | type[Summon]] = {
    "back": TakeBack,
    "strike": Strike,
    "summon": Summon,
}
CARD_ON_ROW: dict[str, type[Play] | type[Swap] | type[TurnUp]] = {
    "play": Play,
    "swap": Swap,
    "open": TurnUp,
}
WORDS: dict[type, str] = {
    kind: word for word, kind in (*ON_ROW.items(), *CARD_ON_ROW.items())
}


def notate(_state: State, move: Move) -> str:
    """Return *move* as one line, the same in every state."""
    match move:
        case TurnUp() | Play() | Swap():
            return f"{WORDS[type(move)]} {_card(move.card)} {_row(move.row)}"
        case TakeBack() | Strike() | Summon():
            return f"{WORDS[type(move)]} {_row(move.row)}"
        case Reveal():
            return f"reveal {move.seat} {_card(move.card)}"
        case Begin():
            return f"begin {move.seat}"
        case Insert():
            return f"insert {_card(move.card)} {_row(move.row)} {move.slot}"
        case Fly():
            return f"fly {move.dragon} {_row(move.row)}"
        case _:
            return _notate_rest(move)


def _notate_rest(
    move: PlayToken | Recolour | Soar | Enough | Recruit | NoteCard | NoteToken,
) -> str:
    match move:
        case PlayToken():
            return f"token {move.token}"
        case Recolour():
            return f"recolour {_row(move.row)} {move.people}"
        case Soar():
            return f"soar {move.dragon}"
        case NoteCard():
            card = move.card.value
            return f"note {move.seat} {UNSEEN if card is None else _card(card)}"
        case NoteToken():
            token = move.token.value
            return f"token-note {move.seat} {UNSEEN if token is None else token}"
        case Enough():
            return "enough"
        case Recruit():
            return "recruit"
        case _:
            assert_never(move)


def _card(card: Card) -> str:
    return CARDS[card] if card in range(len(CARDS)) else str(card)


def _row(row: Row) -> str:
    return ROWS[row] if row in range(len(ROWS)) else str(row)


def parse(_state: State, text: str) -> Move:
    """Return the move that *text* writes.

    Raises:
        NotAMove: The text is no move of this game.
    """
    word, *rest = text.split()[:5] or [""]
    try:
        return _read(word, rest)
    except (ValueError, KeyError):
        raise NotAMove(
            f"{text[:80]!r} is no move of Dragonix; write 'play sun7 II', "
            "'swap sun7 II', 'back II', 'token plague', 'fly red III', 'recruit' or "
            "another of the lines in RULES.md"
        ) from None


def _read(word: str, rest: list[str]) -> Move:
    match rest:
        case []:
            return BARE[word]
        case [one]:
            return _read_one(word, one)
        case [one, two]:
            return _read_two(word, one, two)
        case [card, row, slot] if word == "insert":
            return Insert(CARDS.index(card), ROWS.index(row), _number(slot))
    raise ValueError(word)


def _read_one(word: str, what: str) -> Move:
    match word:
        case "begin":
            return Begin(_number(what))
        case "token":
            return PlayToken(Token(what))
        case "soar":
            return Soar(Dragon(what))
        case _:
            return ON_ROW[word](ROWS.index(what))


def _read_two(word: str, one: str, two: str) -> Move:
    match word:
        case "reveal":
            return Reveal(_number(one), CARDS.index(two))
        case "recolour":
            return Recolour(ROWS.index(one), People(two))
        case "fly":
            return Fly(Dragon(one), ROWS.index(two))
        case "note":
            card = None if two == UNSEEN else CARDS.index(two)
            return NoteCard(_number(one), Hidden(card, (_number(one),)))
        case "token-note":
            token = None if two == UNSEEN else Token(two)
            return NoteToken(_number(one), Hidden(token, (_number(one),)))
        case _:
            return CARD_ON_ROW[word](CARDS.index(one), ROWS.index(two))


def _number(text: str) -> int:
    # int() would also take "+1", "1_0" and digits of other scripts, and then two
    # texts would stand for one move.
    if text.isascii() and text.isdigit() and (text == "0" or text[0] != "0"):
        return int(text)
    raise ValueError(text)
