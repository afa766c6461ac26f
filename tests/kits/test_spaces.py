"""Spaces are tapped once on a picture; when the camera moves, only four corners are."""

import numpy as np
import pytest

from companion.games import find
from companion.kits.kit_files import unpack
from companion.kits.own_dice import LearnedKits
from companion.kits.spaces import (
    Spaces,
    after_tap,
    is_convex,
    measured,
    next_space,
    printed_spaces,
    without_last_tap,
)
from companion.words import LANGUAGES, Words
from tests.teaching.hands import Phone, new_teacher
from vision.board.corners import to_board, to_picture
from vision.camera.port import Frame

BOX = find("drachenhort").stand_in
SQUARE = ((0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8))
LEANING = ((0.3, 0.2), (0.7, 0.2), (0.9, 0.9), (0.1, 0.9))


@pytest.mark.parametrize(
    ("game", "count"),
    [
        ("drachenhort", 2 + 60),  # hall, start, thirty cells in halves
        ("dragorun", 26),
        ("dragon_run", 2 * 7),  # two corners: two piles, and before five players
        ("dragonix", 2 * 9),  # two corners: five rows, and before four players
        ("eight_dragons", 0),
    ],
)
def test_each_printed_space_is_asked_once_with_words(game, count):
    box, heard = find(game).stand_in, []
    spaces = measured(Spaces(), game, box)
    corners = 4 - len(spaces.corners)

    while (line := next_space(spaces, game, box)) is not None and len(heard) < 100:
        heard.append(line)
        spaces = after_tap(spaces, game, box, (0.5, 0.5))

    # 8 Dragons has no board, but its corner cards are asked for; areas need none.
    assert corners == (0 if game in ("dragon_run", "dragonix") else 4)
    assert len(heard) == corners + count == len(set(heard))
    assert {place for place, _, _ in spaces.places} == {
        p for p, _ in printed_spaces(game, box)
    }
    for language in LANGUAGES:
        assert all(Words(language, strict=True).part(line) for line in heard)
    assert after_tap(spaces, game, box, (0.1, 0.1)) == spaces


def test_the_last_tap_is_taken_back():
    one = after_tap(Spaces(SQUARE), "drachenhort", BOX, (0.5, 0.5))

    assert without_last_tap(one) == Spaces(SQUARE)
    assert without_last_tap(Spaces(SQUARE)) == Spaces(SQUARE[:3])
    assert without_last_tap(Spaces()) == Spaces()


def test_corners_that_cross_or_lie_in_a_line_are_no_board():
    assert is_convex(SQUARE)
    assert is_convex(LEANING)
    assert not is_convex((SQUARE[0], SQUARE[2], SQUARE[1], SQUARE[3]))
    assert not is_convex(SQUARE[::-1])
    assert not is_convex(((0.1, 0.1), (0.2, 0.1), (0.3, 0.1), (0.4, 0.1)))


def test_a_space_is_seen_where_the_board_is_however_the_camera_leans():
    middle = to_board(SQUARE, (0.5, 0.5))

    assert middle == pytest.approx((0.5, 0.5), abs=1e-5)
    # The diagonals of the leaning board cross where its middle is seen.
    (x, y), *_ = to_picture(LEANING, [middle])
    assert (x, y) == pytest.approx((0.5, 0.4333), abs=1e-3)
    assert to_board(LEANING, (x, y)) == pytest.approx((0.5, 0.5), abs=1e-5)
    assert to_picture(SQUARE, []) == []


