"""Each order changes the table once, in the state it was meant for."""

import pytest
from msgspec.structs import replace

from companion.corrections.adopt import TableIsRight
from companion.corrections.amend import preview
from companion.referee.decisions import Thresholds
from companion.running.commands import Adopt, Amend, Heard, Rest, TakeBack
from companion.running.reducer import ASK, PAUSED, REFUSE, carry_out, with_story
from companion.running.snapshot import (
    ButtonStatus,
    CameraStatus,
    Done,
    Rejected,
    Snapshot,
    Stale,
)
from companion.story.log import Edited, extend, fold
from companion.table import Glimpse, LinePart, Moved, Pressed, Reading, Removed
from tests.running.table_setup import claim, doubted, new_story, played, saw

SURE = Thresholds()


def laid(*moves: str) -> Snapshot:
    """Return a table with a game on it, after some moves."""
    return with_story(Snapshot(game_id="g"), played(new_story(), *moves))


def press(button: str) -> Heard:
    return Heard(Reading((Glimpse(Pressed(button, None), 1.0),), source="button"))


def carry(shown: Snapshot, *orders):
    """Return the results of some orders, one after the other."""
    results = []
    for order in orders:
        results.append(carry_out(shown, order, 5.0, SURE))
        shown = results[-1].shown
    return results


class TestReadings:
    def test_a_sure_throw_is_accepted_and_called(self):
        (result,) = carry(laid(), Heard(saw("3")))

        assert result.shown.story.state.pips == 3
        assert result.answer == Done(1, "g")
        assert len(result.cues) == len(result.shown.story.steps[-1].events)

    def test_an_unsure_throw_is_asked_and_one_press_settles_it(self):
        asked, settled = carry(laid(), Heard(doubted(("6", 0.5))), press("confirm"))

        assert asked.cues == (ASK,)
        assert asked.shown.cursor == 0
        assert settled.shown.story.state.pips == 6
        assert settled.shown.story.asked is None

    def test_a_reading_of_an_older_state_is_dropped(self):
        (result,) = carry(laid("throw 3", "advance green"), Heard(saw("6"), seq=0))

        assert result.answer == Stale(2)
        assert result.shown.story.seq == 2

    def test_a_reading_of_this_state_is_taken(self):
        (result,) = carry(laid("throw 3", "advance green"), Heard(saw("6"), seq=2))

        assert result.shown.story.state.pips == 6


class TestButtons:
    def test_a_stray_press_of_confirm_claims_no_throw(self):
        (result,) = carry(laid(), press("confirm"))

        assert result.shown == laid()

    def test_next_steps_through_the_moves_and_confirm_makes_one(self):
        results = carry(laid(), press("next"), press("next"), press("confirm"))

        assert [r.shown.cursor for r in results[:2]] == [0, 1]
        made = results[-1].shown.story.steps[-1].made
        assert (made.move.pips, made.source) == (2, "button")  # 1, then 2

    def test_next_goes_round(self):
        results = carry(laid(), *[press("next")] * 6)

        assert results[-1].shown.cursor == 0  # five throws, the sixth press starts anew

    def test_previous_steps_back_and_goes_round_the_other_way(self):
        back, next_ = press("previous"), press("next")
        results = carry(laid(), back, back, next_, next_, next_, back)

        # Five throws: the last, the one before, on again, round to the first two, back.
        assert [r.shown.cursor for r in results] == [4, 3, 4, 0, 1, 0]

    def test_undo_takes_the_last_move_back(self):
        (result,) = carry(laid("throw 3"), press("undo"))

        assert result.shown.story.state == laid().story.state

    def test_two_undos_take_two_moves_back(self):
        results = carry(laid("throw 3", "advance green"), press("undo"), press("undo"))

        assert results[-1].shown.story.state == laid().story.state

    def test_undo_at_the_start_is_refused(self):
        (undone,) = carry(laid(), press("undo"))

        assert undone.answer == Rejected(LinePart("core.nothing_to_undo"))

    def test_a_long_press_of_next_goes_on_to_moves_of_another_kind(self):
        offers = ("move a", "throw red 1", "throw red 2", "throw blue 1", "pass")
        shown = replace(laid(), offers=offers, cursor=-1)

        results = carry(shown, *[press("next.long")] * 5)

        assert [result.shown.cursor for result in results] == [0, 1, 3, 4, 0]

    def test_help_says_how_the_buttons_work_and_changes_nothing_else(self):
        (helped,) = carry(laid(), press("help"))

        assert helped.shown == replace(laid(), notice=LinePart("core.help"))

    def test_only_a_long_press_of_help_asks_to_switch_off_with_or_without_a_game(self):
        for shown in (laid(), Snapshot()):
            short, held = carry(shown, press("help"), press("help.long"))

            assert not short.shown.off
            assert held.shown.off
            assert held.shown.notice == LinePart("core.switching_off")


