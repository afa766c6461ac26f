"""The cards and characters of Dragon Run as small pictures.

What a picture shows follows from what a card does in this copy, so that another box
needs no new drawing.
"""

from typing import Any

from companion.dashboard.boards.drawing import Icon
from companion.dashboard.boards.picking import Slot
from companion.games.dragon_run.box import DRAGON_CARD, Effect, PlaceCard, worth
from companion.games.dragon_run.pieces import GOLD, Kind, Then
from companion.games.dragon_run.state import (
    Annul,
    Cry,
    Deal,
    Discard,
    ForgetNotes,
    LetPass,
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
from companion.table import LinePart
from companion.words import Words

SIGNS = {
    Kind.DRAW: "chest",
    Kind.DISCARD: "pass",
    Kind.PEEK: "eye",
    Kind.CONSULT: "eye",
    Kind.STEAL: "hand",
    Kind.SWAP: "swap",
    Kind.HEAL: "heart",
    Kind.ATTACK: "power",
    Kind.SKIP: "pass",
    Kind.NO_CRYING: "no",
    Kind.REDIRECT: "again",
    Kind.INVISIBLE: "eye",
    Kind.BONUS: "plus",
    Kind.CANCEL: "no",
    Kind.BY_HAND: "hand",
}
"""The sign of each effect."""

PLAIN: dict[type[Any], Icon] = {
    Sneak: Icon("sneak"),
    Cry: Icon("cry"),
    Pass: Icon("pass"),
    LetPass: Icon("pass"),
    UsePower: Icon("power"),
    Annul: Icon("no"),
    Point: Icon("hand"),
    ForgetNotes: Icon("again"),
}
SLOTS: dict[type[Any], Slot] = {
    Turn: Slot(
        LinePart("boards.dragon_run.turn"), "named", icons=(Icon("rush"),), least=1
    ),
    Roll: Slot(LinePart("boards.dragon_run.roll"), "odds"),
    Deal: Slot(LinePart("boards.dragon_run.deal"), "named"),
    Play: Slot(LinePart("boards.dragon_run.play"), "named", least=1),
    Discard: Slot(LinePart("boards.dragon_run.discard"), "named"),
    NoteCard: Slot(LinePart("boards.dragon_run.note"), "named", two=True),
    ShowCard: Slot(LinePart("boards.dragon_run.show"), "named", two=True),
}


def treasure(state: State, kind: int) -> Icon:
    """Return the picture of a treasure."""
    if kind < GOLD:
        return Icon("coin", text=str(worth(kind)))
    special = state.setting.box.specials[kind - GOLD]
    return Icon(
        "talisman" if special.talisman else "potion", mark=_sign(special.effects)
    )


def place(card: PlaceCard) -> Icon:
    """Return the picture of a place card."""
    if card.id == DRAGON_CARD:
        return Icon("sheet", "dragon")
    if card.then is Then.REPLAY:
        return Icon("sheet", "again")
    if card.then is Then.CHOOSE:
        return Icon("sheet", "door")
    return Icon("sheet", _sign(card.effects) or "door")


def _sign(effects: tuple[Effect, ...]) -> str:
    return SIGNS[effects[0].kind] if effects else ""


def hero(state: State, number: int, words: Words) -> Icon:
    """Return the picture of a character: two letters of the name."""
    name = words.text(state.setting.box.heroes[number].name)
    return Icon("label", text=name[:2])


def icons(state: State, move: Any, words: Words) -> tuple[Icon, ...]:
    """Return the pictures on the button of *move*."""
    match move:
        case Turn():
            return (place(state.setting.box.places[move.place]),)
        case Roll():
            return (Icon("die", text=str(move.pips)),)
        case Deal():
            return (hero(state, move.hero, words),)
        case Play() | Discard() | ShowCard():
            return (treasure(state, move.treasure),)
        case NoteCard():
            known = move.treasure.value
            return () if known is None else (treasure(state, known),)
        case _:
            plain = PLAIN.get(type(move))
            return (plain,) if plain else ()


def slot(_state: State, move: Any) -> Slot | None:
    """Return the pick that *move* belongs to."""
    return SLOTS.get(type(move))


def label(
    state: State, move: Any, _which: int, words: Words
) -> tuple[str, tuple[Icon, ...]]:
    """Return the name and the pictures of an answer in a pick."""
    box = state.setting.box
    pictures = icons(state, move, words)
    match move:
        case Turn():
            return words.text(box.places[move.place].name), pictures
        case Roll():
            return str(move.pips), pictures
        case Deal():
            return words.text(box.heroes[move.hero].name), pictures
        case _:
            kind = move.treasure.value if isinstance(move, NoteCard) else move.treasure
            return treasure_name(state, kind, words), pictures


def treasure_name(state: State, kind: int | None, words: Words) -> str:
    """Return the name of a treasure, or that nobody has seen which it is."""
    if kind is None:
        return words.say("dragon_run.unknown")
    return words.text(state.setting.box.treasure_name(kind))
