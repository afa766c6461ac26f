"""Moves as one short line each, for the log, the buttons of a page and the tests.

``turn c4 red_head``, ``miss`` for two cards that are no pair, ``take c4``, ``back c4``,
``shift c4 a1``, ``swap``, ``return red_head c4``, ``draw 1 red_head`` with the seat
drawn from, ``grab 1``, ``decline``, ``token c4``, ``free c4``, ``lay`` with four cards,
``end``, ``pair`` and ``no_pair`` for what a look showed, ``stop`` and ``play_on`` for
what was decided.
Squares are named column by column from a, rows from 1.
"""

from typing import assert_never

from companion.games.core import (
    NotAMove,
)
from companion.games.eight_dragons import gains
from companion.games.eight_dragons.pieces import ORDER, SQUARES, Card
from companion.games.eight_dragons.state import (
    Decide,
    Decline,
    Draw,
    EndTurn,
    FreeToken,
    Grab,
    Lay,
    Miss,
    Move,
    PlaceToken,
    Report,
    Return,
    Shift,
    State,
    Swap,
    Take,
    Turn,
    TurnBack,
)
from companion.games.hidden import (
    Hidden,
)

BARE: dict[str, Move] = {
    "miss": Miss(),
    "swap": Swap(),
    "decline": Decline(),
    "end": EndTurn(),
    "pair": Report(True),
    "no_pair": Report(False),
    "stop": Decide(True),
    "play_on": Decide(False),
}
WORDS = {move: word for word, move in BARE.items()}

PLACED: dict[str, type[Take | TurnBack | PlaceToken | FreeToken]] = {
    "take": Take,
    "back": TurnBack,
    "token": PlaceToken,
    "free": FreeToken,
}

UNSEEN = "?"
"""Written for a card that the one who writes may not see."""


def notate(_state: State, move: Move) -> str:
    """Return *move* as one line, the same in every state."""
    match move:
        case Turn():
            return f"turn {square(move.place)} {_card(move.card)}"
        case Take() | TurnBack() | PlaceToken() | FreeToken():
            return f"{move.__struct_config__.tag} {square(move.place)}"
        case Shift():
            return f"shift {square(move.place)} {square(move.there)}"
        case Return() | Draw() | Grab():
            return _notate_hand(move)
        case Lay():
            return f"lay {' '.join(move.cards)}"
        case Miss() | Swap() | Decline() | EndTurn() | Report() | Decide():
            return WORDS[move]
        case _:
            assert_never(move)


def _notate_hand(move: Return | Draw | Grab) -> str:
    match move:
        case Return():
            return f"return {_card(move.card)} {square(move.place)}"
        case Draw():
            return f"draw {move.source} {_card(move.card)}"
        case Grab():
            return f"grab {move.source}"
        case _:
            assert_never(move)


def square(place: int) -> str:
    """Return the name of a place."""
    return SQUARES[place] if place in range(len(SQUARES)) else str(place)


def _card(card: Hidden[Card]) -> str:
    return UNSEEN if card.value is None else card.value.value


def parse(state: State, text: str) -> Move:
    """Return the move that *text* writes.

    Raises:
        NotAMove: The text is no move of this game.
    """
    word, *rest = text.split()[:6] or [""]
    try:
        return _read(state, word, rest)
    except ValueError:
        raise NotAMove(
            f"{text!r} is no move of 8 Dragons; write 'turn c4 red_head', 'take c4', "
            "'back c4', 'shift c4 a1', 'return red_head c4', 'draw 1 red_head', "
            "'token c4' or 'end'"
        ) from None


def _read(state: State, word: str, rest: list[str]) -> Move:
    match word, rest:
        case "turn", [place, card]:
            return Turn(_place(place), Hidden(_read_card(card), ()))
        case (("take" | "back" | "token" | "free"), [place]):
            return PLACED[word](_place(place))
        case "shift", [here, there]:
            return Shift(_place(here), _place(there))
        case _, [] if word in BARE:
            return BARE[word]
        case _:
            return _read_hand(state, word, rest)


def _read_hand(state: State, word: str, rest: list[str]) -> Move:
    match word, rest:
        case "return", [card, place]:
            return Return(Hidden(_read_card(card), (state.seat,)), _place(place))
        case "draw", [seat, card]:
            source = _number(seat)
            seen_by = tuple(sorted((gains.drawer(state), source)))
            return Draw(source, Hidden(_read_card(card), seen_by))
        case "grab", [seat]:
            return Grab(_number(seat))
        case "lay", [_, _, _, _]:
            one, two, three, four = sorted(map(Card, rest), key=ORDER.__getitem__)
            return Lay((one, two, three, four))
        case _:
            raise ValueError(word)


def _place(text: str) -> int:
    return SQUARES.index(text)


def _read_card(text: str) -> Card | None:
    return None if text == UNSEEN else Card(text)


def _number(text: str) -> int:
    # int() would also take "+1", "1_0" and digits of other scripts, and then two
    # texts would stand for one move.
    if text.isascii() and text.isdigit() and (text == "0" or text[0] != "0"):
        return int(text)
    raise ValueError(text)
