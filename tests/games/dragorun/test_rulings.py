"""Every ruling DG1 to DG33: a choice with its outcomes, a fixed rule with its case."""

from fractions import Fraction

import pytest

from companion.games.core import Config
from companion.games.dragorun import GAME
from companion.games.dragorun.box import STAND_IN, Box, check_box
from companion.games.dragorun.options import RULINGS
from companion.games.dragorun.pieces import Colour, Egg
from companion.games.dragorun.state import AGAIN, DEAL, DECIDE, OVER, TURN
from tests.games.dragorun.tables import (
    DRAGONS,
    legal,
    lined_up,
    play,
    refused,
    rider,
    scene,
    story,
    swaps,
    ways,
    where,
)

FAR = (8, 6, 5, 4, 3)
"""Red leads on 8, then green, blue, yellow; violet is last on 3."""

ELEVEN = ("red red green green blue blue", "yellow yellow violet snail mushroom")
"""All eggs but the second violet one, held by two seats."""


class TestDG1:
    """Does a step back skip taken cells?"""

    def test_by_default_it_goes_to_the_nearest_free_cell(self):
        assert ways(scene(FAR, dice="green -1")) == {"move green 2"}

    def test_next_cell_goes_one_cell_if_that_is_free(self):
        choice = {"DG1": "next_cell"}

        assert ways(scene(FAR, dice="red -1", options=choice)) == {"move red 7"}
        assert ways(scene(FAR, dice="green -1", options=choice)) == {"move green 6"}


class TestDG2:
    """May a step back join others on the snail cell?"""

    CELLS = (8, 1, 0, 4, 3)

    def test_by_default_the_snail_cell_always_has_room(self):
        assert ways(scene(self.CELLS, dice="green -1")) == {"move green 0"}

    def test_stay_keeps_it_out_while_others_are_there(self):
        choice = {"DG2": "stay"}
        empty = (8, 1, 2, 4, 3)

        taken = scene(self.CELLS, dice="green -1", options=choice)
        assert ways(taken) == {"move green 1"}
        assert ways(scene(empty, dice="green -1", options=choice)) == {"move green 0"}

    def test_who_is_there_cannot_go_back(self):
        assert ways(scene(self.CELLS, dice="blue -1")) == {"move blue 0"}


class TestDG3:
    """Where does the snail lead?"""

    def test_by_default_just_behind_the_last(self):
        assert ways(scene(FAR, dice="red snail")) == {"move red 2"}

    def test_snail_cell_leads_all_the_way_back(self):
        choice = {"DG3": "snail_cell"}

        assert ways(scene(FAR, dice="red snail", options=choice)) == {"move red 0"}
        assert ways(scene(FAR, dice="violet snail", options=choice)) == {
            "move violet 3"
        }

    def test_nobody_goes_behind_the_snail_cell(self):
        assert ways(scene((8, 6, 5, 4, 0), dice="red snail")) == {"move red 0"}


class TestDG4:
    """Several dragons on the snail cell: who is last?"""

    CELLS = (8, 6, 5, 0, 0)

    def table(self, riders, choice=None):
        options = {"DG4": choice} if choice else None
        return scene(
            self.CELLS,
            riders=riders,
            eggs=("red",),
            line="violet yellow",
            options=options,
        )

    @pytest.mark.parametrize(
        ("choice", "last"),
        [
            (None, {"violet", "yellow"}),
            ("all", {"violet", "yellow"}),
            ("newest", {"yellow"}),
            ("none", set()),
        ],
    )
    def test_who_may_put_eggs_back(self, choice, last):
        found = {
            dragon
            for dragon in ("violet", "yellow", "blue")
            if "return" in legal(self.table(f"{dragon} red", choice))
        }

        assert found == last

    def test_one_that_is_alone_there_is_last_in_any_case(self):
        state = scene(
            (8, 6, 5, 4, 0), riders="violet red", eggs=("red",), options={"DG4": "none"}
        )

        assert "return" in legal(state)

    def test_the_line_on_the_snail_cell_is_kept(self):
        state = play(self.table("red green"), "throw red snail", "move red 0")
        assert [DRAGONS[index] for index in state.line] == ["violet", "yellow", "red"]

        state = play(state, "throw yellow +1", "move yellow 1")
        assert [DRAGONS[index] for index in state.line] == ["violet", "red"]

    def test_the_snail_moves_none_of_them(self):
        assert ways(scene(self.CELLS, dice="violet snail")) == {"move violet 0"}


