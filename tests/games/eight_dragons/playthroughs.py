"""Which games are kept as playthroughs: short ones in which much happens.

Moves drawn evenly end most games before anybody holds a dragon, so here people with
some sense play. Of a few games the one is kept that shows most kinds of events that no
other has shown; else the one with many kinds in few moves. After a change of rules,
write them anew with ``python -m tests.games.eight_dragons.playthroughs``.
"""

from companion.games.eight_dragons import GAME
from tests.games import contract
from tests.games.eight_dragons.tables import keen

CANDIDATES = 25
"""How many games are looked at for each one that is kept."""

OTHER = tuple((rule.id, rule.choices[-1]) for rule in GAME.rulings if rule.choices)


def kinds(steps):
    """Return the kinds of events in a game."""
    return {type(event) for step in steps for event in step.events}


def record():
    """Write all playthroughs anew; every third one with other options."""
    seen = set()
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
    """Return the candidate with most kinds not *seen*; a kind is worth 20 moves."""
    games = [list(keen(setting, seed)) for seed in range(first, first + CANDIDATES)]
    return max(
        games, key=lambda g: 20 * len(kinds(g)) + 60 * len(kinds(g) - seen) - len(g)
    )


if __name__ == "__main__":
    record()