class TestThePage:
    @pytest.fixture
    def phone(self, tmp_path):
        phone = Phone(new_teacher(tmp_path))
        phone.tap("begin", game="dragorun", name="Chez nous")
        return phone

    def tap(self, phone, x, y):
        """Tap the picture, which is shown 320 pixels wide and 180 high."""
        at = {"at.x": x, "at.y": y, "wide": 320, "high": 180}
        return phone.client.post("/teach/spaces", data=at)

    def heard(self, phone) -> str:
        text = phone.client.get("/teach/spaces?lang=en").text
        return text.partition("<h1>")[2].partition("</h1>")[0]

    def test_asks_for_corners_then_spaces_and_keeps_them(self, phone, tmp_path):
        assert self.heard(phone) == "Tap the board’s upper left corner."
        for x, y in ((64, 36), (256, 36), (256, 144), (64, 144)):
            assert self.tap(phone, x, y).status_code == 303
        assert self.heard(phone) == "Tap the snail space."
        self.tap(phone, 160, 90)

        again = Phone(new_teacher(tmp_path))
        again.tap("open", name="Chez nous")

        assert self.heard(again) == "Tap the finish space."
        again.client.post("/teach/spaces", data={"do": "back"})
        assert self.heard(again) == "Tap the snail space."
        again.client.post("/teach/spaces", data={"do": "corners"})
        assert self.heard(again) == "Tap the board’s upper left corner."

    @pytest.mark.parametrize(
        ("game", "taps", "done", "follows"),
        [
            ("dragorun", 4 + 26, "spaces", "follows the figures"),
            ("dragonix", 2 * 9, "areas", "which cards are laid down"),
        ],
    )
    def test_says_when_all_are_there_and_whether_figures_are_followed(
        self, tmp_path, game, taps, done, follows
    ):
        phone = Phone(new_teacher(tmp_path))
        phone.tap("begin", game=game, name="Chez nous")
        around = ((64, 36), (256, 36), (256, 144), (64, 144))
        for n in range(taps):
            self.tap(phone, *around[n % 4])

        assert self.heard(phone) == f"All {done} are marked."
        assert follows in phone.client.get("/teach/spaces?lang=en").text

    def test_says_for_how_many_players_the_areas_are_enough(self, tmp_path):
        phone = Phone(new_teacher(tmp_path))
        phone.tap("begin", game="dragonix", name="Chez nous")
        enough, rings = (
            "That is enough for games of up to 2 players.",
            "The rings sit well",
        )

        # Both corners of the first row, one of four others, and so before two players.
        for n in range(2 + 4 + 2 + 1):
            page = phone.client.get("/teach/spaces?lang=en").text
            assert rings not in page, n
            self.tap(phone, 40 + 20 * n, 30 + 12 * n)
        page = phone.client.get("/teach/spaces?lang=en").text
        assert rings in page
        assert enough not in page

        phone.client.post("/teach/spaces", data={"do": "fill"})
        page = phone.client.get("/teach/spaces?lang=en").text
        assert enough in page
        assert self.heard(phone).endswith("corner of the area before player 3.")

    def test_keeps_a_small_picture_of_the_table_that_was_tapped(self, tmp_path):
        teacher = new_teacher(tmp_path / "one")
        phone = Phone(teacher)
        phone.tap("begin", game="dragorun", name="k")
        picture = np.full((720, 1280, 3), 90, np.uint8)
        picture[:, :640] = 160
        teacher.see(Frame(picture, 0.0, None, "p1"))

        self.tap(phone, 64, 36)

        unpack(teacher.pack("k"), tmp_path / "other")
        kept = LearnedKits(tmp_path / "other").tapped("k")
        assert kept.shape == (540, 960, 3)
        assert (kept[0, 0].tolist(), kept[0, -1].tolist()) == ([160] * 3, [90] * 3)

    def test_takes_all_spaces_as_they_are_proposed_once_they_are(self, tmp_path):
        teacher = new_teacher(tmp_path)
        phone = Phone(teacher)
        phone.tap("begin", game="dragonix", name="Chez nous")
        # Of the five rows and of what four players have before them one is shown by
        # two corners, the others by one.
        for n in range(10):
            offered = phone.client.get("/teach/spaces?lang=en").text
            # With the ninth tap all is known that two players need.
            assert ("The rings sit well" in offered) == (n == 9)
            self.tap(phone, *((32, 18 + 9 * n), (96, 27))[n == 1])
        self.tap(phone, 160, 126)
        assert "The rings sit well" in phone.client.get("/teach/spaces?lang=en").text

        phone.client.post("/teach/spaces", data={"do": "fill"})

        assert self.heard(phone) == "All areas are marked."
        known = {place: (u, v) for place, u, v in teacher.spaces().places}
        assert len(known) == 18
        # The first row is (96 - 32) / 320 wide and (27 - 18) / 180 high, and so is
        # the fourth, whose upper left corner was tapped at (32, 18 + 9 * 4).
        right, bottom = known["row/2/4"]
        assert (right, bottom) == pytest.approx((96 / 320, (54 + 9) / 180), abs=1e-4)

    def test_a_space_that_was_chosen_is_tapped_anew(self, tmp_path):
        teacher = new_teacher(tmp_path)
        phone = Phone(teacher)
        phone.tap("begin", game="dragorun", name="Chez nous")
        for x, y in ((64, 36), (256, 36), (256, 144), (64, 144)):
            self.tap(phone, x, y)
        self.tap(phone, 80, 90)

        page = phone.client.get("/teach/spaces?lang=en&place=track/0").text
        assert "<h1>Tap the snail space.</h1>" in page
        at = {"at.x": 160, "at.y": 90, "wide": 320, "high": 180, "place": "track/0"}
        phone.client.post("/teach/spaces", data=at)

        assert [place for place, _, _ in teacher.spaces().places] == ["track/0"]
        assert teacher.spaces().places[0][1] == pytest.approx(0.5, abs=1e-4)

    def test_asks_for_the_four_corner_cards_where_cards_lie_in_rows(self, tmp_path):
        phone = Phone(new_teacher(tmp_path))
        phone.tap("begin", game="eight_dragons", name="Chez nous")
        assert self.heard(phone) == "Tap the middle of the card at the upper left."
        for x, y in ((64, 36), (256, 36), (256, 144), (64, 144)):
            self.tap(phone, x, y)

        assert self.heard(phone) == "The four corner cards are marked."

    def test_begins_again_where_corners_make_no_board(self, phone):
        for x, y in ((64, 36), (256, 144), (256, 36)):
            self.tap(phone, x, y)

        answer = self.tap(phone, 64, 144)

        assert answer.status_code == 422
        assert self.heard(phone) == "Tap the board’s upper left corner."

    def test_a_tap_that_tells_no_point_is_refused(self, phone):
        for data in ({"at.x": "nan", "at.y": 1, "wide": 1, "high": 1}, {"at.x": 1},
                     {"at.x": 1, "at.y": 1, "wide": 0, "high": 0}):  # fmt: skip
            assert phone.client.post("/teach/spaces", data=data).status_code == 400
