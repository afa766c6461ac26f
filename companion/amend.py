"""What would follow if an earlier move had been another one.

Silent rewriting is never the default: whoever amends sees first what changes for each
player, and a later move that would not be allowed any more stops it.
"""

from typing import Any

from msgspec import Struct

from companion.decisions import NotUnderstood, Turned
from companion.games.core import (
    Legal,
    NotAMove,
    Refused,
    Score,
    Unknown,
    redact,
)
from companion.log import Amended, Step, Story, extend
from companion.sights import is_private
from companion.table import Seat


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
) -> Amendment | Turned | NotUnderstood:
    """Return what would follow if the move of entry *step* had been *text*."""
    game = story.game
    numbers = [done.seq for done in story.steps]
    if step not in numbers:
        return NotUnderstood(f"entry {step} is no move that stands")
    index = numbers.index(step)
    state = story.steps[index].before
    try:
        move = game.parse(state, text)
    except NotAMove as error:
        return NotUnderstood(str(error))
    verdict = game.judge(state, move)
    if not isinstance(verdict, Legal):
        return Turned(verdict)
    body = Amended(step, move, "amend", seat, key)
    state, _ = game.apply(state, move)
    for later in story.steps[index + 1 :]:
        if later.made.move is None:
            state = later.state
            continue
        verdict = game.judge(state, later.made.move)
        if not isinstance(verdict, Legal):
            now = tuple((score, score) for score in _public(story))
            return Amendment(body, now, later.seq, verdict)
        state, _ = game.apply(state, later.made.move)
    after = extend(story, body, 0.0)
    pairs = zip(_public(story), _public(after), strict=True)
    return Amendment(body, tuple(pairs))


def others(story: Story, step: Step) -> tuple[str, ...]:
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


def _public(story: Story) -> tuple[Score, ...]:
    return story.game.scores(redact(story.state, None))
