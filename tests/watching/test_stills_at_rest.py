"""What was taught in a camera's stills is read in its stills, all else in its video.

A camera gives each table in two sizes: the pictures of the video, and stills of twice
as many pixels each way.
"""

import cv2
import numpy as np
import pytest

from companion.cli import watchers
from companion.kits.spaces import Spaces
from companion.table import Reading, SurePiece, UnsurePiece, UnsureSight
from companion.watching.still_reader import StillTableReader
from companion.watching.watcher import Hooks
from tests.running.table_setup import SETUP, running
from tests.watching.dice.film import WIDE, Film, Told
from vision.camera.port import Frame
from vision.camera.stills import Stills, resized
from vision.tabletop.seen import TableReading


class OwnDice:
    """Dice that are read for sure in a still, and asked about in a smaller picture."""

    def __init__(self, long_px):
        self.long_px, self.film, self.sizes = long_px, None, []

    def dice_px(self, kit):
        return self.long_px

    def spaces(self, kit):
        return Spaces()

    def read(self, kit, picture, below=None):
        self.sizes.append(picture.shape[1])
        factor = picture.shape[1] // WIDE
        found = self.film._seen().glimpses
        boxes = [tuple(factor * edge for edge in one.box_px) for one in found]
        if factor > 1 and sharp(picture):
            glimpses = zip(found, boxes, strict=True)
            return Reading(tuple(type(g)(g.sight, 0.99, box) for g, box in glimpses))
        return Reading((), tuple(
            UnsureSight("d6", "tray", ((one.sight.face, 0.5), ("6", 0.4)), box)
            for one, box in zip(found, boxes, strict=True)
        ))  # fmt: skip


def sharp(picture) -> bool:
    """Tell whether it has the mark that only a still has."""
    return bool((picture[:4, :4] == (255, 0, 255)).all())


class StillFilm(Film):
    """A film whose camera takes stills too; *fails* ends them."""

    def __init__(self, table, long_px=2 * WIDE):
        self.own, self.hooks, self.fails = OwnDice(long_px), Hooks(stills=Stills()), 0
        self.own.film, self.taken, self.kept = self, 0, []
        self.hooks.stills.serve(self.still)
        self.hooks = Hooks(
            stills=self.hooks.stills,
            keep=lambda jpeg: (self.kept.append(jpeg), f"{len(self.kept):024}")[1],
        )
        super().__init__(table)

    def begin_to_watch(self):
        self.eye = watchers.live_watcher(
            Told(self.table), "pi", self.own, None, None, self.hooks
        )

    def still(self):
        self.taken += 1
        if self.fails:
            return None
        picture = resized(self.eye.latest.picture, 2 * WIDE).copy()
        picture[:4, :4] = (255, 0, 255)
        return Frame(picture, self.number / 15, None, "still")


@pytest.fixture
def table(tmp_path, monkeypatch):
    nothing = type("Nothing", (), {"read_frame": lambda *_: Reading(())})
    monkeypatch.setattr(watchers, "Reader", nothing)
    with running(tmp_path) as table:
        table.open_game(SETUP)
        yield table


