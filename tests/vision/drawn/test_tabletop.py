"""The drawn table looks as its plan says, each time alike, in every light."""

import numpy as np
import pytest

from companion.demo.tables.drachenhort import table
from companion.games.drachenhort import STAND_IN
from vision.drawn.lessons import draw_lessons, random_pose
from vision.drawn.light import LIGHTS
from vision.drawn.tabletop import DrawnPiece, Hand, Tabletop

PLAN = table(STAND_IN)
POSE = random_pose(PLAN, 3)
FIGURES = (
    DrawnPiece("green", None, 120, 60),
    DrawnPiece("jewel", None, 200, 90),
    DrawnPiece("gold/5", None, 596, 200, 40),
    DrawnPiece("die", "5", 550, 75, 30),
)

pytestmark = pytest.mark.slow  # draws and measures pictures


def top(lying: DrawnPiece, tall_mm: float) -> tuple[int, int]:
    """Return the row and column where the middle of a piece's top is seen."""
    x, y = POSE.project(np.array([(lying.x_mm, lying.y_mm, tall_mm)], np.float32))[0]
    return round(float(y)), round(float(x))


def tabletop(light: str = "good", seed: int = 1) -> Tabletop:
    return Tabletop(PLAN, POSE, LIGHTS[light], seed)


def test_the_same_seed_draws_the_same_pictures_in_turn():
    one, other = tabletop(), tabletop()

    for _ in range(2):
        first = one.picture("front", FIGURES)
        assert np.array_equal(first, other.picture("front", FIGURES))


def test_two_pictures_of_one_stillness_differ_by_noise_alone():
    shown = tabletop()
    first = shown.picture("front", FIGURES).astype(int)

    gap = np.abs(shown.picture("front", FIGURES).astype(int) - first)

    # Noise of 1.6 in both comes to 1.6 x 1.4 = 2.3 grey values, flicker to one more.
    assert 0.3 < gap.mean() < 3.3


def test_a_figure_shows_the_colours_of_its_look_where_its_top_is():
    """Green's middle is (110, 200, 90) in B, G, R; light leaves 0.88 of it."""
    picture = tabletop().picture("front", FIGURES)
    row, column = top(FIGURES[0], 24)

    seen = np.median(picture[row - 1 : row + 2, column - 1 : column + 2], (0, 1))

    assert seen == pytest.approx([97, 178, 80], abs=12)


@pytest.mark.parametrize("light", LIGHTS)
def test_every_light_leaves_white_paper_brighter_than_anything(light):
    picture = tabletop(light).picture("front", ())
    paper = [
        picture[row, column]
        for row, column in (
            top(DrawnPiece("", None, *white), 0) for white in PLAN.whites
        )
    ]

    assert min(int(colour.min()) for colour in paper) > 60


def test_a_hand_covers_what_lies_under_it_and_darkens_what_lies_beside():
    bare = tabletop().picture("front", ()).astype(int)
    handed = tabletop().picture("front", (), Hand(300, 150)).astype(int)

    # A palm and an arm of 52 mm down to the near edge: about 52 x 150 mm of 640 x 360.
    changed = (np.abs(handed - bare).max(2) > 25).mean()
    assert 0.03 < changed < 0.15


def test_a_piece_that_the_plan_does_not_know_cannot_be_drawn():
    with pytest.raises(KeyError, match="unicorn"):
        tabletop().picture("front", (DrawnPiece("unicorn", None, 10, 10),))


@pytest.mark.slow
def test_lessons_show_every_piece_three_times_from_other_places():
    lessons = draw_lessons(PLAN, 9)

    shown = [piece for lesson in lessons for piece, _, _ in lesson.lying]
    # Seven adventurers, the dragon, the jewel and 14 medals; dice are taught to nobody.
    assert len(set(shown)) == 7 + 1 + 1 + 14
    assert all(shown.count(piece) == 3 for piece in set(shown))
    assert len({lesson.pose.eye_mm for lesson in lessons}) == len(lessons)
