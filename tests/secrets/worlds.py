"""Two games that differ only in what one viewer cannot know, and the same acts in both.

`pair` plays a game and then the same once more with other hidden cards: what the viewer
may read of either log is the same. `act` gives both tables the same order and compares
`channels`, all that the viewer hears and sees of one.
"""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from companion.corrections.amend import mendable
from companion.dashboard.door.auth import VIEWER, Who
from companion.dashboard.view.calls import call
from companion.dashboard.view.moves import may_make
from companion.dashboard.view.views import view_of
from companion.display.announcer import lamp_for
from companion.display.panels import panel
from companion.games.core import (
    LEGAL,
)
from companion.games.hidden import (
    as_remembered,
    is_private,
    redact,
)
from companion.referee.decisions import Thresholds
from companion.running.commands import Adopt, Amend, Command, Heard, Rest, TakeBack
from companion.running.reducer import Result, carry_out, with_story
from companion.running.snapshot import Done, Snapshot
from companion.running.storage.game_file import as_csv, as_json
from companion.story.log import Header, Made, Story, begin, extend
from companion.table import (
    BACK,
    TRAY,
    Claim,
    Flipped,
    Glimpse,
    Placed,
    Pressed,
    Reading,
    Removed,
    Shown,
    Sight,
    UnsureSight,
)
from companion.words import Words
from tests.dashboard.situations import random_move

NAMES = ("Ana", "Bo", "Cy", "Dan", "Eva", "Flo", "Gil")
NOON = 1_800_000_000.0
LONGEST = 45
"""Moves of a game before the acts begin."""

TRIES = (0.8, 0.5, 0.25, 0.1)
"""How likely each hidden card is another one, from one try to the next."""


class Pair(NamedTuple):
    """Two tables that look the same to *viewer*."""

    viewer: int | None
    ours: Snapshot
    theirs: Snapshot

    @property
    def stories(self) -> tuple[Story, Story]:
        assert self.ours.story is not None
        assert self.theirs.story is not None
        return self.ours.story, self.theirs.story

    @property
    def differ(self) -> bool:
        ours, theirs = self.stories
        return ours.steps != theirs.steps

    @property
    def alike(self) -> bool:
        ours, theirs = self.stories
        return redact(ours.state, self.viewer) == redact(theirs.state, self.viewer)


def pair(game: Any, seed: str) -> Pair:
    """Return two games with other hidden cards, by the same open moves."""
    dice = random.Random(seed)
    seats = dice.choice(game.seats)
    viewer = dice.choice([None, None, *range(seats)])
    header = Header(game.id, NAMES[:seats], game.stand_in)
    start = begin(game, header, NOON)
    story = _played(start, dice, dice.randrange(LONGEST))
    twin = start
    for share in TRIES:
        twin = _retold(start, story, viewer, share, dice)
        if 2 * len(twin.steps) > len(story.steps):
            break
    story = _prefix(start, story, len(twin.steps))
    lying = game.layout(story.state) if dice.random() < 0.5 else None
    shown = Snapshot(game_id="game", lying=lying)
    return Pair(viewer, with_story(shown, story), with_story(shown, twin))


def _played(story: Story, dice: random.Random, moves: int) -> Story:
    for _ in range(moves):
        move = random_move(dice, story.game, story.state)
        after = _made(story, move)
        if story.game.outcome(after.state) is not None:
            break
        story = after
    return story


def _made(story: Story, move: Any) -> Story:
    actor = story.game.actor(story.state, move)
    return extend(story, Made(move, "phone", actor), NOON)


def _prefix(start: Story, story: Story, moves: int) -> Story:
    for step in story.steps[:moves]:
        start = extend(start, step.made, NOON)
    return start


def _retold(
    start: Story, story: Story, viewer: int | None, share: float, dice: random.Random
) -> Story:
    """Return the story with other hidden cards, as far as the viewer reads the same."""
    found = told = start
    for step in story.steps:
        after = _alike(told, step, viewer, dice, other=dice.random() < share)
        if after is None:
            break
        told = after
        if redact(told.state, viewer) == redact(step.state, viewer):
            found = told
    return found


def _alike(
    told: Story, step: Any, viewer: int | None, dice: random.Random, *, other: bool
) -> Story | None:
    """Return *told* with a move that *viewer* reads as that of *step*."""
    game, move = told.game, step.made.move
    seen = redact(move, viewer)
    moves = [move]
    if seen is not move:
        same = [m for m in game.legal(told.state) if type(m) is type(move)]
        moves = [m for m in same if redact(m, viewer) == seen]
        dice.shuffle(moves)
        if not other and move in moves:
            moves.remove(move)
            moves.insert(0, move)
    for one in moves[:6]:
        try:
            after = _made(told, one)
        except ValueError:
            continue
        if redact(after.steps[-1].events, viewer) == redact(step.events, viewer):
            return after
    return None


