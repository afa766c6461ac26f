"""What would follow if an earlier move had been another one.

Silent rewriting is never the default: whoever amends sees first what changes for each
player, and a later move that would not be allowed any more stops it. Both are told from
what everybody may know, whoever asks.
"""

from typing import Any, TypeAlias

from msgspec import Struct

from companion.games.core import (
    Game,
    Legal,
    NotAMove,
    Refused,
    Score,
    Unknown,
)
from companion.games.hidden import (
    is_of_memory,
    is_private,
    redact,
)
from companion.referee.changes import plain_changes
from companion.referee.decisions import NotUnderstood, TurnedAway
from companion.story.log import Amended, BadLog, Step, Story, extend, reapply
from companion.table import BACK, Layout, LinePart, Placed, Seat

AnyGame: TypeAlias = Game[Any, Any, Any]

SECRET = "core.amend_secret"
"""The line for a move that cannot be amended without telling what lies face down."""


class Amendment(Struct, frozen=True):
    """A change of an earlier move, not made yet.

    Attributes:
        body: The log entry that would make it.
        scores: For each seat the score as it is and as it would be, as far as anybody
            may know it: a preview must not count a secret group for the host.
        breaks: The number of the first later move that would be refused, None if all
            stay allowed.
        verdict: Why that one would be refused.
    """

    body: Amended[Any]
    scores: tuple[tuple[Score, Score], ...]
    breaks: int | None = None
    verdict: Refused | Unknown | None = None


def preview(
    story: Story, step: int, text: str, seat: Seat | None, key: str | None = None
) -> Amendment | TurnedAway | NotUnderstood:
    """Return what would follow if the move of entry *step* had been *text*."""
    game = story.game
    numbers = [done.seq for done in story.steps]
    if step not in numbers:
        return NotUnderstood(f"entry {step} is no move that stands")
    index = numbers.index(step)
    known = redact(story.steps[index].before, None)
    try:
        move = game.parse(known, text)
    except NotAMove as error:
        return NotUnderstood(str(error))
    mended = {done.seq for done in mendable(story)}
    if step not in mended or is_private(move):
        return TurnedAway(Unknown(SECRET))
    verdict = game.judge(known, move)
    if not isinstance(verdict, Legal):
        return TurnedAway(verdict)
    body = Amended(step, move, "amend", seat, key)
    now = game.scores(redact(story.state, None))
    found = _followed(story, index, _known_after(game, known, move))
    if isinstance(found, _Break):
        pairs = tuple((score, score) for score in now)
        # In a game of memory which rule stops a later move hangs on faces that lie
        # hidden by now (met once in 1,000 pairs of worlds).
        why = None if is_of_memory(story.state) else found.verdict
        return Amendment(body, pairs, found.seq, why)
    if _shows_again(story, body, known):
        return TurnedAway(Unknown(SECRET))
    return Amendment(body, tuple(zip(now, game.scores(found), strict=True)))


def _shows_again(story: Story, body: Amended[Any], known: Any) -> bool:
    """Tell whether an amendment would show a face that lies hidden by now.

    As where another card is said to have been turned back than the one that was.
    """
    try:
        after = extend(story, body, 0.0)
    except BadLog:
        return True
    if not is_of_memory(story.state):
        return False
    told = {
        (sight.piece, sight.face, sight.place)
        for sight in plain_changes(story.game.evidence(known, body.move))
        if isinstance(sight, Placed)
    }
    return not _faces(story, after.state) <= _faces(story, story.state) | told


class _Break(Struct, frozen=True):
    """The first later move that would be refused, and why, if a rule says so."""

    seq: int
    verdict: Refused | Unknown | None = None


def _followed(story: Story, index: int, known: Any) -> Any:
    """Return what everybody knows once all after a step has followed, or a break.

    *known* is what they know after that step. Everything here is reckoned from it, so
    that no preview tells what a later move hides.
    """
    for later in story.steps[index + 1 :]:
        move = later.made.move
        if move is None:
            known = redact(later.state, None)
            continue
        told = redact(move, None) if is_private(move) else move
        verdict = story.game.judge(known, told)
        if isinstance(verdict, Refused):
            return _Break(later.seq, verdict)
        try:
            known = _known_after(story.game, known, move)
        except ValueError:
            return _Break(later.seq)
    return known


