"""Spaces are tapped once on a picture; when the camera moves, only four corners are."""

import math

import numpy as np
import pytest

from companion.demo.tables import find as find_stand_in
from companion.games import find
from companion.kits.between import next_place
from companion.kits.kit_files import unpack
from companion.kits.own_dice import LearnedKits
from companion.kits.spaces import (
    WHOLE_PICTURE,
    Spaces,
    after_tap,
    are_all_tapped,
    can_be_filled,
    count_known,
    fill_spaces,
    is_convex,
    next_space,
    printed_spaces,
    proposed_halves,
    proposed_spaces,
    standing_places,
    standing_points,
    tap_rows,
    tapped_points,
    use_picture_corners,
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
        ("drachenhort", 2 + 30),  # hall, start, the middles of thirty cells
        ("dragorun", 26),
        ("dragon_run", 2 * 7),  # two corners: two piles, and before five players
        ("dragonix", 2 * 9),  # two corners: five rows, and before four players
        ("eight_dragons", 0),
    ],
)
def test_each_printed_space_is_asked_once_with_words(game, count):
    box, heard = find(game).stand_in, []
    spaces = use_picture_corners(Spaces(), game, box)
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


def test_the_boards_of_the_demo_take_at_most_fifteen_taps_corners_and_all():
    assert {name: count_taps(name) for name in ("drachenhort", "dragorun")} == {
        "drachenhort": 4 + 8,  # both ends of the way, and three turns of two bends
        "dragorun": 4 + 7,
    }


def count_taps(name):
    """Return how many taps it takes until all rings sit well, within 8 mm."""
    box = find(name).stand_in
    plan = find_stand_in(name).table(box)
    size_mm = np.array((plan.width_mm, plan.height_mm))
    spots = {spot.place: np.array((spot.x_mm, spot.y_mm)) for spot in plan.spots}
    true = {
        place: np.mean([spots[part] for part in find(name).copy.parts(place)], axis=0)
        for place, _ in printed_spaces(name, box)
    }
    spaces, taps = Spaces(SQUARE), 4
    while True:
        rings = proposed_spaces(spaces, name, box)
        if can_be_filled(spaces, name, box):
            off = {p: math.dist(at * size_mm, true[p]) for p, at in rings.items()}
            place = max(off, key=off.get)
            if off[place] <= 8.0:
                return taps
        else:
            place = next_place(tap_rows(name, box), tapped_points(spaces))
        at = tuple(true[place] / size_mm)
        spaces, taps = after_tap(spaces, name, box, at, place), taps + 1


class TestRoomsInHalves:
    """Cells 1 to 30 of Drachenhort in one line, a thirtieth of the board apart."""

    def tapped(self, *more):
        spaces = Spaces(WHOLE_PICTURE)
        for place, u in (("hall", -1), ("start", 0), ("cell/1", 1), ("cell/30", 30)):
            spaces = after_tap(spaces, "drachenhort", BOX, (u / 32 + 0.04, 0.5), place)
        for place, at in more:
            spaces = after_tap(spaces, "drachenhort", BOX, at, place)
        return spaces

    def picture(self):
        """Return the board: the left half of each cell is lit."""
        picture = np.full((360, 640, 3), 90, np.uint8)
        for n in range(1, 31):
            middle = round((n / 32 + 0.04) * 640)
            picture[170:190, middle - 9 : middle] = 200
            picture[170:190, middle : middle + 9] = 60
        return picture

    def test_are_found_in_the_picture_once_all_rings_are_there(self):
        spaces, picture = self.tapped(), self.picture()
        halves = proposed_halves(spaces, "drachenhort", BOX, picture)
        full = fill_spaces(spaces, "drachenhort", BOX, picture)

        assert len(halves) == 60
        # A quarter of the 20 px from cell to cell.
        assert halves["cell/3/light"] == pytest.approx(
            (3 / 32 + 0.04 - 5 / 640, 0.5), abs=1e-3
        )
        assert halves["cell/3/dark"] == pytest.approx(
            (3 / 32 + 0.04 + 5 / 640, 0.5), abs=1e-3
        )
        assert can_be_filled(spaces, "drachenhort", BOX)
        assert not can_be_filled(full, "drachenhort", BOX)
        assert are_all_tapped(full, "drachenhort", BOX, 2)
        assert not are_all_tapped(spaces, "drachenhort", BOX, 2)
        # Figures stand in halves, never on a cell as a whole.
        assert standing_points(full).keys() == {*standing_places("drachenhort", BOX)}

    def test_are_none_as_long_as_a_cell_is_not_known(self):
        spaces = after_tap(Spaces(SQUARE), "drachenhort", BOX, (0.1, 0.1), "cell/1")

        assert proposed_halves(spaces, "drachenhort", BOX, self.picture()) == {}

    def test_lie_opposite_the_one_that_was_tapped(self):
        upward = ("cell/3/dark", (3 / 32 + 0.04, 0.49))
        halves = proposed_halves(
            self.tapped(upward), "drachenhort", BOX, self.picture()
        )

        assert "cell/3/dark" not in halves
        assert halves["cell/3/light"] == pytest.approx((3 / 32 + 0.04, 0.51))

    def test_go_where_their_cell_is_tapped_anew(self):
        full = fill_spaces(self.tapped(), "drachenhort", BOX, self.picture())
        before = tapped_points(full)
        now = tapped_points(
            after_tap(full, "drachenhort", BOX, (0.2, 0.7), "cell/3")
        )  # fmt: skip

        right, down = 0.2 - before["cell/3"][0], 0.7 - before["cell/3"][1]
        for half in ("cell/3/light", "cell/3/dark"):
            x, y = before[half]
            assert now[half] == pytest.approx((x + right, y + down))
        changed = {place for place in now if now[place] != before[place]}
        assert changed == {"cell/3", "cell/3/light", "cell/3/dark"}

    def test_are_found_again_when_the_last_tap_is_taken_back(self):
        picture = self.picture()
        full = fill_spaces(self.tapped(), "drachenhort", BOX, picture)
        back = without_last_tap(full)

        gone = tapped_points(full).keys() - tapped_points(back).keys()
        assert len(gone) == 60 + 1
        assert next_space(back, "drachenhort", BOX) is not None
        assert can_be_filled(back, "drachenhort", BOX)
        again = fill_spaces(back, "drachenhort", BOX, picture)
        assert tapped_points(again).keys() == tapped_points(full).keys()

    def test_that_were_tapped_before_there_were_rooms_are_enough(self):
        places = standing_places("drachenhort", BOX)
        old = Spaces(SQUARE, tuple((place, 0.5, 0.5) for place in places))

        assert are_all_tapped(old, "drachenhort", BOX, 2)
        assert next_space(old, "drachenhort", BOX) is None
        assert count_known(old, "drachenhort", BOX) == 32


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
            "The rings are right",
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
            assert ("The rings are right" in offered) == (n == 9)
            self.tap(phone, *((32, 18 + 9 * n), (96, 27))[n == 1])
        self.tap(phone, 160, 126)
        assert "The rings are right" in phone.client.get("/teach/spaces?lang=en").text

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
