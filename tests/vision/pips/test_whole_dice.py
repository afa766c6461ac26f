"""A die is looked at whole, where its pips leave a doubt."""

import numpy as np
import pytest

from vision.drawn.body import DieLook, DrawnDie, Lamp, View, rotation_for
from vision.drawn.dice import develop, draw_roll, paint_dice
from vision.pips.convolution import convolve
from vision.pips.dicenet import CELL_PX, DIE_PX, dice_chances
from vision.pips.reader import pip_limits, read_dice

SIDE = 65
MIDDLE = SIDE // 2 // CELL_PX
WHITE = DieLook(colour=(0.9, 0.9, 0.9), pips=(0.1, 0.1, 0.1), second=(0.9, 0.9, 0.9))
LAMP = Lamp(to_lamp=(0.3, 0.2, 0.93), colour=(1.0, 1.0, 1.0), ambient=0.5)


def a_die(face, yaw_deg):
    """Return a picture of a die, with its top in the middle, as wide as is taught."""
    # The top of a die of side 1 lies 1 above the table: 15 sides below the lens.
    view = View(size=(SIDE, SIDE), focal_px=DIE_PX * 15, distance=16.0, tilt_deg=0.0)
    die = DrawnDie(place=(0, 0, 0.5), turn=rotation_for(face, yaw_deg), look=WHITE)
    ground = np.full((SIDE, SIDE, 3), 0.25, np.float32)
    canvas = paint_dice(ground, [die], LAMP, view)
    return develop(canvas, np.random.default_rng(face), noise=1.6)


@pytest.mark.parametrize("face", range(1, 7))
def test_every_face_is_named_in_any_turn(face):
    dice = [a_die(face, yaw_deg) for yaw_deg in range(0, 90, 15)]

    chances = dice_chances(np.stack(dice))[:, MIDDLE, MIDDLE]

    assert chances.argmax(1).tolist() == [face] * 6
    assert np.allclose(chances.sum(1), 1, atol=1e-5)


def test_bare_ground_is_no_die():
    ground = np.full((1, SIDE, SIDE, 3), 90, np.uint8)

    assert dice_chances(ground)[..., 0].min() > 0.9


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3, 6])
def test_an_ace_alone_is_taken_though_one_pip_proves_little(seed):
    """Nothing lies beside it; by its frames alone its chance is 0.88 to 0.93."""
    picture = draw_roll(("1",), seed, (480, 854))

    (die,) = read_dice(picture, pip_limits())

    assert (die.faces[0][0], die.sure) == (1, True)
    assert die.faces[0][1] < pip_limits().accept


@pytest.mark.parametrize(("stride", "apart"), [(1, 1), (2, 1), (1, 2)])
def test_a_convolution_is_the_sum_over_its_kernel(stride, apart):
    random = np.random.default_rng(4)
    planes = random.normal(size=(2, 9, 7, 3)).astype(np.float32)
    weight = random.normal(size=(3, 3, 3, 5)).astype(np.float32)
    bias = random.normal(size=5).astype(np.float32)

    found = convolve(planes, weight.reshape(-1, 5), bias, stride, apart)

    wide = np.pad(planes, ((0, 0), (apart, apart), (apart, apart), (0, 0)))
    for y, x in ((0, 0), (1, 2), (3, 1)):
        top, left = y * stride, x * stride
        seen = wide[:, top : top + 2 * apart + 1 : apart]
        seen = seen[:, :, left : left + 2 * apart + 1 : apart]
        expected = np.einsum("nyxc,yxco->no", seen, weight) + bias
        assert np.allclose(found[:, y, x], expected, atol=1e-4)
    assert found.shape[1:3] == (-(-9 // stride), -(-7 // stride))