class TestAGame:
    def test_is_read_in_stills_where_it_was_taught_in_stills(self, table):
        film = StillFilm(table)
        film.rest()

        film.throw("3", 300, 200)

        assert (film.by_camera(), film.asked()) == (["throw 3"], [])
        assert set(film.own.sizes) == {2 * WIDE}
        # Pages, evidence and boxes are those of the video.
        assert film.eye.latest.picture.shape[1] == WIDE
        (crop,) = {
            cv2.imdecode(np.frombuffer(jpeg, np.uint8), 1).shape[1]
            for jpeg in film.kept
        }
        assert crop < 80  # a die of 24 px that is turned, and what is close around it

    def test_is_read_in_video_where_it_was_taught_in_video(self, table):
        film = StillFilm(table, long_px=None)
        film.rest()

        film.throw("3", 300, 200)

        # As ever: what is not sure in the video is asked about.
        assert film.by_camera() == []
        assert len(film.asked()) == 1
        assert set(film.own.sizes) == {WIDE}
        assert film.taken == 0

    def test_goes_on_where_stills_fail_and_asks_what_the_video_does_not_show(
        self, table
    ):
        film = StillFilm(table)
        film.rest()
        film.fails = True

        film.throw("3", 300, 200)

        assert film.by_camera() == []
        assert len(film.asked()) == 1
        # In the size of the stills: what was taught in pixels holds.
        assert set(film.own.sizes) == {2 * WIDE}

    def test_takes_a_still_once_it_has_come_to_rest_and_not_before(self, table):
        film = StillFilm(table)
        film.rest()
        before = film.taken

        film.wave()
        assert film.taken == before  # nothing lies otherwise than it did
        film.throw("3", 300, 200)

        assert film.taken == before + 1


class LiveCamera:
    """A feed that gives no video, and one still."""

    is_stuck = False

    def start(self):
        return self

    def read(self):
        return None

    def still(self):
        return Frame(np.full((720, 1280, 3), 90, np.uint8), 0.0, None, "still")

    def close(self):
        """Nothing to let go of."""


def test_lesson_and_game_take_their_stills_from_the_camera_that_was_opened(
    table, monkeypatch
):
    monkeypatch.setattr(watchers, "_live", lambda *_: LiveCamera())
    hooks = Hooks(stills=Stills())

    watchers.open_watcher("pi", table, OwnDice(None), None, hooks=hooks)

    video = np.full((360, 640, 3), 90, np.uint8)
    assert hooks.stills.of(video).shape == (720, 1280, 3)


class Cards:
    """A reader of cards that is sure of what it sees in a still only."""

    def __init__(self, read_dice):
        self.read_dice, self.sizes, self.dice = read_dice, [], []

    def read(self, picture, *, untouched=False):
        self.sizes.append(picture.shape[:2])
        self.dice.append(self.read_dice(picture))
        box = (200, 100, 240, 160)
        if sharp(picture):
            return TableReading((SurePiece("card", "7", "a1", 0.98, box),))
        doubt = UnsurePiece("a1", (("card", "7", 0.5), ("card", "1", 0.4)), box)
        return TableReading((), (doubt,))


class TestATableOfCards:
    @pytest.fixture
    def stills(self):
        made = Stills()
        large = np.full((720, 1280, 3), 90, np.uint8)
        large[:4, :4] = (255, 0, 255)
        made.serve(lambda: Frame(large, 0.0, None, "still"))
        return made

    def read(self, stills, dice=lambda frame: Reading(())):
        reader = StillTableReader(stills, 1280.0, dice, Cards)
        return reader._reader, reader.read(np.full((360, 640, 3), 90, np.uint8))

    def test_is_read_in_a_still_with_boxes_of_the_video(self, stills):
        cards, seen = self.read(stills)

        assert cards.sizes == [(720, 1280)]
        assert seen.found == (SurePiece("card", "7", "a1", 0.98, (100, 50, 120, 80)),)

    def test_is_asked_about_where_no_still_is_had(self):
        cards, seen = self.read(Stills())

        assert cards.sizes == [(720, 1280)]
        assert seen.found == ()
        assert seen.doubts[0].box_px == (100, 50, 120, 80)

    def test_its_dice_and_its_mat_are_those_of_one_view(self, stills):
        """What reads the mat is given the video, so that it keeps where it stands."""
        seen = []

        def dice(frame):
            seen.append((frame.picture.shape[:2], frame.fine.shape[:2]))
            sight = UnsureSight("d6", "tray", (("1", 0.5),), (10, 20, 30, 40))
            return Reading((), (sight,))

        cards, _ = self.read(stills, dice)

        assert seen == [((360, 640), (720, 1280))]
        assert cards.dice[0].choices[0].box_px == (20, 40, 60, 80)
