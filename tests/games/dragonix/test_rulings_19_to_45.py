"""Rulings DX19 to DX45 and the solo variant: tokens, dragons, recruiting, solo."""

import pytest
from msgspec.structs import replace

from companion.games.dragonix import GAME
from companion.games.dragonix.pieces import HERO
from companion.games.dragonix.scoring import grade
from companion.games.dragonix.state import (
    EFFECT,
    OVER,
    PLAY,
    RECRUIT,
)
from tests.games.dragonix.tables import (
    cards,
    legal,
    names,
    new_game,
    play,
    refused,
    row,
    scene,
    story,
)

OPENED = ("open sun1 I", "open rock12 II", "open krak3 III", "open krak9 IV")


class TestDX19:
    """Tokens at any moment of one's own turn, even several."""

    def test_before_between_and_after_the_cards(self):
        state = scene(
            hands=("sun5 sun6",), I="sun4", red="II", tokens=("prison plague flight",)
        )

        state = play(state, "token prison", "play sun5 I", "token flight")
        state = play(state, "play sun6 I", "token plague", "strike I", "enough")

        assert row(state, "I") == "sun4 sun5"
        assert "fly red III" in legal(state)

    def back(self, token, **rows):
        """Return the table after one card was taken back and a token laid open."""
        rows = {
            "hands": ("sun5",),
            "I": "krak3 krak9",
            "II": "forest1",
            "III": "rock9",
            "IV": "rock1",
            "tower": "krak1",
            "red": "III",
        } | rows
        army = "III" if rows["red"] == "I" else "I"
        return play(scene(**rows, tokens=(token,)), f"back {army}", f"token {token}")

    def test_the_plague_between_taking_back_and_placing(self):
        # L. 76: at once, also in the midst of an action. The 9 was in the way of the 5.
        state = play(self.back("plague"), "strike I")
        assert row(state, "I") == ""

        state = play(state, "play sun5 I")

        assert row(state, "I") == "sun5"
        assert "fly red II" in legal(state)

    def test_a_counter_order_between_taking_back_and_placing(self):
        # The 9 is gone; the 4 asks for the sun from now on, so the 5 goes behind it.
        state = self.back("counter", red="I", I="krak9", III="rock4 rock9")

        state = play(state, "recolour III sun", "play sun5 III")

        assert row(state, "III") == "rock4 sun5"
        assert "fly red II" in legal(state)

    def test_more_may_be_taken_back_after_such_an_order(self):
        state = self.back("counter", red="I", I="krak9", III="rock4 rock9")

        state = play(state, "recolour III krak")

        assert legal(state) == {"back III"}
        assert "play sun5 III" in legal(play(state, "back III"))

    def test_volunteers_between_taking_back_and_placing(self):
        # The 9 was in the way of the 5; the 3 goes between the 2 and the 4.
        state = self.back("volunteers", hands=("sun3 sun5",), I="krak2 krak4 krak9")

        assert legal(state) == {"insert sun3 I 1"}
        state = play(state, "insert sun3 I 1")
        assert refused(state, "fly red II")[1] == "place_what_needed"
        state = play(state, "play sun5 I")

        assert row(state, "I") == "krak2 sun3 krak4 sun5"
        assert "fly red II" in legal(state)

    def test_six_cards_with_volunteers_leave_and_the_9_opens_the_army_anew(self):
        state = self.back(
            "volunteers",
            hands=("sun3 rock5 sun9",),
            I="krak2 krak4 krak6 krak8 krak10",
        )

        state = play(state, "insert sun3 I 1", "insert rock5 I 3")
        assert row(state, "I") == ""
        state = play(state, "play sun9 I")

        assert row(state, "I") == "sun9"
        assert "fly red II" in legal(state)

    def test_a_volunteer_hero_may_be_exchanged_before_the_placing(self):
        state = self.back(
            "volunteers", hands=("hero sun3 sun10",), I="krak2 krak9 forest12"
        )

        state = play(state, "insert hero I 1", "swap sun3 I", "play sun10 I")

        assert row(state, "I") == "krak2 sun3 krak9 sun10"
        assert "fly red II" in legal(state)

    def test_what_a_token_allows_needs_the_token(self):
        state = scene(hands=("sun5",), I="sun4", tokens=("plague",))

        assert refused(state, "strike I") == ("DX19", "lay_the_token", (76, 78))


