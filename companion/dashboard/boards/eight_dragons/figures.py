"""The cards of 8 Dragons as small pictures on the board and on buttons."""

from typing import Any

from companion.dashboard.boards.drawing import Icon
from companion.dashboard.boards.picking import Slot
from companion.games.eight_dragons.census import dragon_colour
from companion.games.eight_dragons.pieces import (
    COLOUR,
    DIAMONDS,
    FIREBALLS,
    PART,
    SQUARES,
    Card,
)
from companion.games.eight_dragons.state import (
    Decline,
    Draw,
    EndTurn,
    FreeToken,
    Grab,
    Lay,
    Miss,
    PlaceToken,
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
from companion.table import LinePart
from companion.words import Words

UNSEEN = "boards.eight_dragons.unseen"
HAND, BACK = Icon("hand"), Icon("back")
PLAIN: dict[type[Any], Icon] = {
    Miss: Icon("pass"),
    Take: HAND,
    TurnBack: BACK,
    Shift: Icon("swap"),
    Swap: Icon("swap"),
    Grab: HAND,
    Decline: Icon("no"),
    PlaceToken: Icon("lock"),
    FreeToken: Icon("lock"),
    EndTurn: Icon("pass"),
}
TOKEN = Icon("lock")
SLOTS: dict[type[Any], Slot] = {
    Turn: Slot(LinePart("boards.eight_dragons.turn"), "turn", two=True),
    PlaceToken: Slot(
        LinePart("boards.eight_dragons.block"), "place", icons=(TOKEN,), least=1
    ),
    FreeToken: Slot(
        LinePart("boards.eight_dragons.free"), "place", icons=(TOKEN,), least=1
    ),
    Shift: Slot(LinePart("boards.eight_dragons.shift"), "shift", two=True),
    Return: Slot(LinePart("boards.eight_dragons.return"), "return", two=True),
    Draw: Slot(LinePart("boards.eight_dragons.draw"), "draw", two=True),
}


def picture(card: Card) -> Icon:
    """Return the picture of a card that lies open or is one's own."""
    if card in PART:
        return Icon("part", str(COLOUR[card]), str(PART[card]))
    if card in DIAMONDS:
        return Icon("sheet", "diamond", f"×{DIAMONDS[card]}")
    if card in FIREBALLS:
        return Icon("sheet", "fireball", f"×{FIREBALLS[card]}")
    return Icon("sheet", "grab" if card is Card.GRAB else "twin")


def icons(state: State, move: Any, _words: Words) -> tuple[Icon, ...]:
    """Return the pictures on the button of *move*."""
    match move:
        case Turn() | Draw() | Return() if move.card.value is not None:
            return (picture(move.card.value),)
        case Take() | TurnBack():
            spot = state.grid[move.place]
            if isinstance(move, Take) and isinstance(spot, Card):
                return (picture(spot),)
            return (PLAIN[type(move)],)
        case Lay() if dragon_colour(move.cards) is not None:
            return (Icon("part", str(dragon_colour(move.cards)), "head"),)
        case _:
            plain = PLAIN.get(type(move))
            return (plain,) if plain else ()


def slot(_state: State, move: Any) -> Slot | None:
    """Return the pick that *move* belongs to."""
    return SLOTS.get(type(move))


def label(
    state: State, move: Any, which: int, words: Words
) -> tuple[str, tuple[Icon, ...]]:
    """Return the name and the pictures of an answer in a pick."""
    match move:
        case Turn() if which == 0:
            return SQUARES[move.place], ()
        case Shift() if which == 0:
            spot = state.grid[move.place]
            picture_of = (picture(spot),) if isinstance(spot, Card) else ()
            return SQUARES[move.place], picture_of
        case Draw() if which == 0:
            return words.name(move.source), ()
        case Shift():
            return SQUARES[move.there], ()
        case Turn() | Draw():
            return _card(move.card, words)
        case Return() if which == 0:
            return _card(move.card, words)
        case _:
            return SQUARES[move.place], ()


def _card(held: Hidden[Card], words: Words) -> tuple[str, tuple[Icon, ...]]:
    return card_name(held, words), (card_icon(held),)


def card_icon(held: Hidden[Card]) -> Icon:
    """Return the picture of a card, or of its back where it is not to be known."""
    return BACK if held.value is None else picture(held.value)


def card_name(held: Hidden[Card] | Card, words: Words) -> str:
    """Return the name of a card, or that nobody may know it."""
    card = held.value if isinstance(held, Hidden) else held
    return words.say(UNSEEN if card is None else f"eight_dragons.card.{card}")
