"""Hears what the whole table shows, held against what the record says lies there.

Whatever differs is explained by the fewest legal moves that hands can have made, up to
two in a row. What they do not explain is asked, with the ruling where it looks like a
move that the rules refuse. While the table and the record disagree nothing is taken.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from companion.games.core import (
    Legal,
)
from companion.games.hidden import (
    as_remembered,
    redact,
)
from companion.referee.changes import (
    NONE,
    Explained,
    explanations,
    not_yet_moved,
    plain_changes,
    under_way,
)
from companion.referee.decisions import (
    Decision,
    Ignored,
    SeveralMade,
    TableInOrder,
    Thresholds,
)
from companion.story.log import Asked, Made, Story
from companion.table import (
    BACK,
    TRAY,
    Change,
    Changes,
    Glimpse,
    Layout,
    LinePart,
    Placed,
    Reading,
    Shown,
    Sight,
    UnsureSight,
)

MOST_ANSWERS = 8
"""A question about the whole table has so many answers: what fills a phone's screen.
All other legal moves stay where they always are on the page."""


def hear_whole(
    story: Story, reading: Reading, thresholds: Thresholds, lying: Layout | None
) -> Decision:
    """Return what the referee decides about a reading of the whole table.

    *lying* is what was last known to lie there: where it differs from the record, hands
    have yet to carry out a move that was recorded before, which is no news. Nothing is
    decided while a change is unsure, unexplained or open to two explanations. Moves are
    explained by what everybody may know; only where a card lies open now that the
    record has as another one, people are asked, as either may be wrong.
    """
    known = redact(story.state, None)
    if story.game.outcome(story.state) is not None:
        return Ignored("the game is over")
    if reading.trouble is not None:
        return _ask_whole(story, reading, NONE, LinePart(reading.trouble))
    late = not_yet_moved(story.game.layout(story.state), lying)
    news = plain_changes(g.sight for g in reading.glimpses) - late
    doubtful = [g for g in reading.glimpses if g.confidence < thresholds.accept]
    doubtful = [g for g in doubtful if plain_changes((g.sight,)) - late]
    if doubtful or reading.choices:
        return _ask_whole(story, reading, news, LinePart("core.ask.table_unsure"))
    if not news:
        return TableInOrder()
    found = explanations(story.game, known, news)
    if any(map(_throws_late, found)) or not found:
        # Only a throw that comes first is sure to be one: after a move, a die in the
        # tray may still lie there from before (once in 130 looks in dim light).
        news = frozenset(change for change in news if change.place != TRAY) or news
        found = tuple(
            row
            for row in explanations(story.game, known, news)
            if not _throws_late(row)
        )
    best = [row for row in found if row.proofs == found[0].proofs]
    if len(best) == 1:
        return _proven(story, reading, news, best[0].moves)
    if not best and under_way(story.game, known, news):
        return Ignored("a move is under way")
    why = "core.ask.tie" if best else "core.ask.table_unexpected"
    return _ask_whole(story, reading, news, LinePart(why))


def _throws_late(row: Explained) -> bool:
    return any(change.place == TRAY for change in row.late)


def _proven(
    story: Story, reading: Reading, news: Changes, moves: tuple[Any, ...]
) -> Decision:
    moves = _that_follow(story, moves)
    if _as_remembered(story, moves):
        return _seen(moves, reading)
    return _ask_whole(story, reading, news, LinePart("core.ask.table_unsure"))


def _that_follow(story: Story, moves: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return *moves* up to the one that what they lay open themselves rules out.

    At the end of Dragon Run noted cards are laid down by the move that ends it: a card
    that was explained as shown after it lies there already.
    """
    state, following = story.state, list(moves[:1])
    for before, move in pairwise(moves):
        state, _ = story.game.apply(state, before)
        if not isinstance(story.game.judge(redact(state, None), move), Legal):
            break
        following.append(move)
    return tuple(following)


def _as_remembered(story: Story, moves: tuple[Any, ...]) -> bool:
    """Tell whether *moves* show what the referee remembers, where it remembers."""
    state = as_remembered(story.state)
    for move in moves:
        if not isinstance(story.game.judge(state, move), Legal):
            return False
        state = story.game.apply(state, move)[0]
    return True


def _seen(moves: tuple[Any, ...], reading: Reading) -> Decision:
    """Return the moves as seen: what was only entered on the way is as sure as they."""
    made = tuple(accept_seen(move, list(reading.glimpses), reading) for move in moves)
    return made[0] if len(made) == 1 else SeveralMade(made)


def _ask_whole(
    story: Story, reading: Reading, news: Changes, why: LinePart
) -> Decision:
    """Return the question what happened, unless it stands already."""
    asked = story.asked
    if asked is not None and asked.reading.whole and _same(asked.reading, reading):
        return Ignored("it was asked already")
    # By what everybody may know: neither answers nor a reason may tell a secret.
    game, known = story.game, redact(story.state, None)
    likely = likelihoods(reading)
    ranked = sorted(
        ((_nearness(plain_changes(evidence), news, likely), move)
         for move in game.legal(known)
         if (evidence := game.evidence(known, move))),
        key=lambda row: -row[0],
    )  # fmt: skip
    options = tuple(game.notate(known, move) for near, move in ranked if near > 0)
    verdict = None if reading.choices else game.objection(known, news)
    return Asked(reading, why, options[:MOST_ANSWERS], verdict)


def _same(one: Reading, other: Reading) -> bool:
    # No two looks give the same picture.
    choices = [replace(choice, evidence_id=None) for choice in one.choices]
    others = [replace(choice, evidence_id=None) for choice in other.choices]
    return (choices, one.trouble) == (others, other.trouble) and (
        plain_changes(g.sight for g in one.glimpses)
        == plain_changes(g.sight for g in other.glimpses)
    )


def _nearness(evidence: Changes, news: Changes, likely: dict[Sight, float]) -> float:
    """Return how much of *evidence* was seen: 1 for all, and more for unsure faces."""
    matched = sum(change in news for change in evidence)
    came = {(c.piece, c.place) for c in news if isinstance(c, Placed)}
    places = {
        (change.piece, change.place)
        for change in evidence
        # Where nothing has come, no face was seen that could be this one.
        if not _shows(change) or (change.piece, change.place) in came
    }
    near = max(
        (chance for sight, chance in likely.items()
         if plain_changes((sight,)) & evidence),
        default=0.0,
    )  # fmt: skip
    touched = sum((c.piece, c.place) in places for c in news)
    return matched / len(evidence) + near + touched / (10 * max(1, len(news)))


def _shows(change: Change) -> bool:
    return isinstance(change, Placed) and change.face not in (None, BACK)


def accept_seen(move: Any, sure: list[Glimpse], reading: Reading) -> Made[Any]:
    """Return *move* as one that was seen, as sure as its least sure glimpse."""
    return Made(
        move,
        reading.source,
        confidence=min(g.confidence for g in sure),
        evidence=tuple(dict.fromkeys(g.evidence_id for g in sure if g.evidence_id)),
        position=reading.position,
    )


def likelihoods(reading: Reading) -> dict[Sight, float]:
    """Return how likely each sight is that was seen or nearly seen."""
    likely = {g.sight: g.confidence for g in reading.glimpses}
    for choice in reading.choices:
        for sight, confidence in _candidates(choice):
            likely[sight] = max(likely.get(sight, 0.0), confidence)
    return likely


def _candidates(choice: UnsureSight) -> Iterator[tuple[Sight, float]]:
    if choice.piece is not None:
        for face, confidence in choice.faces:
            yield Shown(choice.piece, face, choice.place), confidence
