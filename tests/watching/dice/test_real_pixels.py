"""The same, with dice that our eye reads: drawn ones, on a mat, and of photographs."""

from functools import cache, lru_cache

import cv2
import numpy as np
import pytest

from companion.story.log import Asked
from companion.table import Claim, Glimpse, Reading, Shown
from companion.watching.at_rest import legal_throws
from companion.watching.live_tray_watcher import LiveTrayWatcher
from tests.evening.photographs import PHOTOS, need_photographs
from tests.running.table_setup import SETUP, running
from tests.vision.mat.conftest import LENS, sheet_of
from tests.watching.dice.film import Told, _NoCamera
from vision.camera.files import open_picture
from vision.camera.port import Frame
from vision.camera.stillness import StillnessLimits
from vision.drawn.body import DieLook, DrawnDie, Lamp, View, rotation_for
from vision.drawn.dice import develop, paint_dice, smooth_noise
from vision.mat.mat import MAT_A4
from vision.mat.pose import Rig, project
from vision.mat.reading import MatReader
from vision.measure.mat_pictures import Film as Sensor
from vision.measure.mat_pictures import MatLight, photograph, pose_looking_at
from vision.reader import Awaited, Reader

pytestmark = pytest.mark.long

IS_IT = "core.ask.was_it_thrown"
PER_S = 15
KNOCKS = [(0.01, 0), (0.02, 0), (0, 3), (-0.02, 3)]

READER = Reader()


def see_dice(frame):
    return READER.read_frame(frame, Awaited())


