"""What people are asked and told: prompts, buttons, news, lights, sounds and voice.

Everything is the id of a line with its values; `companion.words` makes sentences.
"""

from collections.abc import Iterator

from companion.games.core import Prompt
from companion.games.dragorun import eggs, races, rules, track
from companion.games.dragorun.box import SNAIL_CELL, UNPLACED
from companion.games.dragorun.events import (
    AllEggsReturned,
    Disqualified,
    DragonFinished,
    DragonStayed,
    EggDrawn,
    Event,
    MarkersSwapped,
    MarkerTaken,
    MarkerTurnedUp,
    NobodyMoved,
    NobodyWon,
    RaceCalled,
    RaceTied,
    RaceWon,
)
from companion.games.dragorun.lines import (
    colour_name,
    dragon_name,
    egg_name,
    step_name,
)
from companion.games.dragorun.options import BOOK
from companion.games.dragorun.pieces import WHITE, Colour, Egg, Step
from companion.games.dragorun.state import (
    BOUND,
    DEAL,
    DRAW,
    EGG,
    KEEP,
    OVER,
    PLACE,
    TURN,
    Deal,
    Decide,
    DrawEgg,
    Move,
    MoveDragon,
    Place,
    RaceAgain,
    ReturnEggs,
    State,
    Swap,
    Throw,
    ThrowColour,
    ThrowStep,
    seat_of,
)
from companion.table import Cue, LinePart, Params, Value

DO = f"{BOOK}.do"
MOVE = f"{BOOK}.move"
EVENT = f"{BOOK}.event"

CUES: dict[type, tuple[str | None, str | None, bool]] = {
    DragonStayed: ("warn", "nothing", True),
    NobodyMoved: ("warn", "nothing", True),
    MarkersSwapped: (None, "swap", True),
    MarkerTaken: (None, "swap", True),
    MarkerTurnedUp: (None, None, True),
    EggDrawn: (None, "egg", True),
    AllEggsReturned: ("warn", "round", True),
    DragonFinished: ("celebrate", "finish", True),
    Disqualified: ("alarm", "trap", True),
    RaceTied: ("warn", "nothing", True),
    RaceWon: ("celebrate", "win", True),
    NobodyWon: ("warn", "nothing", True),
    RaceCalled: (None, "round", True),
}
"""Light, sound and whether it is spoken, for each event that is more than a line."""


def expects(state: State) -> tuple[Prompt, ...]:
    """Return who does what next; first what must be done, then what is forgotten."""
    return (*_duties(state), *_reminders(state))


def _duties(state: State) -> Iterator[Prompt]:
    seat, phase = state.seat, state.phase
    who: Params = (("seat", seat),)
    if phase is PLACE:
        yield Prompt(None, f"{DO}.place", (("n", state.cells.count(UNPLACED)),))
    elif phase is DEAL:
        yield _deal(state)
    elif phase is TURN:
        choice = "turn" if rules.takeable(state) else "throw"
        yield Prompt(seat, f"{DO}.{choice}", who)
    elif phase is KEEP or phase is BOUND or phase is EGG:
        yield _ride(state)
    elif phase is DRAW:
        yield Prompt(seat, f"{DO}.draw", who)
    elif phase is not OVER:
        yield Prompt(None, f"{DO}.{phase}")


def _deal(state: State) -> Prompt:
    seat = races.next_dealt(state)
    who: Params = (("seat", seat),)
    if state.setting.options.markers_chosen:
        return Prompt(seat, f"{DO}.choose", who)
    return Prompt(None, f"{DO}.deal", who)


def _ride(state: State) -> Prompt:
    """Name the dragon and the cell, or the choice that the joker gives."""
    seat = state.seat
    who: Params = (("seat", seat),)
    if state.phase is not EGG and state.colour is WHITE:
        _, step = track.dice_shown(state)
        return Prompt(seat, f"{DO}.joker", (*who, ("step", step_name(step))))
    index, cell = track.targets(state)[0]
    part = _to(state, state.setting.dragons[index], cell)
    return Prompt(seat, f"{DO}.{part.line}", (*who, *part.params))


def _to(state: State, dragon: Colour, cell: int) -> LinePart:
    """Return the end of a line's id for where a dragon goes, and its values."""
    params: Params = (("dragon", dragon_name(dragon)),)
    known = dragon in state.setting.dragons
    if known and state.cells[state.index(dragon)] == cell:
        return LinePart("stay", params)
    if cell == SNAIL_CELL:
        return LinePart("to_snail_cell", params)
    if cell == state.setting.box.finish:
        return LinePart("to_finish", params)
    return LinePart("to_cell", (*params, ("cell", cell)))


