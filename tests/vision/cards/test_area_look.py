"""How an area looked in which cards lie, and where it looks otherwise now."""

import cv2
import numpy as np

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
