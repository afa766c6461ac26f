"""Draws Dragorun: the track from the snail to the trophy, and what each player has.

How the track winds on the page is our own; a printed board winds in another way.
"""

from collections import defaultdict
from typing import Any

from msgspec import Struct

from companion.dashboard.boards.dragorun.figures import (
    colour_die,
    drake,
    egg,
    step_die,
    step_text,
)
from companion.dashboard.boards.dragorun.twin import sentences, summary
from companion.dashboard.boards.drawing import Drawing, Held, Pawn, packed
from companion.dashboard.boards.trail import PointXY, Trail
from companion.games.dragorun import eggs
from companion.games.dragorun.box import SNAIL_CELL, UNPLACED
from companion.games.dragorun.state import NONE, MoveDragon, Place, State, seat_of
from companion.games.hidden import (
    Viewer,
)
from companion.story.log import Story
from companion.words import Words

WIDTH = 360.0
LEFT, RIGHT = 57.0, 303.0
GAP = 62.0
TOP = 36.0
"""Middle of the highest lane."""
CLOSEST = 42.0
"""How near the middles of two cells may come, so that two dragons stand apart."""
SNAIL_BELOW = 66.0
"""How far the snail's field lies below the lowest lane."""
SNAIL_X, SNAIL_PITCH = 112.0, 52.0
LONGEST_NAME = 8
GHOST_SIDE = 38.0
"""How much room the ghosts of dragons have that come to the same cell."""


class Cell(Struct, frozen=True, gc=False):
    """A cell of the track; *mark* is ``here`` or ``there`` for the last move."""

    text: str
    x: float
    y: float
    start: bool = False
    mark: str = ""


class Runner(Pawn, frozen=True, kw_only=True, gc=False):
    """A dragon on the track and the name of who rides it."""

    rider: str = ""


class Rider(Struct, frozen=True, gc=False):
    """What a player has: a dragon, perhaps protected, and eggs."""

    name: str
    dragon: Held | None
    protected: bool
    eggs: tuple[Held, ...]
    me: bool


class Track(Drawing, frozen=True, kw_only=True, tag="dragorun"):
    """The race. *spare* are the dragons whose markers lie beside the board."""

    way: str
    cells: tuple[Cell, ...]
    snail_y: float
    finish: PointXY
    pawns: tuple[Runner, ...]
    riders: tuple[Rider, ...]
    spare: tuple[Held, ...]
    eggs_left: int
    eggs_all: int
    eggs_text: str


def draw(
    story: Story, state: State, legal: tuple[Any, ...], viewer: Viewer, words: Words
) -> Track:
    """Return the drawing of *state*, with the goals of *legal* as ghosts."""
    trail = _trail(state)
    before = _before_last_move(story, state)
    left = eggs.eggs_left(state)
    return Track(
        summary=summary(state, words),
        twin=tuple(sentences(state, words)),
        width=WIDTH,
        height=trail.bottom + SNAIL_BELOW + 38.0,
        stage=words.say("boards.dragorun.race", {"number": state.race}),
        dice=_dice(state, words),
        way=trail.path(),
        cells=_cells(state, before, trail),
        snail_y=trail.bottom + SNAIL_BELOW,
        finish=_where(state, trail, state.setting.box.finish),
        pawns=(
            *_pawns(state, before, trail, words),
            *_ghosts(state, legal, trail, words),
        ),
        riders=_riders(state, viewer, words),
        spare=_spare(state, words),
        eggs_left=left,
        eggs_all=left + sum(map(len, state.eggs)),
        eggs_text=words.say("boards.dragorun.eggs_left", {"n": left}),
    )


def _trail(state: State) -> Trail:
    """Return a trail with as few lanes as leave room for every cell."""
    lanes, steps = 2, state.setting.box.finish - 1
    while (trail := Trail(lanes, LEFT, RIGHT, 0, GAP)).length / steps < CLOSEST:
        lanes += 1
    return Trail(lanes, LEFT, RIGHT, TOP - trail.top, GAP)


def _where(state: State, trail: Trail, cell: int) -> PointXY:
    """Return the middle of a cell of the trail, the first being 1."""
    return trail.at((cell - 1) * trail.length / (state.setting.box.finish - 1))


