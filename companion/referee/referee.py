"""Hears readings and claims, and keeps the one legal move that the table proves.

A move is proven when its evidence is among the sights and no change that was seen
stays unexplained. Of two proven moves the one that explains more wins; a tie, an unsure
reading and a sight that fits nothing are asked. Nothing illegal is ever accepted.

All of it is judged, ranked and asked by what whoever hears the answer may know.
"""

from collections.abc import Iterator
from typing import Any

from companion.games.core import (
    Legal,
    NotAMove,
    judge_for,
)
from companion.games.hidden import (
    is_private,
    redact,
)
from companion.referee.decisions import (
    Decision,
    Ignored,
    NotUnderstood,
    Thresholds,
    TurnedAway,
)
from companion.referee.whole_table import accept_seen, hear_whole, likelihoods
from companion.story.log import Asked, Made, Story
from companion.table import (
    TRAY,
    Claim,
    Glimpse,
    Layout,
    LinePart,
    Reading,
    Shown,
    Sight,
)


def judge_claim(story: Story, claim: Claim, source: str) -> Decision:
    """Return the move that *claim* makes, or why it is none.

    Judged by what whoever claims it may know, the table's own buttons by what everybody
    may: who sees the table tells what lies there, and the record is put right where it
    remembered something else. A refusal that names the hidden card would be found by
    trying.
    """
    game = story.game
    claimant = claim.seat if source == "phone" else None
    try:
        move = game.parse(redact(story.state, claimant), claim.move)
    except NotAMove as error:
        return NotUnderstood(str(error))
    if is_private(move) and game.actor(story.state, move) != claim.seat:
        # Judged for one who may not know it, it would tell what it is about.
        return NotUnderstood(f"{claim.move}: only its owner enters a private note")
    verdict = judge_for(game, story.state, move, claimant)
    if isinstance(verdict, Legal):
        return Made(move, source, actor=claim.seat, key=claim.key)
    to_all = judge_for(
        game, story.state, redact(move, None) if is_private(move) else move
    )
    return TurnedAway(verdict, secret=verdict != to_all)


def awaited_moves(story: Story) -> tuple[Any, ...]:
    """Return the legal moves that the camera could show in its tray now."""
    if story.paused:
        return ()
    game, state = story.game, redact(story.state, None)
    return tuple(
        move for move in game.legal(state) if _shown(game.evidence(state, move))
    )


MOST_OFFERS = 40
"""Nobody steps through more with a button; what the camera can see is left out then."""


def offers(story: Story) -> tuple[str, ...]:
    """Return the notations that the buttons of the table step through.

    The answers of an open question, else what everybody may see to be possible. A
    private note is not offered: it belongs on its owner's phone. In a pause there are
    none.
    """
    if story.paused:
        return ()
    if story.asked is not None:
        return story.asked.options
    game = story.game
    state = redact(story.state, None)
    moves = [move for move in game.legal(state) if not is_private(move)]
    if len(moves) > MOST_OFFERS:
        unseen = [move for move in moves if not game.evidence(state, move)]
        # Never nothing: a table without a camera has only its buttons.
        moves = unseen or moves
    return tuple(game.notate(state, move) for move in moves)


def hear(
    story: Story,
    reading: Reading,
    thresholds: Thresholds,
    lying: Layout | None = None,
) -> Decision:
    """Return what *reading* proves, or the question that it leaves open.

    *lying* is what was last known to lie on the table, None when nobody knows.
    """
    if reading.whole:
        return hear_whole(story, reading, thresholds, lying)
    game, state = story.game, redact(story.state, None)
    moves = [(m, game.evidence(state, m)) for m in game.legal(state)]
    moves = [(move, evidence) for move, evidence in moves if evidence]
    if not any(_shown(evidence) for _, evidence in moves):
        return Ignored("nothing that a camera could see is awaited")
    if reading.trouble is not None:
        return _ask(story, reading, LinePart(reading.trouble))
    sure = [g for g in reading.glimpses if g.confidence >= thresholds.accept]
    unsure = len(sure) < len(reading.glimpses) or bool(reading.choices)
    if unsure:
        return _ask(story, reading, LinePart("core.ask.unsure"))
    if not sure:
        return _ask(story, reading, LinePart("core.ask.nothing"))
    proven = list(_proven(story, moves, sure))
    if len(proven) == 1:
        return accept_seen(proven[0], sure, reading)
    return _ask(story, reading, LinePart(_why(moves, sure, proven)))


def _shown(evidence: frozenset[Sight]) -> bool:
    """Tell whether a camera could see all of *evidence*: faces in the tray, for now."""
    return bool(evidence) and all(
        isinstance(sight, Shown) and sight.place == TRAY for sight in evidence
    )


def _proven(
    story: Story, moves: list[tuple[Any, frozenset[Sight]]], sure: list[Glimpse]
) -> Iterator[Any]:
    """Yield the moves that explain every change among the sights.

    What the layout says lies there already is no change. Two equal dice are two
    changes, so one throw of one die never explains them.
    """
    known = story.game.layout(story.state)
    changes = [g.sight for g in sure if not _lies_there(g.sight, known)]
    for move, evidence in moves:
        if len(changes) == len(evidence) and evidence.issubset(changes):
            yield move


def _lies_there(sight: Sight, known: frozenset[tuple[str, str | None, str]]) -> bool:
    return isinstance(sight, Shown) and (sight.piece, sight.face, sight.place) in known


def _why(
    moves: list[tuple[Any, frozenset[Sight]]], sure: list[Glimpse], proven: list[Any]
) -> str:
    if proven:
        return "core.ask.tie"
    possible = {sight for _, evidence in moves for sight in evidence}
    if len(sure) > 1:
        return "core.ask.many"
    if sure[0].sight not in possible:
        return "core.ask.unexpected"
    return "core.ask.unexplained"


def _ask(story: Story, reading: Reading, why: LinePart) -> Asked:
    """Return a question whose answers start with what was nearly seen."""
    game, state = story.game, redact(story.state, None)
    likely = likelihoods(reading)
    # Of two dice the one that was read for sure goes with all that the other may show.
    ranked = sorted(
        awaited_moves(story),
        key=lambda m: -sum(likely.get(s, 0.0) for s in game.evidence(state, m)),
    )
    options = tuple(game.notate(state, move) for move in ranked)
    return Asked(reading, why, options)
