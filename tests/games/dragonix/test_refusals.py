"""Why a hand may not do what it did: every refusal, with the line that it cites."""

import pytest
from msgspec.structs import replace

from companion.games.core import (
    LEGAL,
    Unknown,
)
from companion.games.dragonix import GAME
from companion.games.dragonix.moves import (
    Begin,
    Fly,
    Insert,
    NoteCard,
    NoteToken,
    Play,
    Recolour,
    Reveal,
    Soar,
    Strike,
    Summon,
    Swap,
    TakeBack,
    TurnUp,
)
from companion.games.dragonix.pieces import Dragon, People, Token
from companion.games.hidden import (
    Hidden,
)
from companion.table import Word
from tests.games.dragonix.tables import card, legal, new_game, play, refused, scene

OPENED = ("open sun1 I", "open rock12 II", "open krak3 III", "open krak9 IV")
ALL_THREE = (
    *("reveal 0 forest1", "reveal 0 forest2", "reveal 0 forest3"),
    *("reveal 1 sun2", "reveal 1 sun3", "reveal 1 sun4"),
)


def reason(state, move):
    """Return the name of why a move is refused, for moves that no text can write."""
    verdict = GAME.judge(state, move)
    assert verdict != LEGAL
    return verdict.reason.removeprefix("dragonix.no.")


class TestSetUp:
    def test_the_armies_are_opened_in_order_and_without_heroes(self):
        state = play(new_game(), "open sun1 I")

        assert refused(state, "open sun2 III")[1:] == ("not_that_army", (25, 25))
        assert refused(state, "open hero II")[1:] == ("hero_put_aside", (24, 25))
        assert refused(state, "open sun1 II")[1:] == ("in_sight", (25, 25))
        assert reason(state, TurnUp(99, 1)) == "no_such_card"

    def test_each_thing_at_its_time(self):
        start = new_game()
        opened = play(start, *OPENED)
        running = play(opened, *ALL_THREE)

        assert refused(start, "reveal 0 sun1")[1] == "waits_deal"
        assert refused(start, "begin 0")[1] == "waits_deal"
        assert refused(start, "play sun1 I")[1] == "waits_deal"
        assert refused(start, "note 0 sun1")[1] == "waits_deal"
        assert refused(opened, "open sun2 I")[1] == "waits_reveal"
        assert refused(running, "reveal 0 sun8")[1] == "waits_play"

    def test_a_card_that_cannot_be_among_the_first(self):
        state = play(new_game(), *OPENED)

        assert refused(state, "reveal 0 sun1")[1:] == ("in_sight", (26, 30))
        assert reason(state, Reveal(0, -1)) == "no_such_card"

    def test_a_tie_waits_for_who_begins(self):
        tied = ("reveal 1 sun2", "reveal 1 sun3", "reveal 1 rock1")
        state = play(new_game(), *OPENED, *ALL_THREE[:3], *tied)

        assert refused(state, "play forest1 I")[1] == "waits_begin"
        assert reason(state, Begin(7)) == "not_the_highest"


class TestPlacing:
    def setting(self, **more):
        rows = {"I": "sun4", "II": "sun9", "III": "rock4", "tower": "krak1"}
        return scene(hands=("sun3 hero rock2",), **{**rows, "red": "IV", **more})

    def test_numbers_that_do_not_rise_or_fall(self):
        state = self.setting(II="sun2")

        assert refused(state, "play sun3 I")[1:] == ("must_rise", (53, 53))
        assert refused(state, "play sun3 II")[1:] == ("must_fall", (54, 54))

    def test_people(self):
        state = self.setting()

        assert refused(state, "play sun3 III")[1:] == ("wrong_people", (55, 55))
        assert refused(state, "play sun3 tower")[1:] == ("wrong_people", (57, 57))

    def test_order_where_no_people_is_asked_for_yet(self):
        state = scene(hands=("sun1 rock1",), III="hero", red="I")

        assert refused(state, "play sun1 III")[1:] == ("must_rise", (55, 55))

    def test_heroes(self):
        state = self.setting(I="sun4 hero")

        assert refused(state, "play hero I")[1:] == ("second_hero", (53, 53))
        assert refused(state, "play hero tower")[1] == "no_hero_on_the_tower"

    def test_what_is_not_in_the_hand_or_nowhere(self):
        state = self.setting()

        assert refused(state, "play sun12 I")[1:] == ("not_in_hand", (46, 47))
        assert reason(state, Play(77, 0)) == "no_such_card"
        assert reason(state, Play(card("sun3"), 9)) == "no_such_row"

    def test_the_undead_dragon_is_named(self):
        state = self.setting(undead="I", undead_by=1)

        verdict = GAME.judge(state, GAME.parse(state, "play sun3 I"))

        assert ("dragon", Word("dragonix.dragon.undead")) in verdict.params

    def test_once_the_dragon_has_flown_one_draws(self):
        state = play(self.setting(), "play sun3 II", "fly red I")

        assert refused(state, "play rock2 II")[1:] == ("waits_recruit", (90, 90))
        assert refused(state, "swap rock2 II")[1] == "waits_recruit"
        assert refused(state, "back II")[1] == "waits_recruit"
        assert refused(state, "fly red III")[1] == "waits_recruit"

    def test_one_draws_only_after_the_flight(self):
        assert refused(self.setting(), "recruit")[1:] == ("waits_play", (44, 47))

    def test_with_cards_placed_the_dragon_has_to_fly_before_anything_else(self):
        # Step B, which nobody may leave out (l. 84).
        state = scene(hands=("sun5 sun6",), I="sun4", red="II")
        state = play(state, "play sun5 I")

        for text in ("recruit", "enough", "fly undead III"):
            assert refused(state, text)[2] == (84, 84)
        assert refused(state, "recruit")[1] == "waits_flight"

    def test_alone_it_flies_to_the_next_army(self):
        state = scene(hands=("sun5",), seats=1, camps=(3,), I="sun4", red="II")
        state = play(state, "play sun5 I")

        assert refused(state, "recruit")[1:] == ("waits_flight", (102, 102))


