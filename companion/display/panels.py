"""What the small display says; who has no phone must need nothing else."""

from typing import Any

from msgspec.structs import replace

from companion.corrections.adopt import TableIsRight, adoption
from companion.corrections.amend import Amendment, mendable, preview
from companion.corrections.look_back import LookBack, step_in_view
from companion.corrections.misplaced import find_misplaced
from companion.games.core import (
    Score,
)
from companion.games.hidden import (
    redact,
)
from companion.running.power import power_line
from companion.running.reducer import PAUSED
from companion.running.snapshot import Snapshot
from companion.story.log import Story
from companion.table import Seat, Value
from companion.words import Words
from companion.words.pieces import describe_misplaced
from firmware.display import MOST_LINES, Panel, text_lines

ADOPTS = {
    TableIsRight.THIS_TIME: "core.adopt.table",
    TableIsRight.HOUSE_RULE: "core.adopt.house",
}

SHORT = {
    "core.power.low": "core.panel.low",
    "core.power.hot": "core.panel.hot",
    "core.power.slowed": "core.panel.slowed",
}
"""Warnings in as few words as a display has room for."""


def seat_on_turn(story: Story) -> Seat | None:
    """Return whose turn it is, as everybody may see it; None for nobody's."""
    prompts = story.game.expects(redact(story.state, None))
    return next((p.who for p in prompts if not p.reminder and p.only_for is None), None)


def panel(shown: Snapshot, language: str, link: str) -> Panel:
    """Return what the small display shows.

    What was just refused comes first, then what the buttons would do, then what is
    awaited. A phone is only led to the page while no game is on the table.
    """
    normal = _panel(shown, language, link)
    line = power_line(shown.power)
    return normal if line is None else _warned(normal, Words(language).say(SHORT[line]))


def _warned(normal: Panel, warning: str) -> Panel:
    """Return a panel with a warning below what it says, or a mark where none fits."""
    text = (*normal.text, warning)
    if normal.qr is not None or len(text_lines(text)) <= MOST_LINES:
        return replace(normal, text=text)
    return replace(normal, title=f"! {normal.title}")


def _panel(shown: Snapshot, language: str, link: str) -> Panel:
    story = shown.story
    words = Words(language, story.header.players if story else ())
    if shown.notice is not None:
        return Panel("!", text=(words.part(shown.notice),))
    if story is None:
        # Beside the code there is room for where to read it, not for all of it.
        warned = (words.say("core.panel.read_page"),) if shown.warnings else ()
        return Panel("Dragon Table", qr=link, text=warned)
    if story.paused:
        return Panel(story.game.title, text=(words.part(story.frozen or PAUSED),))
    if shown.back is not None:
        return _looking_back(story, shown.back, words)
    state = redact(story.state, None)
    if 0 <= shown.cursor < len(shown.offers):
        return _choice(shown, story, state, words)
    ended = _ending(story, words)
    question = _question(shown, story, words, asks=True)
    todo = ended or question or _to_lay(story, words, _todo(story, state, words))
    seat = seat_on_turn(story)
    title = story.game.title if seat is None else words.name(seat)
    hint = words.say("core.panel.next") if shown.offers else ""
    if shown.warnings:
        hint = words.say("core.panel.warned")
    return Panel(title, _rows(story, state), seat, text=todo, hint=hint)


def _choice(shown: Snapshot, story: Story, state: Any, words: Words) -> Panel:
    """Return the move that confirm would make, below the question it answers."""
    chosen = shown.offers[shown.cursor]
    title = f"{shown.cursor + 1}/{len(shown.offers)}"
    hint = words.say("core.panel.confirm")
    if isinstance(chosen, TableIsRight):
        found = adoption(story, shown.lying)
        text = (f"> {words.say(ADOPTS[chosen])}",)
        changes = () if found is None else _changes(found.scores, words)
        return Panel(title, text=(*text, *changes), hint=hint)
    said = words.part(story.game.describe_move(state, story.game.parse(state, chosen)))
    why = _question(shown, story, words, asks=False)
    return Panel(title, text=(*why, f"> {said}"), hint=hint)


