"""Draws Drachenhort: the way out with its light and dark halves, figures and medals.

Where the cells lie on the page is our own; a printed board winds in another way.
"""

from collections import defaultdict
from typing import Any

from msgspec import Struct

from companion.dashboard.boards import way
from companion.dashboard.boards.drachenhort.figures import (
    MedalColumn,
    columns,
    icon,
    name,
)
from companion.dashboard.boards.drachenhort.twin import sentences, summary
from companion.dashboard.boards.drawing import Drawing, Pawn, SpotDrawn, packed
from companion.games.drachenhort.pieces import Adventurer, Light
from companion.games.drachenhort.state import HALL, OFF, START, Advance, State
from companion.games.hidden import (
    Viewer,
)
from companion.story.log import Story
from companion.words import Words

WIDTH = 360.0
ROOM_Y = 44.0
"""Where figures stand in the hall and in the start room, above the first row."""
FIRST_ROW_Y = 118.0
EXIT_Y = 58.0
"""How far the exit lies below the last cell."""
HALL_X = 52.0
START_X = 122.0
START_PITCH = 33.5
GHOST, GHOST_WIDTH = 0.82, 50.0
"""Scale of a single ghost, and how much room those in the same half have."""
HALF_HEIGHT = 27.0
HALF_Y = 14.0
"""How far the middle of a half lies from the middle of its cell."""


class Passage(Drawing, frozen=True, kw_only=True, tag="drachenhort"):
    """The way out of the hall with all that stands on it, and the score board.

    *shown* are the figures that each seat has laid open.
    """

    mine: tuple[MedalColumn, ...] = ()
    way: str
    spots: tuple[SpotDrawn, ...]
    pawns: tuple[Pawn, ...]
    dragon: tuple[float, float]
    dragon_from: tuple[float, float] | None
    labels: tuple[tuple[str, float, float], ...]
    medals: tuple[MedalColumn, ...]
    shown: tuple[tuple[str, tuple[MedalColumn, ...]], ...]


class _Place(Struct, frozen=True, gc=False):
    """Where a figure stands, as far as the drawing cares."""

    cell: int
    lit: bool


