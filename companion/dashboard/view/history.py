"""What happened so far, newest first, as one viewer may read it."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.corrections.adopt import note_meaning
from companion.corrections.amend import mendable, undo_depth
from companion.games.core import (
    Cite,
)
from companion.games.hidden import (
    Viewer,
    redact,
)
from companion.story.evidence import open_to_all, picture_names
from companion.story.log import Body, Edited, Made, Step, Story, Undone
from companion.table import LinePart
from companion.words import Words
from companion.words.rulebook import named_sections

SHOWN = 40
"""As many lines as a phone gets at once; the rest is counted."""

NEWEST = 6
"""As many lines stand open on the page and say in full what they rest on."""

SOURCES = ("camera", "phone", "button")


class HistoryLine(Struct, frozen=True):
    """An entry of the log: what came of it, who entered it, and how sure it was.

    *by* is the name of who said it, None for the camera, the host and the table.
    *doubt* is what the table asked before; *pictures* names those that showed it, and
    *withheld* says that there are some which nobody may see before the game is over.
    *amendable* says that it stands and that all may know what it was. *cites* are the
    lines of the rulebook that it rests on, *sections* the names under which people find
    them, *rulings* the ids of the points that these leave open. *undone_by* is who took
    it back, None where nobody knows.
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
    sections: str = ""
    rulings: tuple[str, ...] = ()
    undone_by: str | None = None


def past_lines(
    story: Story, viewer: Viewer, words: Words, most: int = SHOWN
) -> tuple[tuple[HistoryLine, ...], int]:
    """Return the newest lines, newest first, and how many earlier ones there are."""
    past = [line for line in _history_lines(story, viewer, words) if line.texts]
    return tuple(past[: -most - 1 : -1]), max(0, len(past) - most)


def undone_moves(story: Story, viewer: Viewer, words: Words) -> str | None:
    """Return what the moves say that an undo takes back, None where none stands.

    Of a move of which nothing came there is nothing to say: the text is empty.
    """
    if not story.steps:
        return None
    parts = (
        _texts(step, story, viewer, words) for step in story.steps[-undo_depth(story) :]
    )
    return " ".join(texts[0] for texts in parts if texts)


def _history_lines(story: Story, viewer: Viewer, words: Words) -> Iterator[HistoryLine]:
    """Yield a line a move, in the order of the log, the ones taken back marked.

    All of it is what the story folded to: nothing is reckoned a second time.
    """
    undoers = undone_by(story, words)
    may_be_seen = open_to_all(story)
    mended = {step.seq for step in mendable(story)}
    steps = [(step, False) for step in story.steps]
    steps += [(step, True) for step in story.taken_back]
    for step, undone in sorted(steps, key=lambda row: row[0].seq):
        if step.made.move is None:
            edited = _edited(step, undone, story, words)
            yield replace(edited, undone_by=undoers.get(step.seq))
            continue
        # Before somebody amended it, another move was entered.
        first = story.entries[step.seq].body
        found = [story.game.grounds(step.before, event) for event in step.events]
        grounds = [one for one in found if one is not None]
        bodies: list[Body] = [] if step.doubt is None else [step.doubt]
        bodies += [first, step.made]
        pictures = tuple(
            dict.fromkeys(name for one in bodies for name in picture_names(one))
        )
        shown = all(may_be_seen(one) for one in bodies)
        yield HistoryLine(
            seq=step.seq,
            texts=_texts(step, story, viewer, words),
            source=step.made.source if step.made.source in SOURCES else "other",
            by=_name(step.made, words),
            confidence=step.made.confidence,
            undone=undone,
            doubt=words.part(step.doubt.why) if step.doubt else None,
            pictures=pictures if shown else (),
            withheld=bool(pictures) and not shown,
            amendable=step.seq in mended and not undone,
            cites=tuple(dict.fromkeys(one.cite for one in grounds)),
            sections=named_sections((one.cite for one in grounds), words),
            rulings=tuple(dict.fromkeys(name for g in grounds for name in g.rulings)),
            undone_by=undoers.get(step.seq),
        )


def undone_by(story: Story, words: Words) -> dict[int, str]:
    """Return who took back which moves, by the numbers of their entries."""
    # Each undo takes back one move, and the story lists those in the same order.
    undos = (entry.body for entry in story.entries if isinstance(entry.body, Undone))
    return {
        step.seq: words.name(undo.actor)
        for step, undo in zip(story.taken_back, undos, strict=False)
        if undo.actor is not None
    }


def _texts(step: Step, story: Story, viewer: Viewer, words: Words) -> tuple[str, ...]:
    """Return what came of a move, or how the record was set, for *viewer*."""
    if step.made.move is None:
        known, _ = note_meaning(_note(step, story))
        note = LinePart("dashboard.history.edited", (("note", _note(step, story)),))
        return (words.part(known or note),)
    parts = (story.game.describe_event(redact(event, viewer)) for event in step.events)
    return tuple(words.part(part) for part in parts)


def _note(step: Step, story: Story) -> str:
    edited = story.entries[step.seq].body
    assert isinstance(edited, Edited)
    return edited.note


def _edited(step: Step, undone: bool, story: Story, words: Words) -> HistoryLine:
    """Tell that the record was set to what lay on the table, and which rule broke."""
    _, ruling = note_meaning(_note(step, story))
    return HistoryLine(
        seq=step.seq,
        texts=_texts(step, story, None, words),
        source="edit",
        by=_name(step.made, words),
        undone=undone,
        # Where the rulebook itself is plain, no numbered point stands for it.
        rulings=tuple(rule.id for rule in story.game.rulings if rule.id == ruling),
    )


def _name(made: Made[Any], words: Words) -> str | None:
    return None if made.actor is None else words.name(made.actor)
