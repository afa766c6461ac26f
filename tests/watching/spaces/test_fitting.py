"""What has changed at the spaces of a board is told by the rules, or by nobody."""

import pytest

from companion.kits.spaces import standing_places
from companion.running.snapshot import Setup
from companion.table import Claim
from companion.watching.layouts import (
    BoardLook,
    changed_places,
    fitting_layouts,
    is_being_set_up,
    known_layouts,
    layouts_ahead,
    partly_done,
    rooms,
)
from tests.running.table_setup import running
from vision.board.changes import SpaceChange

SET_UP = (
    "place red 1", "place green 2", "place blue 3", "place yellow 4", "place violet 5",
    "deal 0 red", "deal 1 green",
)  # fmt: skip
MUCH = SpaceChange(part=0.5, blob=1.0, feet=0.5)
OVERLAPPED = SpaceChange(part=0.1, blob=0.9, feet=0.0)
A_LITTLE = SpaceChange(part=0.1, blob=0.5, feet=0.1)


def play(table, *moves):
    for move in moves:
        seq = table.snapshot.story.seq
        table.act(Claim(move, None, seq, f"{seq}/{move}"))
    return table.snapshot.story


@pytest.fixture
def dragorun(tmp_path):
    with running(tmp_path) as table:
        table.open_game(Setup("dragorun", ("Ana", "Bo")))
        play(table, *SET_UP)
        yield lambda *moves: play(table, *moves)


@pytest.fixture
def drachenhort(tmp_path):
    with running(tmp_path) as table:
        table.open_game(Setup("drachenhort", ("Ana", "Bo")))
        yield lambda *moves: play(table, *moves)


def board(story, **more):
    """Return the board of a story as it lies; *more* are fields of BoardLook."""
    spaces = tuple(place for place in standing_places(story.game.id, story.header.box))
    lain = more.pop("lain", story.game.layout(story.state))
    return BoardLook(spaces, lain, more.pop("seen", {}), rooms(spaces), **more)


def on(there):
    return frozenset((*there.spaces, *there.whole))


def moved(story, dice, **seen):
    """Return what each fitting move changes, in the words of the table."""
    there = board(story, seen={k.replace("_", "/"): v for k, v in seen.items()})
    ahead = list(layouts_ahead(story, dice, on(there)))
    before = there.last
    return [
        sorted((piece, place) for piece, _, place in fit.layout - before
               if place in there.spaces)
        for fit in fitting_layouts(there, ahead, ahead=True)
    ]  # fmt: skip


class TestAMove:
    def test_is_the_one_that_changes_just_those_spaces(self, dragorun):
        story = dragorun("throw violet +2")

        assert moved(story, {}, track_5=MUCH, track_7=MUCH) == [[("violet", "track/7")]]

    def test_may_hide_the_space_behind_it(self, dragorun):
        story = dragorun("throw violet +2")
        seen = {"track_5": MUCH, "track_7": MUCH, "track_8": OVERLAPPED}

        assert moved(story, {}, **seen) == [[("violet", "track/7")]]

    def test_is_none_where_something_else_changed_too(self, dragorun):
        story = dragorun("throw violet +2")
        seen = {"track_5": MUCH, "track_7": MUCH, "track_9": MUCH}

        assert moved(story, {}, **seen) == []

    def test_is_none_where_only_something_went(self, dragorun):
        assert moved(dragorun("throw violet +2"), {}, track_5=MUCH) == []

    def test_and_its_throw_are_one_look(self, dragorun):
        story, dice = dragorun(), {"colour": "violet", "move": "+2"}

        assert moved(story, dice, track_5=MUCH, track_7=MUCH) == [
            [("violet", "track/7")]
        ]
        assert moved(story, {}, track_5=MUCH, track_7=MUCH) == []

    def test_that_shows_beside_the_board_is_never_guessed(self, dragorun):
        story = dragorun()
        there = board(story)

        for layout in layouts_ahead(story, {}, on(there)):
            beside = {
                thing for thing in layout ^ there.last if thing[2] not in on(there)
            }
            assert beside == set()

    def test_of_which_several_fit_are_all_told(self, drachenhort):
        story = drachenhort("throw 3")

        fits = moved(story, {}, cell_3_dark=MUCH, start=MUCH)

        heroes = {hero.value for hero in story.header.box.adventurers}
        assert {piece for fit in fits for piece, _ in fit} == heroes

    def test_of_a_dragon_is_seen_in_either_half_of_its_room(self, drachenhort):
        story = drachenhort("throw 3", "advance red")
        there = board(story, seen={"hall": MUCH, "cell/2/light": MUCH})
        after = frozenset(
            ("dragon", None, "cell/2") if thing[0] == "dragon" else thing
            for thing in there.last
        )

        assert [fit.layout for fit in fitting_layouts(there, [after], ahead=True)] == [
            after
        ]


