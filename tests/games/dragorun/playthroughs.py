"""Which random games are kept as playthroughs: short ones in which much happens.

Moves drawn evenly from the legal ones are nearly all throws, so here the kind of move
is drawn first. Of many games the one is kept that shows most kinds of events that no
other has shown; else one with many kinds in few moves. After a change of rules, write
them anew with ``python -m tests.games.dragorun.playthroughs``.
"""

import random

from companion.games.dragorun import GAME
from tests.games import contract

CANDIDATES = 150
"""How many games are looked at for each one that is kept."""

LONGEST = 220
"""How many moves a kept game may have."""

OTHER = tuple((rule.id, rule.choices[-1]) for rule in GAME.rulings if rule.choices)


def played(setting, seed) -> list[contract.Step]:
    """Return a game, or its first moves if it is too long to be kept."""
    dice, state = random.Random(seed), GAME.setup(setting)
    steps = []
    while len(steps) < LONGEST and (legal := tuple(GAME.legal(state))):
        sorts = sorted({type(move) for move in legal}, key=lambda sort: sort.__name__)
        sort = dice.choice(sorts)
        move = dice.choice([move for move in legal if type(move) is sort])
        after, events = GAME.apply(state, move)
        steps.append(contract.Step(state, legal, move, after, events))
        state = after
    return steps


def kinds(steps) -> set[type]:
    """Return the kinds of events in a game."""
    return {type(event) for step in steps for event in step.events}


def record() -> None:
    """Write all playthroughs anew; every third one with other options."""
    seen: set[type] = set()
    for number, path in enumerate(contract.playthrough_paths(GAME)):
        seats = int(path.name.partition("-")[0])
        other = number % contract.PLAYTHROUGHS == contract.PLAYTHROUGHS - 1
        setting = contract.config(GAME, seats, OTHER if other else ())
        best = chosen(setting, CANDIDATES * number, seen)
        seen |= kinds(best)
        moves = [GAME.notate(step.before, step.move) for step in best]
        path.parent.mkdir(parents=True, exist_ok=True)
        text = contract.transcript(GAME, setting, moves)
        path.write_text(text, encoding="utf-8")


def chosen(setting, first, seen):
    """Return the candidate with most kinds not *seen*; a kind is worth 25 moves."""
    games = [played(setting, seed) for seed in range(first, first + CANDIDATES)]
    games = [steps for steps in games if GAME.outcome(steps[-1].after) is not None]
    return max(games, key=lambda g: (len(kinds(g) - seen), 25 * len(kinds(g)) - len(g)))


if __name__ == "__main__":
    record()