class TestDG5:
    """A tie for second place."""

    def finish(self, choice=None, riders="red green blue"):
        options = {"DG5": choice} if choice else None
        state = scene(
            (11, 0, 0, 0, 0),
            riders=riders,
            dice="red +1",
            eggs=("mushroom",),
            options=options,
        )
        return play(state, "move red 12")

    def test_by_default_the_riders_share_the_win(self):
        state = self.finish()

        assert GAME.outcome(state).winners == (1, 2)
        assert GAME.outcome(state).reason == "dragorun.end.shared"
        assert [score.low for score in GAME.scores(state)] == [0, 1, 1]

    def test_rerun_calls_another_race(self):
        assert self.finish("rerun").phase is AGAIN

    def test_decide_lets_the_table_name_one_of_them(self):
        state = self.finish("decide")

        assert state.phase is DECIDE
        assert legal(state) == {"decide 1", "decide 2"}
        assert refused(state, "decide 0") == ("DG5", "not_level", (139, 152))
        assert refused(state, "decide 5")[1] == "no_such_seat"
        assert refused(state, "throw red +1")[1] == "waits_decide"
        assert GAME.actor(state, GAME.parse(state, "decide 1")) is None
        state = play(state, "decide 2")
        assert GAME.outcome(state).winners == (2,)
        assert GAME.outcome(state).reason == "dragorun.end.second"

    def test_only_those_that_are_level_can_be_named(self):
        with pytest.raises(ValueError, match="not among those"):
            GAME.apply(self.finish("decide"), GAME.parse(None, "decide 0"))

    @pytest.mark.parametrize("choice", ["shared", "rerun", "decide"])
    def test_one_rider_alone_wins_in_any_case(self, choice):
        assert GAME.outcome(self.finish(choice, "red green")).winners == (1,)


class TestDG6:
    """May the trophy lead onto the finish?"""

    CELLS = (11, 6, 5, 4, 3)

    def test_by_default_it_wins_the_race(self):
        state = scene(self.CELLS, riders="green red", dice="green trophy")

        assert ways(state) == {"move green 12"}
        assert GAME.outcome(play(state, "move green 12")).winners == (0,)

    def test_stay_leaves_it_where_it_is(self):
        choice = {"DG6": "stay"}
        state = scene(self.CELLS, dice="green trophy", options=choice)

        assert ways(state) == {"move green 6"}
        assert story(state, "move green 6") == ["dragon_stayed_barred green"]
        assert refused(state, "move green 12") == ("DG6", "stays_barred", (105, 105))
        # The leader itself stays because it leads, one cell from the finish or not.
        leads = scene(self.CELLS, dice="red trophy", options=choice)
        assert story(leads, "move red 11") == ["dragon_stayed_first red"]


class TestDG7:
    """Does the finish need the exact number?"""

    CELLS = (10, 6, 5, 4, 3)

    def test_by_default_crossing_the_line_is_enough(self):
        state = scene(self.CELLS, dice="red +3")

        assert ways(state) == {"move red 12"}
        assert play(state, "move red 12").phase is OVER

    def test_exact_keeps_who_throws_too_much(self):
        choice = {"DG7": "exact"}
        state = scene(self.CELLS, dice="red +3", options=choice)

        assert ways(state) == {"move red 10"}
        assert refused(state, "move red 12") == ("DG7", "stays_not_exact", (152, 152))
        just = scene(self.CELLS, dice="red +2", options=choice)
        assert ways(just) == {"move red 12"}


