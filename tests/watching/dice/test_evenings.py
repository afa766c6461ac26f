"""Evenings of throws, pushes, knocks and phones: what was thrown is read, nothing else.

Chance leads them. A throw that is neither taken nor asked about is lost in silence; one
that is taken though nobody threw is a ghost.
"""

import random
from collections import Counter

import pytest

from companion.watching.at_rest import legal_throws
from tests.running.table_setup import SETUP, running
from tests.watching.dice.film import SIDE, Film

FACES = "12346"


class Family:
    """Plays at a filmed table as chance leads, and counts what is believed.

    Args:
        table: The running table.
        seed: What chance starts from.
        kind: The ground of the table.
    """

    def __init__(self, table, seed, kind):
        table.open_game(SETUP)
        self.film = Film(table, kind)
        self.chance = random.Random(f"{kind}/{seed}")
        self.counts = Counter()
        self.die = None
        self.film.rest()

    def play(self, turns):
        for _ in range(turns):
            self._meanwhile()
            self._throw()
            self._meanwhile()
            self._move()
        return self.counts

    def _meanwhile(self):
        """Something happens that is no throw."""
        film, chance, before = self.film, self.chance, self._told()
        what = chance.choice(["nothing", "wave", "push", "turn", "hide", "knock"])
        self.counts["disturbed"] += what != "nothing"
        if what == "wave":
            film.wave()
        elif what == "knock":
            film.bump(chance.uniform(-0.02, 0.02), chance.uniform(-3, 3))
        elif self.die is not None and what == "push":
            away = chance.uniform(-0.15, 0.15) * SIDE
            film.push(self.die, away, away / 2)
        elif self.die is not None and what == "turn":
            film.push(self.die, turn=chance.uniform(-30, 30))
        elif self.die is not None and what == "hide":
            film.hand = (self.die.x, self.die.y)
            film.rest(6)
            film.hand = None
            film.rest()
        taken, asked = self._told()
        self.counts["ghosts"] += taken - before[0]
        self.counts["asked in vain"] += asked - before[1]

    def _throw(self):
        film, chance, before = self.film, self.chance, self._told()
        face = chance.choice(FACES)
        x, y = chance.uniform(110, 530), chance.uniform(80, 280)
        steps = len(film.story.steps)
        if chance.random() < 0.2:
            # Somebody is quick with the phone; at times with the move as well.
            self.die = film.throw(
                face, x, y, self.die, rest=0, turn=chance.uniform(0, 90)
            )
            film.tell(f"throw {face}")
            if chance.random() < 0.5:
                self._move()
            film.rest()
            self.counts["by phone"] += 1
            self.counts["ghosts"] += self._told()[0] - before[0]
            return
        self.die = film.throw(face, x, y, self.die, turn=chance.uniform(0, 90))
        taken, asked = self._told()
        self.counts["thrown"] += 1
        if taken > before[0]:
            self.counts["taken"] += 1
            self.counts["wrong"] += film.by_camera()[-1] != f"throw {face}"
        elif asked > before[1]:
            self.counts["asked"] += 1
            film.tell(f"throw {face}")
        else:
            self.counts["silent"] += 1
            film.tell(f"throw {face}")
        assert len(film.story.steps) == steps + 1

    def _move(self):
        """Tell by phone what was moved, until a throw is awaited."""
        film = self.film
        while not legal_throws(film.story):
            story = film.story
            assert story.game.outcome(story.state) is None
            moves = [m for m in story.game.legal(story.state)
                     if story.game.evidence(story.state, m)]  # fmt: skip
            film.tell(story.game.notate(story.state, self.chance.choice(moves)))

    def _told(self):
        return len(self.film.by_camera()), len(self.film.asked())


def evening(folder, seed, kind, turns):
    folder.mkdir()
    with running(folder) as table:
        return Family(table, seed, kind).play(turns)


@pytest.mark.slow
def test_a_short_evening(tmp_path):
    counts = evening(tmp_path / "0", 5, "printed", 6)

    assert counts["ghosts"] == counts["silent"] == counts["wrong"] == 0
    assert counts["taken"] == counts["thrown"] >= 4


@pytest.mark.long
@pytest.mark.parametrize("kind", ["printed", "plain"])
def test_long_evenings(tmp_path, kind, record_property):
    """Twelve evenings of 12 turns; over plain cloth nobody can tell a knock."""
    counts = Counter()
    for seed in range(12):
        counts += evening(tmp_path / str(seed), seed, kind, 12)

    record_property(
        "figures",
        f"{counts['thrown']} throws: {counts['taken']} taken, {counts['asked']} asked, "
        f"{counts['silent']} lost in silence, {counts['wrong']} wrong; "
        f"{counts['ghosts']} ghosts and {counts['asked in vain']} questions in "
        f"{counts['disturbed']} pushes, knocks and hands and {counts['by phone']} "
        "throws that a phone told as well",
    )
    assert counts["ghosts"] == counts["silent"] == counts["wrong"] == 0
    assert counts["taken"] >= 0.97 * counts["thrown"]
    least = 0.02 if kind == "printed" else 0.15
    assert counts["asked in vain"] <= least * counts["disturbed"]