class TestDX20:
    """How long does a dragon stay without effect?"""

    def setting(self, choice):
        return scene(
            hands=("sun5", "sun6"),
            I="sun4",
            red="II",
            undead="I",
            undead_by=1,
            tokens=("flight",),
            options={"DX20": choice},
        )

    def test_by_default_for_this_turn(self):
        state = play(self.setting("this_turn"), "token flight", "soar undead")
        assert "play sun5 I" in legal(state)

        # seat 1 would end it, so a third seat must look at it
        three = replace(state, undead_by=0)
        three = play(three, "play sun5 I", "fly red III", "recruit")

        assert three.undead_off is False
        assert "play sun6 I" not in legal(three)

    def test_while_there_for_the_others_too(self):
        state = play(self.setting("while_there"), "token flight", "soar undead")

        state = replace(state, undead_by=0)
        state = play(state, "play sun5 I", "fly red III", "recruit")

        assert "play sun6 I" in legal(state)

    def test_the_red_dragon_has_its_effect_again_once_it_has_flown(self):
        state = scene(
            hands=("sun5", "rock3"),
            II="sun9",
            red="II",
            tokens=("flight",),
            options={"DX20": "while_there"},
        )

        state = play(state, "token flight", "play sun5 II", "fly red I")

        assert state.red_off is False


class TestDX21:
    """A counter-order is for armies III and IV and the tower, until they are empty."""

    def test_armies_i_and_ii_have_no_people(self):
        state = scene(hands=("sun5",), III="rock4", I="sun4", tokens=("counter",))

        state = play(state, "token counter")

        assert refused(state, "recolour I sun") == (
            "DX21",
            "no_colour_there",
            (140, 140),
        )

    def test_the_people_holds_while_cards_come_and_go(self):
        state = scene(
            hands=("sun5 sun6",), III="rock4", red="I", tokens=("counter plague",)
        )

        state = play(state, "token counter", "recolour III sun", "play sun5 III")
        state = play(state, "token plague", "strike III", "enough")

        assert row(state, "III") == "rock4"
        assert legal(state, "play") == {"play sun6 III"}

    def test_an_emptied_row_is_free_again(self):
        state = scene(
            hands=("sun5 krak6",), III="rock4", red="I", tokens=("counter plague",)
        )

        state = play(state, "token counter", "recolour III sun", "play sun5 III")
        state = play(state, "token plague", "strike III", "strike III")

        assert "play krak6 III" in legal(state)


class TestDX22:
    """Does the plague reach an army under a dragon?"""

    def test_by_default_it_does(self):
        state = scene(hands=("sun5",), I="sun4", II="sun9", tokens=("plague",))

        state = play(state, "token plague")

        assert legal(state) == {"strike I", "strike II"}

    def test_refused_keeps_it_off(self):
        state = scene(
            hands=("sun5",),
            I="sun4",
            II="sun9",
            tokens=("plague",),
            options={"DX22": "refused"},
        )

        state = play(state, "token plague")

        assert legal(state) == {"strike II"}
        assert refused(state, "strike I") == ("DX22", "plague_under_dragon", (86, 132))


class TestDX23:
    """Volunteers go between cards; are they enough for a turn?"""

    def scene(self, **more):
        return scene(
            hands=("sun5 sun7 sun12",),
            I="sun4 sun9",
            red="III",
            tokens=("volunteers",),
            **more,
        )

    def test_never_at_an_end(self):
        state = play(self.scene(), "token volunteers")

        assert legal(state) == {"insert sun5 I 1", "insert sun7 I 1"}
        for slot in (0, 1, 2):
            refusal = refused(state, f"insert sun12 I {slot}")
            assert refusal == ("DX23", "not_between", (150, 150))

    def test_two_of_them_into_one_army(self):
        state = play(self.scene(), "token volunteers", "insert sun7 I 1")

        assert legal(state) == {"insert sun5 I 1", "enough"}
        assert row(play(state, "insert sun5 I 1"), "I") == "sun4 sun5 sun7 sun9"

    def test_by_default_a_card_has_to_be_placed_too_on_that_army(self):
        state = play(self.scene(), "token volunteers", "insert sun7 I 1", "enough")

        assert refused(state, "fly red IV")[1] == "place_first"
        assert legal(state) == {"play sun12 I"}

    def test_counts_makes_them_enough(self):
        state = self.scene(options={"DX23": "counts"})

        state = play(state, "token volunteers", "insert sun7 I 1", "enough")

        assert "fly red IV" in legal(state)

    def test_a_sixth_card_sends_the_army_into_the_box(self):
        state = scene(
            hands=("sun5 rock6",),
            I="sun1 sun2 sun3 sun4 sun9",
            red="III",
            tokens=("volunteers",),
        )

        events = story(state, "token volunteers", "insert sun5 I 4")

        assert events == ["inserted sun5 I", "boxed I"]
        state = play(state, "token volunteers", "insert sun5 I 4")
        assert legal(state) == {"play rock6 I"}