def _before_last_move(story: Story, state: State) -> State:
    """Return the newest state of this race in which a dragon stood elsewhere."""
    older = [step.state for step in reversed(story.steps[:-1])]
    for past in (*older, story.start):
        if past.race != state.race or UNPLACED in past.cells:
            break
        if past.cells != state.cells:
            # The log holds states of any game; this is one of Dragorun's.
            return past  # type: ignore[no-any-return]
    return state


def _cells(state: State, before: State, trail: Trail) -> tuple[Cell, ...]:
    marks = {}
    for old, new in zip(before.cells, state.cells, strict=True):
        if old != new:
            marks[old], marks[new] = "there", "here"
    starts = state.setting.box.starts
    return tuple(
        Cell(
            str(cell) if cell < state.setting.box.finish else "",
            *_where(state, trail, cell),
            cell in starts,
            marks.get(cell, ""),
        )
        for cell in range(1, state.setting.box.finish + 1)
    )


def _stand(state: State, trail: Trail, index: int, cell: int) -> PointXY:
    """Return where a dragon stands on *cell*; on the snail's field side by side."""
    if cell != SNAIL_CELL:
        return _where(state, trail, cell)
    line = state.line
    place = line.index(index) if index in line else len(line)
    return SNAIL_X + place * SNAIL_PITCH, trail.bottom + SNAIL_BELOW


def _pawns(state: State, before: State, trail: Trail, words: Words) -> list[Runner]:
    pawns = []
    for index, colour in enumerate(state.setting.dragons):
        cell = state.cells[index]
        if cell == UNPLACED:
            continue
        x, y = _stand(state, trail, index, cell)
        seat = seat_of(state, index)
        pawns.append(
            Runner(
                drake(colour, words),
                words.say(f"dragorun.dragon.{colour}"),
                x,
                y,
                moved=before.cells[index] != cell,
                scale=1.1,
                rider="" if seat is None else _short(words.name(seat)),
            )
        )
    return pawns


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def _ghosts(
    state: State, legal: tuple[Any, ...], trail: Trail, words: Words
) -> list[Runner]:
    """Return where each dragon that may be moved would come to stand."""
    going: defaultdict[PointXY, list[Any]] = defaultdict(list)
    for move in legal:
        if not isinstance(move, MoveDragon | Place):
            continue
        index = state.index(move.dragon)
        if isinstance(move, MoveDragon) and state.cells[index] != move.cell:
            going[_stand(state, trail, index, move.cell)].append(move.dragon)
    ghosts = []
    for (x, y), dragons in going.items():
        scale, places = packed(len(dragons), GHOST_SIDE, GHOST_SIDE, 1.0)
        for colour, (right, down) in zip(dragons, places, strict=True):
            name = words.say(f"dragorun.dragon.{colour}")
            icon = drake(colour, words)
            ghosts.append(
                Runner(icon, name, x + right, y + down, ghost=True, scale=scale)
            )
    return ghosts


def _dice(state: State, words: Words) -> tuple[Held, ...]:
    if state.colour is None or state.step is None:
        return ()
    colour = words.say(f"dragorun.colour.{state.colour}")
    return (
        Held(colour_die(state.colour, words), colour),
        Held(step_die(state.step), step_text(state.step, words)),
    )


def _riders(state: State, viewer: Viewer, words: Words) -> tuple[Rider, ...]:
    riders = []
    for seat, index in enumerate(state.markers):
        held = None if index == NONE else _held(state, index, words)
        found = tuple(
            Held(egg(one, words), words.say(f"dragorun.egg.{one}"))
            for one in state.eggs[seat]
        )
        name = words.name(seat)
        riders.append(Rider(name, held, state.hidden[seat], found, seat == viewer))
    return tuple(riders)


def _held(state: State, index: int, words: Words) -> Held:
    colour = state.setting.dragons[index]
    return Held(drake(colour, words), words.say(f"dragorun.dragon.{colour}"))


def _spare(state: State, words: Words) -> tuple[Held, ...]:
    if NONE in state.markers:
        return ()
    return tuple(
        _held(state, index, words)
        for index in range(len(state.setting.dragons))
        if index not in state.markers
    )
