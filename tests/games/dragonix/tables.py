"""Tables set up in one line, and games played in notation."""

from msgspec.structs import replace

from companion.games.core import (
    LEGAL,
    Config,
)
from companion.games.dragonix import GAME
from companion.games.dragonix.dealing import setup
from companion.games.dragonix.pieces import (
    CARDS,
    HERO,
    HEROES,
    ROWS,
    SOLO_TOKENS,
    TOKENS,
    Token,
)
from companion.games.dragonix.stacks import place
from companion.games.dragonix.state import (
    EMPTY,
    NEW_TURN,
    NOWHERE,
    PLAY,
    State,
)
from companion.games.hidden import (
    Hidden,
)
from companion.table import Word

ARMY_NAMES = dict(zip(("I", "II", "III", "IV", "tower"), range(5), strict=True))


def card(name: str) -> int:
    """Return the number of a card."""
    return CARDS.index(name)


def cards(text: str) -> tuple[int, ...]:
    """Return the numbers of some cards, in the order they are named."""
    return tuple(card(name) for name in text.split())


def stack(row: int, text: str):
    """Return a row as it is once these cards have been placed one after another."""
    made = EMPTY
    for name in text.split():
        made = place(row, made, card(name))
    return made


def new_game(seats=2, options=None) -> State:
    """Return the first position; *options* by ruling, as ``{"DX9": "armies_only"}``."""
    return GAME.setup(Config(seats, GAME.stand_in, tuple((options or {}).items())))


def scene(
    *,
    hands=("forest1 sun1 rock1",),
    camps=None,
    under=("",),
    seats=None,
    seat=0,
    red="I",
    undead=None,
    undead_by=None,
    prison_by=None,
    tokens=None,
    noted=("",),
    options=None,
    rest="",
    beside=(),
    **rows,
) -> State:
    """Return a position where seat 0 is about to place cards.

    *hands* are the cards that everybody knows in each hand, ``?`` for one that nobody
    has told; *noted* those told in private. *camps* are how many unknown cards a camp
    has, *under* the known ones below. *rows* are ``I="sun4 hero"`` and so on. *tokens*
    are the open tokens of each seat. *rest* are cards that lie face down, filled up
    with the highest of the krak; all others are in the box, but for those *beside* the
    board.
    """
    seats = seats or max(2, len(hands))
    start = setup(Config(seats, GAME.stand_in, tuple((options or {}).items())))
    stacks = tuple(stack(row, rows.pop(name, "")) for row, name in enumerate(ROWS))
    assert not rows, f"no such rows: {rows}"
    camps = camps if camps is not None else (1,) * seats
    sides = []
    for number in range(seats):
        told = _nth(hands, number)
        shown = tuple(sorted(cards(" ".join(n for n in told.split() if n != "?"))))
        secret = tuple(sorted(cards(_nth(noted, number))))
        below = cards(_nth(under, number))
        mine = tuple(Token(name) for name in _nth(tokens or (), number).split())
        sides.append(
            replace(
                start.sides[number],
                hand=len(told.split()) + len(secret),
                shown=shown,
                noted=Hidden(secret, (number,)),
                camp=camps[number] + len(below),
                under=below,
                tokens=len(mine),
                open_tokens=mine,
            )
        )
    state = replace(
        start,
        phase=PLAY,
        seat=seat,
        turn=NEW_TURN,
        rows=stacks,
        red=ARMY_NAMES[red],
        undead=NOWHERE if undead is None else ARMY_NAMES[undead],
        undead_by=undead_by,
        prison_by=prison_by,
        sides=tuple(sides),
        deserters=cards(" ".join(beside)),
    )
    return _account(state, rest)


def _nth(texts, number: int) -> str:
    return texts[number] if number < len(texts) else ""


def _account(state: State, rest: str) -> State:
    """Account for all cards and tokens; what is nowhere else is in the box or spent."""
    deck = [*range(HERO), *(HERO,) * HEROES]
    unseen = [*cards(rest), *(c for side in state.sides for c in side.noted.value)]
    face_down = 0
    for side in state.sides:
        face_down += side.hand - len(side.shown) + side.camp - len(side.under)
        for one in (*side.shown, *side.under):
            deck.remove(one)
    lying = [c for made in state.rows for c in made.cards]
    for one in (*lying, *state.deserters, *unseen):
        deck.remove(one)
    # Whatever else is face down are the highest of the krak.
    while len(unseen) < face_down:
        unseen.append(deck.pop(deck.index(max(c for c in deck if c != HERO))))
    assert len(unseen) == face_down, "more cards in rest than lie face down"
    spent = [*SOLO_TOKENS] if state.setting.solo else [*TOKENS]
    for token in (t for side in state.sides for t in side.open_tokens):
        spent.remove(token)
    state = replace(
        state,
        unseen=sum(1 << one for one in unseen if one != HERO),
        heroes=unseen.count(HERO),
        boxed=tuple(deck),
        tokens=(),
        spent=tuple(spent),
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
    """Return an event as its tag and its values, but for seats and secrets."""
    line = GAME.describe_event(event)
    name = line.line.removeprefix("dragonix.event.")
    values = (
        str(v.line if isinstance(v, Word) else v).rpartition(".")[2]
        for k, v in line.params
        if k != "seat"
    )
    return " ".join((name, *values))


def refused(state: State, text: str):
    """Return the refusal of a move: its ruling, its reason and its rulebook lines."""
    verdict = GAME.judge(state, GAME.parse(state, text))
    assert verdict != LEGAL, text
    reason = verdict.reason.removeprefix("dragonix.no.")
    return verdict.ruling, reason, (verdict.cite.first, verdict.cite.last)


def legal(state: State, word: str = "") -> set[str]:
    """Return the legal moves in notation that begin with *word*, without notes."""
    moves = {GAME.notate(state, move) for move in GAME.legal(state)}
    return {
        move
        for move in moves
        if move.startswith(word) and not move.startswith(("note", "token-note"))
    }


def row(state: State, name: str) -> str:
    """Return the cards of a row."""
    return " ".join(CARDS[c] for c in state.rows[ROWS.index(name)].cards)


def names(numbers) -> str:
    """Return cards by name."""
    return " ".join(CARDS[c] for c in numbers)