class TestDG8:
    """The race ends at once, whoever or whatever moved the dragon."""

    def test_another_players_throw_lets_the_rider_win(self):
        state = scene((11, 6, 5, 4, 3), riders="green red", dice="red +1")

        assert GAME.outcome(play(state, "move red 12")).winners == (1,)

    def test_an_egg_does_too(self):
        state = scene((11, 6, 5, 4, 3), riders="green red")
        state = play(state, "swap blue", "egg red", "move red 12")

        assert GAME.outcome(state).winners == (1,)


class TestDG9:
    """Does a marker lying face down win?"""

    def finish(self, choice):
        state = scene(
            (11, 6, 5, 4, 3),
            riders="green red",
            hidden={1},
            dice="red +1",
            options={"DG9": choice},
        )
        return play(state, "move red 12")

    def test_by_default_it_wins(self):
        assert GAME.outcome(self.finish("counts")).winners == (1,)

    def test_does_not_makes_it_nobodys(self):
        assert self.finish("does_not").phase is AGAIN


class TestDG10:
    """First the swap, then the egg."""

    def test_the_snail_strikes_the_dragon_just_taken(self):
        state = play(scene(FAR), "swap green", "egg snail", "move green 2")

        assert (where(state, "red"), where(state, "green")) == (8, 2)


class TestDG11:
    """Which markers are protected after a swap?"""

    def swapped(self, choice):
        state = scene(FAR, riders="red green blue", options={"DG11": choice})
        return play(state, "swap blue", "egg mushroom")

    def test_by_default_only_the_one_that_was_taken(self):
        state = self.swapped("swapper_only")

        assert state.hidden == (True, False, False)
        assert swaps(state) == {"red", "yellow", "violet"}

    def test_both_protects_the_other_too(self):
        state = self.swapped("both")

        assert state.hidden == (True, False, True)
        assert swaps(state) == {"yellow", "violet"}
        looks = GAME.evidence(
            scene(FAR, options={"DG11": "both"}), GAME.parse(None, "swap green")
        )
        assert len(looks) == 4


class TestDG12:
    """All other markers lie face down."""

    def test_one_has_to_throw(self):
        state = scene(FAR, riders=" ".join(DRAGONS), hidden={1, 2, 3, 4})

        assert swaps(state) == set()
        assert sum(part for _, part in GAME.chance(state)) == 1
        assert {part for _, part in GAME.chance(state)} == {Fraction(1, 36)}
        assert GAME.expects(state)[0].line == "dragorun.do.throw"
        assert refused(state, "swap green") == ("DG12", "marker_hidden", (121, 121))


class TestDG13:
    """One's own marker comes up at the start of the turn."""

    def test_it_comes_up_and_may_be_swapped(self):
        state = play(scene(FAR), "swap blue", "egg mushroom", "throw red -1")

        assert state.hidden == (True, False)
        assert story(state, "move red 7")[-1] == "marker_turned_up 0 blue"
        state = play(state, "move red 7")
        assert state.hidden == (False, False)
        assert swaps(state) == {"red", "green", "yellow", "violet"}


class TestDG14:
    """A snail egg for a dragon that is last already."""

    def test_it_moves_nothing(self):
        state = scene(FAR)

        assert story(state, "swap violet", "egg snail") == [
            "egg_drawn 0 snail",
            "dragon_stayed_last violet",
        ]
        assert play(state, "swap violet", "egg snail").seat == 1


class TestDG15:
    """A +1 egg jumps over taken cells."""

    def test_it_leads_to_the_next_free_cell(self):
        assert legal(play(scene(FAR), "swap blue", "egg violet")) == {"move violet 7"}