class TestClaims:
    def test_a_double_tap_is_one_act(self):
        tap = claim(laid().story, "throw 3", "once")

        first, second = carry(laid(), tap, tap)

        assert first.answer == second.answer == Done(1, "g")
        assert second.shown.story.seq == 1

    def test_an_old_tap_is_refused(self):
        tap = claim(laid().story, "throw 3", "old")

        (result,) = carry(laid("throw 2"), tap)

        assert result.answer == Stale(1)

    def test_an_illegal_tap_is_refused_with_its_reason(self):
        shown = laid()

        (result,) = carry(shown, claim(shown.story, "advance green", "k"))

        assert isinstance(result.answer, Rejected)
        assert result.answer.verdict is not None
        assert result.shown.notice == result.answer.why
        assert result.cues == (REFUSE,)

    def test_nonsense_is_refused_without_a_ruling(self):
        shown = laid()

        (result,) = carry(shown, claim(shown.story, "fly", "k"))

        assert result.answer.verdict is None

    def test_a_double_undo_is_one_undo(self):
        shown = laid("throw 3", "advance green")
        wish = TakeBack(0, shown.story.seq, "once")

        _, second = carry(shown, wish, wish)

        assert second.shown.story.steps == shown.story.steps[:1]

    def test_an_old_undo_is_refused(self):
        (result,) = carry(laid("throw 3"), TakeBack(0, 0, "k"))

        assert result.answer == Stale(1)


class TestWhoMayTakeBack:
    """What lies open is everybody's; a private note is its owner's and the host's."""

    @pytest.mark.parametrize("seat", [0, 1, 2])
    def test_an_open_move_is_taken_back_by_any_seat(self, seat: int):
        (result,) = carry(laid("throw 3"), TakeBack(seat, 1, "k"))

        assert result.shown.story.steps == ()

    @pytest.mark.parametrize("seat", [0, 2])
    def test_a_private_note_is_not_taken_back_by_another_seat(self, seat: int):
        shown = laid("note 1 4")

        (result,) = carry(shown, TakeBack(seat, 1, "k"))

        bar = LinePart("core.not_yours_to_undo", (("seat", 1),))
        assert result.answer == Rejected(bar)
        assert result.shown == shown

    @pytest.mark.parametrize("seat", [1, None])
    def test_its_owner_and_the_host_take_a_private_note_back(self, seat: int | None):
        (result,) = carry(laid("note 1 4"), TakeBack(seat, 1, "k"))

        assert result.shown.story.steps == ()

    def test_the_button_of_all_takes_no_private_note_back(self):
        shown = laid("throw 3", "note 1 4")

        (result,) = carry(shown, press("undo"))

        assert isinstance(result.answer, Rejected)
        assert result.shown == shown

    def test_what_was_done_before_the_note_waits_behind_it(self):
        results = carry(laid("throw 3", "note 1 4"), TakeBack(1, 2, "a"), press("undo"))

        assert results[-1].shown.story.steps == ()


@pytest.mark.parametrize("order", [Heard(saw("3")), TakeBack(0, 0, "k"), press("undo")])
def test_without_a_game_nothing_is_carried_out(order):
    (result,) = carry(Snapshot(), order)

    assert result.answer == Rejected(LinePart("core.no_game"))


def test_how_camera_and_buttons_are_is_noted():
    camera, buttons = (
        CameraStatus("pi", LinePart("core.eye.lost")),
        ButtonStatus("lgpio", False),
    )

    results = carry(Snapshot(), camera, buttons)

    assert (results[-1].shown.camera, results[-1].shown.buttons) == (camera, buttons)


