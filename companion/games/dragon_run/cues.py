"""What people are asked and told: prompts, buttons, news, lights, sounds and voice.

Everything is the id of a line with its values; `companion.words` makes sentences. Names
of cards and characters come from the box, as words or as the id of a line.
"""

from typing import assert_never

from companion.games.dragon_run.box import Effect
from companion.games.dragon_run.events import (
    Annulled,
    AppliedByHand,
    Breathed,
    Burned,
    Calmed,
    CryingBarred,
    DragonAsleep,
    DragonWon,
    Drawn,
    Event,
    GameWon,
    Missed,
    NotesClashed,
    Overpaid,
    PlacesShuffled,
    PotionPlayed,
    Redirected,
    Rolled,
    StealthFailed,
    StealthPassed,
    Straightened,
    TalismanSpent,
    TreasuresShuffled,
    Wounded,
)
from companion.games.dragon_run.state import (
    NOBODY,
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
from companion.table import Cue, LinePart, Params, Text, Value, Word

MOVE = "dragon_run.move"
EVENT = "dragon_run.event"
EFFECT = "dragon_run.effect"
UNKNOWN = Word("dragon_run.unknown")

CUES: dict[type, tuple[str | None, str | None, bool]] = {
    Drawn: (None, "jewel", False),
    TreasuresShuffled: ("warn", None, True),
    Overpaid: ("warn", "nothing", True),
    StealthPassed: ("celebrate", "escape", True),
    StealthFailed: ("warn", "nothing", True),
    Calmed: ("dragon", None, False),
    PlacesShuffled: (None, None, True),
    TalismanSpent: ("warn", None, True),
    Straightened: (None, None, True),
    Breathed: ("dragon", "dragon", True),
    Redirected: ("dragon", None, True),
    Missed: ("celebrate", None, True),
    Wounded: ("alarm", "capture", True),
    Burned: ("alarm", "capture", True),
    PotionPlayed: ("ask", "ask", True),
    Annulled: ("warn", "nothing", True),
    CryingBarred: ("warn", None, True),
    AppliedByHand: ("ask", "ask", True),
    DragonAsleep: ("celebrate", "round", True),
    NotesClashed: ("warn", "nothing", True),
    GameWon: ("celebrate", "win", True),
    DragonWon: ("dragon", "dragon", True),
}
"""Light, sound and whether it is spoken, for each event that is more than a line."""


def describe_move(state: State, move: Move) -> LinePart:
    """Return the words of *move* on a button."""
    match move:
        case Sneak() | Cry() | Pass():
            return _line(move)
        case Roll():
            return _line(move, ("pips", move.pips))
        case LetPass() if move.seat == NOBODY:
            return LinePart(f"{MOVE}.let_all")
        case Annul() | LetPass() | Point() | ForgetNotes():
            return _line(move, ("seat", move.seat))
        case Deal():
            return _line(move, ("hero", _hero(state, move.hero)))
        case UsePower():
            return _line(move, ("hero", _hero(state, state.heroes[state.seat])))
        case Turn() | Discard() | Play() | ShowCard() | NoteCard():
            return _say_card(state, move)
        case _:
            assert_never(move)


def _say_card(
    state: State, move: Turn | Discard | Play | ShowCard | NoteCard
) -> LinePart:
    match move:
        case Turn():
            return _line(move, ("card", _place(state, move.place)))
        case NoteCard():
            return _line(move, ("card", _treasure(state, move.treasure.value)))
        case Discard() | Play():
            return _line(move, ("card", _treasure(state, move.treasure)))
        case ShowCard():
            card = ("card", _treasure(state, move.treasure))
            return _line(move, ("seat", move.seat), card)
        case _:
            assert_never(move)


def _line(move: Move, *params: tuple[str, Value]) -> LinePart:
    return LinePart(f"{MOVE}.{type(move).__struct_config__.tag}", params)


def _hero(state: State, hero: int) -> Text:
    heroes = state.setting.box.heroes
    return heroes[hero].name if NOBODY < hero < len(heroes) else UNKNOWN


def _place(state: State, place: int) -> Text:
    places = state.setting.box.places
    return places[place].name if 0 <= place < len(places) else UNKNOWN


def _treasure(state: State, kind: int | None) -> Text:
    box = state.setting.box
    if kind is None or kind not in box.kinds:
        return UNKNOWN
    return box.treasure_name(kind)


def explain(effects: tuple[Effect, ...]) -> tuple[LinePart, ...]:
    """Return what a card or a power does, one line for each effect."""
    return tuple(
        LinePart(f"{EFFECT}.{effect.kind}", (("n", effect.n),)) for effect in effects
    )


def describe_event(event: Event) -> LinePart:
    """Return the words of *event*; a secret in it is never among the values."""
    values = ((name, getattr(event, name)) for name in event.__struct_fields__)
    params: Params = tuple(pair for pair in values if not isinstance(pair[1], Hidden))
    if isinstance(event, Rolled) and event.bonus:
        return LinePart(f"{EVENT}.rolled_with", params)
    return LinePart(f"{EVENT}.{type(event).__struct_config__.tag}", params)


def cue(event: Event) -> Cue:
    """Return the light, the sound and the spoken line of *event*."""
    light, sound, spoken = CUES.get(type(event), (None, None, False))
    return Cue(light, sound, describe_event(event) if spoken else None)
