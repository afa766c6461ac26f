"""How an area looked in which cards lie, and where it looks otherwise now."""

import cv2
import numpy as np
import pytest

from tests.vision.cards.test_laid import AREA, SIZE, seen
from vision.cards.area_look import area_grid, cells_under, look_at_area
from vision.cards.laid import LaidCard
from vision.cards.quads import Quad
from vision.ground.knock import move_points

GRID = area_grid(AREA, SIZE[0])


def test_an_area_changes_where_a_card_came_in_any_light(drawing, disc, square):
    base = (disc, 200, 300, 5)
    picture = drawing.table(base)
    grid = area_grid(AREA, SIZE[0])
    assert (grid.rows, grid.columns) == (4, 5)  # 580 and 820 px by 160
    before = look_at_area(picture, grid)

    still = drawing.lit(drawing.table(base, seed=1))
    assert not before.changed(still).any()

    now, cards = seen(drawing, base, (square, 600, 400, 0), seed=1)
    changed = before.changed(now)
    came = max(cards, key=lambda card: card.middle[0])
    under = cells_under(came, grid)
    assert changed[under].mean() > 0.5
    # Beside it the hue of what lies around may seem changed.
    assert changed[~under].sum() <= 1


def turned(picture, knock):
    """Return a picture as a camera that was knocked sees it."""
    high, wide = picture.shape[:2]
    return cv2.warpPerspective(
        picture, knock, (wide, high), None, cv2.INTER_AREA, cv2.BORDER_REPLICATE
    )


def quad_at(corners):
    return LaidCard(Quad(tuple(map(tuple, corners.tolist())), 1.0), None)


class TestThePlaceOfOneCard:
    def tell(self, drawing, *now, light=1.0):
        """Tell of a card at (330, 300) whether its place is as before."""
        disc, square = (
            drawing.card("disc", "red", 1),
            drawing.card("square", "green", 2),
        )
        before, cards = seen(drawing, (disc, 330, 300, 0), (square, 510, 300, 0))
        look = look_at_area(before, GRID)
        left = min(cards, key=lambda card: card.middle[0])
        things = {"disc": disc, "square": square}
        after = drawing.table(*((things[name], *at) for name, *at in now), seed=3)
        after = (after * light).astype(np.uint8)
        return look.is_as_before(after, look.changed(after), left)

    def test_is_as_before_though_the_card_beside_it_is_gone(self, drawing):
        assert self.tell(drawing, ("disc", 330, 300, 0)) is True
        assert self.tell(drawing, ("disc", 330, 300, 0), light=0.8) is True

    def test_is_another_where_a_card_went_came_or_slid(self, drawing):
        right = ("square", 510, 300, 0)
        assert self.tell(drawing, right) is False
        assert self.tell(drawing, ("square", 330, 300, 0), right) is False
        # By 20 px, 0.125 of its side.
        assert self.tell(drawing, ("disc", 330, 320, 0), right) is False

    def test_is_known_though_it_lies_over_the_rim_of_the_area(
        self, drawing, disc, square
    ):
        # 80 px wide to each side, and the area begins at 40: 30 px of it lie beyond.
        before, (card,) = seen(drawing, (disc, 90, 300, 0))
        look = look_at_area(before, GRID)

        assert look.is_as_before(before, look.changed(before), card) is True
        slid = drawing.table((disc, 90, 320, 0), seed=3)
        assert look.is_as_before(slid, look.changed(slid), card) is False

    def test_is_as_before_though_a_knock_has_turned_the_picture(
        self, drawing, disc, square
    ):
        knock = cv2.getRotationMatrix2D((500, 400), 2.0, 1.0)
        knock[:, 2] += 14, -9
        knock = np.vstack([knock, (0, 0, 1)])
        beside = (square, 700, 300, 0)
        before, cards = seen(drawing, (disc, 330, 300, 0), beside)
        (card,) = (one for one in cards if one.middle[0] < 500)
        look = look_at_area(before, GRID).moved(np.asarray(knock, np.float32))
        moved = quad_at(move_points(card.quad.array(), knock))

        def after(*now):
            return turned(drawing.table(*now, seed=3), knock)

        still, slid = after((disc, 330, 300, 0)), after((disc, 330, 320, 0), beside)

        assert look.is_as_before(still, look.changed(still), moved) is True
        assert look.is_as_before(slid, look.changed(slid), moved) is False

    def test_is_not_known_where_a_knock_has_brought_what_was_not_seen(
        self, drawing, disc
    ):
        """It was 80 px beyond the area: half a cell, so much is kept."""
        picture, (card,) = seen(drawing, (disc, 130, 300, 0))
        far = np.array([(1, 0, 120), (0, 1, 0), (0, 0, 1)], np.float32)
        look = look_at_area(picture, GRID).moved(far)

        assert look.is_as_before(picture, look.changed(picture), card) is None