# What one viewer hears and sees.


def whos(story: Story, viewer: int | None) -> tuple[Who, ...]:
    """Return the phones that may not tell the two tables apart."""
    everybody = (VIEWER, Who(host=True))
    if viewer is None:
        return everybody
    return (*everybody, Who(viewer), Who(viewer, host=True))


def shown_to_all(result: Result) -> list[Any]:
    """Return what comes of an order for all: display, lamps, buzzer, buttons."""
    shown = result.shown
    assert shown.story is not None
    return [
        panel(shown, "en", "link"),
        result.cues,
        (shown.offers, shown.cursor, shown.back, shown.notice, shown.refused),
        (shown.lying, shown.unseen, shown.version),
    ]


def said(before: Snapshot, now: Snapshot) -> list[Any]:
    """Return what is said aloud, and the lamp that says what is awaited."""
    assert now.story is not None
    words = Words("en", now.story.header.players)
    return [call(before, now, words), lamp_for(now.story)]


def read(shown: Snapshot, who: Who) -> list[Any]:
    """Return what a phone shows, what it may take along, and the chances."""
    story = shown.story
    assert story is not None
    return [
        msgspec.json.encode(view_of(shown, who, "en")),
        as_json("game", story),
        as_csv(story),
        story.game.resample(story.state, None, story.seq),
    ]


# The same acts in both.


def act(pair: Pair, dice: random.Random, key: str, *, full: bool) -> Pair:
    """Give both tables one order, compare all that comes of it, return them after it.

    What its rules lay open at the end of a game is open: such a move is left out.
    """
    claimant, order = an_order(pair, dice, key)
    ours = carry_out(pair.ours, order, NOON, Thresholds())
    theirs = carry_out(pair.theirs, order, NOON, Thresholds())
    after = Pair(pair.viewer, ours.shown, theirs.shown)
    if claimant in (None, pair.viewer):
        assert ours.answer == theirs.answer, order
    elif isinstance(ours.answer, Done) is not isinstance(theirs.answer, Done):
        return pair  # who knows another hand shows what they know by what they do
    if is_over(after):
        return pair
    assert shown_to_all(ours) == shown_to_all(theirs), order
    if full:
        assert said(pair.ours, after.ours) == said(pair.theirs, after.theirs), order
        who = dice.choice(whos(after.stories[0], pair.viewer))
        assert read(after.ours, who) == read(after.theirs, who), (who, order)
    return after


def is_over(pair: Pair) -> bool:
    """Tell whether a game is over, or waits for what its end lays open."""
    return any(
        story.game.outcome(story.state) is not None
        # Who takes a whole hand of 8 Dragons sees it.
        or any(type(step.made.move).__name__ == "Grab" for step in story.steps[-1:])
        or str(getattr(story.state, "phase", "")) in ("show", "look", "ask")
        for story in pair.stories
    )


def an_order(pair: Pair, dice: random.Random, key: str) -> tuple[int | None, Command]:
    """Return a seat, or nobody, and what it does."""
    seats = range(len(pair.stories[0].header.players))
    make = dice.choice(KINDS)
    claimant = dice.choice([None, None, pair.viewer, pair.viewer, *seats])
    if make is _amend:
        claimant = dice.choice([None, pair.viewer])
    if make in (_press, _see):
        claimant = None
    return claimant, make(pair, claimant, dice, key)


def _claim(pair: Pair, claimant: int | None, dice: random.Random, key: str) -> Command:
    """A move that the claimant may think to be allowed."""
    story = pair.stories[0]
    moves = _tellable(story, story.state, claimant)
    if not moves:
        return Rest(pause=not story.paused)
    kind = dice.choice(sorted({type(move).__name__ for move in moves}))
    move = dice.choice([m for m in moves if type(m).__name__ == kind])
    text = story.game.notate(redact(story.state, claimant), move)
    return Claim(text, claimant, story.seq, key)


def _tellable(story: Story, state: Any, claimant: int | None) -> list[Any]:
    known = redact(state, claimant)
    who = Who(claimant, host=True)
    moves = (
        m for m in story.game.legal(known) if claimant is not None or not is_private(m)
    )
    return [move for move in moves if may_make(story.game, known, move, who)]


def _wrong(pair: Pair, claimant: int | None, dice: random.Random, key: str) -> Command:
    """A move of some other moment, hardly ever allowed."""
    story = pair.stories[0]
    steps = dice.sample(story.steps, min(2, len(story.steps)))
    texts = [t for s in steps for t in _notations(story, s.state, claimant, dice)]
    return Claim(dice.choice(texts or ["end"]), claimant, story.seq, key)


