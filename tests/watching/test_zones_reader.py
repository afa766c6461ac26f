"""Dragonix and Dragon Run on a table taught as a real one: areas, and all the cards."""

import random

import cv2
import numpy as np
import pytest

from companion.demo import simulated_players
from companion.demo.drawn_table import DrawnTable
from companion.demo.simulated_players import SimulatedPlayers
from companion.demo.tables import find as find_stand_in
from companion.games import find
from companion.kits.learn import learn_whole_decks, learn_whole_rounds
from companion.kits.own_dice import PieceLooks
from companion.kits.spaces import WHOLE_PICTURE, Spaces, card_zones
from companion.running.snapshot import ButtonStatus, Setup
from companion.story.log import Made
from companion.table import Claim, Glimpse, Pressed, Reading
from companion.watching.table_watcher import TableWatcher
from companion.watching.zone_area import Area
from companion.watching.zone_cards import ZoneRules
from companion.watching.zones_reader import ZonesReader
from tests.running.table_setup import running
from tests.watching.drawn_lesson import teach_cards
from vision.camera.stillness import StillnessLimits
from vision.drawn.lessons import SIZE, random_pose
from vision.drawn.light import LIGHTS
from vision.drawn.tabletop import DrawnPiece, Hand, Tabletop

TAPPED_MM = 3.0
"""How far from the corner of an area people tap."""


class Copy:
    """A copy of a game of which each card was shown on the bare table, as is asked."""

    def __init__(self, game, folder):
        self.game, self.folder = find(game), folder / game
        self.zones = card_zones(game, self.game.stand_in)
        self.table = find_stand_in(game)
        self.plan = self.table.table(self.game.stand_in)
        self.ground = self.plan.grounds[0].name
        teach_cards(self.folder, self.game, self.plan)

    def taps(self, pose, seed):
        """Return where somebody taps two corners of each area."""
        hand, places = random.Random(seed), []
        for zone in self.zones:
            spots = [spot for spot in self.plan.spots if zone.has(spot.place)]
            for corner, end, way in zip(zone.corners, (min, max), (-1, 1), strict=True):
                x = end(s.x_mm + way * s.width_mm / 2 for s in spots)
                y = end(s.y_mm + way * s.height_mm / 2 for s in spots)
                off = (hand.uniform(-TAPPED_MM, TAPPED_MM) for _ in range(2))
                at = np.array([(x + next(off), y + next(off), 0)], np.float32)
                ((u, v),) = pose.project(at) / (SIZE[1], SIZE[0])
                places.append((corner, float(u), float(v)))
        return Spaces(WHOLE_PICTURE, tuple(places))


@pytest.fixture(scope="module")
def copies(tmp_path_factory):
    """Return the copy of a game, taught once."""
    folder, taught = tmp_path_factory.mktemp("kits"), {}

    def copy_of(game):
        if game not in taught:
            taught[game] = Copy(game, folder)
        return taught[game]

    return copy_of


class Evening:
    """People who play under a camera that knows their cards and where they lie."""

    def __init__(self, table, copy, seed, light):
        table.open_game(Setup(copy.game.id, ("Ana", "Bo", "Cy")))
        self.table, self.copy, self.seed = table, copy, seed
        pose = random_pose(copy.plan, seed)
        self.tabletop = Tabletop(copy.plan, pose, LIGHTS[light], seed)
        self.drawn = DrawnTable(copy.plan, self.tabletop, seed)
        self.reader = ZonesReader(
            copy.taps(pose, seed),
            copy.zones,
            PieceLooks(learn_whole_decks(copy.folder), learn_whole_rounds(copy.folder)),
            lambda _: Reading(()),
            lambda: table.snapshot.story,
        )

    def _press(self, button, seat):
        press = Glimpse(Pressed(button, seat), 1.0)
        self.table.hear(Reading((press,), source="button"))

    def play(self, acts):
        self.table.notice_buttons(ButtonStatus("mock"), self._press)
        eye = TableWatcher(self.table, "pi", self.drawn, self.reader, StillnessLimits())
        players = SimulatedPlayers(
            self.table, self.drawn, self.copy.table.ground,
            self.table.snapshot.story.header.meanings, self.seed, acts,
        )  # fmt: skip
        eye.start()
        try:
            players.play()
        finally:
            eye.stop()
        return players.counts

    def seen(self):
        """Return how many moves of cards and dragons the camera told, and all such."""
        cards = ("TurnUp", "Play", "Reveal", "Insert", "Swap", "TakeBack", "Strike",
                 "Fly", "Turn", "Deal", "UsePower", "Discard", "ShowCard", "Annul",
                 )  # fmt: skip
        made = [
            entry.body
            for entry in self.table.sync().story.entries
            if isinstance(entry.body, Made) and type(entry.body.move).__name__ in cards
        ]
        return sum(one.source == "camera" for one in made), len(made)