class TestExchanging:
    def test_no_hero_there(self):
        state = scene(hands=("sun5 sun8",), I="sun4", tower="krak1", red="III")

        assert refused(state, "swap sun5 I")[1:] == ("no_hero_there", (64, 64))
        assert refused(state, "swap sun5 tower")[1] == "no_hero_there"

    def test_not_under_a_dragon_and_not_on_another_army(self):
        state = scene(hands=("sun5 sun8 rock1",), I="sun4 hero", red="I")
        other = scene(hands=("sun5 sun8 rock1",), I="sun4 hero", red="II")

        assert refused(state, "swap sun5 I")[1] == "under_dragon"
        other = play(other, "play rock1 III")
        assert refused(other, "swap sun5 I")[1] == "bound_elsewhere"

    def test_the_only_card_is_not_enough(self):
        state = scene(hands=("sun5",), I="sun4 hero", red="III")

        assert refused(state, "swap sun5 I")[1] == "swap_needs_a_card"

    def test_moves_that_no_text_writes(self):
        state = scene(hands=("sun5",), I="sun4 hero", red="III")

        assert reason(state, Swap(-3, 0)) == "no_such_card"
        assert reason(state, Swap(card("sun5"), 8)) == "no_such_row"


class TestTakingBack:
    def test_only_from_a_filled_army_before_anything_is_placed(self):
        state = scene(
            hands=("sun5 sun6",), I="sun4", II="sun9", tower="krak1", red="III"
        )

        assert refused(state, "back tower")[1:] == ("only_from_armies", (66, 66))
        assert refused(state, "back IV")[1] == "row_is_empty"
        placed = play(state, "play sun5 I")
        assert refused(placed, "back I")[1] == "placed_already"
        assert reason(state, TakeBack(-1)) == "only_from_armies"

    def test_nobody_takes_back_without_a_card_in_hand(self):
        state = scene(hands=("sun5",), I="sun4 sun9", red="III", tokens=("volunteers",))

        state = play(state, "token volunteers", "insert sun5 I 1")

        assert refused(state, "back I")[1] == "can_place"


class TestFlying:
    def test_only_after_a_card_and_only_the_red_one(self):
        state = scene(hands=("sun5",), I="sun4", red="II")

        assert refused(state, "fly red I")[1:] == ("place_first", (44, 47))
        assert refused(state, "fly undead I")[1] == "not_that_dragon"
        assert reason(state, Fly(Dragon.UNDEAD, 9)) == "not_that_dragon"

    def test_alone_only_to_the_next_army(self):
        state = scene(hands=("sun5 sun6",), seats=1, camps=(1,), I="sun4", red="II")

        state = play(state, "play sun5 I")

        assert refused(state, "fly red IV")[1:] == ("next_army", (102, 102))
        assert refused(state, "fly red II")[1] == "must_move"