class TestAmending:
    def amend(self, shown, step, move, key="a"):
        order = Amend(step, move, None, shown.story.seq, key)
        return carry_out(shown, order, 1.0, SURE)

    def test_an_earlier_throw_was_another_and_what_followed_still_stands(self):
        shown = laid("throw 1", "advance green", "throw 4", "advance red")

        result = self.amend(shown, 3, "throw 3")

        story = result.shown.story
        assert isinstance(result.answer, Done)
        assert [step.seq for step in story.steps] == [1, 2, 3, 4]
        assert story.steps[2].made.move.pips == 3
        again = laid("throw 1", "advance green", "throw 3", "advance red")
        assert story.state == again.story.state
        # The log keeps what was first thought, and folds to the same story.
        assert len(story.entries) == 6
        assert fold(story.game, story.entries).state == story.state

    def test_the_same_wish_twice_amends_once(self):
        first = self.amend(laid("throw 1", "advance green"), 1, "throw 3")
        order = Amend(1, "throw 3", None, 2, "a")

        second = carry_out(first.shown, order, 2.0, SURE)

        assert second.shown.story is first.shown.story

    def test_a_wish_for_an_older_state_is_stale(self):
        order = Amend(1, "throw 3", None, 0, "a")

        assert carry_out(laid("throw 1"), order, 1.0, SURE).answer == Stale(1)

    def test_a_later_move_that_would_be_refused_stops_it(self):
        # With a 1, green goes into the dark of cell 1; only a 2 moves it from there.
        shown = laid("throw 1", "advance green", "throw 2", "advance green")

        result = self.amend(shown, 3, "throw 4")

        assert isinstance(result.answer, Rejected)
        assert result.answer.why == LinePart("core.amend_breaks", (("n", 4),))
        assert result.answer.verdict.reason == "drachenhort.no.in_shadow"
        assert result.shown.story is shown.story

    @pytest.mark.parametrize(
        ("step", "move"), [(1, "advance green"), (1, "fly"), (9, "throw 1")]
    )
    def test_what_is_no_move_there_changes_nothing(self, step, move):
        shown = laid("throw 1", "advance green")

        result = self.amend(shown, step, move)

        assert isinstance(result.answer, Rejected)
        assert result.shown.story is shown.story

    def test_the_preview_tells_each_players_points_before_and_after(self):
        story = laid("throw 1", "advance green").story

        found = preview(story, 1, "throw 6", None)

        assert found.breaks is None
        assert [before.seat for before, _ in found.scores] == [0, 1, 2]

    def test_a_table_that_was_right_stays_right(self):
        story = laid("throw 1").story
        state = played(story, "advance green").state
        story = extend(story, Edited(state, "as it lies"), 1.0)
        shown = with_story(Snapshot(game_id="g"), story)

        result = self.amend(shown, 1, "throw 3")

        assert result.shown.story.state == state


class TestAPause:
    def paused(self, *moves: str) -> Snapshot:
        (result,) = carry(laid(*moves), Rest(pause=True))
        return result.shown

    def test_no_throw_press_tap_or_undo_counts(self):
        shown = self.paused("throw 3")
        story = shown.story
        orders = (
            Heard(saw("6")),
            press("confirm"),
            claim(story, "advance green", "k", 0),
            TakeBack(0, story.seq, "u"),
            Amend(1, "throw 2", None, story.seq, "a"),
        )

        for order in orders:
            (result,) = carry(shown, order)
            assert result.answer == Rejected(PAUSED)
            assert result.shown.story == story
            assert result.cues == ()

    def test_a_finger_on_a_button_is_told_why_in_one_line(self):
        pressed, seen = carry(self.paused(), press("next")) + carry(
            self.paused(), Heard(saw("6"))
        )

        assert pressed.shown.notice == PAUSED
        assert seen.shown.notice is None

    def test_it_ends_where_the_host_goes_on(self):
        on, thrown = carry(self.paused(), Rest(pause=False), Heard(saw("6")))

        assert not on.shown.story.paused
        assert on.shown.offers
        assert thrown.shown.story.state.pips == 6

    def test_twice_is_once(self):
        shown = self.paused()

        (again,) = carry(shown, Rest(pause=True))

        assert again.answer == Done(1, "g")
        assert again.shown == shown

    def test_a_question_still_stands_after_it(self):
        results = carry(
            laid(), Heard(doubted(("6", 0.5))), Rest(pause=True), Rest(pause=False)
        )

        assert results[1].shown.offers == ()
        assert results[2].shown.story.asked == results[0].shown.story.asked
        assert results[2].shown.offers == results[0].shown.offers

    def test_it_stands_in_the_log_and_outlasts_a_restart(self):
        story = self.paused("throw 3").story

        assert fold(story.game, story.entries).paused

    def test_help_is_still_told(self):
        (helped,) = carry(self.paused(), press("help"))

        assert helped.shown.notice == LinePart("core.help")


def put(*sights) -> Heard:
    """Return the reading that these sights differ from the record."""
    glimpses = tuple(Glimpse(sight, 0.99) for sight in sights)
    return Heard(Reading(glimpses, whole=True))


LEVEL = ("throw 3", "advance green", "throw 1", "advance red")
"""Green on 3, red on 1, the others at the start; Cy throws next."""