class TestDG16:
    """The last egg acts first, then all go back."""

    def test_a_win_is_judged_while_the_eggs_are_still_held(self):
        state = scene((6, 5, 4, 3, 11), riders="green violet", eggs=ELEVEN)
        state = play(state, "swap red", "egg violet", "move violet 12")

        # Seat 1 rides violet and still holds the mushroom, so the second dragon wins:
        # red on 6, which seat 0 has just taken.
        assert where(state, "red") == 6
        assert GAME.outcome(state).winners == (0,)

    def test_a_mushroom_drawn_last_goes_back_at_once(self):
        held = ("red red green green blue blue", "yellow yellow violet violet snail")
        state = scene(FAR, eggs=held)

        assert story(state, "swap blue", "egg mushroom") == [
            "egg_drawn 0 mushroom",
            "all_eggs_returned",
        ]
        assert play(state, "swap blue", "egg mushroom").eggs == ((), ())

    def test_a_race_without_winner_brings_them_back_too(self):
        state = scene((6, 5, 4, 3, 11), eggs=ELEVEN, options={"DG21": "keep"})
        state = play(state, "swap blue", "egg violet")

        assert story(state, "move violet 12")[-1] == "all_eggs_returned"
        assert play(state, "move violet 12", "again").eggs == ((), ())


class TestDG17:
    """Putting eggs back is allowed, not compulsory; all of them, before the turn."""

    def test_the_last_may_also_just_play(self):
        state = scene(FAR, riders="violet green", eggs=("red blue",))

        assert {"return", "throw red +1", "swap red"} <= legal(state)
        assert play(state, "throw red +1", "move red 9").eggs[0] == (
            Egg.RED,
            Egg.BLUE,
        )
        assert play(state, "return").eggs[0] == ()


class TestDG18:
    """Last is the dragon of one's marker at the start of the turn."""

    def test_a_marker_just_turned_up_counts(self):
        state = play(scene(FAR), "swap violet", "egg mushroom", "throw red +1")
        state = play(state, "move red 9")

        assert state.seat == 0
        assert "return" in legal(state)

    def test_a_dragon_taken_this_turn_does_not(self):
        state = play(scene(FAR, eggs=("red",)), "swap violet")

        assert "return" not in legal(state)


class TestDG19:
    """The mushroom's holder arrives first."""

    def test_the_second_dragon_wins(self):
        state = scene((11, 6, 5, 4, 3), dice="red +1", eggs=("mushroom",))

        assert GAME.outcome(play(state, "move red 12")).winners == (1,)

    def test_a_mushroom_elsewhere_does_not_matter(self):
        state = scene((11, 6, 5, 4, 3), dice="red +1", eggs=("", "mushroom"))

        assert GAME.outcome(play(state, "move red 12")).winners == (0,)


class TestDG20:
    """The first is disqualified and nobody rides the second."""

    def finish(self, choice, riders="red blue"):
        state = scene(
            (11, 6, 5, 4, 3),
            riders=riders,
            dice="red +1",
            eggs=("mushroom",),
            options={"DG20": choice},
        )
        return play(state, "move red 12")

    def test_by_default_another_race_is_due(self):
        assert self.finish("rerun").phase is AGAIN

    def test_third_lets_the_next_dragon_win(self):
        assert GAME.outcome(self.finish("third")).winners == (1,)

    def test_third_goes_no_further_than_the_third(self):
        assert self.finish("third", "red yellow").phase is AGAIN


