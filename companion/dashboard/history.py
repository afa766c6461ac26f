"""What happened so far, newest first, as one viewer may read it."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.adopting import tells
from companion.dashboard.moves import AnyGame, holds_secret
from companion.evidence import named, open_to_all
from companion.games.core import Cite, Viewer, redact
from companion.log import Asked, Edited, Made, Story, Undone
from companion.table import LinePart
from companion.words import Words

SHOWN = 40
"""As many lines as a phone gets at once; the rest is counted."""

NEWEST = 6
"""As many lines stand open on the page and say in full what they rest on."""

SOURCES = ("camera", "phone", "button")


class Line(Struct, frozen=True):
    """An entry of the log: what came of it, who told the table, and how sure it was.

    *by* is the name of who said it, None for the camera, the host and the table.
    *doubt* is what the table asked before; *pictures* names those that showed it, and
    *withheld* says that there are some which nobody may see before the game is over.
    *amendable* says that it stands and is nobody's secret. *cites* are the lines of the
    rulebook that it rests on, *rulings* the ids of the points that these leave open.
    """

    seq: int
    texts: tuple[str, ...]
    source: str
    by: str | None = None
    confidence: float = 1.0
    undone: bool = False
    doubt: str | None = None
    pictures: tuple[str, ...] = ()
    withheld: bool = False
    amendable: bool = False
    cites: tuple[Cite, ...] = ()
    rulings: tuple[str, ...] = ()


class _Past(Struct, frozen=True):
    """One move that was made, whether it still stands or not.

    *told* is what the table was told of it, before somebody put it right.
    """

    seq: int
    made: Made[Any]
    before: Any
    events: tuple[Any, ...]
    told: Made[Any] | None = None
    undone: bool = False
    doubt: Asked | None = None


def lines(
    story: Story, viewer: Viewer, words: Words, most: int = SHOWN
) -> tuple[tuple[Line, ...], int]:
    """Return the newest lines, newest first, and how many earlier ones there are."""
    past = [line for line in _told(story, viewer, words) if line.texts]
    return tuple(past[: -most - 1 : -1]), max(0, len(past) - most)


def _told(story: Story, viewer: Viewer, words: Words) -> Iterator[Line]:
    may_be_seen = open_to_all(story)
    for past in _past(story):
        if past.made.source == "edit":
            yield _edited(past, story.game, words)
            continue
        told = [story.game.tell(redact(event, viewer)) for event in past.events]
        found = [story.game.grounds(past.before, event) for event in past.events]
        grounds = [one for one in found if one is not None]
        bodies = [one for one in (past.doubt, past.told, past.made) if one is not None]
        pictures = tuple(dict.fromkeys(name for one in bodies for name in named(one)))
        shown = all(may_be_seen(one) for one in bodies)
        yield Line(
            seq=past.seq,
            texts=tuple(words.part(part) for part in told),
            source=past.made.source if past.made.source in SOURCES else "other",
            by=_name(past.made, words),
            confidence=past.made.confidence,
            undone=past.undone,
            doubt=words.part(past.doubt.why) if past.doubt else None,
            pictures=pictures if shown else (),
            withheld=bool(pictures) and not shown,
            amendable=not past.undone and not holds_secret(past.made.move),
            cites=tuple(dict.fromkeys(one.cite for one in grounds)),
            rulings=tuple(dict.fromkeys(name for g in grounds for name in g.rulings)),
        )


def _edited(past: _Past, game: AnyGame, words: Words) -> Line:
    """Tell that the record was set to what lay on the table, and which rule broke."""
    (note,) = past.events
    known, ruling = tells(note)
    part = known or LinePart("dashboard.history.edited", (("note", note),))
    return Line(
        seq=past.seq,
        texts=(words.part(part),),
        source="edit",
        by=_name(past.made, words),
        undone=past.undone,
        # Where the rulebook itself is plain, no numbered point stands for it.
        rulings=tuple(rule.id for rule in game.rulings if rule.id == ruling),
    )


def _name(made: Made[Any], words: Words) -> str | None:
    return None if made.actor is None else words.name(made.actor)


def _past(story: Story) -> list[_Past]:
    """Return every move in the order of the log, the ones taken back marked.

    The story keeps the events of moves that stand; those of the others are reckoned
    again from the state that they were made in.
    """
    standing = {step.seq: step for step in story.steps}
    stack: list[tuple[int, Any]] = []  # place in `found` and state after the move
    found: list[_Past] = []
    doubt: Asked | None = None
    for entry in story.entries:
        state = stack[-1][1] if stack else story.start
        match entry.body:
            case Made() as made:
                if entry.seq in standing:
                    step = standing[entry.seq]
                    made, after, events = step.made, step.state, step.events
                else:
                    after, events = story.game.apply(state, made.move)
                stack.append((len(found), after))
                past = _Past(entry.seq, made, state, events, entry.body, doubt=doubt)
                found.append(past)
                doubt = None
            case Asked() as asked:
                doubt = asked
            case Edited() as edit:
                stack.append((len(found), edit.state))
                made = Made(None, "edit", edit.actor)
                found.append(_Past(entry.seq, made, state, (edit.note,)))
            case Undone() if stack:
                place, _ = stack.pop()
                old = found[place]
                found[place] = replace(old, undone=True)
                doubt = None
            case _:
                pass  # remarks change nothing
    return found