class TestDX24:
    """Four cards after a reinforcement."""

    def test_the_refill_goes_up_to_three_only(self):
        state = scene(
            hands=("sun5 sun6 sun7",), camps=(5, 1), I="sun4", tokens=("reinforce",)
        )

        state = play(state, "token reinforce")
        assert (state.sides[0].hand, state.sides[0].camp) == (4, 4)

        state = play(state, "play sun5 tower", "fly red II")
        assert story(state, "recruit")[0] == "recruited 0"

    def test_the_camp_is_shuffled_so_what_lay_under_it_may_be_anywhere(self):
        state = scene(
            hands=("sun5",), camps=(1, 1), under=("rock3",), tokens=("reinforce",)
        )

        state = play(state, "token reinforce")

        assert state.sides[0].under == ()
        assert names(state.sides[0].mixed) == "rock3"
        assert {"play rock3 II", "play krak12 II"} <= legal(state)

    def test_an_empty_camp_is_nothing_to_look_at(self):
        state = scene(hands=("sun5",), camps=(0, 1), tokens=("reinforce",))

        assert refused(state, "token reinforce")[1] == "token_without_effect"


class TestDX25:
    """The undead dragon and the closed tower last one round of the table."""

    def test_they_leave_as_the_turn_of_who_brought_them_begins(self):
        state = scene(hands=("sun5 sun6", "rock7"), red="IV", tokens=("undead prison",))

        state = play(state, "token undead", "summon II", "token prison")
        state = play(state, "play sun5 I", "fly red III", "recruit")
        assert refused(state, "play rock7 II")[1] == "under_dragon"
        assert refused(state, "play rock7 tower")[1] == "tower_closed"

        assert story(state, "play rock7 I", "fly red IV", "recruit") == [
            "recruited 1",
            "turn_began",
            "undead_left",
            "tower_opened",
        ]


class TestDX26:
    """The two dragons never share an army."""

    def test_neither_by_flight_nor_by_token(self):
        state = scene(hands=("sun5 sun6",), red="II", tokens=("undead",))

        state = play(state, "token undead")
        assert refused(state, "summon II") == ("DX26", "dragons_meet", (84, 84))

        state = play(state, "summon I", "play sun5 III")
        assert legal(state, "fly") == {"fly red III", "fly red IV"}
        assert refused(state, "fly red I") == ("DX26", "dragons_meet", (84, 84))


class TestDX27:
    """The red dragon has to move, and never to the tower."""

    def test_it_neither_stays_nor_lands_on_the_tower(self):
        state = play(scene(hands=("sun5 sun6",), red="II"), "play sun5 I")

        assert refused(state, "fly red II") == ("DX27", "must_move", (84, 84))
        assert refused(state, "fly red tower") == (
            "DX27",
            "never_on_the_tower",
            (84, 84),
        )


class TestDX28:
    """A small camp."""

    def test_one_draws_what_is_left(self):
        state = scene(hands=("sun5 sun6 sun7",), camps=(1, 1), red="II")

        state = play(state, "play sun5 I", "play sun6 I", "fly red III")

        assert story(state, "recruit")[0] == "recruited 1"
        assert (
            play(state, "recruit").sides[0].hand,
            play(state, "recruit").sides[0].camp,
        ) == (2, 0)

    def test_known_cards_come_from_under_the_rest(self):
        state = scene(
            hands=("sun5 sun6 sun7",), camps=(1, 1), under=("rock3 rock9",), red="II"
        )

        state = play(state, "play sun5 I", "play sun6 I", "fly red III", "recruit")

        assert names(state.sides[0].shown) == "sun7 rock3"
        assert names(state.sides[0].under) == "rock9"