class Watched:
    """A live eye that is shown whole pictures, one stillness after another."""

    def __init__(self, table, read=see_dice):
        self.table, self.read, self.number = table, read, 0
        chance = np.random.default_rng(4)
        self.noise = chance.normal(0, 1.5, (64, 64, 3)).round().astype(np.int16)
        self.begin()

    def begin(self):
        self.eye = LiveTrayWatcher(
            Told(self.table), "webcam", self.read, _NoCamera(), StillnessLimits()
        )

    def show(self, picture, times=7):
        high, wide = picture.shape[:2]
        for _ in range(times):
            self.number += 1
            noise = np.roll(self.noise, self.number * 7, (0, 1))
            tiled = np.tile(noise, (high // 64 + 1, wide // 64 + 1, 1))[:high, :wide]
            noisy = cv2.add(picture, tiled, dtype=cv2.CV_8U)
            self.eye.see(Frame(noisy, self.number / PER_S, None, "picture"))

    def reach(self, picture, then):
        """A hand goes over all of *picture*, and leaves *then* behind."""
        high, wide = picture.shape[:2]
        for seen, y in ((picture, 0.6), (picture, 0.1), (then, 0.3), (then, 0.7)):
            hand = seen.copy()
            top = round(y * high)
            hand[top:, wide // 8 : -wide // 8] = (120, 150, 205)
            self.show(hand, times=1)
        self.show(then)

    def tell_moves(self):
        """Tell by phone what was moved, until the next throw is awaited."""
        while not legal_throws(story := self.table.snapshot.story):
            move = next(m for m in story.game.legal(story.state)
                        if story.game.evidence(story.state, m))  # fmt: skip
            note = story.game.notate(story.state, move)
            self.table.act(Claim(note, None, story.seq, f"{note}/{story.seq}"))

    def by_camera(self):
        story = self.table.snapshot.story
        made = [step.made for step in story.steps if step.made.source == "camera"]
        return [story.game.notate(story.state, one.move) for one in made]

    def asked(self):
        bodies = [entry.body for entry in self.table.snapshot.story.entries]
        return [body.why.line for body in bodies if isinstance(body, Asked)]


@pytest.fixture
def table(tmp_path):
    with running(tmp_path) as table:
        table.open_game(SETUP)
        yield table


def knocked(picture, share, degrees):
    high, wide = picture.shape[:2]
    way = cv2.getRotationMatrix2D((wide / 2, high / 2), degrees, 1.0)
    way[0, 2] += share * wide
    return cv2.warpAffine(picture, way, (wide, high), borderMode=cv2.BORDER_REPLICATE)


# Drawn dice, 16 mm on felt: a side is 58 pixels of 1280.

VIEW = View(size=(720, 1280), focal_px=720 * 1.6, distance=20.0, tilt_deg=8.0)
LAMP = Lamp(to_lamp=(0.35, 0.3, 0.88), colour=(1.0, 1.05, 1.08), ambient=0.5)
WHITE = DieLook(colour=(0.9, 0.95, 0.97), pips=(0.08, 0.07, 0.07), ball=0.72, gloss=0.2)


@cache
def felt():
    chance = np.random.default_rng(6)
    nap = (
        smooth_noise(VIEW.size, 1.0, chance) * 0.1
        + smooth_noise(VIEW.size, 7.0, chance) * 0.05
    )
    return np.float32((0.2, 0.27, 0.12)) * (1 + nap[:, :, None])


@lru_cache(maxsize=32)
def drawn(*dice):
    """Return a picture of dice: (face, x, y, turn), in sides from the middle."""
    lying = [
        DrawnDie((x, y, 0.5), rotation_for(face, turn), WHITE)
        for face, x, y, turn in dice
    ]
    return develop(paint_dice(felt(), lying, LAMP, VIEW), np.random.default_rng(2), 1.0)


THREE = (3, 1.0, 0.5, 20.0)


@pytest.fixture
def after_a_throw(table):
    """Ana threw a three on drawn felt, and moved: Bo's throw is awaited."""
    there = Watched(table)
    there.show(drawn())
    there.reach(drawn(), drawn(THREE))
    assert (there.by_camera(), there.asked()) == (["throw 3"], [])
    there.tell_moves()
    return there


class TestDrawnDice:
    @pytest.mark.parametrize(
        "other", [(3, 1.15, 0.5, 20.0), (3, 1.0, 0.5, 50.0), (3, 1.1, 0.4, 50.0)]
    )
    def test_one_that_a_sleeve_moves(self, after_a_throw, other):
        after_a_throw.show(drawn(other))
        after_a_throw.reach(drawn(other), drawn(other))

        assert after_a_throw.by_camera() == ["throw 3"]
        assert after_a_throw.asked() == []

    def test_one_that_is_put_back_half_a_die_away(self, after_a_throw):
        after_a_throw.reach(drawn(THREE), drawn((3, 1.5, 0.5, 70.0)))

        assert after_a_throw.by_camera() == ["throw 3"]
        assert after_a_throw.asked() == [IS_IT]

    @pytest.mark.parametrize(("share", "degrees"), KNOCKS)
    def test_under_a_knocked_camera(self, after_a_throw, share, degrees):
        there = after_a_throw
        there.show(knocked(drawn(THREE), share, degrees))
        there.show(drawn(THREE))
        there.show(knocked(drawn(THREE), share, degrees))

        assert (there.by_camera(), there.asked()) == (["throw 3"], [])
        there.reach(
            knocked(drawn(THREE), share, degrees),
            knocked(drawn((6, -3.0, -1.0, 70.0)), share, degrees),
        )
        assert (there.by_camera(), there.asked()) == (["throw 3", "throw 6"], [])

    def test_after_a_restart(self, after_a_throw):
        after_a_throw.begin()
        after_a_throw.show(drawn(THREE))
        after_a_throw.reach(drawn(THREE), drawn(THREE))

        assert (after_a_throw.by_camera(), after_a_throw.asked()) == (["throw 3"], [])

    def test_one_that_is_thrown_while_another_lies(self, table):
        there, other = Watched(table), (4, -3.0, 1.0, 10.0)
        there.show(drawn(other))
        there.reach(drawn(other), drawn(other, THREE))
        there.tell_moves()
        there.reach(drawn(other, THREE), drawn(other, (6, 2.5, -1.0, 40.0)))

        assert (there.by_camera(), there.asked()) == (["throw 3", "throw 6"], [])


# On a mat with markers. The die is a white square there, and is known to show three.


def camera(shift_mm=0.0, roll=0.0):
    """Return a rig 45 cm above the mat; a shift of 9 mm is 2 % of the picture."""
    middle = (MAT_A4.size_mm[0] / 2 + shift_mm, MAT_A4.size_mm[1] / 2)
    stands = pose_looking_at(middle, 450.0, tilt=12.0, roll=roll)
    return Rig(LENS, stands, MAT_A4, (), 0.0)


@lru_cache(maxsize=8)
def mat(rig_at, x_mm, y_mm):
    rig = camera(*rig_at)
    picture = photograph(sheet_of(MAT_A4), rig, MatLight(), Sensor(), seed=1).copy()
    if x_mm is not None:
        corners = np.array([(x_mm + a, y_mm + b) for a, b in
                            ((-8, -8), (8, -8), (8, 8), (-8, 8))])  # fmt: skip
        ends = np.rint(project(rig, corners, 8.0)).astype(np.int32)
        cv2.fillConvexPoly(picture, ends, (10, 240, 10), cv2.LINE_AA)
    return picture


def green_die(frame):
    blue, green, red = (frame.picture[..., n].astype(int) for n in range(3))
    rows, columns = np.nonzero((green > 200) & (blue < 80) & (red < 80))
    if rows.size < 50:
        return Reading(())
    box = tuple(int(v) for v in
                (columns.min(), rows.min(), columns.max(), rows.max()))  # fmt: skip
    return Reading((Glimpse(Shown("d6", "3", "tray"), 0.99, box),))


@pytest.mark.parametrize("to", [(4.5, 0.0), (9.0, 0.0), (0.0, 3.0)])
def test_on_a_mat_under_a_knocked_camera(table, to):
    there = Watched(table, MatReader(green_die))
    left, top, right, bottom = MAT_A4.field_mm
    at = ((left + right) / 2 + 30, (top + bottom) / 2)
    there.show(mat((0.0, 0.0), None, None))
    there.reach(mat((0.0, 0.0), None, None), mat((0.0, 0.0), *at))
    assert there.by_camera() == ["throw 3"]
    there.tell_moves()
    there.show(mat(to, *at), times=12)
    there.show(mat((0.0, 0.0), *at), times=12)

    assert (there.by_camera(), there.asked()) == (["throw 3"], [])


# Dice of photographs: one is cut out of each and laid elsewhere on the same table.

PHOTOGRAPHS = ("dice01", "dice23")


class Cut:
    """A photograph without its last die, and that die to be laid anywhere on it."""

    def __init__(self, name):
        path = PHOTOS / "phone_pips_surfaces" / f"{name}.jpg"
        self.whole = open_picture(path).picture
        dice = READER.read(self.whole, Awaited()).glimpses
        die = max(dice, key=lambda one: one.box_px[0])
        self.face, self.box = die.sight.face, die.box_px
        left, top, right, bottom = die.box_px
        self.side = max(right - left, bottom - top)
        self.at = (left + right) / 2, (top + bottom) / 2
        mask = np.zeros(self.whole.shape[:2], np.uint8)
        cv2.circle(mask, self._px(self.at), round(1.1 * self.side), 255, -1)
        self.bare = cv2.inpaint(self.whole, mask, 5, cv2.INPAINT_TELEA)
        self.others = [one.box_px for one in dice if one is not die]

    def laid(self, dx=0.0, dy=0.0, turn=0.0):
        """Return the picture with the die so many sides from where it lay."""
        high, wide = self.whole.shape[:2]
        way = cv2.getRotationMatrix2D(self.at, turn, 1.0)
        way[:, 2] += (dx * self.side, dy * self.side)
        moved = cv2.warpAffine(self.whole, way, (wide, high))
        share = np.zeros((high, wide), np.float32)
        to = self.at[0] + dx * self.side, self.at[1] + dy * self.side
        cv2.circle(share, self._px(to), round(0.9 * self.side), 1.0, -1)
        share = cv2.GaussianBlur(share, (0, 0), self.side / 12)[..., None]
        return np.uint8(self.bare * (1 - share) + moved * share)

    def free(self):
        """Return how far, in sides, another place is where nothing lies."""
        high, wide = self.whole.shape[:2]
        for dy in (-3, 3, -4, 4, -2, 2, 5, -5):
            for dx in (-3, 3, 0, -5, 5):
                x, y = self.at[0] + dx * self.side, self.at[1] + dy * self.side
                inside = (1.5 * self.side < x < wide - 1.5 * self.side
                          and 1.5 * self.side < y < high - 1.5 * self.side)  # fmt: skip
                clear = all(
                    np.hypot((b[0] + b[2]) / 2 - x, (b[1] + b[3]) / 2 - y)
                    > 2.2 * self.side
                    for b in self.others
                )
                if inside and clear:
                    return dx, dy
        raise AssertionError("no free place")

    def _px(self, at):
        return round(at[0]), round(at[1])


@lru_cache(maxsize=2)
def cut(name):
    need_photographs()
    return Cut(name)


@pytest.mark.photos
@pytest.mark.parametrize("name", PHOTOGRAPHS)
def test_dice_of_photographs(table, name, record_property):
    """All but one lie there all evening; that one is thrown, pushed, put back."""
    shot = cut(name)
    there = Watched(table)
    there.show(shot.bare)
    there.reach(shot.bare, shot.laid())
    means = {"5": "2"}.get(shot.face, shot.face)
    assert there.by_camera() == [f"throw {means}"]
    there.tell_moves()

    for dx, turn in ((0.15, 0), (0.15, 30), (0.0, 15)):
        there.show(shot.laid(dx, 0, turn))
    for share, degrees in KNOCKS:
        there.show(knocked(shot.laid(), share, degrees))
    there.show(shot.laid())
    assert there.by_camera() == [f"throw {means}"]
    in_vain = len(there.asked())
    record_property("figures", f"{in_vain} asked in 8 pushes and knocks, 0 accepted")
    assert in_vain == 0

    there.reach(shot.laid(), shot.laid(*shot.free(), 40))
    # The eye may not be sure of a die that was cut out and turned: then it asks.
    assert len(there.by_camera()) + len(there.asked()) == 2
