"""What people are told: buttons, news, lights, sounds and voice; asked in `prompts`.

Everything is the id of a line with its values; `companion.words` makes sentences.
"""

from companion.games.dragonix.events import (
    Began,
    Boxed,
    Deserted,
    Event,
    Flown,
    GameWon,
    HeroPlaced,
    Recoloured,
    Soared,
    SoloEnded,
    Summoned,
    TakenBack,
    Tied,
    TokenPlayed,
    TowerClosed,
    TowerOpened,
    TurnBegan,
    UndeadLeft,
)
from companion.games.dragonix.moves import Move, NoteCard, NoteToken
from companion.games.dragonix.pieces import Dragon, People, Token
from companion.games.dragonix.prompts import expects
from companion.games.dragonix.reasons import (
    a_card,
    a_dragon,
    a_row,
    a_token,
    is_card,
    is_row,
)
from companion.games.dragonix.state import State
from companion.table import Cue, LinePart, Value, Word

__all__ = ["cue", "describe_event", "describe_move", "expects"]

MOVE = "dragonix.move"
EVENT = "dragonix.event"

CUES: dict[type, tuple[str | None, str | None, bool]] = {
    Tied: ("warn", None, True),
    Began: (None, None, True),
    HeroPlaced: (None, "hero", True),
    Boxed: ("celebrate", "boxed", True),
    TakenBack: ("warn", "back", False),
    Deserted: ("warn", "back", True),
    TokenPlayed: (None, "token", True),
    TowerClosed: ("alarm", None, True),
    TowerOpened: (None, None, True),
    Recoloured: (None, None, True),
    Summoned: ("dragon", "dragon", True),
    UndeadLeft: ("dragon", None, True),
    Soared: ("dragon", None, True),
    Flown: ("dragon", "dragon", False),
    TurnBegan: (None, None, True),
    GameWon: ("celebrate", "win", True),
    SoloEnded: ("celebrate", "win", True),
}
"""Light, sound and whether it is spoken, for each event that is more than a line."""


def describe_move(_state: State, move: Move) -> LinePart:
    """Return the words of *move* on a button."""
    tag = move.__struct_config__.tag
    if isinstance(move, NoteCard) and move.card.value is not None:
        return LinePart(f"{MOVE}.note", (_part("card", move.card.value),))
    if isinstance(move, NoteToken) and move.token.value is not None:
        return LinePart(f"{MOVE}.note_token", (_part("token", move.token.value),))
    if isinstance(move, NoteCard | NoteToken):
        return LinePart(f"{MOVE}.note_unknown")
    return LinePart(f"{MOVE}.{tag}", _parts(move))


def _parts(thing: Move | Event) -> tuple[tuple[str, Value], ...]:
    """Return the fields of a move or event as words; a secret is never among them."""
    fields = ((name, getattr(thing, name)) for name in thing.__struct_fields__)
    return tuple(
        _part(name, value) for name, value in fields if isinstance(value, int | str)
    )


def _part(name: str, value: int | str) -> tuple[str, Value]:
    match value:
        case Dragon():
            return a_dragon(value)
        case Token():
            return a_token(value)
        case People():
            return name, Word(f"dragonix.{value}")
        case int() if name == "card" and is_card(value):
            return a_card(value)
        case int() if name == "row" and is_row(value):
            return a_row(value)
        case _:
            return name, value


def describe_event(event: Event) -> LinePart:
    """Return the words of *event*; a secret in it is never among the values."""
    return LinePart(f"{EVENT}.{event.__struct_config__.tag}", _parts(event))


def cue(event: Event) -> Cue:
    """Return the light, the sound and the spoken line of *event*."""
    light, sound, spoken = CUES.get(type(event), (None, None, False))
    return Cue(light, sound, describe_event(event) if spoken else None)
