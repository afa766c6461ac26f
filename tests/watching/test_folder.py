"""Photographs of a table, put into a folder one by one, are watched as it is."""

import cv2
import numpy as np
import pytest

from companion.table import Glimpse, Reading, Shown
from companion.watching.live_tray_watcher import LiveTrayWatcher
from tests.running.table_setup import SETUP, running
from tests.vision.camera.faulty import Clock
from tests.watching.dice.film import Told, _NoCamera, ground
from vision.camera.folder import LiveFolder
from vision.camera.port import Frame
from vision.camera.stillness import StillnessLimits

BOX = (300, 150, 324, 174)


def read(frame):
    """Return the four that lies where the picture is white."""
    left, top, right, bottom = BOX
    if frame.picture[top:bottom, left:right].min() < 200:
        return Reading(())
    return Reading((Glimpse(Shown("d6", "4", "tray"), 0.99, BOX),))


class Photographs:
    """A folder that grows while a table is watched through it."""

    def __init__(self, folder, table):
        self.folder, self.clock, self.number = folder, Clock(), 0
        self.camera = LiveFolder(folder, 1, self.clock, self.clock.pass_by)
        self.eye = LiveTrayWatcher(
            Told(table), "folder", read, _NoCamera(), StillnessLimits()
        )
        self.device = None

    def put(self, *, die: bool):
        """Take one more photograph, and let two seconds pass."""
        picture = np.array(ground("printed"))
        if die:
            picture[BOX[1] : BOX[3], BOX[0] : BOX[2]] = 240
        self.number += 1
        assert cv2.imwrite(str(self.folder / f"{self.number}.png"), picture)
        self.device = self.device or self.camera.open()
        for _ in range(30):
            shot = self.device.shoot()
            self.eye.see(Frame(shot.picture, shot.stamp_s, None, "folder"))


@pytest.fixture
def table(tmp_path):
    with running(tmp_path) as table:
        table.open_game(SETUP)
        yield table


def test_a_die_that_the_next_photograph_shows_was_thrown(table, tmp_path):
    photographs = Photographs(tmp_path, table)

    photographs.put(die=False)
    assert table.snapshot.story.steps == ()
    photographs.put(die=True)

    (step,) = table.snapshot.story.steps
    assert table.snapshot.story.game.notate(step.before, step.made.move) == "throw 4"
    assert step.made.source == "camera"


def test_a_photograph_that_stays_for_long_is_one_throw(table, tmp_path):
    photographs = Photographs(tmp_path, table)
    photographs.put(die=False)
    photographs.put(die=True)

    for _ in range(225):
        shot = photographs.device.shoot()
        photographs.eye.see(Frame(shot.picture, shot.stamp_s, None, "folder"))

    assert len(table.snapshot.story.steps) == 1
    assert table.snapshot.camera.trouble is None
