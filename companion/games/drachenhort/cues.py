"""What people are asked and told: prompts, buttons, news, lights, sounds and voice.

Everything is the id of a line with its values; `companion.words` makes sentences.
"""

from collections.abc import Iterator
from typing import assert_never

from companion.games.core import Prompt
from companion.games.drachenhort import track
from companion.games.drachenhort.box import Group
from companion.games.drachenhort.events import (
    BoardFlipped,
    Captured,
    DragonLeftHall,
    DragonMoved,
    DragonWoken,
    Escaped,
    Event,
    GameWon,
    GroupsClashed,
    JewelWon,
    RoundEnded,
    Stuck,
    StuckAgain,
    Trapped,
)
from companion.games.drachenhort.pieces import ANY_LIGHT, Adventurer, Metal
from companion.games.drachenhort.scoring import seats_to_show
from companion.games.drachenhort.state import (
    ADVANCE,
    DRAGON,
    FLIP,
    HALL,
    OVER,
    RANK,
    SHOW,
    THROW,
    Advance,
    FlipBoard,
    Move,
    MoveDragon,
    NoteGroup,
    Pass,
    Rank,
    ShowGroup,
    State,
    Throw,
)
from companion.table import Cue, LinePart, Params, Value, Word

DO = "drachenhort.do"
MOVE = "drachenhort.move"
EVENT = "drachenhort.event"

CUES: dict[type, tuple[str | None, str | None, bool]] = {
    Trapped: ("warn", "trap", True),
    Escaped: ("celebrate", "escape", True),
    JewelWon: (None, "jewel", False),
    Stuck: ("warn", "nothing", True),
    StuckAgain: ("warn", "nothing", True),
    DragonWoken: ("dragon", "dragon", True),
    DragonLeftHall: ("dragon", None, False),
    DragonMoved: ("dragon", None, False),
    Captured: ("alarm", "capture", True),
    RoundEnded: ("celebrate", "round", True),
    BoardFlipped: (None, None, True),
    GroupsClashed: ("warn", "nothing", True),
    GameWon: ("celebrate", "win", True),
}
"""Light, sound and whether it is spoken, for each event that is more than a line."""


def expects(state: State) -> tuple[Prompt, ...]:
    """Return who does what next; first what must be done, then what is forgotten."""
    return (*_duties(state), *_reminders(state))


def _duties(state: State) -> Iterator[Prompt]:
    seat = state.seat
    who: Params = (("seat", seat),)
    if state.phase is THROW:
        yield Prompt(seat, f"{DO}.throw", who)
    elif state.phase is ADVANCE:
        which = "any" if state.pips == ANY_LIGHT else "lit"
        yield Prompt(seat, f"{DO}.advance_{which}", (*who, ("n", state.pips)))
    elif state.phase is RANK and state.setting.options.exiter_ranks:
        yield Prompt(seat, f"{DO}.rank_choose", who)
    elif state.phase is SHOW:
        for waited in seats_to_show(state):
            yield Prompt(waited, f"{DO}.show", (("seat", waited),))
    else:
        yield from (Prompt(None, line) for line in _common_duties(state))


def _common_duties(state: State) -> Iterator[str]:
    if state.phase is DRAGON:
        step = "first" if state.dragon == HALL else "later"
        yield f"{DO}.dragon_{step}"
    elif state.phase is RANK:
        yield f"{DO}.rank_draw"
    elif state.phase is FLIP:
        yield f"{DO}.flip"


def _reminders(state: State) -> Iterator[Prompt]:
    if state.phase is ADVANCE and state.setting.options.may_pass:
        yield Prompt(state.seat, f"{DO}.may_pass", reminder=True)
    if state.phase is DRAGON:
        yield Prompt(None, f"{DO}.shift", reminder=True)
    if state.phase is FLIP:
        yield Prompt(None, f"{DO}.lay_jewels", reminder=True)
    if state.phase not in (SHOW, OVER):
        for seat, noted in enumerate(state.noted):
            if noted.value is None:
                yield Prompt(seat, f"{DO}.note", (), reminder=True, only_for=seat)


def describe_move(state: State, move: Move) -> LinePart:
    """Return the words of *move* on a button."""
    match move:
        case Throw():
            return LinePart(f"{MOVE}.throw", (("n", move.pips),))
        case Advance():
            return _say_advance(state, move.adventurer)
        case Rank():
            return LinePart(f"{MOVE}.rank", (_hero(move.adventurer),))
        case NoteGroup():
            return _say_group(state, "note", move.group.value)
        case ShowGroup():
            part = _say_group(state, "show", move.group)
            return LinePart(part.line, (("seat", move.seat), *part.params))
        case Pass() | MoveDragon() | FlipBoard():
            return LinePart(f"{MOVE}.{type(move).__struct_config__.tag}")
        case _:
            assert_never(move)


def _say_advance(state: State, hero: Adventurer) -> LinePart:
    """Name the cell that *hero* would reach, as nobody likes to count twice."""
    heroes = state.setting.box.adventurers
    who = _hero(hero)
    if hero not in heroes or state.cells[heroes.index(hero)] < 0 or not state.pips:
        return LinePart(f"{MOVE}.advance", (who,))
    cell = track.destination(state, heroes.index(hero))
    if cell > state.board.last:
        return LinePart(f"{MOVE}.advance_out", (who,))
    into = "trap" if track.is_trap(state.board, cell) else "cell"
    return LinePart(f"{MOVE}.advance_to_{into}", (who, ("cell", cell)))


def _say_group(state: State, verb: str, group: int | None) -> LinePart:
    groups = state.setting.box.groups
    if group is None or group not in range(len(groups)):
        return LinePart(f"{MOVE}.{verb}_unknown")
    return LinePart(f"{MOVE}.{verb}", _heroes(groups[group]))


def _hero(hero: Adventurer) -> tuple[str, Value]:
    return "adventurer", Word(f"drachenhort.{hero}")


def _heroes(group: Group) -> Params:
    names = ("one", "two", "three")
    return tuple(
        (name, Word(f"drachenhort.{hero}"))
        for name, hero in zip(names, group, strict=True)
    )


def describe_event(event: Event) -> LinePart:
    """Return the words of *event*; a secret in it is never among the values."""
    params: list[tuple[str, Value]] = []
    for name in event.__struct_fields__:
        match getattr(event, name):
            case Adventurer() | Metal() as piece:
                params.append((name, Word(f"drachenhort.{piece}")))
            case int() as number:
                params.append((name, number))
            case tuple() as heroes:
                params.extend(_heroes(heroes))
            case _:  # a hidden group
                pass
    return LinePart(f"{EVENT}.{type(event).__struct_config__.tag}", tuple(params))


def cue(event: Event) -> Cue:
    """Return the light, the sound and the spoken line of *event*."""
    light, sound, spoken = CUES.get(type(event), (None, None, False))
    return Cue(light, sound, describe_event(event) if spoken else None)
