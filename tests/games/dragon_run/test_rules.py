"""The rules by the sections of the rulebook."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from companion.games.core import (
    Config,
    NotNow,
)
from companion.games.dragon_run import GAME
from companion.games.dragon_run.box import STAND_IN, Effect
from companion.games.dragon_run.pieces import Kind, Then
from companion.games.dragon_run.state import (
    NoteCard,
)
from companion.games.dragon_run.turns import hopeful, succeeds
from companion.games.hidden import (
    Hidden,
)
from companion.words import Words
from tests.games.dragon_run.tables import (
    HEROES,
    PLACES,
    hand,
    kinds,
    legal,
    new_game,
    play,
    prompts,
    refused,
    scene,
    story,
)

NINE_OPEN = "room room room room room bridge crypt chest mirror"


class TestSetUp:
    """« Préparation »."""

    def test_each_seat_is_dealt_one_of_seven_characters(self):
        state = new_game(seats=3, first=1)

        assert legal(state) == {f"deal {hero}" for hero in HEROES}
        state = play(state, "deal elf")
        assert "deal elf" not in legal(state)
        assert GAME.chance(state)[0][1] == Fraction(1, 6)

        state = play(state, "deal thief", "deal dwarf")
        assert state.heroes == (1, 3, 0)
        assert state.phase == "act"
        assert state.seat == 1

    def test_whoever_begins_turns_one_of_ten_cards(self):
        state = play(new_game(seats=2), "deal elf", "deal dwarf")

        odds = dict(GAME.chance(state))
        assert odds[GAME.parse(state, "turn room")] == Fraction(5, 10)
        assert odds[GAME.parse(state, "turn dragon")] == Fraction(1, 10)


class TestRushing:
    """« Foncer tête baissée »."""

    def test_a_turned_card_lies_open_and_is_not_in_the_pile_any_more(self):
        state = play(scene(), "turn chest")

        assert state.turned == (PLACES.index("chest"),)
        assert "turn chest" not in legal(state)
        assert refused(state, "turn chest")[1] == "place_used_up"

    def test_a_stop_sign_ends_the_turn(self):
        assert play(scene(), "turn mirror").seat == 1

    def test_the_next_seat_is_clockwise_and_skips_the_burned(self):
        state = scene(seats=4, seat=3, out=(0,))

        assert play(state, "turn mirror").seat == 1

    def test_a_card_is_looked_at_without_the_table_learning_it(self):
        assert story(scene(), "turn mirror") == [
            "place_turned place.mirror 9",
            "peeked 3",
        ]


class TestTreasureRoom:
    """« Salles des trésors »."""

    def test_a_treasure_is_drawn_unseen_and_one_may_go_on_or_pass(self):
        state = play(scene(noted={0: "gold-1"}), "turn room")

        assert state.hands[0] == 2
        assert hand(state, 0) == "gold-1"
        assert {"pass", "turn room", "turn dragon"} <= legal(state)
        assert not {"sneak", "cry", "power"} & legal(state)

    def test_passing_hands_the_turn_on(self):
        assert play(scene(), "turn room", "pass").seat == 1

    def test_rooms_in_a_row_add_up(self):
        state = play(scene(), *["turn room"] * 5)

        assert state.hands[0] == 9
        assert state.seat == 0

    def test_the_dragon_may_come_of_going_on(self):
        state = play(scene(), "turn room", "turn dragon")

        assert state.health[0] == "wounded"


class TestSneaking:
    """« Avancer prudemment » and « Test de discrétion »."""

    def test_first_a_payment_then_the_die(self):
        state = play(scene(noted={0: "gold-2"}, turned=NINE_OPEN), "sneak")
        assert legal(state) == {"discard gold-2"}

        state = play(state, "discard gold-2")
        assert legal(state) == {f"roll {n}" for n in range(10)}
        assert dict(GAME.chance(state))[GAME.parse(state, "roll 0")] == Fraction(1, 10)

    def test_success_calms_the_dragon_and_shuffles_the_cards(self):
        state = scene(turned=NINE_OPEN, phase="roll", need=1, paid=1)

        assert story(state, "roll 2") == [
            "rolled 2 0 1",
            "stealth_passed",
            "calmed 5",
            "places_shuffled",
        ]
        state = play(state, "roll 2")
        assert sum(state.pile) == 10
        assert state.seat == 0
        assert {"pass", "turn room"} <= legal(state)
        assert not {"sneak", "cry", "power"} & legal(state)

    def test_after_success_one_may_rush_oneself(self):
        state = scene(turned=NINE_OPEN, phase="roll", need=1, paid=1)

        assert play(state, "roll 9", "turn chest").seat == 1
        assert play(state, "roll 9", "pass").seat == 1

    def test_an_equal_number_fails(self):
        state = scene(turned=NINE_OPEN, phase="roll", need=1, paid=1)

        assert story(state, "roll 1")[-1] == "stealth_failed"

    def test_after_a_failure_one_must_rush(self):
        state = play(scene(phase="roll", need=1, paid=1), "roll 9")

        assert "turn room" in legal(state)
        assert not {"pass", "cry", "sneak", "power"} & legal(state)
        assert refused(state, "cry") == ("dragon_run", "must_rush", (91, 91))
        assert refused(state, "pass") == ("dragon_run", "must_rush", (91, 91))

    def test_the_last_point_of_anger_ends_the_game(self):
        state = scene(
            anger=1,
            turned=NINE_OPEN,
            phase="roll",
            need=1,
            paid=1,
            noted={0: "gold-1", 1: "", 2: ""},
        )

        assert story(state, "roll 9") == [
            "rolled 9 0 1",
            "stealth_passed",
            "calmed 0",
            "dragon_asleep",
            "card_shown gold-1",
            "game_won 1",
        ]

    def test_only_ten_faces_are_thrown(self):
        state = scene(phase="roll", need=1, paid=1)

        assert refused(state, "roll 10") == ("dragon_run", "no_such_face", (30, 30))
        assert refused(scene(), "roll 5")[1] == "waits_act"


class TestStealthTable:
    """Every number of cards left, every bonus, every face: l. 82, 91-93."""

    def test_a_face_succeeds_if_it_is_no_0_and_beats_the_cards_with_its_bonus(self):
        for bonus in range(1, 11):
            specials = tuple(
                replace(special, effects=(Effect(Kind.BONUS, bonus),))
                if special.id == "languor"
                else special
                for special in STAND_IN.specials
            )
            state = scene(
                box=replace(STAND_IN, specials=specials), fronts={0: "languor"}
            )
            for left in range(11):
                stacked = replace(state, pile=(left, 0, 0, 0, 0, 0))
                plain = replace(stacked, fronts=((), (), ()))
                for pips in range(10):
                    assert succeeds(stacked, pips) == (0 < pips > left - bonus)
                    assert succeeds(plain, pips) == (0 < pips > left)
                assert hopeful(plain) == max(0, 9 - left)


class TestBonusOfATurn:
    """A potion or a power may help the stealth test as a talisman does: l. 150, 158."""

    POTION = replace(
        STAND_IN,
        specials=tuple(
            replace(one, effects=(Effect(Kind.BONUS, 2),)) if one.id == "light" else one
            for one in STAND_IN.specials
        ),
    )
    POWER = replace(
        STAND_IN,
        heroes=tuple(
            replace(one, effects=(Effect(Kind.BONUS, 1),)) if one.id == "elf" else one
            for one in STAND_IN.heroes
        ),
    )

    def test_a_box_may_have_such_a_card(self):
        assert GAME.check_box(self.POTION) == ()
        assert GAME.check_box(self.POWER) == ()

    def test_the_potion_is_added_to_the_die(self):
        state = scene(
            box=self.POTION, noted={0: "light light gold-1"}, discard="annulment"
        )
        state = play(state, "play light")

        # Ten place cards lie there: 9 and 2 are more than 10, 8 and 2 are not (l. 82).
        assert [succeeds(state, pips) for pips in (7, 8, 9)] == [False, False, True]
        tested = story(state, "sneak", "discard gold-1", "roll 9")
        assert tested[:2] == ["rolled_with 9 2 10", "stealth_passed"]
        # Two potions add up.
        assert hopeful(play(state, "play light")) == 3

    def test_an_annulled_potion_adds_nothing(self):
        state = scene(box=self.POTION, noted={0: "light", 1: "annulment"})

        assert play(state, "play light", "annul 1").bonus == 0
        assert play(state, "play light", "let 1", "let 2").bonus == 2

    def test_the_power_is_added_beside_a_talisman(self):
        state = scene(box=self.POWER, fronts={0: "languor"})

        state = play(state, "power")

        # Languor's 2 and the elf's 1 (l. 152, 158).
        assert [succeeds(state, pips) for pips in (7, 8)] == [False, True]

    def test_it_ends_with_the_turn(self):
        state = play(scene(box=self.POWER), "power", "turn chest")

        assert (state.seat, state.bonus) == (1, 0)

    def test_nor_does_it_outlast_the_game(self):
        state = scene(
            box=self.POWER, anger=1, turned="room room room room room",
            phase="act",
        )  # fmt: skip
        state = play(state, "power", "sneak", "discard gold-1", "roll 8")

        assert (state.phase, state.bonus) == ("show", 0)


class TestWhatTheDieHasToShow:
    """The prompt and the odds beside it name the same face: l. 82, 91-93."""

    @staticmethod
    def asked(state):
        words = Words("en", ("Ana", "Bo", "Cy"), strict=True)
        return [words.say(p.line, p.params) for p in GAME.expects(state)][:2]

    def test_without_a_bonus(self):
        state = scene(turned="room room room room", phase="roll", need=1, paid=1)

        assert self.asked(state) == [
            "Ana: roll the die; you need 7 or more, to beat 6.",
            "Stealth test: 7 or more succeeds, a chance of 30 %.",
        ]

    def test_with_a_bonus(self):
        state = scene(fronts={0: "languor"}, phase="roll", need=1, paid=1)

        assert self.asked(state) == [
            "Ana: roll the die; you need 9 or more (+2, to beat 10).",
            "Stealth test: 9 or more succeeds, a chance of 10 %.",
        ]

    def test_in_vain(self):
        state = scene(phase="roll", need=1, paid=1)

        assert self.asked(state)[0] == (
            "Ana: roll the die; with 10 location cards no result can pass."
        )


class TestCrying:
    """« Pleurer sa mère »."""

    def test_two_points_end_the_turn(self):
        state = play(scene(noted={0: "gold-2 gold-3"}), "cry", "discard gold-2")
        assert legal(state) == {"pass", "discard gold-3"}

        state = play(state, "pass")
        assert state.seat == 1
        assert state.hands[0] == 1
        assert state.discard == kinds("gold-2")

    def test_an_exact_payment_loses_nothing(self):
        state = scene(noted={0: "gold-1 gold-2"})

        assert story(state, "cry", "discard gold-2") == ["paid gold-2"]
        assert story(state, "sneak", "discard gold-1") == ["paid gold-1"]

    def test_a_payment_may_take_several_cards(self):
        state = play(scene(noted={0: "gold-1 gold-2"}), "cry", "discard gold-1")

        assert state.phase == "pay"
        assert legal(state) == {"discard gold-2"}

    def test_no_potion_after_crying(self):
        state = play(scene(), "cry", "discard gold-5")

        assert refused(state, "play health") == ("RN29", "no_potion_now", (148, 148))


class TestPotionsAndTalismans:
    """« Cartes potion et talisman »."""

    def test_a_potion_works_and_is_discarded(self):
        state = scene(wounded=(0,), noted={0: "health"}, discard="annulment")

        assert story(state, "play health") == ["potion_played potion.health", "healed"]
        state = play(state, "play health")
        assert state.health[0] == "fit"
        assert state.discard == (*kinds("annulment"), *kinds("health"))
        assert state.phase == "act"

    def test_several_potions_may_be_played_in_one_turn(self):
        state = scene(noted={0: "light light vision"}, discard="annulment")

        state = play(state, "play light", "play vision", "play light", "turn chest")
        assert state.seat == 1

    def test_a_potion_may_come_between_payment_and_roll(self):
        state = scene(noted={0: "gold-1 light"}, discard="annulment")

        state = play(state, "sneak", "discard gold-1", "play light")
        assert state.phase == "roll"
        assert (state.need, state.paid) == (1, 1)

    def test_a_talisman_stays_before_its_owner_until_the_cards_are_shuffled(self):
        state = play(scene(noted={0: "languor"}), "play languor", "turn mirror")
        assert state.fronts[0] == kinds("languor")

        assert "talisman_spent talisman.languor" in story(state, "turn dragon")
        state = play(state, "turn dragon")
        assert state.fronts == ((), (), ())
        assert state.discard == kinds("languor")

    def test_languor_adds_to_the_throw_of_its_owner_alone(self):
        front = {0: "languor"}
        seven_left = "room room room"
        mine = scene(fronts=front, turned=seven_left, phase="roll", need=1, paid=1)
        other = replace(mine, seat=1)

        assert story(mine, "roll 6")[:2] == ["rolled_with 6 2 7", "stealth_passed"]
        assert story(other, "roll 6")[:2] == ["rolled 6 0 7", "stealth_failed"]

    def test_redirection_turns_the_breath_on_somebody_else(self):
        state = play(scene(seats=4, fronts={0: "redirection"}, out=(3,)), "turn dragon")
        assert legal(state) == {"point 1", "point 2"}

        assert story(state, "point 2")[:2] == ["redirected 2", "wounded"]
        state = play(state, "point 2")
        assert state.health == ("fit", "fit", "wounded", "out")
        assert state.seat == 1

    def test_redirection_helps_nobody_who_is_alone(self):
        state = scene(out=(1, 2), fronts={0: "redirection"})

        assert play(state, "turn dragon").health[0] == "wounded"

    def test_the_invisible_are_missed_but_the_dragon_calms_all_the_same(self):
        state = scene(fronts={0: "invisibility"})

        assert story(state, "turn dragon")[1:4] == ["breathed", "missed", "calmed 5"]
        assert play(state, "turn dragon").health[0] == "fit"

    def test_the_breath_misses_the_invisible_whoever_turns_it_on_them(self):
        state = scene(fronts={0: "redirection", 1: "invisibility"})

        assert "missed" in story(state, "turn dragon", "point 1")

    def test_the_empty_pile_is_made_of_the_discard(self):
        state = scene(stock=0, discard="gold-1 gold-2", lost=0)
        lost = state.discard.count(None)

        told = story(state, "turn chest")
        assert told[1:] == [f"treasures_shuffled {lost + 2}", "drawn"]
        after = play(state, "turn chest")
        assert after.stock == lost + 1
        assert after.discard == ()
        assert after.unseen == after.setting.copies


class TestPowers:
    """« Pouvoirs des personnages »."""

    def test_a_power_is_used_once_and_the_act_still_follows(self):
        state = play(scene(heroes="elf thief dwarf"), "power")

        assert state.tilted == (True, False, False)
        assert state.phase == "act"
        assert "power" not in legal(state)
        assert refused(state, "power") == ("RN12", "power_used", (160, 163))

    def test_the_elf_looks_at_two_place_cards(self):
        assert story(scene(), "power") == ["power_used hero.elf", "consulted 2"]

    def test_the_dwarf_draws_and_then_discards_any_card(self):
        state = play(scene(heroes="dwarf elf thief", noted={0: "light"}), "power")
        assert state.hands[0] == 2
        assert {"discard light", "discard gold-1", "discard gold-5"} <= legal(state)

        state = play(state, "discard light")
        assert state.phase == "act"
        assert state.hands[0] == 1
        assert state.discard == kinds("light")

    def test_the_thief_takes_a_card_unseen(self):
        state = scene(heroes="thief elf dwarf", noted={0: "gold-1", 1: "gold-5 light"})

        state = play(state, "power")
        assert legal(state) == {"point 1", "point 2"}
        state = play(state, "point 1")
        assert state.hands == (2, 1, 4)
        assert hand(state, 0) == "gold-1"  # the new card is not told
        assert hand(state, 1) == ""  # nor which one is gone

    def test_the_sorceress_swaps_a_card_unseen(self):
        state = scene(heroes="sorceress elf dwarf", noted={0: "gold-1", 1: "gold-5"})

        assert story(state, "power", "point 1") == ["swapped 1"]
        state = play(state, "power", "point 1")
        assert state.hands == (1, 1, 4)
        assert hand(state, 0) == hand(state, 1) == ""

    def test_the_cleric_heals_only_the_wounded(self):
        wounded = scene(heroes="cleric elf dwarf", wounded=(0,))
        fit = scene(heroes="cleric elf dwarf")

        assert story(wounded, "power")[1:] == ["healed"]
        assert story(fit, "power")[1:] == ["no_effect"]

    def test_the_warrior_calms_the_dragon(self):
        assert play(scene(heroes="warrior elf dwarf"), "power").anger == 5

    def test_the_wizard_ends_the_turn_without_an_act(self):
        state = play(scene(heroes="wizard elf dwarf"), "power")

        assert state.seat == 1

    def test_a_power_that_nobody_can_suffer_does_nothing(self):
        thief = scene(heroes="thief elf dwarf", size={1: 0, 2: 0})
        sorceress = scene(heroes="sorceress elf dwarf", size={0: 0})

        assert story(thief, "power")[1:] == ["no_effect"]
        assert story(sorceress, "power")[1:] == ["no_effect"]

    def test_nothing_to_discard_from_an_empty_hand(self):
        state = scene(heroes="dwarf elf thief", size={0: 0}, stock=0)
        state = replace(
            state,
            discard=(),
            unseen=(0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0),
            hands=(0, 1, 0),
        )

        _, events = GAME.apply(state, GAME.parse(state, "power"))
        tags = [type(event).__struct_config__.tag for event in events]
        assert tags == ["power_used", "nothing_to_draw", "no_effect"]


class TestEffectsOfSeveral:
    """An effect with a number above 1 asks as often."""

    def box(self, **changes):
        return replace(STAND_IN, **changes)

    def test_two_cards_are_discarded_one_by_one(self):
        heroes = (
            replace(STAND_IN.heroes[0], effects=(Effect(Kind.DISCARD, 2),)),
            *STAND_IN.heroes[1:],
        )
        state = scene(heroes="dwarf elf thief", box=self.box(heroes=heroes))

        state = play(state, "power", "discard gold-1")
        assert state.phase == "effect"
        assert state.todo == (Effect(Kind.DISCARD),)
        assert play(state, "discard gold-2").phase == "act"

    def test_a_second_card_is_only_stolen_where_there_is_one(self):
        heroes = (
            *STAND_IN.heroes[:3],
            replace(STAND_IN.heroes[3], effects=(Effect(Kind.STEAL, 2),)),
            *STAND_IN.heroes[4:],
        )
        state = scene(
            heroes="thief elf dwarf", box=self.box(heroes=heroes), size={1: 1, 2: 0}
        )

        told = story(state, "power", "point 1")
        assert told == ["stolen 1", "no_effect"]

    def test_a_place_card_may_attack_the_dragon_too(self):
        places = (
            *STAND_IN.places[:3],
            replace(STAND_IN.places[3], effects=(Effect(Kind.ATTACK, 9),)),
            *STAND_IN.places[4:],
        )
        state = scene(box=self.box(places=places))

        assert story(state, "turn chest")[1:3] == ["calmed 0", "dragon_asleep"]

    def test_a_replay_sign_follows_an_effect_that_asks(self):
        places = (
            *STAND_IN.places[:3],
            replace(
                STAND_IN.places[3], effects=(Effect(Kind.DISCARD),), then=Then.REPLAY
            ),
            *STAND_IN.places[4:],
        )
        state = play(scene(box=self.box(places=places)), "turn chest", "discard gold-1")

        assert (state.phase, state.seat) == ("act", 0)


class TestEnd:
    """« Fin du jeu »."""

    def test_the_richest_survivor_wins(self):
        state = scene(
            anger=1, noted={0: "gold-4 light", 1: "gold-5", 2: "gold-2 gold-2"}
        )

        state = play(state, "turn dragon")

        assert [score.low for score in GAME.scores(state)] == [4, 5, 4]
        outcome = GAME.outcome(state)
        assert outcome.winners == (1,)
        assert outcome.reason == "dragon_run.end.richest"

    def test_what_nobody_has_told_is_shown_card_by_card(self):
        state = play(scene(seats=2, anger=1, noted={0: "gold-4"}), "turn dragon")
        assert prompts(state) == {"show"}
        assert all(move.startswith("show 1 ") for move in legal(state))

        state = play(state, "show 1 gold-5", "show 1 gold-1", "show 1 light")
        assert GAME.outcome(state) is None
        state = play(state, "show 1 gold-1")
        assert GAME.outcome(state).winners == (1,)
        assert [score.low for score in GAME.scores(state)] == [4, 7]

    def test_points_are_explained_card_by_card(self):
        state = play(
            scene(seats=2, anger=1, noted={0: "gold-4 light", 1: "gold-1"}),
            "turn dragon",
        )

        assert [points for _, points in GAME.scores(state)[0].parts] == [4]

    def test_nothing_happens_after_the_end(self):
        state = play(
            scene(seats=2, anger=1, noted={0: "gold-4", 1: "gold-1"}), "turn dragon"
        )

        assert legal(state) == set()
        assert GAME.expects(state) == ()
        for text in ("turn room", "show 0 gold-1", "play light", "roll 1", "sneak"):
            assert refused(state, text)[1] == "waits_over"
            with pytest.raises(NotNow):
                GAME.apply(state, GAME.parse(state, text))


class TestBendingTheRules:
    """A table may accept what the judge refuses, as long as it makes sense."""

    def test_a_power_is_used_twice(self):
        state = scene(tilted=(0,))

        after, _ = GAME.apply(state, GAME.parse(state, "power"))

        assert after.phase == "act"

    def test_a_card_that_contradicts_its_owners_notes_undoes_them(self):
        state = scene(noted={0: "gold-1 gold-2"}, phase="pay", need=1)
        assert refused(state, "discard gold-5") == ("RN21", "noted_otherwise", (54, 54))

        after, _ = GAME.apply(state, GAME.parse(state, "discard gold-5"))

        assert hand(after, 0) == ""
        assert after.hands[0] == 1
        assert GAME.check(after) == ()

    @pytest.mark.parametrize(
        ("case", "text"),
        [
            ({}, "deal elf"),
            ({}, "discard gold-1"),
            ({}, "pass"),
            ({}, "let 1"),
            ({}, "annul 1"),
            ({}, "point 1"),
            ({}, "show 0 gold-1"),
            ({}, "play gold-1"),
            ({}, "play annulment"),
            ({}, "note 7 gold-1"),
            ({"turned": "chest"}, "turn chest"),
            ({"noted": {0: "gold-1"}}, "note 0 gold-2"),
            ({"phase": "pay", "need": 1}, "discard light"),
            ({"phase": "pay", "need": 2, "noted": {0: "gold-1 gold-2"}}, "play light"),
            ({"phase": "redirect", "turned": "dragon"}, "point 0"),
            ({"phase": "redirect", "turned": "dragon"}, "point 8"),
            ({"phase": "roll", "need": 1, "paid": 1}, "roll 12"),
            ({"size": {0: 0}}, "play light"),
            ({"discard": "light light"}, "play light"),
        ],
    )
    def test_but_not_what_cannot_be(self, case, text):
        state = scene(**case)

        with pytest.raises(NotNow):
            GAME.apply(state, GAME.parse(state, text))

    @pytest.mark.parametrize(("noted", "text"), [("light", "sneak"), ("gold-1", "cry")])
    def test_who_begins_to_pay_has_noted_something_else_than_it_holds(
        self, noted, text
    ):
        state = scene(noted={0: noted})
        assert refused(state, text)[1] == "cannot_pay"

        after, _ = GAME.apply(state, GAME.parse(state, text))

        # Nobody else may learn of it, so the table goes on and the notes are gone.
        assert (after.phase, hand(after, 0)) == ("pay", "")
        assert GAME.check(after) == ()

    def test_nor_a_payment_that_could_never_be_finished(self):
        state = scene(noted={0: "gold-1 gold-1"}, phase="pay", need=2)
        state = replace(state, hands=(1, 4, 4), noted=play(scene()).noted)
        unseen = (9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

        with pytest.raises(NotNow):
            GAME.apply(
                replace(state, unseen=unseen), GAME.parse(state, "discard gold-1")
            )

    def test_nor_a_choice_that_an_effect_does_not_ask_for(self):
        dwarf = play(scene(heroes="dwarf elf thief"), "power")
        thief = play(scene(heroes="thief elf dwarf"), "power")

        for state, text in ((dwarf, "point 1"), (thief, "discard gold-1")):
            with pytest.raises(NotNow):
                GAME.apply(state, GAME.parse(state, text))

    def test_nor_dealing_a_character_twice(self):
        state = play(new_game(), "deal elf")

        with pytest.raises(NotNow):
            GAME.apply(state, GAME.parse(state, "deal elf"))

    def test_nor_showing_for_a_seat_that_is_not_there(self):
        state = play(scene(seats=2, anger=1), "turn dragon")

        for text in ("show 4 gold-1", "annul 0"):
            with pytest.raises(NotNow):
                GAME.apply(state, GAME.parse(state, text))

    def test_nor_an_annulment_by_whoever_played_the_potion(self):
        state = play(scene(noted={0: "light"}), "play light")

        with pytest.raises(NotNow):
            GAME.apply(state, GAME.parse(state, "annul 0"))


def test_a_hand_is_never_thought_worth_more_than_all_that_is_left():
    everything = scene(seats=2, size={0: 36, 1: 0}, stock=0)
    nearly = scene(seats=2, size={0: 30, 1: 0}, stock=6)

    gold = 9 * 1 + 8 * 2 + 6 * 3 + 4 * 4 + 2 * 5
    whole, part = GAME.scores(everything)[0], GAME.scores(nearly)[0]
    assert (whole.low, whole.high) == (gold, gold)
    assert (part.low, part.high) == (gold - 2 * 5 - 4 * 4, gold)


def test_a_note_without_its_card_leaves_the_notes_as_they_were():
    state = scene(noted={0: "gold-1"})

    after, _ = GAME.apply(state, NoteCard(0, Hidden(None, (0,))))
    assert hand(after, 0) == "gold-1"


def test_the_seat_that_acts_is_named_where_only_one_may():
    state = scene(seat=1)
    who = {
        "turn room": 1,
        "roll 3": 1,
        "note 2 gold-1": 2,
        "forget 0": 0,
        "show 2 gold-1": 2,
        "annul 2": 2,
        "let 2": 2,
        "deal elf": None,
    }

    for text, seat in who.items():
        assert GAME.actor(state, GAME.parse(state, text)) == seat


def test_a_set_up_is_told_what_is_wrong():
    for setting in (Config(6, STAND_IN), Config(2, STAND_IN, first=2)):
        with pytest.raises(ValueError, match=r"2 to 5 can|choose one of 0 to 1"):
            GAME.setup(setting)
