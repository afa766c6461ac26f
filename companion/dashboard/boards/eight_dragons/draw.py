"""Draws 8 Dragons: the rectangle of cards, never the face of one that was turned back.

Only what the redacted state holds is read, and of older states no more than which kind
of thing lay where, so that the page helps nobody's memory.
"""

from typing import Any

from msgspec import Struct

from companion.dashboard.boards.drawing import Drawing, Held, Icon
from companion.dashboard.boards.eight_dragons.figures import (
    card_icon,
    card_name,
    picture,
)
from companion.dashboard.boards.eight_dragons.twin import sentences, summary
from companion.games.eight_dragons.census import dragon_colour
from companion.games.eight_dragons.pieces import COLUMNS, ROWS, SQUARES, Card
from companion.games.eight_dragons.scoring import has_silver, worth
from companion.games.eight_dragons.state import Four, Return, Shift, State
from companion.games.hidden import (
    Hidden,
    Viewer,
)
from companion.story.log import Story
from companion.words import Words

LEFT, TOP = 40.0, 52.0
PITCH_X, PITCH_Y = 47.0, 60.0


class CardPlace(Struct, frozen=True, gc=False):
    """A place of the rectangle and what lies there.

    *kind* is ``down``, ``gone``, ``open`` or ``spent``. *owner* is who blocked the
    card. *goal* marks where a card may be put now, *changed* what the last move did.
    """

    name: str
    x: float
    y: float
    kind: str
    icon: Icon | None = None
    owner: str = ""
    goal: bool = False
    changed: bool = False


class Hoard(Struct, frozen=True, gc=False):
    """What a player has before them: how many cards in hand, tokens, and dragons."""

    name: str
    hand: int
    hand_text: str
    tokens: int
    dragons: tuple[tuple[Held, int], ...]
    me: bool


class Rectangle(Drawing, frozen=True, kw_only=True, tag="eight_dragons"):
    """The rectangle with the names of its columns and rows, and the players."""

    spots: tuple[CardPlace, ...]
    columns: tuple[tuple[str, float], ...]
    rows: tuple[tuple[str, float], ...]
    hoards: tuple[Hoard, ...]


def draw(
    story: Story, state: State, legal: tuple[Any, ...], viewer: Viewer, words: Words
) -> Rectangle:
    """Return the drawing of *state*, redacted for *viewer*, with goals of *legal*."""
    columns = len(state.grid) // ROWS
    return Rectangle(
        summary=summary(state, words),
        twin=tuple(sentences(state, words)),
        width=LEFT + (columns - 1) * PITCH_X + 32.0,
        height=TOP + (ROWS - 1) * PITCH_Y + 36.0,
        mine=_mine(state, viewer, words),
        spots=_spots(story, state, legal, words),
        columns=tuple((COLUMNS[n], LEFT + n * PITCH_X) for n in range(columns)),
        rows=tuple((str(n + 1), TOP + n * PITCH_Y) for n in range(ROWS)),
        hoards=tuple(
            _hoard(state, seat, viewer, words) for seat in range(state.setting.seats)
        ),
    )


def kind_of(state: State, place: int) -> str:
    """Return what kind of thing lies at a place; anybody at the table can tell."""
    spot = state.grid[place]
    if spot is None:
        return "gone"
    if isinstance(spot, Hidden):
        return "down"
    return "open" if place in state.up else "spent"


def _spots(
    story: Story, state: State, legal: tuple[Any, ...], words: Words
) -> tuple[CardPlace, ...]:
    goals = {move.there for move in legal if isinstance(move, Shift)}
    goals |= {move.place for move in legal if isinstance(move, Return)}
    blocked = dict(state.blocked)
    before = story.steps[-2].state if len(story.steps) > 1 else story.start
    spots = []
    for place, lying in enumerate(state.grid):
        column, row = divmod(place, ROWS)
        owner = blocked.get(place)
        kind = kind_of(state, place)
        spots.append(
            CardPlace(
                SQUARES[place],
                LEFT + column * PITCH_X,
                TOP + row * PITCH_Y,
                kind,
                picture(lying) if isinstance(lying, Card) else None,
                "" if owner is None else words.name(owner)[:2],
                place in goals,
                kind != kind_of(before, place),
            )
        )
    return tuple(spots)


def _mine(state: State, viewer: Viewer, words: Words) -> tuple[Held, ...]:
    hand = () if viewer is None else state.hands[viewer]
    return tuple(Held(card_icon(held), card_name(held, words)) for held in hand)


def _hoard(state: State, seat: int, viewer: Viewer, words: Words) -> Hoard:
    hand = len(state.hands[seat])
    return Hoard(
        words.name(seat),
        hand,
        words.say("boards.cards_in_hand", {"n": hand}),
        state.tokens[seat],
        tuple(_dragon(four, words) for four in state.laid[seat]),
        seat == viewer,
    )


def _dragon(four: Four, words: Words) -> tuple[Held, int]:
    colour = dragon_colour(four)
    name = words.say(f"eight_dragons.dragon.{colour}")
    if has_silver(four):
        name = words.say("boards.eight_dragons.mended", {"dragon": name})
    return Held(Icon("part", str(colour), "head"), name), worth(four)
