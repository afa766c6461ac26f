"""The rules of Dragorun, section by section of the rulebook."""

from fractions import Fraction

import pytest

from companion.games.core import BadSetup, Config, Outcome
from companion.games.dragorun import GAME
from companion.games.dragorun.box import STAND_IN
from companion.games.dragorun.pieces import (
    EGGS,
    FIFTHS,
    NAMED,
    STEPS,
    Colour,
    Egg,
    Step,
)
from companion.games.dragorun.state import (
    AGAIN,
    BOUND,
    DEAL,
    DRAW,
    EGG,
    KEEP,
    OVER,
    PLACE,
    TURN,
    DrawEgg,
    MoveDragon,
    Throw,
)
from companion.table import Word
from tests.games.dragorun.tables import (
    DRAGONS,
    asked,
    legal,
    lined_up,
    new_game,
    numbers,
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


class TestBox:
    """Rulebook l. 42-62."""

    def test_the_movement_die_has_six_faces(self):
        assert STEPS == (
            Step.ONE,
            Step.TWO,
            Step.THREE,
            Step.BACK,
            Step.TROPHY,
            Step.SNAIL,
        )
        assert [step.value for step in STEPS] == [
            "+1",
            "+2",
            "+3",
            "-1",
            "trophy",
            "snail",
        ]

    def test_the_colour_die_shows_the_five_dragons_and_white(self):
        thrown = {
            throw.colour
            for throw in GAME.legal(scene(FAR, riders="red green"))
            if isinstance(throw, Throw)
        }

        assert thrown == {*map(Colour, DRAGONS), Colour.WHITE}

    def test_four_dragons_have_a_colour_in_the_book(self):
        assert [colour.value for colour in NAMED] == ["red", "green", "blue", "yellow"]
        assert Colour.WHITE not in FIFTHS
        assert not set(NAMED) & set(FIFTHS)

    def test_an_ordinary_die_stands_in_for_the_movement_die(self):
        means = {face: ours for face, piece, ours in GAME.plain_die if piece == "move"}

        assert means == {
            "1": "+1",
            "2": "+2",
            "3": "+3",
            "4": "-1",
            "5": "trophy",
            "6": "snail",
        }


class TestSetUp:
    """Rulebook l. 70-75."""

    def test_the_track_is_empty_and_all_eggs_are_in_the_supply(self):
        state = new_game(seats=3)

        assert state.phase is PLACE
        assert (state.race, state.drawn, state.winners) == (1, 0, ())
        assert state.eggs == ((), (), ())
        assert GAME.layout(state) == {("colour", None, "tray"), ("move", None, "tray")}

    def test_any_dragon_may_stand_on_any_start_cell(self):
        every = {f"place {dragon} {cell}" for dragon in DRAGONS for cell in range(1, 6)}

        assert legal(new_game()) == every

    def test_the_foremost_start_cell_is_offered_first(self):
        first = next(iter(GAME.legal(new_game())))

        assert first.cell == 5

    def test_a_start_cell_holds_one_dragon_and_a_dragon_one_cell(self):
        state = play(new_game(), "place blue 2")

        assert refused(state, "place red 2") == ("dragorun", "start_taken", (72, 72))
        assert numbers(state, "place red 2") == {
            "dragon": "red",
            "cell": 2,
            "other": "blue",
        }
        assert refused(state, "place blue 3") == (
            "dragorun",
            "placed_already",
            (72, 72),
        )
        assert refused(state, "place red 6") == ("DG33", "not_a_start_cell", (72, 72))

    def test_after_the_fifth_dragon_the_markers_are_given(self):
        state = lined_up(seats=3, first=1)

        assert state.phase is DEAL
        assert legal(state) == {f"deal 1 {dragon}" for dragon in DRAGONS}

    def test_each_seat_gets_one_marker_clockwise_from_the_first(self):
        state = play(lined_up(seats=3, first=1), "deal 1 blue", "deal 2 red")

        assert legal(state) == {"deal 0 green", "deal 0 yellow", "deal 0 violet"}
        assert refused(state, "deal 0 red")[1] == "marker_of_another"
        assert refused(state, "deal 2 green")[1] == "dealt_already"
        assert refused(play(lined_up(seats=3), "deal 0 red"), "deal 2 blue") == (
            "dragorun",
            "deal_order",
            (73, 81),
        )

    def test_the_first_player_begins_and_markers_left_lie_beside_the_board(self):
        state = play(lined_up(seats=2, first=1), "deal 1 blue", "deal 0 red")

        assert (state.phase, state.seat) == (TURN, 1)
        pool = {piece for piece, _, place in GAME.layout(state) if place == "pool"}
        assert pool == {"marker/green", "marker/yellow", "marker/violet"}

    def test_with_five_players_no_marker_is_left(self):
        deals = [f"deal {seat} {dragon}" for seat, dragon in enumerate(DRAGONS)]
        state = play(lined_up(seats=5), *deals)

        assert not [place for _, _, place in GAME.layout(state) if place == "pool"]

    def test_what_is_not_there_cannot_be_placed_or_dealt(self):
        assert refused(new_game(), "place pink 1")[1] == "no_such_dragon"
        assert refused(lined_up(), "deal 0 white")[1] == "no_such_dragon"
        assert refused(lined_up(), "deal 4 red")[1] == "no_such_seat"

    @pytest.mark.parametrize(
        ("setting", "told"),
        [
            (Config(1, STAND_IN), "1 cannot play"),
            (Config(6, STAND_IN), "6 cannot play"),
            (Config(3, STAND_IN, first=3), "seat 3 cannot begin; choose one of 0 to 2"),
            (Config(3, STAND_IN, (("DG8", "no"),)), "DG8"),
            (Config(3, STAND_IN, (("DG7", "no"),)), "cross, exact"),
        ],
    )
    def test_a_set_up_that_cannot_be_is_told(self, setting, told):
        with pytest.raises(BadSetup, match=told):
            GAME.setup(setting)


class TestThrow:
    """Rulebook l. 85."""

    def test_both_dice_are_thrown_first(self):
        state = scene(FAR)

        assert refused(state, "colour red")[:2] == ("dragorun", "both_dice_first")
        assert refused(state, "step +1")[:2] == ("dragorun", "both_dice_first")
        assert play(state, "throw red +1").phase is KEEP

    def test_the_first_throw_may_be_used(self):
        state = play(scene(FAR), "throw red +1", "move red 9")

        assert (where(state, "red"), state.phase, state.seat) == (9, TURN, 1)
        assert (state.colour, state.step) == (None, None)

    @pytest.mark.parametrize(
        ("again", "dice"),
        [
            ("throw green +3", (Colour.GREEN, Step.THREE)),
            ("colour green", (Colour.GREEN, Step.ONE)),
            ("step +3", (Colour.RED, Step.THREE)),
        ],
    )
    def test_one_die_or_both_may_be_thrown_again(self, again, dice):
        state = play(scene(FAR), "throw red +1", again)

        assert (state.phase, state.colour, state.step) == (BOUND, *dice)

    def test_the_second_throw_must_be_used(self):
        state = play(scene(FAR), "throw red +1", "colour green")

        assert legal(state) == {"move green 7"}
        assert refused(state, "throw red +2") == ("DG24", "bound", (85, 85))
        assert refused(state, "step +2")[1] == "bound"

    def test_a_second_throw_that_moves_nobody_ends_the_turn(self):
        events = story(scene(FAR), "throw red +1", "step trophy")

        assert events == ["thrown_again 0 red trophy", "dragon_stayed_first red"]
        assert play(scene(FAR), "throw red +1", "step trophy").seat == 1

    def test_a_joker_that_can_move_nobody_ends_the_turn(self):
        level = scene((0,) * 5)
        events = story(level, "throw red +1", "throw white -1")

        assert events == ["thrown_again 0 white -1", "nobody_moved 0"]

    def test_the_dice_must_be_those_of_this_box(self):
        assert refused(scene(FAR), "throw pink +1")[1] == "no_such_face"
        assert refused(scene(FAR, dice="red +1"), "colour black")[1] == "no_such_face"

    def test_who_has_thrown_may_not_swap(self):
        state = scene(FAR, dice="red +1")

        assert refused(state, "swap blue") == ("dragorun", "thrown_already", (81, 121))

    def test_turns_go_clockwise(self):
        state = scene(FAR, riders="red green blue", seat=1)

        state = play(state, "throw red +1", "move red 9")
        assert state.seat == 2
        assert play(state, "throw red +1", "move red 10").seat == 0


class TestMovement:
    """Rulebook l. 91-113."""

    @pytest.mark.parametrize(
        ("dice", "cell"),
        [
            ("violet +1", 7),  # 4, 5 and 6 are taken
            ("violet +2", 9),  # 8 is taken too
            ("violet +3", 10),
            ("red +3", 11),
            ("green -1", 2),  # 5, 4 and 3 are taken
            ("red -1", 7),
            ("yellow trophy", 9),
            ("blue snail", 2),
        ],
    )
    def test_each_face_leads_to_one_cell(self, dice, cell):
        dragon = dice.split()[0]
        state = scene(FAR, dice=dice)

        assert ways(state) == {f"move {dragon} {cell}"}
        assert where(play(state, f"move {dragon} {cell}"), dragon) == cell

    def test_the_wrong_dragon_is_told(self):
        state = scene(FAR, dice="red +1")

        assert refused(state, "move green 7") == ("dragorun", "wrong_dragon", (91, 91))
        assert numbers(state, "move green 7") == {"dragon": "green", "wanted": "red"}

    @pytest.mark.parametrize(
        ("dice", "ruling", "name", "line"),
        [
            ("violet +1", "dragorun", "wrong_cell", 97),
            ("violet +2", "dragorun", "wrong_cell", 97),
            ("violet +3", "dragorun", "wrong_cell", 97),
            ("green -1", "DG1", "wrong_cell_back", 101),
            ("violet trophy", "dragorun", "wrong_cell_trophy", 105),
            ("red snail", "DG3", "wrong_cell_snail", 109),
        ],
    )
    def test_the_wrong_cell_is_told_with_the_right_one(self, dice, ruling, name, line):
        dragon, step = dice.split()
        state = scene(FAR, dice=dice)
        (right,) = (
            move.cell for move in GAME.legal(state) if isinstance(move, MoveDragon)
        )

        text = f"move {dragon} 12"
        assert refused(state, text) == (ruling, name, (line, line))
        assert numbers(state, text) == {
            "dragon": dragon,
            "step": step,
            "wanted": right,
            "cell": "finish",
        }

    def test_a_dragon_that_stays_is_told_why(self):
        first = scene(FAR, dice="red trophy")
        last = scene(FAR, dice="violet snail")
        stuck = scene((8, 6, 5, 4, 0), dice="violet -1")

        # The book itself says so; no ruling about the snail cell does.
        assert refused(first, "move red 9") == ("dragorun", "stays_first", (105, 105))
        assert refused(last, "move violet 2") == ("dragorun", "stays_last", (109, 109))
        assert refused(stuck, "move violet 1") == (
            "dragorun", "stays_no_way_back", (101, 101)
        )  # fmt: skip
        assert ways(first) == {"move red 8"}
        assert story(first, "move red 8") == ["dragon_stayed_first red"]

    def test_the_joker_lets_any_dragon_move(self):
        state = scene(FAR, dice="white +1")

        assert ways(state) == {
            "move red 9",
            "move green 7",
            "move blue 7",
            "move yellow 7",
            "move violet 7",
        }

    def test_a_dragon_of_another_box_cannot_move(self):
        state = scene(FAR, dice="white +1")

        assert refused(state, "move orange 3")[1] == "no_such_dragon"

    def test_nothing_moves_before_a_throw(self):
        assert refused(scene(FAR), "move red 9") == (
            "dragorun",
            "waits_turn",
            (81, 121),
        )


class TestSwap:
    """Rulebook l. 121-125."""

    def test_two_riders_change_dragons(self):
        state = play(scene(FAR, riders="red green blue"), "swap blue")

        assert [rider(state, seat) for seat in range(3)] == ["blue", "green", "red"]
        assert state.hidden == (True, False, False)
        assert state.phase is DRAW
        assert story(scene(FAR), "swap green") == ["markers_swapped 0 green 1 red"]

    def test_a_marker_beside_the_board_may_be_taken(self):
        state = play(scene(FAR), "swap violet")

        assert rider(state, 0) == "violet"
        assert ("marker/red", "front", "pool") in GAME.layout(state)
        assert ("marker/violet", "back", "seat/0") in GAME.layout(state)
        assert story(scene(FAR), "swap violet") == ["marker_taken 0 violet red"]

    def test_ones_own_marker_cannot_be_taken(self):
        assert refused(scene(FAR), "swap red") == ("dragorun", "own_marker", (121, 121))
        assert refused(scene(FAR), "swap pink")[1] == "no_such_dragon"

    def test_a_marker_lying_face_down_is_out_of_reach(self):
        state = scene(FAR, riders="red green blue", hidden={2})

        assert swaps(state) == {"green", "yellow", "violet"}
        assert refused(state, "swap blue") == (
            "dragorun", "marker_hidden", (121, 121)
        )  # fmt: skip
        assert numbers(state, "swap blue") == {"dragon": "blue", "other_seat": 2}

    def test_an_egg_is_due_after_each_swap_and_only_then(self):
        state = play(scene(FAR), "swap blue")

        assert legal(state) == {
            "egg red",
            "egg green",
            "egg blue",
            "egg yellow",
            "egg violet",
            "egg snail",
            "egg mushroom",
        }
        assert refused(scene(FAR), "egg red")[1] == "egg_without_swap"
        assert refused(state, "throw red +1")[1] == "waits_draw"
        assert refused(state, "swap green")[1] == "waits_draw"
        assert refused(lined_up(), "egg red")[1] == "waits_deal"
        assert refused(lined_up(), "swap red")[1] == "waits_deal"


class TestEggs:
    """Rulebook l. 125-148."""

    def test_an_egg_moves_its_dragon_and_stays_with_its_finder(self):
        state = play(scene(FAR), "swap blue", "egg yellow")

        assert state.phase is EGG
        assert legal(state) == {"move yellow 7"}
        state = play(state, "move yellow 7")
        assert state.eggs == ((Egg.YELLOW,), ())
        assert (state.phase, state.seat) == (TURN, 1)

    def test_the_wrong_dragon_or_cell_after_an_egg_is_told(self):
        state = play(scene(FAR), "swap blue", "egg yellow")

        assert refused(state, "move red 9")[1] == "wrong_dragon_egg"
        assert refused(state, "move yellow 9") == ("DG15", "wrong_cell", (131, 131))
        assert refused(state, "throw red +1")[1] == "waits_egg"
        assert refused(state, "egg red")[1] == "waits_egg"

    def test_the_snail_sends_the_new_dragon_to_the_rear(self):
        state = play(scene(FAR), "swap blue", "egg snail")

        assert legal(state) == {"move blue 2"}
        assert refused(state, "move red 2") == (
            "DG10",
            "wrong_dragon_snail",
            (135, 135),
        )
        assert refused(state, "move blue 0") == (
            "DG3", "wrong_cell_snail", (135, 135)
        )  # fmt: skip

    def test_the_mushroom_moves_nobody(self):
        state = play(scene(FAR), "swap blue", "egg mushroom")

        assert (state.phase, state.seat) == (TURN, 1)
        assert state.eggs[0] == (Egg.MUSHROOM,)

    def test_the_odds_of_an_egg_are_those_of_the_supply(self):
        state = play(scene(FAR, eggs=("", "red red mushroom")), "swap blue")

        odds = {GAME.notate(state, move): part for move, part in GAME.chance(state)}
        assert odds == {
            "egg green": Fraction(2, 9),
            "egg blue": Fraction(2, 9),
            "egg yellow": Fraction(2, 9),
            "egg violet": Fraction(2, 9),
            "egg snail": Fraction(1, 9),
        }
        assert refused(state, "egg red")[1] == "egg_not_there"
        assert refused(state, "egg pink")[1] == "no_such_egg"

    def test_twelve_eggs_two_of_each_dragon_one_snail_one_mushroom(self):
        state = play(scene(FAR), "swap blue")
        counts = {move.egg: part * EGGS for move, part in GAME.chance(state)}

        assert counts == {
            **{Egg(dragon): 2 for dragon in DRAGONS},
            Egg.SNAIL: 1,
            Egg.MUSHROOM: 1,
        }

    def test_who_is_last_may_put_all_eggs_back(self):
        state = scene(FAR, riders="violet green", eggs=("red mushroom", "blue"))

        state = play(state, "return")
        assert state.eggs == ((), (Egg.BLUE,))
        assert (state.phase, state.seat) == (TURN, 0)
        assert "return" not in legal(state)
        assert refused(state, "return")[1] == "no_eggs"

    def test_who_is_not_last_keeps_the_eggs(self):
        state = scene(FAR, eggs=("mushroom",))

        assert refused(state, "return") == ("DG18", "not_last", (144, 148))
        assert numbers(state, "return") == {"seat": 0, "dragon": "red"}

    def test_it_is_too_late_once_the_turn_is_under_way(self):
        state = scene(FAR, riders="violet green", eggs=("red",))

        for under_way in (
            play(state, "throw red +1"),
            play(state, "swap blue"),
        ):
            assert refused(under_way, "return") == (
                "DG17",
                "return_too_late",
                (144, 144),
            )
        assert refused(lined_up(), "return")[1] == "waits_deal"

    def test_the_last_egg_brings_all_back_after_its_work(self):
        held = ("red red green green blue blue", "yellow yellow violet snail mushroom")
        state = play(scene(FAR, eggs=held), "swap blue")

        assert legal(state) == {"egg violet"}
        assert GAME.chance(state) == ((DrawEgg(Egg.VIOLET), 1),)
        state = play(state, "egg violet")
        assert len(state.eggs[0]) == 7
        assert asked(state)[-1] == "last_egg"
        assert story(state, "move violet 7") == [
            "dragon_moved violet 7",
            "all_eggs_returned",
        ]
        assert play(state, "move violet 7").eggs == ((), ())


class TestEnd:
    """Rulebook l. 150-154."""

    def test_the_rider_of_the_first_dragon_wins(self):
        state = play(scene((11, 6, 5, 4, 3), dice="red +1", seat=1), "move red 12")

        assert state.phase is OVER
        assert GAME.outcome(state).winners == (0,)
        assert GAME.outcome(state).reason == "dragorun.end.first"
        assert GAME.outcome(state).params == (("dragon", Word("dragorun.dragon.red")),)
        assert [score.low for score in GAME.scores(state)] == [1, 0]

    def test_nothing_is_decided_before(self):
        state = scene(FAR)

        assert GAME.outcome(state) is None
        assert [score.high for score in GAME.scores(state)] == [0, 0]

    def test_nothing_may_happen_after_the_end(self):
        state = play(scene((11, 6, 5, 4, 3), dice="red +1"), "move red 12")

        assert legal(state) == set()
        assert GAME.expects(state) == ()
        for text in (
            "throw red +1",
            "swap blue",
            "egg red",
            "return",
            "again",
            "decide 0",
            "place red 1",
            "deal 0 red",
            "move red 3",
            "step +1",
        ):
            assert refused(state, text) == ("dragorun", "waits_over", (152, 152))

    def test_the_mushroom_hands_the_win_to_the_second_dragon(self):
        state = scene((11, 6, 5, 4, 3), dice="red +1", eggs=("mushroom",))

        assert story(state, "move red 12") == [
            "dragon_finished red",
            "disqualified 0 red",
            "race_won 1",
        ]
        outcome = GAME.outcome(play(state, "move red 12"))
        assert isinstance(outcome, Outcome)
        assert (outcome.winners, outcome.reason) == ((1,), "dragorun.end.second")

    def test_nobody_wins_with_a_dragon_that_nobody_rides(self):
        state = scene((6, 5, 11, 4, 3), dice="blue +1")

        assert story(state, "move blue 12") == ["dragon_finished blue", "nobody_won"]
        state = play(state, "move blue 12")
        assert (state.phase, GAME.outcome(state)) == (AGAIN, None)
        assert legal(state) == {"again"}
        assert refused(state, "throw red +1")[1] == "waits_again"

    def test_another_race_is_set_up_at_once(self):
        state = play(scene((6, 5, 11, 4, 3), dice="blue +1"), "move blue 12", "again")

        assert (state.phase, state.race, state.seat) == (PLACE, 2, 1)


class TestWhoActs:
    def test_a_turn_belongs_to_its_seat(self):
        state = scene(FAR, riders="red green blue", seat=2)

        assert {GAME.actor(state, move) for move in GAME.legal(state)} == {2}

    def test_anybody_sets_up(self):
        assert GAME.actor(new_game(), next(GAME.legal(new_game()))) is None
        assert GAME.actor(lined_up(), next(GAME.legal(lined_up()))) is None

    def test_a_choice_is_nobodys_chance(self):
        assert GAME.chance(scene(FAR)) == ()
        assert GAME.chance(scene(FAR, dice="red +1")) == ()
