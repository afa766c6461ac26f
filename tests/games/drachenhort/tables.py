"""Tables set up in one line, and games played in notation."""

from msgspec.structs import replace

from companion.games.core import LEGAL, Config
from companion.games.drachenhort import GAME
from companion.games.drachenhort.box import STAND_IN, Board, Box, draw_board
from companion.games.drachenhort.pieces import MEDALS
from companion.games.drachenhort.state import (
    ADVANCE,
    HALL,
    OFF,
    START,
    THROW,
    State,
)
from companion.table import Word

PLAIN = "." * 12
"""A short way of twelve cells with two halves each."""

HEROES = STAND_IN.adventurers


def box(front=PLAIN, back=PLAIN, *, exit_on_last=False) -> Box:
    """Return a copy with boards drawn in letters, see `draw_board`."""
    boards = [Board(draw_board(side).cells, exit_on_last) for side in (front, back)]
    return Box(boards[0], boards[1], HEROES, STAND_IN.groups)


def new_game(front=PLAIN, back=PLAIN, *, seats=2, first=0, options=None) -> State:
    """Return the first position; *options* by ruling, as ``{"DH1": "optional"}``."""
    chosen = tuple((options or {}).items())
    return GAME.setup(Config(seats, box(front, back), chosen, first))


def scene(
    front=PLAIN,
    *,
    dragon=HALL,
    pips=0,
    seat=0,
    seats=2,
    options=None,
    exit_on_last=False,
    **heroes,
) -> State:
    """Return a position of the first round.

    Each hero stands where its name says: ``green="4"`` in the light of cell 4,
    ``green="4d"`` in its shadow, ``green="start"``. Whoever is not named was captured
    before, in the order of the box. *pips* were thrown, 0 for not yet.
    """
    start = new_game(front, seats=seats, options=options)
    start = replace(
        start,
        setting=replace(start.setting, box=box(front, exit_on_last=exit_on_last)),
    )
    cells, lit, medals, lowest = [], [], [], iter(MEDALS)
    for hero in HEROES:
        where = heroes.pop(hero.value, "captured")
        if where == "captured":
            cells.append(OFF)
        else:
            cells.append(START if where == "start" else int(where.rstrip("d")))
        lit.append(cells[-1] != OFF and not where.endswith("d"))
        medals.append(next(lowest) if where == "captured" else 0)
    assert not heroes, f"no such heroes: {heroes}"
    state = replace(
        start,
        phase=ADVANCE if pips else THROW,
        seat=seat,
        pips=pips,
        cells=tuple(cells),
        lit=tuple(lit),
        dragon=dragon,
        medals=(tuple(medals), start.medals[1]),
    )
    assert not GAME.check(state), GAME.check(state)
    return state


def play(state: State, *moves: str) -> State:
    """Return the state after *moves*, each of which must be legal."""
    for text in moves:
        move = GAME.parse(state, text)
        assert GAME.judge(state, move) == LEGAL, (text, GAME.judge(state, move))
        state, _ = GAME.apply(state, move)
        assert not GAME.check(state), (text, GAME.check(state))
    return state


def story(state: State, *moves: str) -> list[str]:
    """Return what the last of *moves* made happen, as tag and values."""
    *before, last = moves
    state = play(state, *before)
    _, events = GAME.apply(state, GAME.parse(state, last))
    return [told(event) for event in events]


def told(event) -> str:
    """Return an event as its tag and its values, but for seats and secrets."""
    line = GAME.describe_event(event)
    name = line.line.removeprefix("drachenhort.event.")
    values = (
        str(v.line if isinstance(v, Word) else v).removeprefix("drachenhort.")
        for k, v in line.params
        if k != "seat"
    )
    return " ".join((name, *values))


def refused(state: State, text: str):
    """Return the refusal of a move: its ruling, its reason and its rulebook lines."""
    verdict = GAME.judge(state, GAME.parse(state, text))
    reason = verdict.reason.removeprefix("drachenhort.no.")
    return verdict.ruling, reason, (verdict.cite.first, verdict.cite.last)


def legal(state: State) -> set[str]:
    """Return the legal moves in notation, without those that only note a group."""
    moves = {GAME.notate(state, move) for move in GAME.legal(state)}
    return {move for move in moves if not move.startswith("note")}


def where(state: State, hero: str) -> str:
    """Return where a hero is, written as in `scene`."""
    index = HEROES.index(hero)
    cell = state.cells[index]
    if cell == OFF:
        return "off"
    if cell == START:
        return "start"
    return f"{cell}" if state.lit[index] else f"{cell}d"


def medal(state: State, hero: str, round_number: int = 1) -> int:
    """Return the silver (round 1) or gold medal (round 2) of a hero."""
    return state.medals[round_number - 1][HEROES.index(hero)]