SHOVED = put(Moved("green", "cell/3/dark", "cell/5/dark"))
"""Nobody has thrown, so no move puts green on 5."""


class TestTheTableIsRight:
    def asked(self) -> Snapshot:
        return carry(laid(*LEVEL), SHOVED)[0].shown

    def adopt(self, shown, seat=None, key="k", *, house=False):
        return carry(shown, Adopt(seat, shown.story.seq, key, house))[0]

    def test_the_record_is_set_to_what_lies_there(self):
        result = self.adopt(self.asked())

        story = result.shown.story
        assert isinstance(result.answer, Done)
        assert (story.state.cells[0], story.asked) == (5, None)
        assert story.entries[-1].body.note == "table"
        assert fold(story.game, story.entries).state == story.state

    def test_the_next_look_finds_the_table_in_order(self):
        shown = self.adopt(self.asked()).shown

        (result,) = carry(shown, put())

        assert result.shown.story is shown.story

    def test_a_house_rule_keeps_the_ruling_that_was_broken(self):
        # From 3, a one leads to 4: 5 is none of the cells that the throw allows.
        shown = carry(laid(*LEVEL, "throw 1"), SHOVED)[0].shown
        broken = shown.story.asked.verdict.ruling

        result = self.adopt(shown, house=True)

        assert result.shown.story.entries[-1].body.note == f"house:{broken}"

    def test_a_house_rule_that_is_like_no_move_breaks_no_ruling(self):
        jewel = min(laid(*LEVEL).story.state.jewels)
        (asked,) = carry(laid(*LEVEL), put(Removed("jewel", f"cell/{jewel}")))
        shown = asked.shown
        assert shown.story.asked.verdict is None

        result = self.adopt(shown, house=True)

        assert result.shown.story.entries[-1].body.note == "house"

    def test_one_tap_twice_is_one_act(self):
        shown = self.asked()
        wish = Adopt(None, shown.story.seq, "k")

        results = carry(shown, wish, wish)

        assert results[1].shown.story is results[0].shown.story
        assert isinstance(results[1].answer, Done)

    def test_a_wish_for_an_older_state_is_told_so(self):
        shown = self.asked()

        (result,) = carry(shown, Adopt(None, shown.story.seq - 1, "k"))

        assert result.answer == Stale(shown.story.seq)

    def test_without_a_question_there_is_nothing_to_take_over(self):
        result = self.adopt(laid(*LEVEL))

        assert result.answer == Rejected(LinePart("core.adopt.no_question"))

    def test_whoever_is_in_turn_may_say_so_and_nobody_else(self):
        shown = self.asked()

        mine, other = self.adopt(shown, seat=2), self.adopt(shown, seat=0)

        assert isinstance(mine.answer, Done)
        not_yours = LinePart("core.adopt.not_yours", (("seat", 2),))
        assert other.answer == Rejected(not_yours)

    def test_what_came_from_nowhere_is_refused_with_what_to_do(self):
        (asked,) = carry(laid(*LEVEL), put(Removed("green", "cell/3/dark")))

        result = self.adopt(asked.shown)

        assert result.answer == Rejected(LinePart("core.adopt.cannot"))
        assert TableIsRight.THIS_TIME not in asked.shown.offers

    def test_it_can_be_taken_back(self):
        shown = self.adopt(self.asked()).shown

        (result,) = carry(shown, TakeBack(None, shown.story.seq, "back"))

        assert result.shown.story.state.cells[0] == 3

    def test_what_hands_have_yet_to_carry_out_is_no_part_of_it(self):
        # The throw is told on a phone, and green not carried to 3 before the look.
        shown = carry(laid(), put())[0].shown
        shown = with_story(shown, played(shown.story, "throw 3", "advance green"))
        late = Moved("green", "cell/3/dark", "start")

        asked = carry(shown, put(late, Moved("red", "start", "cell/2/dark")))[0].shown
        state = self.adopt(asked).shown.story.state

        assert state.cells[:2] == (3, 2)

    def test_the_buttons_reach_it_last(self):
        shown = self.asked()
        steps = shown.offers.index(TableIsRight.THIS_TIME) - shown.cursor

        *_, result = carry(shown, *[press("next")] * steps, press("confirm"))

        assert shown.offers[-2:] == tuple(TableIsRight)
        assert result.shown.story.state.cells[0] == 5

    def test_a_stray_press_never_says_that_the_table_is_right(self):
        shown = self.asked()
        assert shown.offers == tuple(TableIsRight)

        (result,) = carry(shown, press("confirm"))

        assert result.shown == shown
