"""Tables set up in one line, and games played in notation."""

from collections import Counter

from msgspec.structs import replace

from companion.games.core import (
    LEGAL,
    Config,
)
from companion.games.dragon_run import GAME
from companion.games.dragon_run.box import STAND_IN, Box
from companion.games.dragon_run.pieces import FIT, OUT, WOUNDED
from companion.games.dragon_run.state import ACT, Phase, State
from companion.games.hidden import (
    Hidden,
)
from companion.table import Word

PLACES = [card.id for card in STAND_IN.places]
TREASURES = [STAND_IN.treasure_id(kind) for kind in STAND_IN.kinds]
HEROES = [hero.id for hero in STAND_IN.heroes]
GOLD = {f"gold-{n}": n for n in range(1, 6)}


def new_game(*, seats=3, first=0, options=None, box: Box = STAND_IN) -> State:
    """Return the first position; *options* by ruling, as ``{"RN4": "forbid"}``."""
    return GAME.setup(Config(seats, box, tuple((options or {}).items()), first))


def kinds(text: str) -> tuple[int, ...]:
    """Return the kinds of treasure that a text names, rising."""
    return tuple(sorted(TREASURES.index(word) for word in text.split()))


def scene(
    *,
    seats=3,
    seat=0,
    heroes="elf cleric warrior thief dwarf",
    turned="",
    since=None,
    anger=None,
    noted=None,
    size=None,
    fronts=None,
    discard="",
    lost=0,
    wounded=(),
    out=(),
    tilted=(),
    phase=ACT,
    need=0,
    paid=0,
    stock=None,
    options=None,
    box: Box = STAND_IN,
) -> State:
    """Return a position in the middle of a game.

    Each seat holds four cards nobody knows, or just those that *noted* names for it,
    or as many as *size* says. *turned* and *discard* name cards in order; *lost* cards
    lie face down on the discard, and where *stock* is given, so do all but that many.
    """
    start = new_game(seats=seats, options=options, box=box)
    noted, size, fronts = noted or {}, size or {}, fronts or {}
    names = heroes.split()[:seats]
    places = [card.id for card in box.places]
    open_places = tuple(places.index(word) for word in turned.split())
    front = tuple(kinds(fronts.get(other, "")) for other in range(seats))
    gone = tuple(TREASURES.index(word) for word in discard.split())
    seen = Counter([*gone, *(kind for row in front for kind in row)])
    unseen = tuple(n - seen[kind] for kind, n in enumerate(start.unseen))
    notes = [kinds(noted.get(other, "")) for other in range(seats)]
    known = {other: len(notes[other]) for other in noted}
    hands = tuple(0 if s in out else size.get(s, known.get(s, 4)) for s in range(seats))
    rest = sum(unseen) - sum(hands) - lost
    if stock is not None:
        lost, rest = lost + rest - stock, stock
    state = replace(
        start,
        phase=Phase(phase),
        seat=seat,
        anger=start.anger if anger is None else anger,
        heroes=tuple(HEROES.index(name) for name in names),
        health=tuple(
            OUT if s in out else WOUNDED if s in wounded else FIT for s in range(seats)
        ),
        tilted=tuple(s in tilted for s in range(seats)),
        pile=tuple(
            count - open_places.count(kind)
            for kind, count in enumerate(start.setting.whole_pile)
        ),
        turned=open_places,
        since=len(open_places) if since is None else since,
        stock=rest,
        unseen=unseen,
        loose=tuple(kind for kind, left in enumerate(unseen) if left),
        hands=hands,
        noted=tuple(Hidden(notes[s], (s,)) for s in range(seats)),
        fronts=front,
        discard=(None,) * lost + gone,
        need=need,
        paid=paid,
    )
    assert not GAME.check(state), GAME.check(state)
    return state


def play(state: State, *moves: str) -> State:
    """Return the state after *moves*, each of which must be legal."""
    for text in moves:
        move = GAME.parse(state, text)
        assert GAME.judge(state, move) == LEGAL, (text, GAME.judge(state, move))
        assert move in set(GAME.legal(state)), text
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
    """Return an event as its tag and its values, but for the seat and secrets."""
    line = GAME.describe_event(event)
    name = line.line.removeprefix("dragon_run.event.")
    values = (
        str(v.line if isinstance(v, Word) else v).removeprefix("dragon_run.")
        for k, v in line.params
        if k != "seat"
    )
    return " ".join((name, *values))


def refused(state: State, text: str):
    """Return the refusal of a move: its ruling, its reason and its rulebook lines."""
    verdict = GAME.judge(state, GAME.parse(state, text))
    reason = verdict.reason.removeprefix("dragon_run.no.")
    return verdict.ruling, reason, (verdict.cite.first, verdict.cite.last)


def legal(state: State) -> set[str]:
    """Return the legal moves in notation, without those that only concern notes."""
    moves = {GAME.notate(state, move) for move in GAME.legal(state)}
    return {move for move in moves if not move.startswith(("note", "forget"))}


def hand(state: State, seat: int) -> str:
    """Return what a seat has noted."""
    return " ".join(TREASURES[kind] for kind in state.noted[seat].value or ())


def prompts(state: State) -> set[str]:
    """Return the short names of all that is asked or reminded of."""
    return {
        prompt.line.removeprefix("dragon_run.do.") for prompt in GAME.expects(state)
    }
