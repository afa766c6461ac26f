"""Counts the taps of whole games by phone alone: ``python -m tests.dashboard.taps``.

People play as `sensible` says, and each taps what their page offers: a plain button is
one tap, a question in steps one for each answer, and one more where it is folded away;
a place of the board is one, and one for each answer that it leaves open. A turn is a
run of moves of one player; what sets the table up is none, nor a note of a secret. Two
cards of 8 Dragons that are no pair are entered as such.
"""

import random
from collections.abc import Iterator
from statistics import mean, median
from typing import Any

import click

from companion.dashboard import boards
from companion.dashboard.boards.picking import Pick
from companion.dashboard.door.auth import Who
from companion.dashboard.view.view import View
from companion.dashboard.view.views import view_of
from companion.games import GAMES
from companion.games.eight_dragons.state import BACK, EndTurn, Take, Turn, TurnBack
from companion.running.snapshot import Snapshot
from companion.story.log import Header, Made, Step, Story, begin, extend
from tests.dashboard.setting import PLAYERS

MOST_MOVES = 3_000


def played(game: Any, seats: int, seed: int) -> Story:
    """Return the story of a whole game."""
    rng = random.Random(seed)
    story = begin(game, Header(game.id, PLAYERS[:seats], game.stand_in), 0.0)
    for _ in range(MOST_MOVES):
        state = story.state
        moves = [m for m in game.legal(state) if not only_told(game, m)]
        if not moves:
            break
        liked = game.sensible(state, moves, rng) if game.sensible else moves
        kinds = sorted({type(move).__name__ for move in liked})
        kind = rng.choice(kinds)
        move = rng.choice([m for m in liked if type(m).__name__ == kind])
        story = extend(story, Made(move, "phone"), 0.0)
    return story


def only_told(game: Any, move: Any) -> bool:
    return boards.is_note(game, move) or isinstance(move, game.only_told)


def turns(story: Story) -> Iterator[list[Step]]:
    """Yield the moves of each turn."""
    game, owner = story.game, None
    made: list[Step] = []
    for step in story.steps:
        if isinstance(step.made.move, game.preparing):
            continue
        actor = game.actor(step.before, step.made.move)
        if made and actor not in (None, owner):
            yield made
            made = []
        owner = owner if made else actor
        made.append(step)
    if made:
        yield made


def taps_of_turn(story: Story, turn: list[Step]) -> int:
    """Return how many taps a turn takes."""
    left, taps = [*turn], 0
    while left:
        taken, cost = _next(story, left)
        taps += cost
        left = left[taken:]
    return taps


def _next(story: Story, left: list[Step]) -> tuple[int, int]:
    """Return how many of the moves that are left the next taps make, and how many."""
    kinds = [type(step.made.move) for step in left]
    missed = kinds[:4] == [Turn, Turn, TurnBack, TurnBack]
    if missed and left[1].state.phase is BACK and left[1].state.stop is None:
        return 4 + (kinds[4:5] == [EndTurn]), 1
    if kinds[:2] == [Take, Take]:
        return 2, 1
    view, move = _view(story, left[0]), left[0].made.move
    return 1, taps_of(view, story.game.notate(left[0].before, move))


def _view(story: Story, step: Step) -> View:
    then = Story(story.game, story.header, step.before, story.entries[:1])
    seat = story.game.actor(step.before, step.made.move)
    who = Who(host=True) if seat is None else Who(seat)
    return view_of(Snapshot(game_id="g", story=then), who, "en")


def taps_of(view: View, notation: str) -> int:
    """Return how many taps a move takes on the page that offers it."""
    return min(_by_button(view, notation), _by_board(view, notation))


def _by_button(view: View, notation: str) -> int:
    if any(notation == offer.move for offer in view.moves):
        return 1
    go = view.at_one_go
    if go is not None and go.move == notation:
        return 1
    for nth, pick in enumerate(view.picks):
        if notation in lines(pick):
            alone = len(view.picks) == 1 and not view.moves
            is_open = (nth == 0 and pick.first) or alone
            return 1 + (len(pick.at) > 1) + (not is_open)
    raise AssertionError(f"{notation} is not offered")


def _by_board(view: View, notation: str) -> int:
    """Return the taps by a place of the board: it, and what it leaves open."""
    assert view.board is not None
    most = 9
    for target in view.board.targets:
        here: list[tuple[str, int]] = [
            (offer.move, 1)
            for offer in view.moves
            if target.spot in offer.spots.split()
        ]
        for pick in view.picks:
            here += _left(pick, target.spot)
        costs = dict(here)
        if notation in costs:
            most = min(most, 1 + (costs[notation] if len(here) > 1 else 0))
    return most


def _left(pick: Pick, spot: str) -> list[tuple[str, int]]:
    whole = spot in pick.spots.split()
    ats = [c for c in pick.at if whole or spot in c.spots.split()]
    whats = [c for c in pick.what if whole or spot in c.spots.split()]
    if not whole and ats:
        whats = [*pick.what]
    elif not whole:
        ats = [*pick.at]
    cost = max(1, (len(ats) > 1) + (len(whats) > 1))
    kept = {(c.word if c else None) for c in ats or (None,)}
    return [
        (line, cost)
        for at in pick.at or (None,)
        for what in whats
        if (at.word if at else None) in kept and whats
        for line in [
            " ".join(filter(None, (pick.verb, at and at.word, what.word, pick.tail)))
        ]
    ]


def lines(pick: Pick) -> Iterator[str]:
    """Yield the notations that a pick can send."""
    for at in pick.at or (None,):
        for what in pick.what:
            words = (pick.verb, at and at.word, what.word, pick.tail)
            yield " ".join(filter(None, words))


def measured(game: Any, games: int = 3) -> tuple[int, list[int]]:
    """Return how many turns whole games have, and the taps of each."""
    taps: list[int] = []
    for seed in range(games):
        seats = game.seats[min(seed, len(game.seats) - 1)]
        story = played(game, seats, seed)
        taps += [taps_of_turn(story, turn) for turn in turns(story)]
    return len(taps), taps


def row(game: Any) -> str:
    """Return a game's line of the table: turns, and the taps of them."""
    count, taps = measured(game)
    common = max(set(taps), key=taps.count)
    figures = (count, common, f"{median(taps):g}", f"{mean(taps):.1f}", max(taps))
    return f"| {game.title} | {' | '.join(map(str, figures))} |"


HEAD = "| game | turns | commonest | median | mean | most |\n|---|---|---|---|---|---|"

if __name__ == "__main__":
    click.echo(HEAD)
    for one in GAMES:
        click.echo(row(one))
