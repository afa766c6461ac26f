"""A camera that is bumped, and hands over a running game: nothing false is believed.

The whole chain: drawn pictures, the eye that reads them, the referee.
"""

import random
from contextlib import contextmanager

import pytest

from companion.demo import simulated_players
from companion.demo.setup import drawn_table
from companion.demo.simulated_players import SimulatedPlayers
from companion.demo.tables import DRAWN_GAMES
from companion.demo.tables import find as find_stand_in
from companion.games import find
from companion.running.snapshot import ButtonStatus, Setup
from companion.story.log import Asked
from companion.table import Claim, Glimpse, Pressed, Reading
from companion.watching.table_watcher import TableWatcher
from tests.running.table_setup import running
from vision.camera.stillness import StillnessLimits
from vision.drawn.lessons import SIZE
from vision.drawn.light import LIGHTS
from vision.drawn.tabletop import Hand

PER_S = 15
"""Pictures a second, as the drawn table counts time."""

ONE_PERCENT = ((0.01 * SIZE[1], 0.0), 0.0)
ONE_DEGREE = ((0.0, 0.0), 1.0)


@pytest.fixture(autouse=True)
def _patience(monkeypatch):
    """Let no busy computer look like an eye that saw nothing."""
    monkeypatch.setattr(simulated_players, "SEEN_S", 600.0)


games = pytest.mark.parametrize("name", [one.game for one in DRAWN_GAMES])


class Evening:
    """A game on the drawn table under an eye, and the people who play it."""

    def __init__(self, table, name, seed=5, light="good"):
        game = find(name)
        players = ("Ana", "Bo", "Cy")[: max(2, min(game.seats))]
        table.open_game(Setup(name, players))
        self.table = table
        stand_in = find_stand_in(name)
        self.drawn, reader = drawn_table(stand_in, game.stand_in, seed, light)
        plan = stand_in.table(game.stand_in)
        self.width_mm, self.height_mm = plan.width_mm, plan.height_mm
        self.eye = TableWatcher(table, "drawn", self.drawn, reader, StillnessLimits())
        table.notice_buttons(ButtonStatus("mock"), self._press)
        self.actors = SimulatedPlayers(
            table,
            self.drawn,
            stand_in.ground,
            table.snapshot.story.header.meanings,
            seed,
            pause=self.meanwhile,
        )
        self.chance = random.Random(f"{name}/{seed}")
        self.false = self.pictures = 0
        self.hands = lambda: ()
        self.knocks = ()

    def _press(self, button, seat):
        press = Glimpse(Pressed(button, seat), 1.0)
        self.table.hear(Reading((press,), source="button"))

    @property
    def seq(self):
        self.table.act(Claim("", None, -1, "an answer comes after what came before"))
        return self.table.snapshot.story.seq

    def meanwhile(self):
        """Let happen what happens between two acts; count what is believed of it."""
        before = self.seq
        if self.knocks:
            self.drawn.knock(*self.knocks[before % len(self.knocks)])
        shown = list(self.hands())
        self.pictures += len(shown)
        self.drawn.wave(shown)
        assert self.drawn.wait_until_seen(600.0)
        self.false += self.seq != before

    def play(self, acts):
        self.actors._most_acts = acts
        self.actors.play()
        return self.actors.counts


@contextmanager
def evening(folder, name, **more):
    with running(folder) as table:
        there = Evening(table, name, **more)
        there.eye.start()
        try:
            yield there
        finally:
            there.eye.stop()


def bumped(there, knocks, acts):
    """Play on while the camera stands straight, or bumped, in turn."""
    there.knocks = (*knocks, ((0.0, 0.0), 0.0))
    return there.play(acts)


def lost(there):
    """Return how often the eye asked because it did not know where the table lies."""
    bodies = (entry.body for entry in there.table.snapshot.story.entries)
    return sum(isinstance(b, Asked) and b.why.line == "core.ask.moved" for b in bodies)


def is_right(counts, there):
    """Tell whether nothing was believed that had not been done."""
    return counts.wrong_accepted == there.false == 0


@pytest.mark.slow
def test_a_camera_that_was_bumped_is_put_right_before_the_next_reading(tmp_path):
    """By 1 % and by 1 degree in turn: the white papers at the rim are in view."""
    with evening(tmp_path, "drachenhort") as there:
        counts = bumped(there, (ONE_PERCENT, ONE_DEGREE), acts=7)

        assert lost(there) == 0
        assert any(s.made.source == "camera" for s in there.table.snapshot.story.steps)
    assert is_right(counts, there)
    assert counts.shown >= 4


@pytest.mark.long
@games
@pytest.mark.parametrize(
    "knock", [ONE_PERCENT, ONE_DEGREE], ids=["by 1 percent", "by 1 degree"]
)
def test_a_bumped_camera_misreads_nothing_in_any_game(
    tmp_path, name, knock, record_property
):
    with evening(tmp_path, name) as there:
        counts = bumped(there, (knock,), acts=20)
        record_property(
            "figures",
            f"{counts.shown} readings, {counts.asked} asked, {lost(there)} of them as "
            f"the table was lost, {counts.wrong_accepted} wrong accepted",
        )
        assert lost(there) == 0
    assert is_right(counts, there)
    assert counts.asked <= 0.1 * counts.shown


def hovering(there, seconds):
    """Yield pictures of hands that come, hover, rest and go for so long."""
    number, chance = 0, there.chance
    while number < seconds * PER_S:
        x, y = chance.uniform(20, there.width_mm), chance.uniform(20, there.height_mm)
        way = [Hand(x, y + 90 * step) for step in (2.4, 1.2, 0.5, 0.0)]
        rests = chance.choice((0, 0, 5, 22))
        # Some creep so slowly that no two pictures differ by more than noise.
        step, steps = chance.choice(((12, 12), (3, 12), (0.8, 30)))
        stroll = [
            Hand(x + step * n, y - step * n / 1.5)
            for n in range(chance.randrange(steps))
        ]
        shots = [*way, *[Hand(x, y)] * rests, *stroll, *reversed(way)]
        shots += [None] * chance.randrange(0, 25)
        yield from shots
        number += len(shots)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "light"),
    list(zip([one.game for one in DRAWN_GAMES], list(LIGHTS)[::-1], strict=False)),
)
def test_hands_over_a_running_game_make_no_event(
    tmp_path, name, light, record_property
):
    """Two minutes in each of five games, with an act every six seconds."""
    with evening(tmp_path, name, light=light) as there:
        there.hands = lambda: hovering(there, 6)
        counts = there.play(20)

    record_property(
        "figures",
        f"{there.false} false events in {there.pictures / PER_S:.0f} s of hands; "
        f"{counts.shown} readings, {counts.asked} asked, "
        f"{counts.wrong_accepted} wrong accepted",
    )
    assert is_right(counts, there)
    assert there.pictures >= 120 * PER_S