class TestTokens:
    def test_a_token_that_is_spent_or_elsewhere(self):
        state = scene(hands=("sun5",), tokens=("plague",))

        assert refused(state, "token flight")[1:] == ("token_spent", (78, 78))
        start = play(new_game(1), *OPENED)
        assert refused(start, "token prison")[1:] == ("no_such_token", (27, 28))

    def test_a_token_without_effect(self):
        state = scene(
            hands=("sun5",),
            red="II",
            undead="I",
            undead_by=1,
            tokens=("plague counter undead volunteers flight",),
        )

        assert refused(state, "token plague")[1] == "token_without_effect"
        assert refused(state, "token counter")[1] == "token_without_effect"
        assert refused(state, "token volunteers")[1] == "token_without_effect"
        assert refused(state, "token undead")[1:] == ("undead_is_there", (144, 144))

    def test_tokens_wait_while_another_is_carried_out_or_the_game_is_set_up(self):
        state = scene(hands=("sun5",), I="sun4", tokens=("plague flight",))
        state = play(state, "token plague")

        assert refused(state, "token flight")[1] == "waits_effect"
        assert refused(state, "soar red")[1] == "waits_effect"
        assert refused(state, "enough")[1] == "waits_effect"
        assert refused(state, "recruit")[1] == "waits_effect"

    def test_the_plague_strikes_armies_with_cards_and_one_only(self):
        state = scene(
            hands=("sun5",), I="sun4 sun6", II="sun9", red="III", tokens=("plague",)
        )
        state = play(state, "token plague")

        assert refused(state, "strike IV")[1:] == ("row_is_empty", (132, 132))
        assert refused(state, "strike tower")[1] == "effect_on_armies"
        state = play(state, "strike I")
        assert refused(state, "strike II")[1:] == ("same_army", (132, 132))
        assert refused(state, "play sun5 I")[1] == "waits_more"
        assert reason(state, Strike(-2)) == "effect_on_armies"

    @pytest.mark.parametrize(
        ("token", "act", "line"),
        [("plague", "strike I", 132), ("volunteers", "insert sun5 I 1", 150)],
    )
    def test_the_line_of_the_token_is_told_while_its_second_card_is_open(
        self, token, act, line
    ):
        hand = "sun5 sun7 sun9" if token == "volunteers" else "sun5"
        state = scene(hands=(hand,), I="sun4 sun8", red="II", tokens=(token,))
        state = play(state, f"token {token}", act)

        assert refused(state, "recruit")[1:] == ("waits_more", (line, line))

    def test_a_closed_tower_cites_its_ruling_for_who_closed_it_alone(self):
        mine = scene(hands=("sun5",), prison_by=0)
        theirs = scene(hands=("sun5",), prison_by=1)

        assert refused(mine, "play sun5 tower")[:2] == ("DX44", "tower_closed")
        assert refused(theirs, "play sun5 tower")[:2] == ("dragonix", "tower_closed")

    def test_no_dragon_comes_to_an_army_of_a_card_taken_back(self):
        state = scene(
            hands=("sun5",),
            I="sun4",
            II="forest1",
            III="rock7 rock9",
            IV="krak2",
            tower="krak1",
            red="I",
            tokens=("undead",),
        )
        state = play(state, "back III", "token undead")

        assert refused(state, "summon III")[0] == "DX42"

    def test_volunteers_leave_what_the_card_taken_back_was_in_the_way_of(self):
        # Only for a hero was the 12 in the way: it is not to go between 1 and 9.
        state = scene(
            hands=("hero sun2",),
            I="sun1 sun9 sun12",
            II="forest1",
            III="rock9",
            IV="rock1",
            tower="krak1",
            red="III",
            options={"DX23": "counts"},
            tokens=("volunteers",),
        )
        state = play(state, "back I", "token volunteers")

        assert refused(state, "insert hero I 1") == ("DX10", "unsettled", (66, 76))
        assert legal(state) == {"insert sun2 I 1"}
        state = play(state, "insert sun2 I 1")
        # Volunteers count as step A here, but not as what was taken back for.
        assert refused(state, "fly red I")[1] == "place_what_needed"
        assert refused(state, "back I")[1] == "placed_already"
        assert "fly red I" in legal(play(state, "play hero I"))

    def test_an_order_leaves_the_rest_of_a_set_its_people(self):
        # The hero lies, and the 12 must follow: of no other people than now.
        state = scene(
            hands=("hero sun12",),
            I="forest9",
            II="forest1",
            III="sun10 sun11 hero",
            IV="rock1",
            tower="krak1",
            red="I",
            tokens=("counter",),
        )
        state = play(state, "back III", "back III", "play hero III", "token counter")

        assert refused(state, "recolour III krak") == ("DX10", "unsettled", (66, 76))
        assert refused(state, "recolour III sun")[1] == "same_people"
        assert "recolour tower sun" in legal(state)
        assert not legal(state, "recolour III")

    def test_the_undead_dragon_comes_to_armies(self):
        state = play(scene(hands=("sun5",), tokens=("undead",)), "token undead")

        assert refused(state, "summon tower")[1] == "never_on_the_tower"
        assert reason(state, Summon(12)) == "never_on_the_tower"

    def test_a_counter_order_to_no_row(self):
        state = scene(hands=("sun5",), III="rock4", tokens=("counter",))
        state = play(state, "token counter")

        assert reason(state, Recolour(7, People.SUN)) == "no_colour_there"

    def test_volunteers(self):
        state = scene(
            hands=("sun5 sun6",),
            I="sun4 sun9",
            II="sun12 sun2",
            III="rock1 rock9",
            red="III",
            tokens=("volunteers",),
        )
        state = play(state, "token volunteers")

        assert refused(state, "insert sun5 tower 1")[1] == "effect_on_armies"
        assert refused(state, "insert sun5 III 1")[1] == "insert_under_dragon"
        assert refused(state, "insert sun8 I 1")[1:] == ("not_in_hand", (150, 150))
        assert reason(state, Insert(99, 0, 1)) == "no_such_card"
        assert reason(state, Insert(1, 99, 1)) == "effect_on_armies"
        assert reason(state, Insert(card("sun5"), 0, -1)) == "not_between"
        state = play(state, "insert sun5 I 1")
        assert refused(state, "insert sun6 II 1") == (
            "DX23",
            "bound_elsewhere",
            (80, 80),
        )

    def test_high_flight_needs_a_dragon_with_an_effect(self):
        state = scene(
            hands=("sun5",), undead="II", undead_by=1, tokens=("flight",), red="I"
        )
        state = play(state, "token flight")

        assert GAME.judge(state, Soar(Dragon.UNDEAD)) == LEGAL
        alone = play(scene(hands=("sun5",), tokens=("flight plague",)), "token flight")
        assert alone.red_off
        assert refused(alone, "soar red") == ("DX19", "lay_the_token", (76, 78))

    def test_a_dragon_without_effect_has_none_to_lose(self):
        state = scene(
            hands=("sun5",), undead="II", undead_by=1, tokens=("flight",), red="I"
        )
        state = replace(play(state, "token flight"), red_off=True)

        assert refused(state, "soar red")[1:] == ("no_effect_to_lose", (154, 154))