@pytest.fixture(autouse=True)
def _patience(monkeypatch):
    """Let no busy computer look like an eye that saw nothing."""
    monkeypatch.setattr(simulated_players, "SEEN_S", 600.0)


@pytest.mark.parametrize(
    "game",
    [
        pytest.param("dragonix", marks=pytest.mark.slow),
        pytest.param("dragon_run", marks=pytest.mark.long),
    ],
)
def test_cards_that_are_laid_turned_and_taken_are_seen(tmp_path, copies, game):
    with running(tmp_path) as table:
        evening = Evening(table, copies(game), 2, "good")
        counts = evening.play(16)
        seen, all_of_them = evening.seen()

    assert counts.wrong_accepted == 0
    assert all_of_them >= 8
    assert seen >= 0.85 * all_of_them


@pytest.mark.slow
def test_a_hand_that_rests_over_the_cards_is_no_question(tmp_path, copies):
    copy = copies("dragonix")
    with running(tmp_path) as table:
        evening = Evening(table, copy, 3, "good")
        evening.reader.read(evening.tabletop.picture(copy.ground, ()))
        story = table.snapshot.story
        turned = next(iter(story.game.legal(story.state)))
        notation = story.game.notate(story.state, turned)
        table.act(Claim(notation, None, story.seq, "turned"))
        table.sync()
        bare = evening.reader.read(evening.tabletop.picture(copy.ground, ()))
        hand = Hand(180, 150)
        covered = evening.reader.read(evening.tabletop.picture(copy.ground, (), hand))
        after = evening.reader.read(evening.tabletop.picture(copy.ground, ()))

    assert covered.obstacle == "core.eye.hand"
    assert covered.doubts == after.doubts == bare.doubts == ()
    assert covered.found == after.found == bare.found
    assert after.obstacle is None


def area_of(copy, place, pose):
    """Return the area that a place lies in, as it was tapped."""
    taps = {place: (u, v) for place, u, v in copy.taps(pose, 5).places}
    (zone,) = (zone for zone in copy.zones if zone.has(place))
    (left, top), (right, bottom) = (
        np.array(taps[c]) * SIZE[::-1] for c in zone.corners
    )
    around = [(left, top), (right, top), (right, bottom), (left, bottom)]
    return Area(zone, np.array(around, np.float32), {})


def dragon_in_area(copy):
    """Return army 3, a picture without the red dragon, and one in which it is there."""
    pose = random_pose(copy.plan, 5)
    tabletop = Tabletop(copy.plan, pose, LIGHTS["good"], 5)
    spot = next(s for s in copy.plan.spots if s.place == "army/3" and "red" in s.holds)
    dragon = (DrawnPiece("red", None, spot.x_mm, spot.y_mm, 20.0),)
    bare, stands = (tabletop.picture(copy.ground, there) for there in ((), dragon))
    return area_of(copy, "army/3", pose), bare, stands


@pytest.mark.slow
def test_a_dragon_that_flies_away_again_is_seen_once_the_record_had_it(copies):
    area, bare, stands = dragon_in_area(copies("dragonix"))
    rules = ZoneRules(area.zone, (), ())

    area.believe(bare)
    assert area.read(stands, rules).strange > 0
    area.believe(stands)
    # Until the record has it, a hand may have been taken for it.
    assert area.read(bare, rules).strange == 0
    area.confirm()
    assert area.read(bare, rules).strange > 0