class TestDX29:
    """The grades of the solo game, nine among them."""

    def test_by_default_nine_is_a_failure(self):
        assert [grade(n, nine_is_fair=False) for n in (0, 1, 4, 5, 8, 9, 15, 16)] == [
            "none",
            "few",
            "few",
            "fair",
            "fair",
            "failure",
            "failure",
            "carnage",
        ]

    def test_fair_makes_nine_like_eight(self):
        assert [grade(n, nine_is_fair=True) for n in (8, 9, 10)] == [
            "fair",
            "fair",
            "failure",
        ]

    @pytest.mark.parametrize(("choice", "winners"), [("failure", ()), ("fair", (0,))])
    def test_only_who_does_not_fail_has_won(self, choice, winners):
        state = alone("sun5", options={"DX29": choice}, I="sun4", red="II")
        nine = cards("rock1 rock2 rock3 rock4 rock5 rock6 rock7 rock8 rock9")
        boxed = tuple(c for c in state.boxed if c not in nine)
        state = replace(state, deserters=nine, boxed=boxed)

        assert GAME.outcome(play(state, "play sun5 I")).winners == winners


def alone(hand, *, camp=0, **more):
    """Return a position of the solo game."""
    return scene(hands=(hand,), camps=(camp,), seats=1, **more)


WALLED = {"II": "forest1", "III": "rock9", "IV": "rock1", "tower": "krak1"}


class TestDX30:
    """Who counts as a deserter?"""

    @pytest.mark.parametrize(("choice", "count"), [("troops", 1), ("all_cards", 2)])
    def test_heroes_count_only_where_a_table_wants_it(self, choice, count):
        state = alone(
            "sun5", I="sun4 hero sun9", red="II", options={"DX30": choice}, **WALLED
        )

        state = play(state, "back I", "back I")

        assert state.deserters == (*cards("sun9"), HERO)
        (score,) = GAME.scores(state)
        assert (score.low, score.high) == (count, count)


class TestDX31:
    """The solo game ends when all cards are placed; one can always go on."""

    def test_the_last_card_ends_it(self):
        state = play(alone("sun5", I="sun4", red="II"), "play sun5 I")

        assert state.phase is OVER
        assert GAME.outcome(state).reason == "dragonix.end.none"

    def test_who_is_stuck_lets_troops_desert(self):
        state = alone("sun5", I="sun9", red="II", **WALLED)

        assert legal(state) == {"back I", "back III", "back IV"}
        assert story(state, "back I") == ["deserted sun9 I 1"]


class TestDX32:
    """The three cards shown at the start go to the hand."""

    def test_all_know_them_and_the_highest_sum_begins(self):
        state = play(
            new_game(),
            *OPENED,
            *("reveal 0 forest1", "reveal 0 forest2", "reveal 0 hero"),  # 16
            *("reveal 1 sun3", "reveal 1 sun4", "reveal 1 sun12"),  # 19
        )

        assert (state.phase, state.seat) == (PLAY, 1)
        assert names(state.sides[0].shown) == "forest1 forest2 hero"
        assert state.sides[0].closed == 0

    def test_the_seats_show_one_after_another(self):
        state = play(new_game(), *OPENED)

        assert refused(state, "reveal 1 sun3") == ("DX32", "not_your_reveal", (30, 30))


class TestDX33:
    """Both dragons and a closed tower: one can still take back."""

    def test_two_armies_are_always_left(self):
        state = scene(
            hands=("sun5",),
            I="sun9",
            II="forest1",
            red="III",
            undead="IV",
            undead_by=1,
            prison_by=1,
        )

        assert legal(state) == {"back I", "back II"}


class TestDX34:
    """Under the camp in the order they were taken."""

    def test_the_first_taken_is_drawn_first(self):
        state = scene(
            hands=("sun5",), camps=(0, 1), I="sun4 sun8 sun9", red="II", **WALLED
        )

        state = play(state, "back I", "back I")
        assert names(state.sides[0].under) == "sun9 sun8"

        state = play(state, "play sun5 I", "fly red III", "recruit")
        assert names(state.sides[0].shown) == "sun8 sun9"


class TestDX35:
    """Alone one begins with three cards."""

    def test_three_of_the_48(self):
        state = play(new_game(1), *OPENED)

        assert (state.phase, state.sides[0].hand, state.sides[0].camp) == (PLAY, 3, 45)