def _question(
    shown: Snapshot, story: Story, words: Words, *, asks: bool
) -> tuple[str, ...]:
    """Return what the table asks: piece by piece where something lies astray."""
    if story.asked is None:
        return ()
    lost = find_misplaced(story, shown.lying)
    if not lost:
        return (words.part(story.asked.why),)
    where = (describe_misplaced(story, lost[0], words),)
    if not asks:
        return where
    with_question = (*where, words.say("table.astray.ask"))
    return with_question if len(text_lines(with_question)) <= MOST_LINES else where


def _looking_back(story: Story, back: LookBack, words: Words) -> Panel:
    """Return an earlier move, or what it may have been with what that would change."""
    game = story.game
    at, step = step_in_view(story, back)
    # What still lies open is told as it is; nothing else is looked back at.
    known = redact(step.before, None)
    was = words.part(game.describe_move(known, step.made.move))
    if back.chosen is None:
        title, hint = f"{at + 1}/{len(mendable(story))}", words.say("core.panel.choose")
        text = (words.say("core.back.which"), f"> {was}")
        return Panel(title, text=text, hint=hint)
    said = words.part(game.describe_move(known, game.parse(known, back.chosen)))
    found = preview(story, back.step, back.chosen, None)
    changes: tuple[str, ...] = ()
    if isinstance(found, Amendment) and found.breaks is not None:
        changes = (words.say("core.back.breaks", {"number": found.breaks}),)
    elif isinstance(found, Amendment):
        changes = _changes(found.scores, words)
    title = f"{back.at + 1}/{len(back.alternatives)}"
    hint = words.say("core.panel.confirm")
    wrong = words.say("core.back.not", {"move": was})
    both = _if_it_fits((wrong,), (f"> {said}", *changes))
    return Panel(title, text=both, hint=hint)


def _if_it_fits(more: tuple[str, ...], text: tuple[str, ...]) -> tuple[str, ...]:
    """Return *text* below *more*, or alone where the display has no room for both."""
    both = (*more, *text)
    return both if len(text_lines(both)) <= MOST_LINES else text


def _changes(scores: tuple[tuple[Score, Score], ...], words: Words) -> tuple[str, ...]:
    """Return whose points would change, in one paragraph."""
    texts = []
    for one, other in scores:
        values: dict[str, Value] = {
            "name": words.name(one.seat),
            "before": _points(one),
            "after": _points(other),
        }
        if _points(one) != _points(other):
            texts.append(words.say("core.points.change", values))
    return (", ".join(texts) or words.say("core.points.same"),)


def _todo(story: Story, state: Any, words: Words) -> tuple[str, ...]:
    prompts = (p for p in story.game.expects(state) if p.only_for is None)
    return tuple(words.say(p.line, p.params) for p in prompts if not p.reminder)[:1]


def _to_lay(story: Story, words: Words, todo: tuple[str, ...]) -> tuple[str, ...]:
    """Return *todo*, before the first move below how setting the table up begins."""
    first = () if story.steps else story.to_set_up[:1]
    both = (*(words.part(step.told) for step in first), *todo)
    # A line is left for whose turn it is.
    return both if len(text_lines(both)) < MOST_LINES else todo


def _ending(story: Story, words: Words) -> tuple[str, ...]:
    outcome = story.game.outcome(story.state)
    if outcome is None:
        return ()
    names = ", ".join(words.name(seat) for seat in outcome.winners)
    return (words.say("core.panel.won", {"names": names or "-"}),)


def _rows(story: Story, state: Any) -> tuple[tuple[str, str], ...]:
    scores = story.game.scores(state)
    return tuple(
        (name, _points(score))
        for name, score in zip(story.header.players, scores, strict=True)
    )


def _points(score: Score) -> str:
    return str(score.low) if score.low == score.high else f"{score.low}-{score.high}"