def draw(
    story: Story,
    state: State,
    legal: tuple[Any, ...],
    viewer: Viewer,
    words: Words,
) -> Passage:
    """Return the drawing of *state*, redacted for *viewer*, with *legal* as ghosts."""
    before = _before_last_change(story, state)
    cells = len(state.board.cells)
    rows = -(-cells // way.PER_ROW)
    exit_x, last_y = way.middle(cells, FIRST_ROW_Y)
    exit_y = last_y + EXIT_Y
    middles = [way.middle(n, FIRST_ROW_Y) for n in range(1, cells + 1)]
    turn_in = (middles[0][0], ROOM_Y)
    return Passage(
        summary=summary(state, words),
        twin=tuple(sentences(state, words)),
        width=WIDTH,
        height=FIRST_ROW_Y + (rows - 1) * way.PITCH_Y + EXIT_Y + 26.0,
        way=way.path([(HALL_X, ROOM_Y), turn_in, *middles, (exit_x, exit_y)]),
        spots=_spots(state, before),
        pawns=(*_pawns(state, before, words), *_ghosts(story, state, legal, words)),
        dragon=_dragon(state.dragon),
        dragon_from=_dragon(before.dragon) if before.dragon != state.dragon else None,
        labels=(
            (words.say("dashboard.drachenhort.hall"), HALL_X, ROOM_Y),
            (words.say("dashboard.drachenhort.start"), START_X, ROOM_Y),
            (words.say("dashboard.drachenhort.exit"), exit_x, exit_y),
        ),
        medals=_columns(state, tuple(state.setting.box.adventurers), words),
        extras=tuple(
            words.say("dashboard.drachenhort.jewels", {"n": n}) for n in state.won
        ),
        mine=_mine(state, viewer, words),
        shown=_shown(state, words),
        die=str(state.pips) if state.pips else None,
        stage=words.say("dashboard.drachenhort.round", {"round": state.round}),
    )


def _before_last_change(story: Story, state: State) -> State:
    """Return the newest state in which a figure or the dragon stood elsewhere.

    After a throw the last move is still the one to show.
    """
    older = [step.state for step in reversed(story.steps[:-1])]
    for past in (*older, story.start):
        if past.round != state.round:
            break
        if past.cells != state.cells or past.dragon != state.dragon:
            # The log holds states of any game; this is one of Drachenhort's.
            return past  # type: ignore[no-any-return]
    return state


def _spots(state: State, before: State) -> tuple[SpotDrawn, ...]:
    marks = _marks(state, before)
    spots = []
    for number, cell in enumerate(state.board.cells, start=1):
        x, y = way.middle(number, FIRST_ROW_Y)
        jewel, mark = number in state.jewels, marks.get(number, "")
        spots.append(SpotDrawn(number, x, y, str(cell.light), cell.trap, jewel, mark))
    return tuple(spots)


def _marks(state: State, before: State) -> dict[int, str]:
    marks = {}
    for old, new in zip(before.cells, state.cells, strict=True):
        if old != new:
            marks[old], marks[new] = "there", "here"
    if before.dragon != state.dragon:
        marks[state.dragon] = "here"
    return marks


def _pawns(state: State, before: State, words: Words) -> list[Pawn]:
    pawns = []
    together: defaultdict[_Place, int] = defaultdict(int)
    for index, hero in enumerate(state.setting.box.adventurers):
        cell = state.cells[index]
        if cell == OFF:
            continue
        place = _Place(cell, state.lit[index])
        x, y = _stand(state, place, index)
        moved = before.cells[index] != cell
        # Only where a table plays a trap by the letter do two share a half.
        x += 13 * together[place]
        together[place] += cell != START
        pawns.append(Pawn(icon(hero, words), name(hero, words), x, y, moved=moved))
    return pawns


def _stand(state: State, place: _Place, index: int) -> tuple[float, float]:
    """Return the middle of the half, or of the whole cell, where a figure stands."""
    if place.cell == START:
        return START_X + 8 + index * START_PITCH, ROOM_Y
    x, y = way.middle(place.cell, FIRST_ROW_Y)
    if state.board.cells[place.cell - 1].light is not Light.HALVES:
        return x, y
    return x, y - HALF_Y if place.lit else y + HALF_Y


def _ghosts(
    story: Story, state: State, legal: tuple[Any, ...], words: Words
) -> list[Pawn]:
    """Return where each adventurer that may advance would come to stand."""
    heroes = state.setting.box.adventurers
    going: defaultdict[tuple[float, float], list[Adventurer]] = defaultdict(list)
    for move in legal:
        if not isinstance(move, Advance):
            continue
        after, _ = story.game.apply(state, move)
        index = heroes.index(move.adventurer)
        if after.cells[index] == OFF or after.round != state.round:
            x, y = way.middle(len(state.board.cells), FIRST_ROW_Y)
            going[x, y + EXIT_Y].append(move.adventurer)
        else:
            place = _Place(after.cells[index], after.lit[index])
            # Whoever wakes the dragon is shown in the half where the move ends.
            going[_stand(state, place, index)].append(move.adventurer)
    ghosts = []
    for (x, y), arriving in going.items():
        scale, places = packed(len(arriving), GHOST_WIDTH, HALF_HEIGHT, GHOST)
        for hero, (right, down) in zip(arriving, places, strict=True):
            ghosts.append(
                Pawn(
                    icon(hero, words),
                    name(hero, words),
                    x + right,
                    y + down,
                    ghost=True,
                    scale=scale,
                )
            )
    return ghosts


def _dragon(cell: int) -> tuple[float, float]:
    if cell == HALL:
        return HALL_X, ROOM_Y
    if cell == START:
        return START_X + 112, ROOM_Y
    return way.middle(cell, FIRST_ROW_Y)


def _columns(
    state: State, heroes: tuple[Adventurer, ...], words: Words
) -> tuple[MedalColumn, ...]:
    order = state.setting.box.adventurers
    all_columns = columns(order, words, state.medals)
    return tuple(all_columns[order.index(hero)] for hero in heroes)


def _mine(state: State, viewer: Viewer, words: Words) -> tuple[MedalColumn, ...]:
    group = None if viewer is None else state.noted[viewer].value
    if group is None:
        return ()
    return _columns(state, state.setting.box.groups[group], words)


def _shown(
    state: State, words: Words
) -> tuple[tuple[str, tuple[MedalColumn, ...]], ...]:
    return tuple(
        (words.name(seat), _columns(state, state.setting.box.groups[group], words))
        for seat, group in enumerate(state.shown)
        if group is not None
    )
