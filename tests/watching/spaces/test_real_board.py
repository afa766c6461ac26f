"""Figures that nobody ever showed are followed over a board whose spaces were tapped.

The drawn table stands in for a real one: of its pieces the eye is told nothing but
where the spaces are. Dice are read by their pips, or told by button.
"""

from itertools import count

import numpy as np
import pytest
from msgspec.structs import replace

from companion.demo import simulated_players
from companion.demo.setup import drawn_table
from companion.demo.simulated_players import SimulatedPlayers
from companion.demo.tables import find as find_stand_in
from companion.games import find
from companion.kits.spaces import Spaces
from companion.running.snapshot import ButtonStatus, Setup
from companion.table import Claim, Glimpse, Pressed, Reading
from companion.watching.for_game import BoardWatchers
from companion.watching.live_tray_watcher import LiveTrayWatcher
from companion.watching.spaces_reader import SpacesReader
from companion.watching.table_watcher import TableWatcher
from tests.evening.test_knocks_and_hands import PER_S, evening, hovering, is_right
from tests.running.table_setup import running
from tests.watching.scene import still
from tests.watching.spaces.tapped import no_dice, pip_dice, tapped
from vision.camera.port import Frame
from vision.camera.stillness import StillnessLimits
from vision.drawn.lessons import SIZE, random_pose
from vision.drawn.light import LIGHTS
from vision.drawn.tabletop import Tabletop

DICE = {"drachenhort": pip_dice, "dragorun": no_dice}


@pytest.fixture(autouse=True)
def _patience(monkeypatch):
    """Let no busy computer look like an eye that saw nothing."""
    monkeypatch.setattr(simulated_players, "SEEN_S", 600.0)


KNOCKS = (((0.03 * SIZE[1], 0.0), 0.0), ((0.0, 0.01 * SIZE[1]), 3.0))