def painted_card(seed):
    """Return a card ``(240, 160, 3)`` with a painting within a white rim."""
    random = np.random.default_rng(seed)
    drawn = np.full((240, 160, 3), 235, np.uint8)
    coarse = random.uniform(40, 200, (18, 12, 3)).astype(np.uint8)
    drawn[12:-12, 12:-12] = cv2.resize(coarse, (136, 216), None, 0, 0, cv2.INTER_CUBIC)
    return drawn


def corners_at(x, y, degrees=0.0):
    """Return the corners of a card as `drawing.table` lays it."""
    ends = np.array([(-80, -120), (80, -120), (80, 120), (-80, 120)], np.float32)
    turn = np.radians(degrees)
    way = np.array([(np.cos(turn), -np.sin(turn)), (np.sin(turn), np.cos(turn))])
    return (ends @ way.T + (x, y)).astype(np.float32)


class TestALikeCardOnAPile:
    """A card at (300, 300) lies on one of another print at (280, 290)."""

    CARD, OTHER = painted_card(1), painted_card(2)

    def find(self, drawing, *now, light=1.0, framed=(300, 300), is_only=True):
        """Return the middle of a like card on that one, None where nobody can tell."""
        pile = (self.OTHER, 280, 290, 0)
        look = look_at_area(drawing.table(pile, (self.CARD, 300, 300, 0)), GRID)
        after = drawing.table(pile, *((self.CARD, *at) for at in now), seed=3)
        after = (after * light).astype(np.uint8)
        card = quad_at(corners_at(*framed))
        changed = look.changed(after)
        corners = look.like_on(after, changed, card, is_only=is_only)
        return None if corners is None else corners.mean(0)

    def test_was_laid_there_where_both_are_seen(self, drawing):
        both = ((300, 300, 0), (340, 312, 0))

        assert self.find(drawing, *both) == pytest.approx((340, 312), abs=1)
        assert self.find(drawing, *both, light=0.8) == pytest.approx((340, 312), abs=1)

    @pytest.mark.parametrize("degrees", [180, 184, 5])
    def test_was_laid_there_crookedly_or_upside_down(self, drawing, degrees):
        both = ((300, 300, 0), (340, 312, degrees))

        assert self.find(drawing, *both) == pytest.approx((340, 312), abs=2)

    def test_was_laid_there_upside_down_though_it_hides_the_one_below(self, drawing):
        both = ((300, 300, 0), (304, 302, 180))

        assert self.find(drawing, *both) == pytest.approx((304, 302), abs=1)
        # Of two like it one was taken away, or a third was laid there.
        assert self.find(drawing, *both, is_only=False) is None

    def test_is_the_top_itself_where_that_was_pushed(self, drawing):
        assert self.find(drawing, (340, 312, 0)) is None

    def test_is_the_top_itself_where_that_lies_still(self, drawing):
        assert self.find(drawing, (300, 300, 0)) is None
        assert self.find(drawing, (300, 300, 0), framed=(310, 290)) is None

    def test_may_be_either_where_too_little_of_the_one_below_is_seen(self, drawing):
        assert self.find(drawing, (300, 300, 0), (306, 304, 0)) is None
