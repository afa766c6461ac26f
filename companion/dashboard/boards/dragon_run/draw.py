"""Draws Dragon Run: how angry the dragon is, what lies ahead, and how the thieves are.

Of a hand only its size is drawn; what its owner has noted goes to that phone alone.
"""

from typing import Any

from msgspec import Struct

from companion.dashboard.boards.dragon_run.figures import (
    hero,
    place,
    treasure,
    treasure_name,
)
from companion.dashboard.boards.dragon_run.twin import odds, sentences, summary
from companion.dashboard.boards.drawing import Drawing, Held, Icon
from companion.games.dragon_run.pieces import ANGER, FACES
from companion.games.dragon_run.state import (
    FORCED,
    NOBODY,
    SNEAKED,
    State,
    places_left,
)
from companion.games.dragon_run.turns import succeeds
from companion.games.hidden import (
    Viewer,
)
from companion.story.log import Story
from companion.words import Words

WIDTH = 360.0
MOST_ANGER = max(ANGER.values())
ANGER_X, ANGER_PITCH = 28.0, 38.0
LAST_X, PATH_Y = 118.0, 140.0
OLD_X, OLD_PITCH, OLD_ROWS = 176.0, 37.0, (120.0, 164.0)
OLD_PER_ROW = 5
DIE_X, DIE_PITCH = 29.0, 33.5


class TrackSpace(Struct, frozen=True, gc=False):
    """A space of the anger track; *mark* tells where the dragon is or was."""

    number: int
    x: float
    mark: str = ""


class OpenCard(Struct, frozen=True, gc=False):
    """A place card that lies open."""

    icon: Icon
    name: str
    x: float
    y: float
    fresh: bool = False


class DieFace(Struct, frozen=True, gc=False):
    """A face of the die, and whether the stealth test succeeds with it."""

    pips: int
    x: float
    good: bool
    thrown: bool


class Thief(Struct, frozen=True, gc=False):
    """A player: the character and how it is, its power, cards and talismans."""

    name: str
    hero: Held | None
    health: str
    health_text: str
    ready: bool
    power_text: str
    hand: int
    hand_text: str
    talismans: tuple[Held, ...]
    shown: tuple[Held, ...]
    me: bool
    acting: bool


class Dungeon(Drawing, frozen=True, kw_only=True, tag="dragon_run"):
    """The anger track, the place cards, the odds of the test, and the thieves."""

    steps: tuple[TrackSpace, ...]
    dragon_x: float
    dragon_text: str
    left: int
    pile_text: str
    last: OpenCard | None
    older: tuple[OpenCard, ...]
    faces: tuple[DieFace, ...]
    odds_text: str
    thieves: tuple[Thief, ...]
    stock: int
    stock_text: str
    discarded: Held | None


def draw(
    story: Story, state: State, _legal: tuple[Any, ...], viewer: Viewer, words: Words
) -> Dungeon:
    """Return the drawing of *state*, redacted for *viewer*."""
    cards = _cards(state, words)
    return Dungeon(
        summary=summary(state, words),
        twin=tuple(sentences(state, words)),
        width=WIDTH,
        height=278.0,
        die=str(state.rolled) if _just_tested(state) else None,
        mine=_mine(state, viewer, words),
        steps=_steps(story, state),
        dragon_x=_anger_x(state.anger),
        dragon_text="" if state.anger else words.say("boards.dragon_run.asleep"),
        left=places_left(state),
        pile_text=words.say("boards.dragon_run.pile"),
        last=cards[-1] if cards else None,
        older=tuple(cards[:-1]),
        faces=_faces(state),
        odds_text=odds(state, words),
        thieves=tuple(
            _thief(state, seat, viewer, words) for seat in range(state.setting.seats)
        ),
        stock=state.stock,
        stock_text=words.say("boards.dragon_run.stock", {"n": state.stock}),
        discarded=_discarded(state, words),
    )


def _anger_x(anger: int) -> float:
    return ANGER_X + (MOST_ANGER - anger) * ANGER_PITCH


def _steps(story: Story, state: State) -> tuple[TrackSpace, ...]:
    before = next(
        (
            past.state.anger
            for past in reversed(story.steps[:-1])
            if past.state.anger != state.anger
        ),
        state.anger,
    )
    return tuple(
        TrackSpace(
            number,
            _anger_x(number),
            "here" if number == state.anger else "there" if number == before else "",
        )
        for number in range(MOST_ANGER, -1, -1)
    )


def _cards(state: State, words: Words) -> list[OpenCard]:
    """Return the open place cards, the newest last and largest."""
    cards, newest = [], len(state.turned) - 1
    for nth, kind in enumerate(state.turned):
        row, column = divmod(nth, OLD_PER_ROW)
        card = state.setting.box.places[kind]
        x, y = OLD_X + column * OLD_PITCH, OLD_ROWS[row % len(OLD_ROWS)]
        if nth == newest:
            x, y = LAST_X, PATH_Y
        name = words.text(card.name)
        cards.append(OpenCard(place(card), name, x, y, nth >= state.since))
    return cards


def _faces(state: State) -> tuple[DieFace, ...]:
    return tuple(
        DieFace(
            pips,
            DIE_X + pips * DIE_PITCH,
            succeeds(state, pips),
            _just_tested(state) and state.rolled == pips,
        )
        for pips in FACES
    )


def _just_tested(state: State) -> bool:
    """Tell whether the die still matters; it stays in the tray for long after."""
    return state.rolled is not None and state.phase in (FORCED, SNEAKED)


def _mine(state: State, viewer: Viewer, words: Words) -> tuple[Held, ...]:
    known = () if viewer is None else state.noted[viewer].value or ()
    return tuple(_treasure(state, kind, words) for kind in known)


def _treasure(state: State, kind: int, words: Words) -> Held:
    return Held(treasure(state, kind), treasure_name(state, kind, words))


def _thief(state: State, seat: int, viewer: Viewer, words: Words) -> Thief:
    number, hand = state.heroes[seat], state.hands[seat]
    character = None
    if number != NOBODY:
        name = words.text(state.setting.box.heroes[number].name)
        character = Held(hero(state, number, words), name)
    ready, health = not state.tilted[seat], state.health[seat]
    return Thief(
        name=words.name(seat),
        hero=character,
        health=str(health),
        health_text=words.say(f"boards.dragon_run.{health}"),
        ready=ready,
        power_text=words.say(f"boards.dragon_run.power.{'ready' if ready else 'used'}"),
        hand=hand,
        hand_text=words.say("boards.cards_in_hand", {"n": hand}),
        talismans=tuple(_treasure(state, k, words) for k in state.fronts[seat]),
        shown=tuple(_treasure(state, k, words) for k in state.shown[seat]),
        me=seat == viewer,
        acting=seat == state.seat,
    )


def _discarded(state: State, words: Words) -> Held | None:
    """Return the last treasure that went to the discard, its back if nobody saw it."""
    if not state.discard:
        return None
    kind = state.discard[-1]
    picture = Icon("back") if kind is None else treasure(state, kind)
    return Held(picture, treasure_name(state, kind, words))
