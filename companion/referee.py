"""Hears readings and claims, and keeps the one legal move that the table proves.

A move is proven when its evidence is among the sights and no change that was seen
stays unexplained. Of two proven moves the one that explains more wins; a tie, an unsure
reading and a sight that fits nothing are asked. Nothing illegal is ever accepted.
"""

from collections.abc import Iterator
from typing import Any, TypeAlias

from msgspec import Struct

from companion.changes import changes, explains, fits, holds
from companion.games.core import Hidden, Legal, NotAMove, Refused, Unknown, redact
from companion.log import Asked, Made, Story
from companion.table import Choice, Claim, Glimpse, LinePart, Reading, Shown, Sight


class Thresholds(Struct, frozen=True, gc=False):
    """How sure a glimpse must be, 0 to 1.

    At *accept* and above a legal move is taken; below *ask* a glimpse is not even
    offered first. The eye's own bound for `seen` is what *accept* is checked against,
    so that silent errors stay under one in a thousand.
    """

    accept: float = 0.9
    ask: float = 0.2


class Ignored(Struct, frozen=True, gc=False):
    """Nothing to do: nobody waited for it, or it says what is known already."""

    why: str


class Turned(Struct, frozen=True, gc=False):
    """A claim that the rules refuse or cannot judge: the verdict says why."""

    verdict: Refused | Unknown


class NotUnderstood(Struct, frozen=True, gc=False):
    """A claim that is no move of this game; *why* repeats it."""

    why: str


Decision: TypeAlias = Made[Any] | Asked | Ignored | Turned | NotUnderstood


def judge_claim(story: Story, claim: Claim, source: str) -> Decision:
    """Return the move that *claim* makes, or why it is none."""
    game, state = story.game, story.state
    try:
        move = game.parse(state, claim.move)
    except NotAMove as error:
        return NotUnderstood(str(error))
    verdict = game.judge(state, move)
    if isinstance(verdict, Legal):
        return Made(move, source, actor=claim.seat, key=claim.key)
    return Turned(verdict)


def awaited(story: Story) -> tuple[Any, ...]:
    """Return the legal moves that the camera could show in its tray now."""
    game, state = story.game, story.state
    return tuple(
        move for move in game.legal(state) if _shown(game.evidence(state, move))
    )


TRAY = "tray"
"""Where dice are thrown, in every game that has some."""

MOST_OFFERS = 40
"""Nobody steps through more with a button; what the camera can see is left out then."""


def offers(story: Story) -> tuple[str, ...]:
    """Return the notations that the buttons of the table step through.

    The answers of an open question, else what everybody may see to be possible. A
    private note is not offered: it belongs on its owner's phone.
    """
    if story.asked is not None:
        return story.asked.options
    game = story.game
    state = redact(story.state, None)
    moves = [move for move in game.legal(state) if not is_private(move)]
    if len(moves) > MOST_OFFERS:
        moves = [move for move in moves if not game.evidence(state, move)]
    return tuple(game.notate(state, move) for move in moves)


def is_private(move: Any) -> bool:
    """Tell whether a move carries something that only some seats may see.

    What the referee alone may remember of it, such as a card that everybody sees being
    turned, makes it no private act.
    """
    fields = (getattr(move, name) for name in move.__struct_fields__)
    return any(isinstance(field, Hidden) and field.seen_by for field in fields)


def hear(story: Story, reading: Reading, thresholds: Thresholds) -> Decision:
    """Return what *reading* proves, or the question that it leaves open."""
    game, state = story.game, story.state
    moves = [(m, game.evidence(state, m)) for m in game.legal(state)]
    moves = [(move, evidence) for move, evidence in moves if evidence]
    if reading.whole:
        return _hear_whole(story, reading, moves, thresholds)
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
        return _accepted(proven[0], sure, reading)
    return _ask(story, reading, LinePart(_why(moves, sure, proven)))


def _hear_whole(
    story: Story,
    reading: Reading,
    moves: list[tuple[Any, frozenset[Sight]]],
    thresholds: Thresholds,
) -> Decision:
    """Return what an eye that sees the whole table proves.

    Changes that are only a part of what some move brings about wait for the rest:
    people move one piece after another.
    """
    options = tuple(move for move, _ in moves)
    if reading.trouble is not None:
        return _ask(story, reading, LinePart(reading.trouble), options)
    sure = [g for g in reading.glimpses if g.confidence >= thresholds.accept]
    if len(sure) < len(reading.glimpses) or reading.choices:
        return _ask(story, reading, LinePart("core.ask.table_unsure"), options)
    if not sure:
        return Ignored("the table lies as the record says")
    seen = changes(glimpse.sight for glimpse in sure)
    wanted = [(move, changes(evidence)) for move, evidence in moves]
    proven = [move for move, change in wanted if explains(change, seen)]
    if len(proven) == 1:
        return _accepted(proven[0], sure, reading)
    if proven:
        return _ask(story, reading, LinePart("core.ask.tie"), options)
    if any(holds(change, seen) for _, change in wanted):
        return Ignored("a move is under way")
    return _ask(story, reading, LinePart("core.ask.table_unexpected"), options)


def _shown(evidence: frozenset[Sight]) -> bool:
    """Tell whether the eye could see all of *evidence*: faces in the tray, for now."""
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
    known = story.game.table(story.state)
    changes = [g.sight for g in sure if not _lies_there(g.sight, known)]
    for move, evidence in moves:
        if len(changes) == len(evidence) and evidence.issubset(changes):
            yield move


def _lies_there(sight: Sight, known: frozenset[tuple[str, str | None, str]]) -> bool:
    return isinstance(sight, Shown) and (sight.piece, sight.face, sight.place) in known


def _accepted(move: Any, sure: list[Glimpse], reading: Reading) -> Made[Any]:
    return Made(
        move,
        reading.source,
        confidence=min(g.confidence for g in sure),
        evidence=tuple(g.evidence_id for g in sure if g.evidence_id),
        position=reading.position,
    )


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


def _ask(
    story: Story, reading: Reading, why: LinePart, among: tuple[Any, ...] | None = None
) -> Asked:
    """Return a question whose answers start with what was nearly seen."""
    game, state = story.game, story.state
    likely = _likelihoods(reading)

    def unlikely(move: Any) -> float:
        evidence = game.evidence(state, move)
        if reading.whole:
            return -_share_seen(evidence, likely)
        return -max(likely.get(sight, 0.0) for sight in evidence)

    ranked = sorted(awaited(story) if among is None else among, key=unlikely)
    options = tuple(game.notate(state, move) for move in ranked)
    return Asked(reading, why, options)


def _share_seen(evidence: frozenset[Sight], likely: dict[Sight, float]) -> float:
    """Return how much of a move was seen, 0 to 1, each part by its chance."""
    wanted = changes(evidence)
    seen = [(part, p) for sight, p in likely.items() for part in changes([sight])]
    told = [
        max((p for part, p in seen if fits(change, part)), default=0.0)
        for change in wanted.elements()
    ]
    return sum(told) / len(told)


def _likelihoods(reading: Reading) -> dict[Sight, float]:
    likely = {g.sight: g.confidence for g in reading.glimpses}
    for choice in reading.choices:
        for sight, confidence in _candidates(choice):
            likely[sight] = max(likely.get(sight, 0.0), confidence)
    return likely


def _candidates(choice: Choice) -> Iterator[tuple[Sight, float]]:
    if choice.piece is not None:
        for face, confidence in choice.faces:
            yield Shown(choice.piece, face, choice.place), confidence
