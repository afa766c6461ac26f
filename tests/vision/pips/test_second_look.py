import cv2
import numpy as np

from vision.drawn.body import DieLook, DrawnDie, Lamp, View, rotation_for
from vision.drawn.dice import develop, paint_dice
from vision.pips.reader import pip_limits, read_dice
from vision.pips.second_look import without_white

RED_ON_BLACK = DieLook(
    colour=(0.06, 0.05, 0.05),
    pips=(0.06, 0.05, 0.4),
    ball=0.75,
    pip_radius=0.08,
    gloss=0.5,
    ring=0.6,
    ring_radius=0.36,
)


def test_without_its_white_glare_and_a_black_die_are_alike_and_red_stands_out():
    black, glare, red = (30, 30, 30), (90, 90, 90), (30, 30, 110)
    picture = np.array([[black, glare, red]], np.uint8)

    pale = without_white(picture).astype(int)

    assert np.abs(pale[0, 0] - pale[0, 1]).max() == 18
    assert np.abs(pale[0, 0] - pale[0, 2]).max() == 104


class TestDarkRedPipsOnABlackDieUnderALamp:
    def picture(self):
        view = View(size=(300, 480), focal_px=720.0, distance=20.0, tilt_deg=5)
        lamp = Lamp(to_lamp=(0.3, 0.3, 0.9), ambient=0.6)
        dice = [
            DrawnDie(
                (-4.5 + 3 * k, 0.0, 0.5), rotation_for(face, 20 + 25 * k), RED_ON_BLACK
            )
            for k, face in enumerate((5, 3, 6, 2))
        ]
        table = np.full((*view.size, 3), 0.72, np.float32)
        random = np.random.default_rng(0)
        return develop(
            paint_dice(table, dice, lamp, view), random, noise=2, blur_px=0.8
        )

    def test_are_read_at_the_second_look(self):
        dice = read_dice(self.picture(), pip_limits())

        from_left = sorted(dice, key=lambda die: die.box)
        assert [die.faces[0][0] for die in from_left if die.sure] == [5, 3, 6, 2]

    def test_are_asked_about_where_there_is_no_colour(self):
        grey = cv2.cvtColor(self.picture(), cv2.COLOR_BGR2GRAY)

        dice = read_dice(np.repeat(grey[:, :, None], 3, 2), pip_limits())

        assert not any(die.sure for die in dice)
