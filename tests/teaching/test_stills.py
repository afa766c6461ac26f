"""A lesson shows in a camera's stills what is read in them, and all else to its video.

A table is drawn in two sizes: the pictures of the video, and stills of twice as many
pixels each way.
"""

import cv2
import pytest

from companion.games import find
from companion.kits.curriculum import course
from companion.kits.kit import KeptShot, kept_shots, still_px
from companion.kits.shots import may_be_still
from companion.teaching.teacher import KitTeacher
from tests.teaching.hands import Hands, Phone, show_the_table
from vision.camera.files import decode_png
from vision.camera.port import Frame
from vision.camera.stills import Stills
from vision.drawn.light import LIGHTS
from vision.drawn.tabletop import Tabletop

VIDEO, STILL = (240, 360), (480, 720)

COARSE = 1.2
"""Pixels a millimetre of the video in a lesson."""


class TwoSizes(Hands):
    """Hands before a camera that gives video and stills; *fails* ends the stills."""

    def __init__(self, teacher, game, stills=None) -> None:
        super().__init__(teacher, game, 3, VIDEO, "good", px_per_mm=COARSE)
        near = self._near(STILL, 2 * COARSE)
        self._large = Tabletop(self.plan, near, LIGHTS["good"], 3)
        self.fails, self.taken, self._lies = False, 0, ((), None)
        if stills is not None:
            stills.serve(self.still)

    def show(self, lying, hand, count):
        self._lies = lying, hand
        super().show(lying, hand, count)

    def still(self):
        self.taken += 1
        picture = self._large.picture(self._ground, *self._lies)
        return None if self.fails else Frame(picture, 0.0, None, "still")


class Lesson:
    """A lesson before such a camera; without *stills* it gives its video alone."""

    def __init__(self, folder, game, *, stills: bool = True) -> None:
        self.stills, self.folder = Stills(), folder / "kits" / "k"
        self.teacher = KitTeacher(folder / "kits", lambda *_: None, stills=self.stills)
        self.phone = Phone(self.teacher)
        self.hands = TwoSizes(self.teacher, game, self.stills if stills else None)
        if self.folder.exists():
            self.phone.tap("open", name="k")
            return
        self.phone.tap("begin", game=game, name="k")
        show_the_table(self.phone, self.hands)

    def lay(self, face: str, piece: str = "die") -> None:
        self.hands.lay(piece, face)

    @property
    def shots(self):
        return kept_shots(self.folder)

    def picture(self, number: int):
        return decode_png((self.folder / self.shots[number].file).read_bytes())


@pytest.mark.slow
class TestALesson:
    def test_shows_a_die_in_stills_where_the_camera_takes_some(self, tmp_path):
        plain = Lesson(tmp_path / "video", "drachenhort", stills=False)
        lesson = Lesson(tmp_path / "stills", "drachenhort")
        assert lesson.hands.taken == 0  # the bare table is of the video

        plain.lay("1")
        lesson.lay("1")

        (before,), (shot,) = plain.shots, lesson.shots
        assert (before.long_px, before.still) == (360, False)
        assert (shot.long_px, shot.still) == (720, True)
        assert lesson.hands.taken == 1
        # The same die by the same hand: twice as large, give or take a pixel.
        for small, large in zip(before.box, shot.box, strict=True):
            assert large == pytest.approx(2 * small, abs=4)
        high, wide = lesson.picture(0).shape[:2]
        left, top, right, bottom = shot.box
        assert 0 <= left < right <= wide
        assert 0 <= top < bottom <= high
        # 16 mm at 2.4 pixels a millimetre.
        assert right - left == pytest.approx(38, abs=8)

    def test_of_which_one_fails_goes_on_in_their_size(self, tmp_path):
        lesson = Lesson(tmp_path, "drachenhort")
        lesson.lay("1")
        lesson.hands.fails = True

        lesson.lay("1")

        assert [(shot.long_px, shot.still) for shot in lesson.shots] == [
            (720, True), (720, True)]  # fmt: skip
        # What the video has no pixels for is blurred.
        sharp, blurred = (
            cv2.Laplacian(lesson.picture(n), cv2.CV_64F).var() for n in (0, 1)
        )
        assert blurred < sharp / 2

    def test_that_was_begun_in_video_goes_on_in_video(self, tmp_path):
        Lesson(tmp_path, "drachenhort", stills=False).lay("1")
        lesson = Lesson(tmp_path, "drachenhort")

        lesson.lay("1")

        assert [shot.still for shot in lesson.shots] == [False, False]
        assert lesson.hands.taken == 0
        assert still_px(lesson.shots) is None

    def test_shows_a_die_of_colours_in_video(self, tmp_path):
        lesson = Lesson(tmp_path, "dragorun")
        while lesson.teacher.lesson.step.piece != "colour":
            lesson.phone.tap("next")

        lesson.lay("red", "colour")

        assert [shot.still for shot in lesson.shots] == [False]
        assert lesson.hands.taken == 0

    def test_with_another_step_when_the_still_comes_looks_anew(self, tmp_path):
        lesson = Lesson(tmp_path, "drachenhort")
        still = lesson.hands.still

        def while_somebody_taps():
            lesson.phone.tap("next")
            lesson.stills.serve(still)
            return still()

        lesson.stills.serve(while_somebody_taps)
        lesson.lay("1")

        # Not a shot of the face that is asked for now, until it is seen to lie there.
        assert lesson.shots == ()


def item_of(game: str, kind: str):
    items = course(game, find(game).stand_in).items
    return next(item for item in items if item.kind == kind)


@pytest.mark.parametrize(
    ("game", "kind", "begun", "asks"),
    [
        ("dragon_run", "die", (), True),
        ("dragon_run", "card", (), True),  # followed, in areas
        ("eight_dragons", "card", (), True),  # in rows
        ("dragorun", "colour", (), False),
        ("dragorun", "token", (), False),  # on a board: told by the video
        # A deck that was begun in the video's pictures is not mixed with stills.
        ("dragon_run", "card", (("die", False),), False),
        ("dragon_run", "card", (("die", True),), True),
        # What is never shown in stills tells nothing of the rest.
        ("dragorun", "die", (("colour", False), ("token", False)), True),
    ],
)
def test_what_asks_for_stills(game, kind, begun, asks):
    shots = [
        KeptShot(one, "p", "f", "shots/0.png", (0, 0, 9, 9), 4608.0, still)
        for one, still in begun
    ]

    assert may_be_still(item_of(game, kind), game, find(game).stand_in, shots) is asks


def test_a_list_of_shots_from_before_is_read_and_kept_as_it_was(tmp_path):
    lesson = Lesson(tmp_path, "drachenhort", stills=False)
    lesson.lay("1")

    assert "still" not in (lesson.folder / "shots.json").read_text()
