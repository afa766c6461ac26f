"""A space has changed or not, in whatever light; shadows and hands are no change."""

import cv2
import numpy as np
import pytest

from vision.board.changes import find_changes
from vision.board.flat import lay_out_spaces, rectify_board
from vision.board.memory import BoardMemory
from vision.board.obstacle import Obstacle

CORNERS = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))
SHAPE = (720, 1280, 3)
POINTS = {f"track/{n}": (0.1 + 0.1 * n, 0.5) for n in range(8)}

pytestmark = pytest.mark.slow


def at(n):
    """Return where a space is in the picture, pixels."""
    x, y = POINTS[f"track/{n}"]
    return round((0.1 + 0.8 * x) * SHAPE[1]), round((0.1 + 0.8 * y) * SHAPE[0])


def scene(*figures, light=1.0, side=0.0, seed=1):
    """Return a board with figures (space, colour), lit more from one *side*."""
    random = np.random.default_rng(seed)
    picture = np.full(SHAPE, (140, 150, 160), np.float32)
    for n in range(8):
        cv2.circle(picture, at(n), 30, (90, 120, 150), 3)
    for n, colour in figures:
        cv2.circle(picture, at(n), 17, colour, -1)
    slope = np.linspace(1 - side, 1 + side, SHAPE[1])[None, :, None]
    noisy = picture * light * slope + random.normal(0, 3, SHAPE)
    return np.clip(noisy, 0, 255).astype(np.uint8)


def flat(picture):
    return rectify_board(picture, CORNERS)


@pytest.fixture
def lay():
    return lay_out_spaces(POINTS, CORNERS, SHAPE, flat(scene()).shape)


def changed(now, before, lay):
    seen = find_changes(flat(now), flat(before), lay)
    assert seen.obstacle is None
    return {place for place, change in seen.changes.items() if change.feet}


RED, BLUE = (40, 40, 200), (190, 90, 30)


class TestChanges:
    def test_are_where_something_came_and_where_it_went(self, lay):
        before, now = scene((1, RED), (5, BLUE)), scene((3, RED), (5, BLUE), seed=2)

        assert changed(now, before, lay) == {"track/1", "track/3"}

    def test_stay_the_same_in_less_light_and_from_another_side(self, lay):
        before = scene((1, RED), (5, BLUE))
        now = scene((3, RED), (5, BLUE), light=0.6, side=0.2, seed=2)

        assert changed(now, before, lay) == {"track/1", "track/3"}

    def test_are_none_where_nothing_moved(self, lay):
        assert (
            changed(scene((1, RED), light=0.7, seed=3), scene((1, RED)), lay) == set()
        )

    def test_a_shadow_that_comes_or_goes_is_none(self, lay):
        plain, shady = scene(), scene(seed=2).astype(np.float32)
        x, y = at(4)
        shady[y - 40 : y + 40, x - 60 : x + 60] *= 0.7
        shady = shady.astype(np.uint8)

        assert changed(shady, plain, lay) == set()
        assert changed(plain, shady, lay) == set()

    def test_a_pale_man_on_a_pale_square_is_one_though_he_only_darkens_it(self, lay):
        """All channels alike; but a shadow has no lit side and dark one."""
        now = scene(seed=2).astype(np.float32)
        (x, y), (v, u) = at(4), np.mgrid[-26:27, -26:27]
        body = np.hypot(u, v) <= 26
        shade = np.where(u + v < 0, 0.86, 0.72)[..., None]
        now[y - 26 : y + 27, x - 26 : x + 27][body] *= shade[body]

        assert changed(now.astype(np.uint8), scene(), lay) == {"track/4"}
        assert changed(scene(), now.astype(np.uint8), lay) == {"track/4"}

    def test_a_white_one_on_a_dark_space_is_no_shadow_that_went(self, lay):
        """It makes the space 1.4 times as bright, and where its head shines 2.4 times.

        All channels alike; only of the head a shadow could not have taken so much.
        """
        before, now = (scene(seed=n).astype(np.float32) for n in (1, 2))
        x, y = at(4)
        rows, columns = np.mgrid[y - 40 : y + 40, x - 40 : x + 40]
        felt = np.array((0.69, 0.55, 0.5), np.float32)
        for picture in (before, now):
            picture[y - 40 : y + 40, x - 40 : x + 40] *= felt
        far = np.hypot(rows - y, columns - x)
        shine = 1.4 + np.exp(-((columns - x - 8) ** 2 + (rows - y) ** 2) / 60)
        figure = np.where(far < 20, shine, 1.0)[..., None].astype(np.float32)
        now[y - 40 : y + 40, x - 40 : x + 40] *= figure

        seen = changed(
            *(one.clip(0, 255).astype(np.uint8) for one in (now, before)), lay
        )

        assert seen == {"track/4"}

    def test_one_beside_another_is_told_from_it(self, lay):
        assert changed(scene((2, RED), seed=2), scene(), lay) == {"track/2"}

    def test_a_marker_beside_the_board_is_none_of_a_space_at_its_rim(self):
        """A space ends far beyond the rim; figures stand on the board itself."""
        at_rim = {f"track/{n}": (0.1 + 0.1 * n, 0.96) for n in range(8)}
        lay = lay_out_spaces(at_rim, CORNERS, SHAPE, flat(scene()).shape)
        beside, on_it = scene(seed=2), scene(seed=2)
        rim = round(0.9 * SHAPE[0])
        cv2.circle(beside, (at(4)[0], rim + 32), 17, RED, -1)
        cv2.circle(on_it, (at(4)[0], rim - 20), 17, RED, -1)

        assert find_changes(flat(beside), flat(scene()), lay).changes == {}
        assert changed(on_it, scene(), lay) == {"track/4"}

    def test_an_arm_over_the_rim_is_a_hand(self, lay):
        now = scene(seed=2)
        x, y = at(4)
        cv2.rectangle(now, (x - 30, 0), (x + 30, y), (120, 150, 210), -1)

        assert find_changes(flat(now), flat(scene()), lay).obstacle is Obstacle.HAND

    def test_a_thing_that_was_laid_on_the_board_is_no_hand(self, lay):
        now = scene(seed=2)
        x, y = at(4)
        cv2.rectangle(now, (x - 160, y - 130), (x + 160, y + 130), (60, 90, 60), -1)

        assert find_changes(flat(now), flat(scene()), lay).obstacle is Obstacle.THING

    def test_nor_is_a_coloured_lamp_or_the_dark(self, lay):
        """In blue light a red figure and the grey board are hard to tell apart."""
        blue = np.array((1.0, 0.35, 0.2))
        lit = (scene((1, RED), seed=2) * blue).astype(np.uint8)
        dark = (scene((1, RED), seed=2) * 0.1).astype(np.uint8)

        before = flat(scene((1, RED)))
        assert find_changes(flat(lit), before, lay).obstacle is Obstacle.COLOURED
        assert find_changes(flat(dark), before, lay).obstacle is Obstacle.DARK

    def test_a_thing_that_is_laid_beside_the_board_is_none(self, lay):
        now = scene(seed=2)
        cv2.rectangle(now, (300, 0), (460, 60), (120, 150, 210), -1)

        assert changed(now, scene(), lay) == set()