class TestDX36:
    """Where does an exchanged hero go in the solo game?"""

    def test_by_default_under_the_camp(self):
        state = alone("sun5 sun8", camp=2, I="sun4 hero", red="III")

        state = play(state, "swap sun5 I")

        assert state.sides[0].under == (HERO,)
        assert state.deserters == ()

    def test_beside_the_board_but_no_deserter(self):
        state = alone("sun5 sun8", I="sun4 hero", red="III", options={"DX36": "beside"})

        assert story(state, "swap sun5 I") == ["swapped_beside sun5 I"]
        state = play(state, "swap sun5 I")
        assert state.deserters == (HERO,)
        assert GAME.scores(state)[0].high == 0


class TestDX37:
    """What counts as being able to place."""

    def test_an_exchange_after_which_nothing_fits_does_not(self):
        # 8 could take the hero's place, but the 12 still ends the army
        state = scene(hands=("hero sun8",), I="sun4 hero sun12", red="III", **WALLED)

        assert "back I" in legal(state)

    def test_an_exchange_may_be_all_that_forbids_it(self):
        state = scene(
            hands=("hero sun8",), III="hero", I="sun12", red="II", **hero_walled()
        )

        assert legal(state, "swap") == {"swap sun8 III"}
        assert refused(state, "back III") == ("DX9", "can_place", (66, 66))

    def test_a_token_does_not(self):
        state = scene(hands=("sun5",), I="sun9", red="II", tokens=("plague",), **WALLED)

        assert "back I" in legal(state)


def hero_walled():
    """Return rows where neither a sun nor a hero goes, III left out."""
    return {"II": "forest1", "IV": "rock1", "tower": "krak1"}


class TestDX38:
    """Volunteers: a hero, the only card, the last card."""

    def test_a_hero_goes_where_a_value_is_between(self):
        state = scene(
            hands=("hero sun12",),
            I="sun4 sun5 sun9",
            red="III",
            tokens=("volunteers",),
        )

        state = play(state, "token volunteers")
        assert legal(state) == {"insert hero I 2"}  # between 5 and 9, not 4 and 5

        state = play(state, "insert hero I 2")
        assert state.rows[0].values == (4, 5, 6, 9)

    def test_falling_values_too(self):
        state = scene(
            hands=("hero sun1",), II="sun9 sun8 sun5", red="I", tokens=("volunteers",)
        )

        state = play(state, "token volunteers", "insert hero II 2")

        assert state.rows[1].values == (9, 8, 7, 5)

    def test_not_where_there_is_a_hero(self):
        state = scene(
            hands=("hero sun8",),
            I="sun4 hero sun9",
            red="III",
            tokens=("volunteers",),
        )

        state = play(state, "token volunteers")

        assert refused(state, "insert hero I 1")[1] == "second_hero"

    def test_the_only_card_leaves_nothing_to_place(self):
        state = scene(hands=("sun5",), I="sun4 sun9", red="III", tokens=("volunteers",))

        state = play(state, "token volunteers", "insert sun5 I 1")

        assert legal(state) == {"fly red I", "fly red II", "fly red IV"}

    def test_the_last_card_wins(self):
        state = scene(
            hands=("sun5",),
            camps=(0, 1),
            I="sun4 sun9",
            red="III",
            tokens=("volunteers",),
        )

        state = play(state, "token volunteers", "insert sun5 I 1")

        assert GAME.outcome(state).winners == (0,)


class TestDX39:
    """A counter-order needs a card and another people."""

    def test_empty_rows_and_the_same_people_are_refused(self):
        state = scene(hands=("sun5",), III="rock4", tokens=("counter",))

        state = play(state, "token counter")

        assert refused(state, "recolour IV sun") == (
            "DX39",
            "nothing_to_recolour",
            (140, 140),
        )
        assert refused(state, "recolour III rock") == (
            "DX39",
            "same_people",
            (140, 140),
        )

    def test_a_lone_hero_takes_any(self):
        state = scene(hands=("sun5 rock5",), III="hero", tokens=("counter",))

        state = play(state, "token counter", "recolour III sun")

        assert legal(state, "play rock5") == {
            "play rock5 II",
            "play rock5 IV",
            "play rock5 tower",
        }