class TestDG21:
    """What another race keeps."""

    def rerun(self, choice):
        state = scene(
            (6, 5, 11, 4, 3),
            dice="blue +1",
            eggs=("red", "blue"),
            hidden={1},
            options={"DG21": choice},
        )
        return play(state, "move blue 12", "again")

    def test_by_default_all_is_set_up_anew(self):
        state = self.rerun("anew")

        assert (state.race, state.seat) == (2, 1)
        assert state.markers == (-1, -1)
        assert state.hidden == (False, False)
        assert state.eggs == ((), ())
        moves = [f"place {dragon} {cell}" for cell, dragon in enumerate(DRAGONS, 1)]
        assert play(state, *moves).phase is DEAL

    def test_keep_leaves_markers_and_eggs(self):
        state = self.rerun("keep")

        assert [rider(state, seat) for seat in (0, 1)] == ["red", "green"]
        assert state.eggs == ((Egg.RED,), (Egg.BLUE,))
        moves = [f"place {dragon} {cell}" for cell, dragon in enumerate(DRAGONS, 1)]
        assert story(state, *moves)[-1] == "marker_turned_up 1 green"
        assert play(state, *moves).phase is TURN

    def test_the_player_after_the_one_who_ended_the_race_begins(self):
        state = scene((6, 5, 4, 11, 3), riders="red green blue", seat=2)
        state = play(state, "throw yellow +1", "move yellow 12")

        assert story(state, "again") == ["race_called 2 0"]


class TestDG22:
    """How first markers are given."""

    def test_by_default_they_are_drawn(self):
        state = lined_up()

        assert [part for _, part in GAME.chance(state)] == [Fraction(1, 5)] * 5
        assert GAME.actor(state, GAME.parse(None, "deal 0 red")) is None
        assert GAME.expects(state)[0].line == "dragorun.do.deal"

    def test_chosen_lets_each_player_choose(self):
        state = lined_up(options={"DG22": "chosen"})

        assert GAME.chance(state) == ()
        assert GAME.actor(state, GAME.parse(None, "deal 0 red")) == 0
        assert GAME.expects(state)[0].line == "dragorun.do.choose"


class TestDG23:
    """May the joker name a dragon that stays?"""

    def test_by_default_any_dragon(self):
        assert len(ways(scene(FAR, dice="white trophy"))) == 5

    def test_must_move_leaves_out_who_would_stay(self):
        choice = {"DG23": "must_move"}
        state = scene(FAR, dice="white trophy", options=choice)

        assert ways(state) == {f"move {dragon} 9" for dragon in DRAGONS[1:]}
        assert refused(state, "move red 8") == ("DG23", "joker_must_move", (91, 91))

    def test_must_move_leaves_all_where_none_can(self):
        state = scene((0,) * 5, dice="white -1", options={"DG23": "must_move"})

        assert ways(state) == {f"move {dragon} 0" for dragon in DRAGONS}


class TestDG24:
    """One throws again once."""

    @pytest.mark.parametrize("again", ["throw blue +3", "colour blue", "step +3"])
    def test_the_second_throw_binds(self, again):
        state = play(scene(FAR, dice="red +1"), again)

        for third in ("throw red +1", "colour red", "step +1"):
            assert refused(state, third) == ("DG24", "bound", (85, 85))


class TestDG25:
    """The trophy with all five dragons on the snail cell."""

    def test_by_default_it_moves_one_ahead(self):
        assert ways(scene((0,) * 5, dice="red trophy")) == {"move red 1"}

    def test_stay_calls_them_all_first(self):
        state = scene((0,) * 5, dice="red trophy", options={"DG25": "stay"})

        assert ways(state) == {"move red 0"}
        assert story(state, "move red 0") == ["dragon_stayed_first red"]


class TestDG26:
    """A swap needs nobody's consent."""

    def test_the_swap_is_made_by_one_move_of_the_seat_in_turn(self):
        state = play(scene(FAR), "swap green")

        assert [rider(state, seat) for seat in (0, 1)] == ["green", "red"]


class TestDG27:
    """Eggs stay with the player."""

    def test_the_mushroom_does_not_travel_with_the_marker(self):
        state = play(scene(FAR, eggs=("mushroom", "red")), "swap green", "egg snail")

        assert state.eggs == ((Egg.MUSHROOM, Egg.SNAIL), (Egg.RED,))


class TestDG28:
    """A marker laid beside the board may be taken at once."""

    def test_the_next_player_may_take_it(self):
        state = play(scene(FAR), "swap blue", "egg mushroom")

        assert "red" in swaps(state)
        assert rider(play(state, "swap red"), 1) == "red"


