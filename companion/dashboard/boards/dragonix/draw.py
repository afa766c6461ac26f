"""Draws Dragonix: the rows with their cards in order, and what lies before each seat.

Six places a row, as the sixth card sends all of them into the box.
"""

from typing import Any

from msgspec import Struct

from companion.dashboard.boards.dragonix.figures import (
    TOKENS,
    card_name,
    card_with_name,
    people,
    row_icon,
    row_name,
    troop,
)
from companion.dashboard.boards.dragonix.twin import sentences, summary, timers
from companion.dashboard.boards.drawing import Drawing, Held, Icon
from companion.games.dragonix.moves import Play, TurnUp
from companion.games.dragonix.pieces import (
    COLOURED,
    FULL,
    NO_COLOUR,
    RISING,
    TOWER,
    Row,
)
from companion.games.dragonix.scoring import deserters, scores
from companion.games.dragonix.state import NOWHERE, Stack, State
from companion.games.hidden import (
    Viewer,
)
from companion.story.log import Story
from companion.words import Words

WIDTH = 360.0
FIRST_X, PITCH_X = 98.0, 46.0
FIRST_Y, PITCH_Y = 42.0, 70.0
DRAGON_X = 30.0


class PlaceDrawn(Struct, frozen=True, gc=False):
    """One of the six places of a row; *goal* where a card may come now."""

    x: float
    icon: Icon | None = None
    goal: bool = False
    changed: bool = False


class RowDrawn(Struct, frozen=True, gc=False):
    """An army or the tower. *order* is ``rising``, ``falling`` or ``free``.

    *one_people* rows ask for a single people, *sign* is the one they ask for now.
    A *shut* row takes no card.
    """

    name: str
    y: float
    icon: Icon
    order: str
    one_people: bool
    sign: Icon | None
    places: tuple[PlaceDrawn, ...]
    shut: bool
    count: str


class Perched(Struct, frozen=True, gc=False):
    """A dragon and the middle of where it sits; *asleep* when it has no effect."""

    kind: str
    x: float
    y: float
    asleep: bool


class Camp(Struct, frozen=True, gc=False):
    """What a player has: cards in hand and camp, and tokens."""

    name: str
    hand: int
    hand_text: str
    known: tuple[Held, ...]
    camp: str
    tokens: int
    tokens_text: str
    me: bool


class Armies(Drawing, frozen=True, kw_only=True, tag="dragonix"):
    """The rows, what each player has, what runs out when, and the deserters."""

    rows: tuple[RowDrawn, ...]
    dragons: tuple[Perched, ...]
    camps: tuple[Camp, ...]
    timers: tuple[tuple[Icon, str], ...]
    deserters: tuple[Held, ...]
    deserters_text: str


def draw(
    story: Story, state: State, legal: tuple[Any, ...], viewer: Viewer, words: Words
) -> Armies:
    """Return the drawing of *state*, redacted for *viewer*, with goals of *legal*."""
    goals = {move.row for move in legal if isinstance(move, Play | TurnUp)}
    before = story.steps[-2].state if len(story.steps) > 1 else story.start
    solo = state.setting.solo
    return Armies(
        summary=summary(state, words),
        twin=tuple(sentences(state, words)),
        width=WIDTH,
        height=FIRST_Y + (len(state.rows) - 1) * PITCH_Y + 40.0,
        extras=_left(state, words),
        mine=_mine(state, viewer, words),
        rows=tuple(
            _line(state, row, before.rows[row], row in goals, words)
            for row in range(len(state.rows))
        ),
        dragons=_dragons(state),
        camps=tuple(_camp(state, s, viewer, words) for s in range(len(state.sides))),
        timers=timers(state, words),
        deserters=tuple(card_with_name(state, card, words) for card in state.deserters),
        deserters_text=(
            words.say("boards.dragonix.deserters", {"n": deserters(state)})
            if solo
            else ""
        ),
    )


def _left(state: State, words: Words) -> tuple[str, ...]:
    """Return what the number of each seat counts, as fewer is better here."""
    return tuple(words.part(part) for score in scores(state) for part, _ in score.parts)


def _line(state: State, row: Row, before: Stack, goal: bool, words: Words) -> RowDrawn:
    stack = state.rows[row]
    tower, y = row == TOWER, _row_y(row)
    return RowDrawn(
        name=row_name(row, words),
        y=y,
        icon=row_icon(row),
        order="free" if tower else "rising" if RISING[row] else "falling",
        one_people=COLOURED[row],
        sign=None if stack.colour == NO_COLOUR else people(state, stack.colour),
        places=_places(state, stack, before, goal),
        shut=any(d.y == y and not d.asleep for d in _dragons(state))
        or (tower and state.prison_by is not None),
        count=f"{len(stack.cards)}/{FULL}",
    )


def _row_y(row: Row) -> float:
    return FIRST_Y + row * PITCH_Y


def _dragons(state: State) -> tuple[Perched, ...]:
    """Return the dragons in play; no two of them sit on the same army."""
    found = [Perched("dragon", DRAGON_X, _row_y(state.red), state.red_off)]
    if state.undead != NOWHERE:
        row = _row_y(state.undead)
        found.append(Perched("undead", DRAGON_X, row, state.undead_off))
    return tuple(found)


def _places(
    state: State, stack: Stack, before: Stack, goal: bool
) -> tuple[PlaceDrawn, ...]:
    places = []
    for nth in range(FULL):
        x = FIRST_X + nth * PITCH_X
        if nth >= len(stack.cards):
            places.append(PlaceDrawn(x, goal=goal and nth == len(stack.cards)))
            continue
        card = stack.cards[nth]
        new = nth >= len(before.cards) or before.cards[nth] != card
        places.append(PlaceDrawn(x, troop(state, card, stack.values[nth]), changed=new))
    return tuple(places)


def _mine(state: State, viewer: Viewer, words: Words) -> tuple[Held, ...]:
    if viewer is None:
        return ()
    side = state.sides[viewer]
    cards = tuple(
        card_with_name(state, card, words)
        for card in (*side.shown, *(side.noted.value or ()))
    )
    tokens = (*side.open_tokens, *(side.noted_tokens.value or ()))
    return cards + tuple(
        Held(TOKENS[token], words.say(f"dragonix.token.{token}")) for token in tokens
    )


def _camp(state: State, seat: int, viewer: Viewer, words: Words) -> Camp:
    side = state.sides[seat]
    return Camp(
        name=words.name(seat),
        hand=side.hand,
        hand_text=words.say("boards.cards_in_hand", {"n": side.hand}),
        known=tuple(Held(troop(state, c), card_name(c, words)) for c in side.shown),
        camp=words.say("boards.dragonix.camp", {"n": side.camp}),
        tokens=side.tokens,
        tokens_text=words.say("boards.dragonix.tokens", {"n": side.tokens}),
        me=seat == viewer,
    )
