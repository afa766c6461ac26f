"""The cards, tokens and dragons of Dragonix as small pictures."""

from typing import Any

from companion.dashboard.boards.drawing import Held, Icon
from companion.dashboard.boards.picking import Slot
from companion.games.dragonix.moves import (
    Enough,
    Fly,
    Insert,
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
    COLOUR,
    HERO,
    PEOPLES,
    ROWS,
    VALUE,
    Card,
    Dragon,
    Row,
    Token,
)
from companion.games.dragonix.state import State
from companion.table import LinePart, Word
from companion.words import Words

TOKENS = {
    Token.PRISON: Icon("lock"),
    Token.PLAGUE: Icon("plague"),
    Token.REINFORCE: Icon("plus"),
    Token.COUNTER: Icon("swap"),
    Token.UNDEAD: Icon("undead"),
    Token.VOLUNTEERS: Icon("hand"),
    Token.FLIGHT: Icon("wind"),
}
DRAGONS = {Dragon.RED: Icon("dragon"), Dragon.UNDEAD: Icon("undead")}
PLAIN: dict[type[Any], Icon] = {
    TakeBack: Icon("back"),
    Strike: Icon("plague"),
    Summon: DRAGONS[Dragon.UNDEAD],
    Enough: Icon("pass"),
    Recruit: Icon("hand"),
}


def troop(state: State, card: Card, value: int | None = None) -> Icon:
    """Return the picture of a card; a hero shows its *value* where that is known."""
    if card == HERO:
        return Icon("troop", "gold", str(value) if value else "", "hero")
    people = COLOUR[card]
    colour = state.setting.box.colours[people]
    return Icon("troop", str(colour), str(VALUE[card]), str(PEOPLES[people]))


def people(state: State, number: int) -> Icon:
    """Return the sign of a people."""
    colour = state.setting.box.colours[number]
    return Icon("people", str(colour), mark=str(PEOPLES[number]))


def card_name(card: Card, words: Words) -> str:
    """Return the name of a card."""
    return words.say(f"dragonix.card.{CARDS[card]}")


def card_with_name(state: State, card: Card, words: Words) -> Held:
    """Return a card with its name."""
    return Held(troop(state, card), card_name(card, words))


def row_name(row: Row, words: Words) -> str:
    """Return the name of an army, or of the tower."""
    return words.say(f"dragonix.row.{ROWS[row]}")


def icons(state: State, move: Any, _words: Words) -> tuple[Icon, ...]:
    """Return the pictures on the button of *move*."""
    match move:
        case NoteCard():
            known = move.card.value
            return () if known is None else (troop(state, known),)
        case NoteToken():
            return () if move.token.value is None else (TOKENS[move.token.value],)
        case Play() | Swap() | TurnUp() | Reveal() | Insert():
            return (troop(state, move.card),)
        case PlayToken():
            return (TOKENS[move.token],)
        case Recolour():
            return (people(state, PEOPLES.index(move.people)),)
        case Soar() | Fly():
            return (DRAGONS[move.dragon],)
        case _:
            plain = PLAIN.get(type(move))
            return (plain,) if plain else ()


def slot(_state: State, move: Any) -> Slot | None:
    """Return the pick that *move* belongs to."""
    match move:
        case Play() | Swap() | TurnUp():
            tag = move.__struct_config__.tag
            return Slot(
                _about(str(tag), move.row), "troops", icons=(row_icon(move.row),)
            )
        case Insert():
            title = _about("insert", move.row, move.slot)
            return Slot(title, "troops", icons=(row_icon(move.row),))
        case Reveal():
            return Slot(LinePart("boards.dragonix.reveal"), "troops", two=True)
        case NoteCard():
            return Slot(LinePart("boards.dragonix.note"), "troops", two=True)
        case NoteToken():
            return Slot(LinePart("boards.dragonix.note_token"), "tokens", two=True)
        case Recolour():
            return Slot(LinePart("boards.dragonix.recolour"), "names", two=True)
        case _:
            return None


def _about(tag: str, row: Row, number: int = 0) -> LinePart:
    return LinePart(
        f"boards.dragonix.{tag}",
        (("row", Word(f"dragonix.row.{ROWS[row]}")), ("number", number)),
    )


def row_icon(row: Row) -> Icon:
    """Return the plate of a row."""
    return Icon("tower") if ROWS[row] == "tower" else Icon("label", text=ROWS[row])


def label(
    state: State, move: Any, which: int, words: Words
) -> tuple[str, tuple[Icon, ...]]:
    """Return the name and the pictures of an answer in a pick."""
    match move:
        case Recolour() if which == 0:
            return row_name(move.row, words), (row_icon(move.row),)
        case Recolour():
            sign = people(state, PEOPLES.index(move.people))
            return words.say(f"dragonix.{move.people}"), (sign,)
        case NoteToken() if move.token.value is not None:
            token = move.token.value
            return words.say(f"dragonix.token.{token}"), (TOKENS[token],)
        case NoteCard() if move.card.value is not None:
            return _card(state, move.card.value, words)
        case _:
            return _card(state, move.card, words)


def _card(state: State, card: Card, words: Words) -> tuple[str, tuple[Icon, ...]]:
    return card_name(card, words), (troop(state, card),)