@pytest.mark.slow
def test_what_another_lamp_left_strange_hides_no_dragon_that_comes(copies):
    area, bare, stands = dragon_in_area(copies("dragonix"))
    _, top, right, bottom = area.box()
    glare = (right - 40, (top + bottom) // 2), 24, (250, 250, 250), cv2.FILLED
    lit, both = (cv2.circle(one.copy(), *glare) for one in (bare, stands))
    rules = ZoneRules(area.zone, (), ())

    area.believe(bare)
    seen = area.read(lit, rules)
    assert (seen.strange, seen.is_as_left) == (1, False)
    area.leave(lit)
    assert area.read(lit, rules).is_as_left
    came = area.read(both, rules)
    assert (came.strange > 1, came.is_as_left) == (True, False)
    # A camera that was knocked takes it along.
    area.move(np.array([(1, 0, 9), (0, 1, -5), (0, 0, 1)], np.float32))
    slid_px = np.array([(1, 0, 9), (0, 1, -5)], np.float32)
    knocked = cv2.warpAffine(lit, slid_px, SIZE[::-1], borderMode=cv2.BORDER_REPLICATE)
    assert area.read(knocked, rules).is_as_left


@pytest.mark.slow
def test_a_token_that_came_is_named_by_its_print(copies):
    copy = copies("dragonix")
    spot = next(spot for spot in copy.plan.spots if spot.place == "event/1")
    prison = DrawnPiece("token", "prison", spot.x_mm, spot.y_mm, 40.0)
    pose = random_pose(copy.plan, 5)
    tabletop = Tabletop(copy.plan, pose, LIGHTS["good"], 5)
    area = area_of(copy, "event/1", pose)
    area.believe(tabletop.picture(copy.ground, ()))

    rounds = learn_whole_rounds(copy.folder)["token"]
    (token,) = area.new_rounds(
        tabletop.picture(copy.ground, (prison,)), rounds, ("prison", "plague")
    )

    assert (token.faces[0][0], token.sure) == ("prison", True)
    # Another one where it lay is whole in its own picture alone.
    area.believe(tabletop.picture(copy.ground, (prison,)))
    plague = DrawnPiece("token", "plague", spot.x_mm, spot.y_mm, 10.0)
    seen = area.new_rounds(
        tabletop.picture(copy.ground, (plague,)), rounds, ("flight", "plague")
    )
    assert [one.faces[0][0] for one in seen if one.sure] == ["plague"]
    area.believe(tabletop.picture(copy.ground, ()))
    assert area.new_rounds(tabletop.picture(copy.ground, ()), rounds, ()) == []


@pytest.mark.slow
def test_cards_are_known_again_after_the_camera_was_knocked(tmp_path, copies):
    copy = copies("dragonix")
    spots = {
        place: next(
            s for s in copy.plan.spots if s.place == place and "card" in s.holds
        )
        for place in ("army/1", "army/2", "army/3", "tower")
    }
    cards = tuple(
        DrawnPiece("card", face, spots[place].x_mm, spots[place].y_mm, 2.0)
        for place, face in zip(
            spots, ("sun1", "forest2", "rock3", "krak4"), strict=True
        )
    )
    with running(tmp_path) as table:
        evening = Evening(table, copy, 4, "good")
        evening.reader.read(evening.tabletop.picture(copy.ground, ()))
        lying = evening.reader.read(evening.tabletop.picture(copy.ground, cards))
        slid = evening.tabletop.picture(copy.ground, cards, None, (18.0, -12.0), 1.5)
        knocked = evening.reader.read(slid)

    faces = {(one.face, one.place) for one in lying.found if one.piece == "card"}
    assert {("sun1", "army/1"), ("forest2", "army/2"), ("rock3", "army/3")} <= faces
    again = {(one.face, one.place) for one in knocked.found if one.piece == "card"}
    assert again == faces
    assert knocked.doubts == lying.doubts == ()


@pytest.mark.long
@pytest.mark.parametrize("light", ["good", "warm", "cool", "side", "mixed"])
@pytest.mark.parametrize("game", ["dragonix", "dragon_run"])
def test_cards_are_seen_in_any_light(tmp_path, copies, game, light, record_property):
    seen = all_of_them = wrong = 0
    for seed in (11, 12):
        with running(tmp_path / str(seed)) as table:
            evening = Evening(table, copies(game), seed, light)
            wrong += evening.play(60).wrong_accepted
            mine, every = evening.seen()
            seen, all_of_them = seen + mine, all_of_them + every

    figures = f"{seen} of {all_of_them} acts of cards seen, {wrong} wrong"
    record_property("figures", figures)
    assert wrong == 0
    assert seen >= 0.8 * all_of_them