def _reminders(state: State) -> Iterator[Prompt]:
    seat, phase = state.seat, state.phase
    who: Params = (("seat", seat),)
    if phase is PLACE:
        yield Prompt(None, f"{DO}.lay_eggs", reminder=True)
    elif phase is TURN:
        yield from _before_the_turn(state)
    elif phase is KEEP:
        yield Prompt(seat, f"{DO}.may_throw_again", who, reminder=True)
    elif phase is BOUND:
        yield Prompt(seat, f"{DO}.bound", who, reminder=True)
    elif phase is DRAW:
        yield Prompt(seat, f"{DO}.lay_face_down", who, reminder=True)
    elif phase is EGG and not eggs.eggs_left(state):
        yield Prompt(None, f"{DO}.last_egg", reminder=True)


def _before_the_turn(state: State) -> Iterator[Prompt]:
    seat = state.seat
    if eggs.may_put_back(state):
        params: Params = (("seat", seat), ("n", len(state.eggs[seat])))
        yield Prompt(seat, f"{DO}.may_return", params, reminder=True)
    for holder, held in enumerate(state.eggs):
        if Egg.MUSHROOM in held:
            params = (("seat", holder),)
            yield Prompt(holder, f"{DO}.mushroom", params, reminder=True)
    for other, down in enumerate(state.hidden):
        if down:
            params = (("seat", seat), ("other_seat", other))
            yield Prompt(seat, f"{DO}.out_of_reach", params, reminder=True)


def describe_move(state: State, move: Move) -> LinePart:
    """Return the words of *move* on a button."""
    match move:
        case Throw():
            again = "_again" if state.phase is KEEP else ""
            values = _values(move)
            return LinePart(f"{MOVE}.throw{again}", values)
        case MoveDragon():
            part = _to(state, move.dragon, move.cell)
            return LinePart(f"{MOVE}.{part.line}", part.params)
        case Swap():
            return _say_swap(state, move.dragon)
        case Place():
            values = (("dragon", dragon_name(move.dragon)), ("cell", move.cell))
            return LinePart(f"{MOVE}.place", values)
        case ReturnEggs():
            count = len(state.eggs[state.seat])
            return LinePart(f"{MOVE}.return", (("n", count),))
        case _:
            return _say_plainly(move)


def _say_plainly(
    move: ThrowColour | ThrowStep | DrawEgg | Deal | Decide | RaceAgain,
) -> LinePart:
    return LinePart(f"{MOVE}.{type(move).__struct_config__.tag}", _values(move))


def _say_swap(state: State, dragon: Colour) -> LinePart:
    """Name whose marker it is, as it is easy to lose sight of."""
    params: Params = (("dragon", dragon_name(dragon)),)
    if dragon in state.setting.dragons:
        rider = seat_of(state, state.index(dragon))
        if rider is not None:
            return LinePart(f"{MOVE}.swap", (*params, ("other_seat", rider)))
    return LinePart(f"{MOVE}.take", params)


def describe_event(event: Event) -> LinePart:
    """Return the words of *event*."""
    tag = type(event).__struct_config__.tag
    if isinstance(event, DragonStayed):
        tag = f"{tag}_{event.why}"
    return LinePart(f"{EVENT}.{tag}", _values(event))


def _values(thing: Move | Event) -> Params:
    """Return the fields of a move or an event as the values of its line."""
    values: list[tuple[str, Value]] = []
    for name in thing.__struct_fields__:
        match getattr(thing, name):
            case Colour() as colour if name == "colour":
                values.append((name, colour_name(colour)))
            case Colour() as dragon:
                values.append((name, dragon_name(dragon)))
            case Step() as step:
                values.append((name, step_name(step)))
            case Egg() as egg:
                values.append((name, egg_name(egg)))
            case int() as number:
                values.append((name, number))
            case _:  # why a dragon stays: it chose the line
                pass
    return tuple(values)


def cue(event: Event) -> Cue:
    """Return the light, the sound and the spoken line of *event*."""
    light, sound, spoken = CUES.get(type(event), (None, None, False))
    return Cue(light, sound, describe_event(event) if spoken else None)