def _notations(
    story: Story, state: Any, claimant: int | None, dice: random.Random
) -> Iterator[str]:
    moves = _tellable(story, state, claimant)
    known = redact(state, claimant)
    for move in dice.sample(moves, min(6, len(moves))):
        yield story.game.notate(known, move)


def _undo(pair: Pair, claimant: int | None, _dice: random.Random, key: str) -> Command:
    return TakeBack(claimant, pair.stories[0].seq, key)


def _amend(pair: Pair, claimant: int | None, dice: random.Random, key: str) -> Command:
    story = pair.stories[0]
    steps = (*mendable(story)[:3], *dice.sample(story.steps, min(1, len(story.steps))))
    if not steps:
        return Rest(pause=not story.paused)
    step = dice.choice(steps)
    at = story.steps.index(step)
    state = story.steps[at - 1].state if at else story.start
    texts = [*_notations(story, state, None, dice)]
    return Amend(step.seq, dice.choice(texts or ["end"]), claimant, story.seq, key)


BUTTONS = ("next", "next", "next.long", "previous", "confirm", "confirm", "undo",
           "undo.long", "undo.long")  # fmt: skip


def _press(_pair: Pair, _teller: int | None, dice: random.Random, _key: str) -> Command:
    pressed = Pressed(dice.choice(BUTTONS), None)
    return Heard(Reading((Glimpse(pressed, 1.0),), source="button"))


def _adopt(pair: Pair, claimant: int | None, dice: random.Random, key: str) -> Command:
    return Adopt(claimant, pair.stories[0].seq, key, dice.random() < 0.5)


def _see(pair: Pair, _teller: int | None, dice: random.Random, _key: str) -> Command:
    """A look at the table, at what lies the same in both worlds."""
    story = pair.stories[0]
    if not _things(story):
        return Rest(pause=not story.paused)
    sights = [_sight(pair, dice) for _ in range(dice.choice((1, 1, 1, 2)))]
    moves = list(story.game.legal(redact(story.state, None)))
    for move in dice.sample(moves, min(3, len(moves))):
        if _can_show(pair, move):
            sights = sorted(story.game.evidence(story.state, move), key=repr)
    unsure: tuple[UnsureSight, ...] = ()
    if dice.random() < 0.3:
        piece, _, place = dice.choice(_things(story))
        faces = _faces(story, piece)
        chances = tuple((face, 0.4) for face in dice.sample(faces, min(2, len(faces))))
        unsure = (UnsureSight(piece, place, chances),)
    sure = dice.choice((1.0, 1.0, 0.95, 0.5))
    glimpses = tuple(Glimpse(sight, sure) for sight in sights)
    return Heard(Reading(glimpses, unsure, whole=dice.random() < 0.8))


def _things(story: Story) -> list[Any]:
    """Return what lies there; dice in the tray are thrown, never moved."""
    table = story.game.layout(story.state)
    return sorted((thing for thing in table if thing[2] != TRAY), key=repr)


def _faces(story: Story, piece: str) -> tuple[str, ...]:
    return next(kind.faces for kind in story.game.pieces if kind.piece == piece)


def _sight(pair: Pair, dice: random.Random) -> Sight:
    story = pair.stories[0]
    things = _things(story)
    piece, face, place = dice.choice(things)
    other = dice.choice([*_faces(story, piece), BACK])
    ours, theirs = (as_remembered(one.state) for one in pair.stories)
    # A face is seen where it lies: in another world the table shows another one.
    if ours != theirs or not _agree(pair, piece, other, place):
        other = BACK
    return dice.choice(
        (
            Removed(piece, place, face),
            Removed(piece, place),
            Placed(piece, face, dice.choice(things)[2]),
            Flipped(piece, other, place),
        )
    )


def _can_show(pair: Pair, move: Any) -> bool:
    """Tell whether the table can show *move* in both worlds."""
    story = pair.stories[0]
    return bool(story.game.evidence(story.state, move)) and _verdicts(pair, move) == {
        True
    }


def _agree(pair: Pair, piece: str, face: str, place: str) -> bool:
    """Tell whether a card may show a face there in both worlds, or in neither."""
    story = pair.stories[0]
    shown = frozenset({Shown(piece, face, place)})
    moves = story.game.legal(redact(story.state, None))
    return all(
        len(_verdicts(pair, move)) == 1
        for move in moves
        if story.game.evidence(story.state, move) == shown
    )


def _verdicts(pair: Pair, move: Any) -> set[bool]:
    return {
        story.game.judge(as_remembered(story.state), move) == LEGAL
        for story in pair.stories
    }


KINDS = (_claim, _claim, _claim, _wrong, _wrong, _undo, _amend, _press, _press, _press,
         _see, _see, _see, _adopt)  # fmt: skip