class TestASmallChangeBeside:
    def test_a_large_one_belongs_to_it(self, dragorun):
        story = dragorun("throw violet +2")
        seen = {"track/5": MUCH, "track/7": MUCH, "track/8": A_LITTLE}
        there = board(story, seen=seen, beside={"track/8": frozenset({"track/7"})})
        ahead = list(layouts_ahead(story, {}, on(there)))

        assert len(fitting_layouts(there, ahead, ahead=True)) == 1
        alone = board(story, seen=seen)
        assert fitting_layouts(alone, ahead, ahead=True) == []


class TestAFigureBetweenTwoSpaces:
    def test_may_stand_on_either(self, dragorun):
        """Violet was put down on the border of 7 and 8, where no tap is that exact."""
        story = dragorun("throw violet +2")
        between = SpaceChange(0.3, 1.0, 0.5, frozenset({"track/8"}))
        seen = {"track/5": MUCH, "track/7": between, "track/8": OVERLAPPED}
        there = board(story, seen=seen)
        lain = {thing for thing in there.last if thing[0] != "violet"}
        either = [
            frozenset({*lain, ("violet", None, place)})
            for place in ("track/7", "track/8", "track/9")
        ]

        fits = fitting_layouts(there, either, ahead=True)

        assert [fit.layout for fit in fits] == either[:2]


class TestWhatWasToldByPhone:
    def test_may_lie_there_already_or_not_yet(self, dragorun):
        before = dragorun("throw violet +2")
        lain = before.game.layout(before.state)
        story = dragorun("move violet 7")
        known = known_layouts(story)

        not_yet = fitting_layouts(board(story, lain=lain), known, ahead=False)
        seen = {"track/5": MUCH, "track/7": MUCH}
        done = fitting_layouts(board(story, lain=lain, seen=seen), known, ahead=False)

        assert not_yet[0].layout == lain
        assert done[0].layout == story.game.layout(story.state)

    def test_is_under_way_while_a_figure_is_in_a_hand(self, dragorun):
        story = dragorun("throw violet +2")
        there = board(story, seen={"track/5": MUCH})
        ahead = list(layouts_ahead(story, {}, on(there)))

        (lies,) = partly_done(there, ahead)

        assert "violet" not in {
            piece for piece, _, place in lies if place in there.spaces
        }
        assert partly_done(board(story, seen={"track/9": MUCH}), ahead) == []

    def test_leaves_open_who_moved_where_two_may_have(self, dragorun):
        """Both stand on one space, and one of them is gone from there."""
        story = dragorun("throw violet +2")
        lies = story.game.layout(story.state)
        there = board(story, seen={"track/5": MUCH})
        ahead = [
            lies - {("violet", None, "track/5")} | {("violet", None, "track/7")},
            lies - {("violet", None, "track/5")} | {("violet", None, "track/8")},
        ]

        (gone,) = partly_done(there, ahead)
        come = partly_done(board(story, seen={"track/7": MUCH}), ahead)

        assert ("violet", None, "track/5") in lies - gone
        assert len(come) == 1


def test_what_may_stand_on_either_of_two_spaces_is_no_proof_for_one(dragorun):
    story = dragorun()  # red stands on space 1, green on space 2
    lies = story.game.layout(story.state)

    def gone_to_9(piece, here):
        return (lies - {(piece, None, here)}) | {(piece, None, "track/9")}

    left = SpaceChange(part=0.3, blob=1.0, feet=0.4, or_at=frozenset({"track/2"}))
    there = board(story, seen={"track/1": left, "track/9": MUCH})
    either = [gone_to_9("red", "track/1"), gone_to_9("green", "track/2")]

    assert [fit.layout for fit in fitting_layouts(there, either, ahead=True)] == either


def test_a_board_is_set_up_until_something_was_done(drachenhort):
    assert is_being_set_up(drachenhort())
    assert not is_being_set_up(drachenhort("throw 3"))


def test_where_setting_up_is_told_piece_by_piece_nothing_is_taken_on_trust(tmp_path):
    with running(tmp_path) as table:
        table.open_game(Setup("dragorun", ("Ana", "Bo")))

        assert not is_being_set_up(table.snapshot.story)


def test_changed_spaces_come_with_the_most_changed_first(dragorun):
    seen = {"track/5": A_LITTLE, "track/7": MUCH, "track/8": OVERLAPPED}

    assert changed_places(board(dragorun(), seen=seen)) == ["track/7", "track/5"]
