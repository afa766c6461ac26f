"""What people are told: buttons, news, lights, sounds and voice.

Everything is the id of a line with its values; `companion.words` makes sentences. No
news says which card lies face down anywhere.
"""

from typing import assert_never

from companion.games.eight_dragons import census
from companion.games.eight_dragons.events import (
    CardDrawn,
    DragonLaid,
    EndOffered,
    Event,
    GameEnded,
    GameWon,
    HandGrabbed,
    HandsExchanged,
    LookAsked,
    Looked,
    NoPairTurned,
    NothingToDraw,
    NothingToGive,
    PairTurned,
    SpecialTurned,
    TokenFreed,
    TokenPlaced,
    TurnBegan,
    TwinTurned,
)
from companion.games.eight_dragons.notation import square
from companion.games.eight_dragons.options import BOOK
from companion.games.eight_dragons.pieces import COLOUR, Card, Colour
from companion.games.eight_dragons.state import (
    Decide,
    Decline,
    Draw,
    EndTurn,
    FreeToken,
    Grab,
    Lay,
    Match,
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
from companion.table import Cue, LinePart, Params, Value, Word

MOVE = f"{BOOK}.move"
EVENT = f"{BOOK}.event"

CUES: dict[type, tuple[str | None, str | None, bool]] = {
    PairTurned: ("celebrate", "pair", True),
    NoPairTurned: ("warn", "nothing", False),
    TwinTurned: ("warn", "nothing", True),
    SpecialTurned: ("dragon", "special", True),
    CardDrawn: (None, "draw", False),
    HandGrabbed: ("dragon", "draw", True),
    HandsExchanged: ("dragon", "draw", True),
    NothingToDraw: (None, "nothing", True),
    NothingToGive: (None, "nothing", True),
    TokenPlaced: (None, "token", False),
    TokenFreed: (None, "token", False),
    DragonLaid: ("celebrate", "dragon", True),
    TurnBegan: (None, None, True),
    LookAsked: ("ask", "ask", True),
    EndOffered: ("ask", "ask", True),
    GameEnded: ("celebrate", "end", True),
    GameWon: ("celebrate", "win", True),
}
"""Light, sound and whether it is spoken, for each event that is more than a line."""


def describe_move(state: State, move: Move) -> LinePart:
    """Return the words of *move* on a button."""
    match move:
        case Turn():
            return _say_card("turn", move.card, (("square", square(move.place)),))
        case Take() | TurnBack() | PlaceToken() | FreeToken():
            name = f"{MOVE}.{move.__struct_config__.tag}"
            return LinePart(name, (("square", square(move.place)),))
        case Shift():
            params = (("square", square(move.place)), ("there", square(move.there)))
            return LinePart(f"{MOVE}.shift", params)
        case Return():
            return _say_card("return", move.card, (("square", square(move.place)),))
        case Draw():
            return _say_card("draw", move.card, (("from_seat", move.source),))
        case Grab():
            verb = "exchange" if state.setting.options.exchange else "grab"
            return LinePart(f"{MOVE}.{verb}", (("from_seat", move.source),))
        case _:
            return _say_rest(state, move)


def _say_card(verb: str, card: Hidden[Card], params: Params) -> LinePart:
    if card.value is None:
        return LinePart(f"{MOVE}.{verb}_unknown", params)
    return LinePart(f"{MOVE}.{verb}", (("card", card_line(card.value)), *params))


def card_line(card: Card) -> Word:
    """Return the line that names a card."""
    return Word(f"{BOOK}.card.{card}")


def _say_rest(
    _state: State, move: Miss | Swap | Decline | EndTurn | Lay | Report | Decide
) -> LinePart:
    match move:
        case Lay():
            return _say_lay(move)
        case Report():
            return LinePart(f"{MOVE}.{'pair' if move.pair else 'no_pair'}")
        case Decide():
            return LinePart(f"{MOVE}.{'stop' if move.over else 'play_on'}")
        case Miss() | Swap() | Decline() | EndTurn():
            return LinePart(f"{MOVE}.{move.__struct_config__.tag}")
        case _:
            assert_never(move)


def _say_lay(move: Lay) -> LinePart:
    colour = census.dragon_colour(move.cards)
    if colour is None:
        return LinePart(f"{MOVE}.lay_none")
    params = (("dragon", Word(f"{BOOK}.dragon.{colour}")),)
    silver = [card for card in move.cards if COLOUR[card] is Colour.SILVER]
    if colour is Colour.SILVER or not silver:
        return LinePart(f"{MOVE}.lay", params)
    return LinePart(f"{MOVE}.lay_mended", (*params, ("card", card_line(silver[0]))))


UNTOLD = ("card", "match", "silver", "pair")
"""Fields that no line is filled with: they are secret or choose the line."""


def describe_event(event: Event) -> LinePart:
    """Return the words of what happened. What is hidden in an event is never said."""
    tag = event.__struct_config__.tag
    names = [name for name in event.__struct_fields__ if name not in UNTOLD]
    params = tuple((name, _value(name, getattr(event, name))) for name in names)
    match event:
        case SpecialTurned():
            params = (*params, ("card", card_line(event.card)))
        case PairTurned(match=match) if match is Match.COLOUR:
            return LinePart(f"{EVENT}.{tag}_colour", params)
        case Looked(pair=pair):
            return LinePart(f"{EVENT}.{tag}_{'pair' if pair else 'no_pair'}", params)
        case DragonLaid(silver=True):
            return LinePart(f"{EVENT}.{tag}_mended", params)
        case _:
            pass
    return LinePart(f"{EVENT}.{tag}", params)


def _value(name: str, value: object) -> Value:
    if name == "colour":
        return Word(f"{BOOK}.dragon.{value}")
    if name == "reason":
        return Word(f"{BOOK}.end.{value}")
    return value if isinstance(value, int) else str(value)


def cue(event: Event) -> Cue:
    """Return what lamps, buzzer and voice do about *event*."""
    light, sound, aloud = CUES.get(type(event), (None, None, False))
    return Cue(light, sound, describe_event(event) if aloud else None)
