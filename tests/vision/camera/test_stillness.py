import cv2
import numpy as np
import pytest

from vision.camera.stillness import (
    Stillness,
    StillnessLimits,
    shrink_to_grey,
    start_watch,
    watch_picture,
)

FPS = 30


def _table(seed=0):
    """A felt table with grain, 180x320."""
    rng = np.random.default_rng(seed)
    cloth = cv2.GaussianBlur(
        rng.normal(0, 30, (180, 320)).astype(np.float32), (0, 0), 1
    )
    return np.clip(120 + cloth, 0, 255)


def _with_die(table, x, y, face=1):
    shown = table.copy()
    cv2.rectangle(shown, (x, y), (x + 14, y + 14), 225, -1)
    for spot in [(7, 7)] if face == 1 else [(4, 4), (10, 10)]:
        cv2.circle(shown, (x + spot[0], y + spot[1]), 2, 30, -1)
    return shown


def _film(pictures, noise=1.5, seed=1):
    rng = np.random.default_rng(seed)
    for picture in pictures:
        grainy = picture + rng.normal(0, noise, picture.shape)
        yield np.clip(grainy, 0, 255).astype(np.uint8)


def _play(pictures, before=None, start_s=0.0):
    """Feed pictures at 30 a second; return the machine and when it settled."""
    machine, settled = before or start_watch(), []
    limits = StillnessLimits()
    for index, picture in enumerate(_film(pictures)):
        machine = watch_picture(machine, picture, start_s + index / FPS, limits)
        if machine.state is Stillness.SETTLED:
            settled.append(index)
    return machine, settled


class TestAStillTable:
    def test_is_read_once_however_long_it_lies_still(self):
        _, settled = _play([_table()] * 90)

        assert len(settled) == 1

    def test_is_read_133_ms_after_the_first_quiet_picture(self):
        _, settled = _play([_table()] * 10)

        # Picture 0 has nothing to be compared with, 1 is quiet, 1 + 4 is 133 ms later.
        assert settled == [5]

    @pytest.mark.parametrize("hertz", [7.0, 10.0, 14.5])
    def test_is_not_moved_by_a_flickering_lamp(self, hertz):
        table = _table()
        lit = [table * (1 + 0.12 * np.sin(6.283 * hertz * i / FPS)) for i in range(90)]

        _, settled = _play(lit)

        assert len(settled) == 1

    def test_is_not_moved_by_the_soft_shadow_of_somebody_who_walks_by(self):
        table = _table()
        x = np.arange(320)[None, :]
        walk = [
            table * (1 - 0.35 / (1 + np.exp((x - 60 - 3 * i) / 25.0)))
            for i in range(60)
        ]

        _, settled = _play([*[table] * 10, *walk])

        assert settled == [5]


class TestAThrow:
    def test_is_read_once_after_the_die_has_stopped(self):
        table = _table()
        roll = [_with_die(table, 20 + 8 * i, 60 + 2 * i) for i in range(20)]
        rest = [_with_die(table, 180, 100, face=2)] * 30

        _, settled = _play([*[table] * 10, *roll, *rest])

        assert len(settled) == 2
        assert 30 <= settled[1] <= 37

    def test_is_not_read_while_a_hand_moves_over_it(self):
        table = _with_die(_table(), 180, 100)
        hand = []
        for i in range(25):
            shown = table.copy()
            cv2.ellipse(shown, (40 + 5 * i, 90), (60, 30), 15, 0, 360, 185, -1)
            hand.append(shown)

        _, settled = _play([*[table] * 10, *hand])

        assert settled == [5]

    def test_is_not_read_again_when_a_hand_has_come_and_gone(self):
        table = _with_die(_table(), 180, 100)
        hand = []
        for i in range(12):
            shown = table.copy()
            cv2.ellipse(shown, (20 + 9 * i, 60), (60, 25), 15, 0, 360, 185, -1)
            hand.append(shown)

        _, settled = _play([*[table] * 10, *hand, *[table] * 30])

        assert settled == [5]

    def test_is_read_again_when_the_die_was_turned_behind_the_hand(self):
        before, after = _with_die(_table(), 180, 100), _with_die(_table(), 150, 90, 2)
        hand = []
        for i in range(12):
            shown = before.copy()
            cv2.ellipse(shown, (20 + 9 * i, 60), (60, 25), 15, 0, 360, 185, -1)
            hand.append(shown)

        _, settled = _play([*[before] * 10, *hand, *[after] * 30])

        assert len(settled) == 2


def test_a_large_colour_picture_is_watched_small_and_grey():
    watched = shrink_to_grey(np.full((720, 1280, 3), 90, np.uint8))

    assert watched.shape == (180, 320)
    assert watched.dtype == np.uint8