class TestNotes:
    def setting(self):
        return scene(hands=("sun5 ?", "rock1 rock2"), rest="sun7 sun8 sun9")

    def test_only_what_can_be_and_only_in_secret(self):
        state = self.setting()

        assert refused(state, "note 0 sun5")[1:] == ("not_your_card", (26, 30))
        assert refused(state, "note 1 sun7")[1:] == ("nothing_to_note", (30, 30))
        assert refused(state, "note 5 sun7")[1] == "no_such_seat"
        assert reason(state, NoteCard(0, Hidden(card("sun7"), (0, 1)))) == (
            "note_not_secret"
        )
        assert reason(state, NoteCard(0, Hidden(99, (0,)))) == "not_your_card"

    def test_a_note_that_one_may_not_see_is_not_judged(self):
        state = self.setting()

        verdict = GAME.judge(state, GAME.parse(state, "note 0 ?"))
        assert verdict == Unknown("dragonix.no.note_not_told", (("seat", 0),))
        verdict = GAME.judge(state, GAME.parse(state, "token-note 0 ?"))
        assert isinstance(verdict, Unknown)

    def test_tokens(self):
        state = play(new_game(3), *OPENED)
        first = ("reveal 0 sun2", "reveal 0 sun3", "reveal 0 sun4")
        second = ("reveal 1 rock2", "reveal 1 rock3", "reveal 1 rock4")
        third = ("reveal 2 krak2", "reveal 2 krak4", "reveal 2 krak5")
        state = play(state, *first, *second, *third)

        state = play(state, "token-note 0 undead", "token-note 0 undead")
        assert refused(state, "token-note 0 flight")[1] == "nothing_to_note"
        state = play(state, "token-note 1 undead")  # a mistake, but who could tell
        assert GAME.check(state) == ()
        state = play(state, "token-note 1 flight")
        verdict = GAME.judge(state, NoteToken(2, Hidden(Token.UNDEAD, (0,))))
        assert verdict.reason == "dragonix.no.note_not_secret"

    def test_a_token_that_is_spent_is_not_noted(self):
        state = play(new_game(), *OPENED, *ALL_THREE)
        state = play(state, "play sun2 tower", "token prison", "fly red II")

        assert refused(state, "token-note 0 prison")[1:] == ("not_your_token", (27, 28))

    def test_what_was_begun_is_finished_first(self):
        state = scene(
            hands=("?",),
            I="sun9",
            II="forest1",
            III="rock9",
            IV="krak2",
            tower="krak1",
            red="I",
            rest="rock5",
        )
        state = play(state, "back III")

        assert refused(state, "note 0 rock5")[1] == "finish_first"


@pytest.mark.parametrize("text", ["play sun6 I", "note 0 sun6", "recruit", "enough"])
def test_after_the_end_nothing_is_allowed(text):
    state = scene(hands=("sun5",), camps=(0, 1), I="sun4", red="II")

    state = play(state, "play sun5 I")

    assert refused(state, text)[1:] == ("waits_over", (17, 17))