def _known_after(game: AnyGame, known: Any, move: Any) -> Any:
    return redact(reapply(game, known, move)[0], None)


def mendable(story: Story) -> tuple[Step, ...]:
    """Return the moves that may have been entered wrong, the newest first.

    A private note is its owner's and mended on the owner's phone. Where cards lie face
    down again, it ends: whether another card fits before them would tell which they
    are, and so would a list without the one that it was.
    """
    lying = story.game.layout(story.state)
    memory = is_of_memory(story.state)
    found = []
    for step in reversed(story.steps):
        move = step.made.move
        if memory:
            lying &= story.game.layout(step.state)
        if move is None or is_private(move):
            continue
        if not _is_open(story, step, lying):
            break
        found.append(step)
    return tuple(found)


def _is_open(story: Story, step: Step, lying: Layout) -> bool:
    """Tell whether all may know what the move of *step* was.

    *lying* is what has lain on the table ever since.
    """
    move = step.made.move
    if redact(move, None) is move:
        return True
    shown = plain_changes(story.game.evidence(step.before, move))
    return bool(shown) and all(
        isinstance(sight, Placed) and (sight.piece, sight.face, sight.place) in lying
        for sight in shown
    )


def undo_depth(story: Story) -> int:
    """Return how many moves one undo takes back, 0 where none stands.

    What one tap made goes back at once. More than that where the table would else show
    a face that lies hidden by now: in a game of memory nobody may look at a card again
    by taking back that it was turned.
    """
    now, back = _faces(story, story.state), _of_one_tap(story)
    if not is_of_memory(story.state):
        return back
    while back < len(story.steps):
        if _faces(story, story.steps[-back - 1].state) <= now:
            break
        back += 1
    return min(back, len(story.steps))


def _of_one_tap(story: Story) -> int:
    """Return how many of the newest moves came of the same tap: they number its key."""
    if not story.steps:
        return 0
    first, _, number = (story.steps[-1].made.key or "").rpartition("/")
    if not number.isdecimal():
        return 1
    for back, step in enumerate(reversed(story.steps), start=1):
        key = step.made.key or ""
        if key == first:
            return back
        if not key.startswith(f"{first}/"):
            break
    return 1


def _faces(story: Story, state: Any) -> Layout:
    """Return what lies there with a face that tells what it is."""
    table = story.game.layout(state)
    return frozenset(thing for thing in table if thing[1] not in (None, BACK))


def alternatives_to(story: Story, step: Step) -> tuple[str, ...]:
    """Return the other moves of its kind that *step* may have been, the nearest first.

    Offered from what everybody may see, so that no secret can be read off the list. A
    throw of the same colour comes before one of another.
    """
    game, made = story.game, step.made.move
    known = redact(step.before, None)
    told = game.notate(known, made).split()
    texts = [
        game.notate(known, move)
        for move in game.legal(known)
        if type(move) is type(made) and move != made and not is_private(move)
    ]
    return tuple(sorted(texts, key=lambda text: -sum(w in told for w in text.split())))


def undo_bar(story: Story, seat: Seat | None, *, host: bool) -> LinePart | None:
    """Return why *seat* cannot take back what an undo takes back, None where it can.

    What lies open is the whole table's, and so are its buttons (no *seat*). A private
    note is its owner's: another hand would only learn of it that it is gone. The host
    may mend everything.
    """
    if not story.steps:
        return LinePart("core.nothing_to_undo")
    for step in () if host else story.steps[-undo_depth(story) :]:
        if not is_private(step.made.move):
            continue
        owner = story.game.actor(step.before, step.made.move)
        if owner not in (None, seat):
            return LinePart("core.not_yours_to_undo", (("seat", owner),))
    return None