class TestDG29:
    """When all eggs go back."""

    def drawn(self, choice):
        state = scene(FAR, eggs=("red red",), drawn=11, options={"DG29": choice})
        return play(state, "swap blue", "egg mushroom")

    def test_by_default_when_the_supply_is_empty(self):
        state = self.drawn("empty")

        assert len(state.eggs[0]) == 3
        assert state.drawn == 12

    def test_twelve_draws_bring_them_back_whatever_is_left(self):
        state = self.drawn("twelve_draws")

        assert state.eggs == ((), ())
        assert state.drawn == 0


class TestDG30:
    """After putting eggs back one may swap."""

    def test_even_to_draw_the_mushroom_again(self):
        state = scene(FAR, riders="violet green", eggs=("mushroom",))

        state = play(state, "return", "swap red", "egg mushroom")
        assert state.eggs[0] == (Egg.MUSHROOM,)


class TestDG31:
    """A +1 egg is compulsory."""

    def test_even_when_it_makes_another_win(self):
        state = play(scene((6, 11, 5, 4, 3)), "swap blue", "egg green")

        assert legal(state) == {"move green 12"}
        assert GAME.outcome(play(state, "move green 12")).winners == (1,)


class TestDG32:
    """The joker's dragon is chosen once the throw is kept."""

    def test_any_dragon_may_be_moved_or_the_dice_thrown_again(self):
        first = play(scene(FAR), "throw white +1")
        second = play(first, "step +2")

        assert len(ways(first)) == 5
        assert "step +2" in legal(first)
        assert legal(second) == ways(second)
        assert len(ways(second)) == 5


class TestDG33:
    """The track is a fact of the box."""

    def test_the_stand_in_has_one_snail_cell_five_starts_and_a_good_way(self):
        assert check_box(STAND_IN) == ()
        assert Box((1, 2, 3, 4, 5), 25, Colour.VIOLET) == STAND_IN

    @pytest.mark.parametrize(
        ("box", "codes"),
        [
            (Box((1, 2, 3, 4), 25, Colour.PINK), {"starts_not_five"}),
            (Box((1, 2, 3, 5, 4), 25, Colour.PINK), {"starts_not_rising"}),
            (Box((1, 2, 3, 3, 4), 25, Colour.PINK), {"starts_not_rising"}),
            (Box((0, 1, 2, 3, 4), 25, Colour.PINK), {"start_on_the_snail_cell"}),
            (Box((1, 2, 3, 4, 5), 5, Colour.PINK), {"finish_not_ahead"}),
            (Box((1, 2, 3, 4, 5), 6, Colour.RED), {"fifth_not_a_colour_of_its_own"}),
            (Box((1, 2, 3, 4, 5), 6, Colour.WHITE), {"fifth_not_a_colour_of_its_own"}),
            (Box((), 0, Colour.GREY), {"starts_not_five", "finish_not_ahead"}),
            (Box((3, 5, 7, 9, 11), 12, Colour.GREY), set()),
        ],
    )
    def test_a_box_is_checked(self, box, codes):
        assert {violation.code for violation in check_box(box)} == codes

    def test_the_fifth_dragon_may_have_another_colour(self):
        box = Box((2, 3, 4, 5, 6), 9, Colour.ORANGE)
        state = GAME.setup(Config(2, box))

        assert "place orange 6" in legal(state)
        assert refused(state, "place violet 6")[1] == "no_such_dragon"
        moves = [f"place {dragon} {n + 2}" for n, dragon in enumerate(box.dragons)]
        state = play(state, *moves, "deal 0 orange", "deal 1 red")
        assert "throw orange +1" in legal(state)
        assert "swap yellow" in legal(state)


def test_every_ruling_has_its_tests():
    numbers = [f"DG{number}" for number in range(1, 34)]

    assert [ruling.id for ruling in RULINGS] == numbers
    assert all(f"Test{number}" in globals() for number in numbers)
