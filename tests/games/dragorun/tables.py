"""Tables set up in one line, and games played in notation."""

from msgspec.structs import replace

from companion.games.core import LEGAL, Config
from companion.games.dragorun import GAME
from companion.games.dragorun.box import STAND_IN, Box
from companion.games.dragorun.pieces import Colour, Egg, Step
from companion.games.dragorun.state import BOUND, KEEP, NONE, TURN, State
from companion.table import Word

DRAGONS = tuple(dragon.value for dragon in STAND_IN.dragons)
"""red, green, blue, yellow, violet: the order in which a state lists them."""


def new_game(*, seats=2, first=0, finish=12, options=None) -> State:
    """Return the first position; *options* by ruling, as ``{"DG3": "snail_cell"}``."""
    box = Box(STAND_IN.starts, finish, STAND_IN.fifth)
    return GAME.setup(Config(seats, box, tuple((options or {}).items()), first))


def lined_up(**kinds) -> State:
    """Return a position where red, green, blue ... stand on 1, 2, 3 ..., undealt."""
    moves = [f"place {dragon} {cell}" for cell, dragon in enumerate(DRAGONS, start=1)]
    return play(new_game(**kinds), *moves)


def scene(
    cells,
    *,
    riders="red green",
    dice=None,
    bound=False,
    hidden=(),
    eggs=(),
    drawn=None,
    line=None,
    **kinds,
) -> State:
    """Return a position in which seat 0 (or *seat*) is in turn.

    *cells* are where red, green, blue, yellow and violet stand; *riders* the dragons of
    seat 0, 1 and so on. *dice* as ``"white +2"`` were thrown; *bound* tells that it was
    the second throw. *hidden* lists the seats whose marker lies face down, *eggs* what
    each seat has drawn, as ``("red snail", "")``, *line* the order of arrival on the
    snail cell.
    """
    seat = kinds.pop("seat", 0)
    names = riders.split()
    start = new_game(seats=len(names), **kinds)
    colour, step = dice.split() if dice else (None, None)
    held = [tuple(Egg(egg) for egg in text.split()) for text in eggs]
    held += [()] * (len(names) - len(held))
    rear = [index for index, cell in enumerate(cells) if cell == 0]
    state = replace(
        start,
        phase=(BOUND if bound else KEEP) if dice else TURN,
        seat=seat,
        colour=None if colour is None else Colour(colour),
        step=None if step is None else Step(step),
        cells=tuple(cells),
        line=tuple(rear if line is None else map(DRAGONS.index, line.split())),
        markers=tuple(DRAGONS.index(name) for name in names),
        hidden=tuple(number in hidden for number in range(len(names))),
        eggs=tuple(held),
        drawn=sum(map(len, held)) if drawn is None else drawn,
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
    """Return an event as its tag and its values, names without their prefix."""
    line = GAME.describe_event(event)
    name = line.line.removeprefix("dragorun.event.")
    values = (_short(value) for _, value in line.params)
    return " ".join((name, *values))


def refused(state: State, text: str):
    """Return the refusal of a move: its ruling, its reason and its rulebook lines."""
    verdict = GAME.judge(state, GAME.parse(state, text))
    reason = verdict.reason.removeprefix("dragorun.no.")
    return verdict.ruling, reason, (verdict.cite.first, verdict.cite.last)


def numbers(state: State, text: str) -> dict:
    """Return the values that a refusal names, names without their prefix."""
    params = GAME.judge(state, GAME.parse(state, text)).params
    return {
        name: value if isinstance(value, int) else _short(value)
        for name, value in params
    }


def _short(value) -> str:
    text = value.line if isinstance(value, Word) else str(value)
    return text.rpartition(".")[2]


def legal(state: State) -> set[str]:
    """Return the legal moves in notation."""
    return {GAME.notate(state, move) for move in GAME.legal(state)}


def ways(state: State) -> set[str]:
    """Return where dragons may go now: the legal moves that set a dragon."""
    return {text for text in legal(state) if text.startswith("move")}


def swaps(state: State) -> set[str]:
    """Return whose markers may be taken now."""
    found = {text for text in legal(state) if text.startswith("swap")}
    return {text.removeprefix("swap ") for text in found}


def asked(state: State) -> list[str]:
    """Return what is asked and reminded of, as the end of each line's id."""
    return [prompt.line.removeprefix("dragorun.do.") for prompt in GAME.expects(state)]


def where(state: State, dragon: str) -> int:
    """Return the cell of a dragon."""
    return state.cells[DRAGONS.index(dragon)]


def rider(state: State, seat: int) -> str | None:
    """Return the dragon that a seat rides."""
    index = state.markers[seat]
    return None if index == NONE else DRAGONS[index]