class TestDX40:
    """A hero keeps its value."""

    def test_when_the_card_below_is_exchanged_or_cards_come_between(self):
        state = scene(
            hands=("sun5 sun12",), I="sun4 sun7 hero", red="III", tokens=("volunteers",)
        )

        state = play(state, "token volunteers", "insert sun5 I 1")

        assert state.rows[0].values == (4, 5, 7, 8)


class TestDX41:
    """Tokens until the draw begins."""

    def test_after_the_flight_too(self):
        state = scene(hands=("sun5 sun6",), I="sun4", red="II", tokens=("plague",))

        state = play(state, "play sun5 I", "fly red III", "token plague", "strike I")
        assert legal(state) == {"strike I", "enough"}

        assert play(state, "enough").phase is RECRUIT

    def test_volunteers_may_still_come_to_the_army_of_this_turn(self):
        state = scene(hands=("sun5 sun9",), I="sun4", red="II", tokens=("volunteers",))

        state = play(state, "play sun9 I", "fly red III", "token volunteers")

        assert legal(state) == {"insert sun5 I 1"}


class TestDX42:
    """The undead dragon on the army of this turn."""

    def test_once_a_card_is_placed_it_may_come_there(self):
        state = scene(hands=("sun5 sun6",), I="sun4", red="II", tokens=("undead",))

        state = play(state, "play sun5 I", "token undead", "summon I")

        assert refused(state, "play sun6 I")[1] == "under_dragon"

    def test_not_while_one_is_bound_but_has_not_placed(self):
        state = scene(hands=("sun5 sun8",), I="sun4 hero", red="II", tokens=("undead",))

        state = play(state, "swap sun5 I", "token undead")

        assert refused(state, "summon I") == ("DX42", "bound_not_placed", (80, 144))


class TestDX43:
    """After an exchange one takes back only from that army."""

    def test_the_exchange_binds_the_removal(self):
        # nothing fits anywhere; 5 takes the hero's place, then 3 needs cards gone
        state = scene(hands=("sun5 sun3",), I="sun4 hero sun12", red="II", **WALLED)

        state = play(state, "swap sun5 I")

        assert legal(state) == {"back I"}
        assert refused(state, "back III") == ("DX43", "take_back_elsewhere", (66, 80))
        state = play(state, "back I", "back I", "back I", "play sun3 I")
        assert row(state, "I") == "sun3"

    def test_no_second_exchange_is_thought_of(self):
        state = scene(hands=("sun5 hero",), I="sun4 hero sun12", red="III", **WALLED)

        state = play(state, "swap sun5 I")

        assert legal(state) == {"back I"}


class TestDX44:
    """Imprisoned binds its own player at once."""

    def test_the_tower_is_closed_to_all(self):
        state = play(scene(hands=("sun5",), tokens=("prison",)), "token prison")

        assert refused(state, "play sun5 tower") == ("DX44", "tower_closed", (126, 126))


class TestDX45:
    """A hero placed this turn may be exchanged this turn."""

    def test_the_hero_is_back_under_the_camp(self):
        state = scene(hands=("hero sun8",), I="sun4", red="III")

        state = play(state, "play hero I", "swap sun8 I")

        assert row(state, "I") == "sun4 sun8"
        assert "fly red II" in legal(state)


class TestSOLO:
    """The solo game and its variant."""

    def test_usually_the_red_dragon_goes_round_alone(self):
        state = play(new_game(1), *OPENED)

        assert state.undead == -1
        assert not any("undead" in piece for piece, _, _ in GAME.layout(state))

    def test_in_the_variant_both_go_to_the_next_army(self):
        state = play(new_game(1, {"SOLO": "variant"}), *OPENED, "play sun2 II")

        assert legal(state, "fly") == {"fly red II"}
        state = play(state, "fly red II")
        assert legal(state) == {"fly undead I"}
        assert refused(state, "fly red III")[1] == "not_that_dragon"

        assert play(state, "fly undead I").undead == 0

    def test_with_others_the_variant_changes_nothing(self):
        state = new_game(2, {"SOLO": "variant"})

        assert state.undead == -1


def test_a_token_that_is_laid_open_waits_for_its_effect():
    state = play(scene(hands=("sun5",), I="sun4", tokens=("plague",)), "token plague")

    assert state.phase is EFFECT
    assert refused(state, "play sun5 II")[1] == "waits_effect"
