"""What is said aloud of a change: what happened, then what to do now.

Knows what everybody may know and no more, on a seat's phone too: a room full of people
listens. It is given two snapshots in a row, so that nothing old is ever said.
"""

from msgspec import Struct

from companion.dashboard.view.history import HistoryLine, past_lines
from companion.games.hidden import (
    redact,
)
from companion.running.reducer import PAUSED
from companion.running.snapshot import Snapshot
from companion.story.log import Amended, Body, Edited, Story, Undone
from companion.table import Seat
from companion.words import Words

MOST = 6
"""Lines at most in one call: whoever was away so long reads the rest."""


class Call(Struct, frozen=True):
    """A call, empty for none; *corrects* says that an earlier one was wrong."""

    text: str = ""
    corrects: bool = False


SILENT = Call()


def call(before: Snapshot, now: Snapshot, words: Words) -> Call:
    """Return what is said once *before* has become *now*.

    After a correction only what was corrected is said, and that once: everything else
    has been said already and still holds.
    """
    old, story = before.story, now.story
    if old is None or story is None or before.game_id != now.game_id:
        return SILENT
    if story.seq <= old.seq:
        refused = now.notice is not None and now.notice != before.notice
        return Call(words.part(now.notice)) if refused and now.notice else SILENT
    new = [entry.body for entry in story.entries if entry.seq > old.seq]
    known, _ = past_lines(story, None, words, most=len(story.entries))
    if any(isinstance(body, Undone | Amended | Edited) for body in new):
        return Call(" ".join(_corrected(new, known, old, words)), corrects=True)
    fresh = [line for line in reversed(known[:MOST]) if line.seq > old.seq]
    said = [text for line in fresh for text in line.texts]
    return Call(" ".join((*said, *_next(story, words))))


def _corrected(
    new: list[Body], known: tuple[HistoryLine, ...], old: Story, words: Words
) -> list[str]:
    """Return the corrected lines; where none came in its place, what was taken back."""
    amended = {body.step for body in new if isinstance(body, Amended)}
    right = [
        line
        for line in known
        if not line.undone and (line.seq > old.seq or line.seq in amended)
    ]
    said = [text for line in reversed(right) for text in line.texts]
    if said:
        return [words.say("dashboard.calls.corrected"), *said]
    standing = {step.seq for step in old.steps}
    gone = [line for line in known if line.undone and line.seq in standing]
    return [
        _taken_back(new, words),
        *(text for line in reversed(gone) for text in line.texts),
    ]


def _taken_back(new: list[Body], words: Words) -> str:
    """Return that something was taken back, and by whom, where that is known."""
    for body in new:
        if isinstance(body, Undone) and body.actor is not None:
            name = words.name(body.actor)
            return words.say("dashboard.calls.taken_back_by", {"name": name})
    return words.say("dashboard.calls.taken_back")


def _next(story: Story, words: Words) -> tuple[str, ...]:
    """Return what is to be done now, by whomever, as everybody may hear it."""
    state = redact(story.state, None)
    outcome = story.game.outcome(state)
    if outcome is not None:
        return (_won(outcome.winners, words), words.say(outcome.reason, outcome.params))
    if story.paused:
        return (words.part(PAUSED),)
    if story.asked is not None:
        return (words.part(story.asked.why),)
    open_to_all = (p for p in story.game.expects(state) if p.only_for is None)
    musts = (words.say(p.line, p.params) for p in open_to_all if not p.reminder)
    return tuple(musts)[:1]


def _won(winners: tuple[Seat, ...], words: Words) -> str:
    names = [words.name(seat) for seat in winners]
    if len(names) == 1:
        return words.say("dashboard.ending.winner", {"name": names[0]})
    if names:
        return words.say("dashboard.ending.winners", {"names": ", ".join(names)})
    return words.say("dashboard.ending.nobody")
