"""A copy's facts, and the counts of the rulebook that they must agree with."""

import msgspec
import pytest
from msgspec.structs import replace

from companion.games.drachenhort.box import (
    STAND_IN,
    Board,
    Box,
    Cell,
    check_box,
    draw_board,
)
from companion.games.drachenhort.pieces import (
    DIE,
    DRAGON_FIRST,
    DRAGON_LATER,
    FACES,
    JEWELS,
    MEDALS,
    NAMED,
    TRAP_STEPS,
    Adventurer,
    Light,
)

FRONT, BACK = STAND_IN.front, STAND_IN.back


def codes(box):
    return {violation.code for violation in check_box(box)}


def with_front(text):
    return replace(STAND_IN, front=draw_board(text))


def with_groups(*groups):
    return replace(STAND_IN, groups=groups)


class TestStandIn:
    def test_it_agrees_with_everything_that_the_rulebook_counts(self):
        assert check_box(STAND_IN) == ()

    def test_it_looks_like_this(self):
        assert len(FRONT.cells) == len(BACK.cells) == 30
        assert FRONT.jewels == (2, 4, 6, 8, 10, 13, 17, 20, 22, 23, 25, 28)
        assert traps(FRONT) == [5, 12, 19]
        assert of_light(FRONT, Light.DARK) == [8, 14, 22]
        assert of_light(BACK, Light.LIT) == [12, 19]
        assert len(BACK.jewels) == 12

    def test_any_two_of_its_groups_share_one_hero(self):
        groups = [set(group) for group in STAND_IN.groups]

        shared = {len(a & b) for a in groups for b in groups if a is not b}

        assert shared == {1}

    def test_the_two_colours_that_the_rulebook_leaves_open_are_yellow_and_violet(self):
        others = set(STAND_IN.adventurers) - set(NAMED)

        assert others == {Adventurer.YELLOW, Adventurer.VIOLET}


class TestCheck:
    @pytest.mark.parametrize(
        ("front", "code"),
        [
            ("jjjjjjjjjjjj" + "ttt" + "ddd" + "...........", "front_cells"),
            ("jjjjjjjjjjj." + "ttt" + "ddd" + "............", "front_jewels"),
            ("jjjjjjjjjjjj" + "tt." + "ddd" + "............", "front_traps"),
            ("jjjjjjjjjjjj" + "ttt" + "dd." + "............", "front_dark"),
        ],
    )
    def test_a_front_that_counts_otherwise_is_told(self, front, code):
        assert codes(with_front(front)) == {code}

    @pytest.mark.parametrize(
        ("back", "code"),
        [
            ("jjjjjjjjjjjj" + "ll" + "...............", "back_cells"),
            ("jjjjjjjjjjj." + "ll" + "................", "back_jewels"),
            ("jjjjjjjjjjjj" + "l." + "................", "back_lit"),
        ],
    )
    def test_a_back_that_counts_otherwise_is_told(self, back, code):
        assert codes(replace(STAND_IN, back=draw_board(back))) == {code}

    def test_the_numbers_come_with_it(self):
        short = replace(STAND_IN, back=Board(BACK.cells[:-1]))

        (violation,) = check_box(short)

        assert violation.params == (("wanted", 30), ("found", 29))

    def test_dark_cells_with_a_jewel_count_for_both(self):
        board = draw_board("jjjjjjjjjjjD" + "ttt" + "dd" + ".............")

        assert codes(replace(STAND_IN, front=board)) == set()

    def test_six_adventurers_are_too_few(self):
        assert "adventurers_not_seven" in codes(
            replace(STAND_IN, adventurers=STAND_IN.adventurers[:6])
        )

    def test_no_adventurer_is_there_twice(self):
        twice = (*STAND_IN.adventurers[:6], Adventurer.YELLOW)

        assert "adventurer_twice" in codes(replace(STAND_IN, adventurers=twice))

    def test_the_five_of_the_rulebook_are_there(self):
        others = (Adventurer.PINK, *STAND_IN.adventurers[1:])

        found = codes(replace(STAND_IN, adventurers=others))

        assert "adventurer_of_the_rulebook_missing" in found

    def test_six_groups_are_too_few(self):
        assert "groups_not_seven" in codes(with_groups(*STAND_IN.groups[:6]))

    def test_no_group_is_there_twice(self):
        groups = (*STAND_IN.groups[:6], STAND_IN.groups[0])

        assert codes(with_groups(*groups)) == {
            "group_twice",
            "hero_not_in_three_groups",
        }

    def test_a_group_has_three_different_heroes(self):
        a, b, _ = STAND_IN.groups[1]

        assert "group_not_of_three" in codes(
            with_groups(STAND_IN.groups[0], (a, b, b), *STAND_IN.groups[2:])
        )

    def test_a_group_has_heroes_of_the_copy(self):
        a, b, _ = STAND_IN.groups[1]
        groups = (STAND_IN.groups[0], (a, b, Adventurer.PINK), *STAND_IN.groups[2:])

        assert "group_of_a_stranger" in codes(with_groups(*groups))

    def test_green_red_and_white_are_on_one_card(self):
        swap = {Adventurer.WHITE: Adventurer.BLUE, Adventurer.BLUE: Adventurer.WHITE}
        groups = tuple(
            tuple(swap.get(hero, hero) for hero in group) for group in STAND_IN.groups
        )

        assert codes(with_groups(*groups)) == {"group_of_the_rulebook_missing"}


class TestKitFile:
    def test_a_box_reads_back_from_json(self):
        text = msgspec.json.encode(STAND_IN)

        assert msgspec.json.decode(text, type=Box) == STAND_IN

    def test_plain_cells_take_little_room(self):
        assert msgspec.json.encode(Cell()) == b"{}"

    def test_a_misspelt_field_is_refused(self):
        with pytest.raises(msgspec.ValidationError, match="jewl"):
            msgspec.json.decode(b'{"jewl": true}', type=Cell)

    def test_each_letter_draws_its_cell(self):
        assert draw_board(". j t d D l L").cells == (
            Cell(Light.HALVES, trap=False, jewel=False),
            Cell(Light.HALVES, trap=False, jewel=True),
            Cell(Light.HALVES, trap=True, jewel=False),
            Cell(Light.DARK, trap=False, jewel=False),
            Cell(Light.DARK, trap=False, jewel=True),
            Cell(Light.LIT, trap=False, jewel=False),
            Cell(Light.LIT, trap=False, jewel=True),
        )


class TestPieces:
    """The printed numbers, l. 52-55, 95, 119, 148, 154."""

    def test_the_numbers_are_those_of_the_rulebook(self):
        assert DIE == (1, 2, 2, 3, 4, 6)
        assert FACES == (1, 2, 3, 4, 6)
        assert MEDALS == (1, 2, 3, 4, 5, 6, 8)
        assert sum(MEDALS) == 29
        assert (JEWELS, TRAP_STEPS, DRAGON_FIRST, DRAGON_LATER) == (12, 3, 1, 5)

    def test_the_rulebook_names_five_colours(self):
        assert NAMED == ("green", "red", "blue", "orange", "white")


def traps(board):
    return [n for n, cell in enumerate(board.cells, start=1) if cell.trap]


def of_light(board, light):
    return [n for n, cell in enumerate(board.cells, start=1) if cell.light is light]