class TestAKnockedCamera:
    def board(self, *figures, seed=1):
        """Return a board with a print that covers it, and some figures."""
        chance = np.random.default_rng(7)
        cells = chance.integers(60, 200, (24, 40, 3), np.uint8)
        print_ = cv2.resize(cells, SHAPE[1::-1], interpolation=cv2.INTER_CUBIC)
        for n, colour in figures:
            cv2.circle(print_, at(n), 17, colour, -1)
        noise = np.random.default_rng(seed).normal(0, 2, SHAPE)
        return np.clip(print_ + noise, 0, 255).astype(np.uint8)

    def knocked(self, picture, share, degrees):
        way = cv2.getRotationMatrix2D((SHAPE[1] / 2, SHAPE[0] / 2), degrees, 1.0)
        way[0, 2] += share * SHAPE[1]
        return cv2.warpAffine(picture, way, SHAPE[1::-1])

    @pytest.mark.parametrize(("share", "degrees"), [(0.01, 0), (0.03, 0), (0.02, 3)])
    def test_is_followed_and_the_move_made_meanwhile_is_seen(self, share, degrees):
        known = BoardMemory(self.board((1, RED), (5, BLUE)), CORNERS, POINTS)
        now = self.knocked(self.board((3, RED), (5, BLUE), seed=2), share, degrees)

        found = known.look(now).changes

        assert found.obstacle is None
        feet = {place for place, change in found.changes.items() if change.feet}
        assert feet == {"track/1", "track/3"}

    def test_goes_on_from_where_it_stands_then(self):
        known = BoardMemory(self.board((1, RED)), CORNERS, POINTS)
        seen = known.look(self.knocked(self.board((3, RED), seed=2), 0.03, 0))
        known.keep(seen)

        again = known.look(self.knocked(self.board((4, RED), seed=3), 0.06, 0))

        assert again.corners[0][0] == pytest.approx(CORNERS[0][0] + 0.06, abs=0.002)
        feet = {place for place, one in again.changes.changes.items() if one.feet}
        assert feet == {"track/3", "track/4"}

    def test_one_that_was_put_up_anew_is_said_to_be_elsewhere(self):
        known = BoardMemory(self.board((1, RED)), CORNERS, POINTS)
        now = self.knocked(self.board((1, RED), seed=2), 0.3, 25)

        assert known.look(now).changes.obstacle is Obstacle.MOVED


class TestColours:
    def memory(self):
        known = BoardMemory(scene(), CORNERS, POINTS)
        known.keep_bare(POINTS)
        return known

    def test_a_figure_is_known_by_the_colour_it_is_called_by(self):
        known = self.memory()

        for colour, name in ((RED, "red"), (BLUE, "blue")):
            seen = flat(scene((3, colour), seed=2))
            assert (
                known.recognise_by_colour(seen, "track/3", ["blue", "red", "green"])
                == name
            )

    def test_or_by_the_colour_that_it_had_before(self):
        known = self.memory()
        known.learn_colour(flat(scene((1, RED), seed=2)), "track/1", "Fafnir")
        known.learn_colour(flat(scene((2, BLUE), seed=3)), "track/2", "Nidhogg")

        seen = flat(scene((5, BLUE), seed=4))
        assert (
            known.recognise_by_colour(seen, "track/5", ["Fafnir", "Nidhogg"])
            == "Nidhogg"
        )

    def test_two_of_about_one_colour_are_not_told_apart(self):
        known = self.memory()
        known.learn_colour(flat(scene((1, RED), seed=2)), "track/1", "Fafnir")
        known.learn_colour(
            flat(scene((2, (44, 46, 196)), seed=3)), "track/2", "Nidhogg"
        )

        seen = flat(scene((5, RED), seed=4))
        assert known.recognise_by_colour(seen, "track/5", ["Fafnir", "Nidhogg"]) is None

    def test_where_something_stood_before_no_colour_tells(self):
        known = BoardMemory(scene((3, RED)), CORNERS, POINTS)

        seen = flat(scene((3, BLUE), seed=2))
        assert known.recognise_by_colour(seen, "track/3", ["red", "blue"]) is None