def disturbed(drawn, plan, seed):
    """Return what knocks at the camera and lights other lamps, between two acts."""
    pose, acts = random_pose(plan, seed), count(1)

    def meanwhile():
        act = next(acts)
        if act % 3 == 0:
            drawn.knock(*KNOCKS[act // 3 % len(KNOCKS)])
        if act % 5 == 0:
            light = LIGHTS[("warm", "side", "cool", "dim")[act // 5 % 4]]
            drawn._tabletop = Tabletop(plan, pose, light, seed + act)

    return meanwhile


def watched(folder, name, acts, seed=5, light="good", off_mm=0.0):
    """Play some acts under an eye that knows nothing but the spaces.

    Where taps are *off_mm*, the camera is knocked at and the light changes too.
    """
    game, stand_in = find(name), find_stand_in(name)
    drawn, _ = drawn_table(stand_in, game.stand_in, seed, light)
    with running(folder) as table:
        table.open_game(Setup(name, ("Ana", "Bo", "Cy")))

        def press(button, seat):
            press = Glimpse(Pressed(button, seat), 1.0)
            table.hear(Reading((press,), source="button"))

        table.notice_buttons(ButtonStatus("mock"), press)
        story = table.snapshot.story
        reader = SpacesReader(
            tapped(name, seed, off_mm), DICE[name], lambda: table.snapshot.story
        )
        plan = stand_in.table(game.stand_in)
        pause = disturbed(drawn, plan, seed) if off_mm else (lambda: None)
        eye = TableWatcher(table, "drawn", drawn, reader, StillnessLimits())
        eye.start()
        try:
            people = SimulatedPlayers(
                table, drawn, stand_in.ground, story.header.meanings, seed, acts, pause
            )
            people.play()
        finally:
            eye.stop()
        return people.counts, table.snapshot.story


def moved_by(story, source):
    """Return how many moves of figures were told by the camera, or by a button."""
    kinds = ("advance", "dragon", "move", "place")
    made = [step.made for step in story.steps]
    notes = [story.game.notate(story.state, one.move).split()[0] for one in made]
    return sum(
        note in kinds and one.source == source
        for note, one in zip(notes, made, strict=True)
    )


@pytest.mark.slow
def test_adventurers_and_the_dragon_are_followed_by_their_spaces(tmp_path):
    counts, story = watched(tmp_path, "drachenhort", acts=12)

    assert counts.wrong_accepted == 0
    assert moved_by(story, "camera") >= 4
    # A colour that is called like no other one may be asked about once.
    assert counts.asked <= 3


@pytest.mark.slow
def test_dragons_are_followed_though_taps_are_off_and_camera_and_lamp_change(tmp_path):
    """Taps are 3 mm off; a knock of 3 %, one of 3 degrees, and two other lamps."""
    counts, story = watched(tmp_path, "dragorun", acts=10, off_mm=3.0)

    assert counts.wrong_accepted == 0
    assert moved_by(story, "camera") >= 5


@pytest.mark.long
@pytest.mark.parametrize("light", ["good", "warm", "side"])
@pytest.mark.parametrize("name", list(DICE))
def test_nothing_false_is_believed_of_a_tapped_board(
    tmp_path, name, light, record_property
):
    seed = 30 + len(light)
    counts, story = watched(tmp_path, name, acts=50, seed=seed, light=light)

    by_camera, by_button = moved_by(story, "camera"), moved_by(story, "button")
    record_property(
        "figures",
        f"{by_camera} moves of figures by camera, {by_button} by button, "
        f"{counts.wrong_accepted} wrong accepted",
    )
    assert counts.wrong_accepted == 0
    # A warm lamp turns hues: some of the first moves are then asked about.
    assert by_camera >= 3 * by_button


@pytest.mark.long
@pytest.mark.parametrize("seed", [41, 42])
@pytest.mark.parametrize("name", list(DICE))
def test_nothing_false_is_believed_where_taps_are_off_and_camera_and_lamp_change(
    tmp_path, name, seed, record_property
):
    counts, story = watched(tmp_path, name, acts=50, seed=seed, off_mm=3.0)

    by_camera, by_button = moved_by(story, "camera"), moved_by(story, "button")
    record_property(
        "figures",
        f"{by_camera} moves of figures by camera, {by_button} by button, "
        f"{counts.asked} asked, {counts.wrong_accepted} wrong accepted",
    )
    assert counts.wrong_accepted == 0
    assert by_camera >= 3 * by_button


@pytest.mark.long
@pytest.mark.parametrize("name", list(DICE))
def test_hands_over_a_tapped_board_make_no_event(tmp_path, name, record_property):
    """A minute with an act every six seconds."""
    with evening(tmp_path, name) as there:
        there.eye._reader = SpacesReader(
            tapped(name, 5), DICE[name], lambda: there.table.snapshot.story
        )
        there.hands = lambda: hovering(there, 6)
        counts = there.play(10)

    record_property(
        "figures",
        f"{there.false} false events in {there.pictures / PER_S:.0f} s of hands, "
        f"{counts.wrong_accepted} wrong accepted",
    )
    assert is_right(counts, there)
    assert there.pictures >= 55 * PER_S


SET_UP = (
    "place red 1", "place green 2", "place blue 3", "place yellow 4", "place violet 5",
    "deal 0 red", "deal 1 green",
)  # fmt: skip


class LitTable:
    """A drawn table of Dragorun that is set up, and its reader, under two lamps."""

    def __init__(self, table):
        self.table, self.stand_in = table, find_stand_in("dragorun")
        self.drawn, _ = drawn_table(self.stand_in, find("dragorun").stand_in, 5, "good")
        table.open_game(Setup("dragorun", ("Ana", "Bo")))
        self.enter(*SET_UP)
        self.reader = SpacesReader(
            tapped("dragorun", 5), no_dice, lambda: table.snapshot.story
        )

    @property
    def state(self):
        return self.table.snapshot.story.state

    def enter(self, *moves):
        for move in moves:
            seq = self.table.snapshot.story.seq
            self.table.act(Claim(move, None, seq, f"{seq}/{move}"))

    def read(self, state, lamp=(1.0, 1.0, 1.0), **how):
        """Return what is read where the table lies as a state has it."""
        layout = find("dragorun").layout(state)
        self.drawn.lay(layout, self.stand_in.ground(state))
        while self.drawn._script:
            frame = self.drawn.read()
        lit = (frame.picture * np.array(lamp)).astype(np.uint8)
        return self.reader.read(lit, **how)


BLUE_LAMP = (1.0, 0.35, 0.2)


@pytest.mark.slow
def test_a_lamp_that_is_lit_while_all_lies_still_stands_in_nobodys_way(tmp_path):
    with running(tmp_path) as table:
        there = LitTable(table)
        before = there.state
        there.enter("throw violet +2")
        game, thrown = find("dragorun"), there.state
        moved, _ = game.apply(thrown, game.parse(thrown, "move violet 7"))
        there.read(before)
        lit = there.read(before, BLUE_LAMP, untouched=True)
        # In that lamp a move is seen as in any.
        seen = there.read(moved, BLUE_LAMP)

    assert (lit.obstacle, seen.obstacle) == (None, None)
    assert {thing.piece: thing.place for thing in seen.found}["violet"] == "track/7"


@pytest.mark.slow
def test_in_a_lamp_of_another_colour_reading_goes_on_once_people_said_a_move(tmp_path):
    with running(tmp_path) as table:
        there = LitTable(table)
        there.read(there.state)
        lit = there.read(there.state, BLUE_LAMP)
        there.enter("throw violet +2", "move violet 7")
        told = there.read(there.state, BLUE_LAMP)
        again = there.read(there.state, BLUE_LAMP)

    assert lit.obstacle == "core.eye.coloured"
    assert told.obstacle is None
    assert again.obstacle is None
    at = {thing.piece: thing.place for thing in again.found}
    assert at["violet"] == "track/7"


class TestBoards:
    """Which eye looks at a table, by the copy that is played."""

    class Own:
        def __init__(self, spaces):
            self.told = spaces

        def decks(self, kit):
            return {}

        def rounds(self, kit):
            return {}

        def tapped(self, kit):
            return None

        def spaces(self, kit):
            return self.told if kit == "ours" else Spaces()

    class Table:
        def __init__(self, story):
            self.snapshot = type("Snapshot", (), {"story": story})()

    def boards(self, story, spaces):
        return BoardWatchers(self.Table(story), "pi", self.Own(spaces), no_dice)

    def story(self, folder, name, kit):
        with running(folder) as table:
            table.open_game(Setup(name, ("Ana", "Bo")))
            story = table.snapshot.story
        return replace(story, header=replace(story.header, kit=kit))

    def test_a_copy_whose_spaces_were_all_tapped_is_looked_at_as_a_whole(
        self, tmp_path
    ):
        story = self.story(tmp_path, "dragorun", "ours")
        boards = self.boards(story, tapped("dragorun", 5))

        assert isinstance(boards(), TableWatcher)
        assert boards() is boards()

    def test_whoever_looked_before_a_game_was_put_away_has_forgotten_it_after(
        self, tmp_path
    ):
        # Its dice were packed away, and lie anywhere when the game is begun again.
        story = self.story(tmp_path, "dragorun", "ours")
        table = self.Table(story)
        spaces = self.Own(tapped("dragorun", 5))
        boards = BoardWatchers(table, "pi", spaces, no_dice)
        before = boards()
        table.snapshot.story = None
        assert boards() is None
        table.snapshot.story = story

        assert isinstance(boards(), TableWatcher)
        assert boards() is not before

    def test_one_with_a_space_too_few_is_not(self, tmp_path):
        story = self.story(tmp_path, "dragorun", "ours")
        whole = tapped("dragorun", 5)
        some = Spaces(whole.corners, whole.places[:-1], whole.tray)

        assert self.boards(story, some)() is None

    def test_nor_is_the_stand_in_or_a_table_without_a_game(self, tmp_path):
        story = self.story(tmp_path, "dragorun", "")

        assert self.boards(story, tapped("dragorun", 5))() is None
        assert self.boards(None, tapped("dragorun", 5))() is None


def test_a_live_camera_hands_its_pictures_to_who_looks_at_the_board(tmp_path):
    class Eye:
        def miss(self):
            seen.append("nothing")

        def see(self, frame):
            seen.append(frame.name)

    class Camera:
        def read(self):
            return None

        def close(self):
            """Nothing to let go of."""

    seen = []
    with running(tmp_path) as table:
        live = LiveTrayWatcher(table, "pi", no_dice, Camera(), StillnessLimits(), Eye)
        live.see(Frame(still(20), 0.1, None, "first"))
        live.miss(Frame(None, 0.2, None, "pi", "gone"))
        live.see(Frame(still(20), 0.3, None, "first"))

    assert seen == ["first", "nothing", "first"]
    assert live.latest.name == "first"
