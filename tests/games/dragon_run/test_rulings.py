"""Every ruling RN1 to RN34: a choice with its outcomes, a fixed rule with its case."""

import msgspec
import pytest
from msgspec.structs import replace

from companion.games.core import (
    BadSetup,
    NotNow,
)
from companion.games.dragon_run import GAME
from companion.games.dragon_run.box import worth
from companion.games.dragon_run.pieces import GOLD
from companion.games.dragon_run.state import (
    LetPass,
    NoteCard,
)
from companion.games.hidden import (
    Hidden,
    redact,
)
from companion.words import Words
from tests.games.dragon_run.tables import (
    TREASURES,
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
ROLL = {"phase": "roll", "need": 1, "paid": 1}


class TestRN1:
    """When are two talismans taken out for two?"""

    def test_before_shuffling_so_36_cards_are_in_the_game(self):
        copies = new_game(seats=2).setting.copies

        assert sum(copies) == 36
        for name in ("redirection", "invisibility"):
            assert copies[TREASURES.index(name)] == 0
        assert sum(new_game(seats=3).setting.copies) == 38


class TestRN2:
    """What are potions and talismans worth?"""

    def test_nothing(self):
        assert [worth(kind) for kind in range(len(TREASURES))] == [1, 2, 3, 4, 5] + [
            0
        ] * 8


class TestRN3:
    """Who cannot pay?"""

    def test_with_one_point_one_can_sneak_but_not_cry(self):
        state = scene(noted={0: "gold-1 light"})

        assert {"sneak", "turn room"} <= legal(state)
        assert refused(state, "cry") == ("RN3", "cannot_pay", (99, 99))

    def test_with_none_one_can_only_rush(self):
        state = scene(noted={0: "light"})

        assert refused(state, "sneak") == ("RN3", "cannot_pay", (76, 76))
        assert refused(state, "cry") == ("RN3", "cannot_pay", (99, 99))

    def test_a_card_is_refused_after_which_the_rest_could_not_be_paid(self):
        state = scene(size={0: 1}, phase="pay", need=2)

        assert "discard gold-2" in legal(state)
        assert refused(state, "discard gold-1") == ("RN3", "rest_unpaid", (99, 99))


class TestRN4:
    """May one sneak without a chance?"""

    def test_by_default_one_may_and_is_warned(self):
        state = scene(turned="room")

        assert "sneak" in legal(state)
        assert "no_chance" in prompts(state)

    def test_forbid(self):
        state = scene(turned="room", options={"RN4": "forbid"})

        assert refused(state, "sneak") == ("RN4", "no_chance", (82, 91))
        assert "sneak" in legal(scene(turned="room room", options={"RN4": "forbid"}))

    def test_a_talisman_may_bring_a_chance(self):
        state = scene(turned="room", options={"RN4": "forbid"}, fronts={0: "languor"})

        assert "sneak" in legal(state)  # 8 + 2 beats 9
        assert "chance" in prompts(state)


class TestRN5:
    """When are the place cards counted?"""

    def test_at_the_roll_and_a_payment_changes_nothing(self):
        state = play(scene(turned="room room"), "sneak", "discard gold-1")

        assert story(state, "roll 9")[0] == "rolled 9 0 8"


class TestRN6:
    """What is a 0?"""

    def test_a_failure_never_a_10(self):
        state = scene(turned=NINE_OPEN, fronts={0: "languor"}, **ROLL)

        assert play(state, "roll 0").phase == "forced"


class TestRN7:
    """What does a passed test bring?"""

    def test_calmer_by_one_all_shuffled_then_rush_or_pass(self):
        state = play(scene(turned=NINE_OPEN, **ROLL), "roll 5")

        assert (state.anger, sum(state.pile), state.phase) == (5, 10, "sneaked")
        assert refused(state, "cry") == ("RN7", "rush_or_pass", (88, 89))


class TestRN8:
    """May potions follow a failed test?"""

    def test_by_default_they_may(self):
        state = play(scene(noted={0: "light"}, **ROLL), "roll 1")

        assert "play light" in legal(state)

    def test_rush_only(self):
        state = scene(noted={0: "light"}, options={"RN8": "rush_only"}, **ROLL)
        state = play(state, "roll 1")

        assert "play light" not in legal(state)
        assert refused(state, "play light") == ("RN8", "no_potion_now", (148, 148))


class TestRN9:
    """What may one do who goes on from a treasure room?"""

    def test_by_default_only_rush(self):
        state = play(scene(), "turn room")

        assert not {"sneak", "cry"} & legal(state)
        assert refused(state, "sneak") == ("RN9", "go_on_or_pass", (124, 127))

    def test_action(self):
        state = play(scene(options={"RN9": "action"}), "turn room")

        assert {"sneak", "cry", "pass", "turn room"} <= legal(state)
        assert "power" not in legal(state)
        assert play(state, "cry", "discard gold-2", "pass").seat == 1


class TestRN10:
    """What does the replay sign mean?"""

    def test_by_default_a_new_choice_of_act(self):
        state = play(scene(), "turn bridge")

        assert (state.phase, state.seat) == ("act", 0)
        assert {"sneak", "cry", "power"} <= legal(state)

    def test_a_power_that_is_used_stays_used(self):
        state = play(scene(), "power", "turn bridge")

        assert "power" not in legal(state)

    def test_rush(self):
        state = play(scene(options={"RN10": "rush"}), "turn bridge")

        assert state.seat == 0
        assert not {"sneak", "cry", "power", "pass"} & legal(state)
        assert refused(state, "cry") == ("RN10", "must_rush_again", (144, 144))
        assert "play light" in legal(state)


class TestRN11:
    """How long is crying forbidden?"""

    def test_by_default_while_the_card_lies_on_top(self):
        state = play(scene(), "turn crypt")

        assert refused(state, "cry") == ("RN11", "crying_barred", (136, 136))
        assert "no_crying" in prompts(state)
        assert "cry" in legal(play(state, "turn mirror"))

    def test_this_turn(self):
        state = scene(options={"RN11": "this_turn"})

        assert "cry" in legal(play(state, "turn crypt"))
        same_turn = scene(turned="crypt", since=0, options={"RN11": "this_turn"})
        assert "cry" not in legal(same_turn)
        assert "cry" not in legal(play(same_turn, "turn bridge"))

    def test_until_shuffled(self):
        state = play(
            scene(options={"RN11": "until_shuffled"}), "turn crypt", "turn mirror"
        )

        assert "cry" not in legal(state)
        assert "cry" in legal(play(state, "turn dragon"))


class TestRN12:
    """When is a power used?"""

    def test_before_the_act_only(self):
        state = play(scene(), "turn room")

        assert refused(state, "power") == ("RN12", "power_too_late", (158, 158))

    def test_once_until_the_dragon_breathes(self):
        state = play(scene(tilted=(0, 1)), "turn mirror")

        assert refused(state, "power") == ("RN12", "power_used", (160, 163))
        state = play(state, "turn dragon")
        assert state.tilted == (False, False, False)


class TestRN13:
    """Does a passed test straighten the characters?"""

    def test_by_default_it_does_not(self):
        state = play(scene(tilted=(0,), turned=NINE_OPEN, **ROLL), "roll 5")

        assert state.tilted == (True, False, False)

    def test_yes(self):
        state = scene(tilted=(0,), turned=NINE_OPEN, options={"RN13": "yes"}, **ROLL)

        assert "straightened" in story(state, "roll 5")
        assert play(state, "roll 5").tilted == (False, False, False)


class TestRN14:
    """What does Annulment counter?"""

    def test_a_potion(self):
        state = play(scene(wounded=(0,), noted={0: "health", 1: "annulment"}))
        state = play(state, "play health")

        assert legal(state) == {"let 1", "let 2", "annul 1", "annul 2"}
        assert story(state, "annul 1") == ["annulled"]
        state = play(state, "annul 1")
        assert state.health[0] == "wounded"
        assert state.phase == "act"
        assert hand(state, 1) == ""

    def test_neither_a_talisman_nor_a_power(self):
        state = scene(noted={0: "languor"})

        for done in ("play languor", "power"):
            after = play(state, done)
            assert refused(after, "annul 1") == ("RN14", "nothing_to_annul", (150, 150))
            assert refused(after, "let 1")[1] == "nothing_to_annul"

    def test_it_is_not_played_in_ones_own_turn(self):
        state = scene(noted={0: "annulment"})

        assert refused(state, "play annulment") == ("RN14", "only_counters", (150, 150))

    def test_nobody_is_asked_once_it_lies_open(self):
        state = scene(noted={0: "light"}, discard="annulment")

        assert play(state, "play light").phase == "act"

    def test_everybody_is_asked_whatever_has_been_noted(self):
        state = scene(noted={0: "light annulment", 1: "gold-1", 2: "gold-2"})

        state = play(state, "play light")
        assert state.phase == "answer"
        assert legal(state) == {"let 1", "let 2"}

    def test_each_answers_for_itself_and_the_last_one_lets_it_act(self):
        state = scene(wounded=(0,), noted={0: "health"}, seats=4)
        state = play(state, "play health")

        # Four cards each, and nobody knows who has the Annulment (l. 150).
        spared = play(state, "let 2")
        assert story(state, "let 2") == ["potion_spared"]
        assert spared.phase == "answer"
        assert legal(spared) == {"let 1", "let 3", "annul 1", "annul 2", "annul 3"}
        assert [p.who for p in GAME.expects(spared)] == [1, 3]
        assert spared.health[0] == "wounded"

        done = play(spared, "let 1", "let 3")
        assert done.health[0] == "fit"
        assert (done.phase, done.let) == ("act", ())

    def test_whoever_played_the_potion_has_no_say(self):
        state = play(scene(wounded=(0,), noted={0: "health"}), "play health")

        assert refused(state, "let 0") == ("RN30", "others_answer", (150, 150))
        with pytest.raises(NotNow):
            GAME.apply(state, LetPass(0))

    def test_one_who_let_it_pass_may_still_annul_before_it_acts(self):
        state = scene(wounded=(0,), noted={0: "health", 1: "annulment"})
        state = play(state, "play health", "let 1", "annul 1")

        assert state.health[0] == "wounded"
        assert (state.phase, state.let) == ("act", ())

    def test_a_game_of_before_in_which_one_spoke_for_all_is_told_as_it_was(self):
        state = play(scene(wounded=(0,), noted={0: "health"}), "play health")
        old = msgspec.json.decode(b'{"type":"let"}', type=GAME.move_type)

        after, events = GAME.apply(state, old)

        assert after.health[0] == "fit"
        assert [type(event).__name__ for event in events][:1] == ["PotionLet"]
        assert GAME.actor(state, old) is None
        assert Words("fr", strict=True).part(GAME.describe_move(state, old))
        assert old not in set(GAME.legal(state))


class TestRN15:
    """How long does a talisman last?"""

    @pytest.mark.parametrize(("case", "move"), [({}, "turn dragon"), (ROLL, "roll 9")])
    def test_until_the_place_cards_are_shuffled(self, case, move):
        state = scene(turned=NINE_OPEN, fronts={1: "languor"}, **case)

        after = play(state, move)
        assert after.fronts == ((), (), ())
        assert after.discard == kinds("languor")


class TestRN16:
    """In which order does a Dragon card work?"""

    def test_wound_calm_shuffle_straighten_next(self):
        state = scene(tilted=(2,))

        assert story(state, "turn dragon")[2:] == [
            "wounded",
            "calmed 5",
            "places_shuffled",
            "straightened",
        ]
        assert play(state, "turn dragon").seat == 1

    def test_at_0_nothing_is_shuffled_any_more(self):
        state = scene(anger=1, noted={0: "gold-1", 1: "", 2: ""})

        assert story(state, "turn dragon")[2:5] == [
            "wounded",
            "calmed 0",
            "dragon_asleep",
        ]


class TestRN17:
    """The last one burns as the dragon falls asleep."""

    def test_by_default_the_dragon_wins(self):
        state = play(scene(out=(1, 2), wounded=(0,), anger=1), "turn dragon")

        assert state.anger == 0
        assert GAME.outcome(state).winners == ()

    def test_last(self):
        state = scene(out=(1, 2), wounded=(0,), anger=1, options={"RN17": "last"})

        assert story(state, "turn dragon")[-1] == "game_won 0"
        outcome = GAME.outcome(play(state, "turn dragon"))
        assert outcome.winners == (0,)
        assert outcome.reason == "dragon_run.end.last_breath"

    def test_a_dragon_that_stays_awake_wins_under_either(self):
        state = scene(out=(1, 2), wounded=(0,), anger=2, options={"RN17": "last"})

        assert GAME.outcome(play(state, "turn dragon")).winners == ()


class TestRN18:
    """Somebody burns at the last breath while others live."""

    def test_the_richest_survivor_wins(self):
        state = scene(
            anger=1,
            wounded=(0,),
            noted={0: "gold-5 gold-5", 1: "gold-1", 2: "gold-2"},
        )

        state = play(state, "turn dragon")
        assert GAME.outcome(state).winners == (2,)
        assert GAME.scores(state)[0].high == 0


class TestRN19:
    """Wealth and the dearest card are equal."""

    NOTED = {0: "gold-3 gold-1 gold-1", 1: "gold-3 gold-2", 2: "gold-4"}  # noqa: RUF012

    def test_by_default_the_win_is_shared(self):
        state = play(scene(anger=1, noted=self.NOTED), "turn dragon")

        assert GAME.outcome(state).winners == (0, 1)
        assert GAME.outcome(state).reason == "dragon_run.end.shared"

    def test_next_card(self):
        state = scene(anger=1, noted=self.NOTED, options={"RN19": "next_card"})

        assert GAME.outcome(play(state, "turn dragon")).winners == (1,)


class TestRN20:
    """Pile and discard are both empty."""

    def test_nothing_is_drawn(self):
        state = scene(stock=0)
        state = replace(state, discard=(), hands=(4, 4, 30), stock=0)
        assert GAME.check(state) == ()

        assert story(state, "turn chest")[1:] == ["nothing_to_draw"]


class TestRN21:
    """Are hands secret?"""

    def test_a_note_is_for_its_owner_alone(self):
        state = play(scene(), "note 0 gold-5")

        assert hand(redact(state, 0), 0) == "gold-5"
        assert hand(redact(state, 1), 0) == ""
        assert hand(redact(state, None), 0) == ""
        assert [score.low for score in GAME.scores(redact(state, 1))] == [0, 0, 0]
        assert GAME.scores(redact(state, 0))[0].low == 5

    def test_a_whole_hand_offers_what_it_holds(self):
        state = scene(noted={0: "gold-2 light"})

        assert "play light" in legal(state)
        assert "play vision" not in legal(state)
        assert "play vision" in legal(redact(state, 1))

    def test_only_the_acting_seat_notes(self):
        state = scene()

        assert refused(state, "note 1 gold-1") == ("RN21", "note_in_own_turn", (54, 54))
        assert play(state, "note 0 gold-1").seat == 0

    def test_notes_end_with_the_hand(self):
        state = scene(noted={0: "gold-1"})

        assert refused(state, "note 0 gold-2") == ("RN21", "all_noted", (54, 54))

    def test_a_wrong_note_is_taken_back_once_a_turn(self):
        state = play(scene(noted={0: "gold-1 light"}), "forget 0")
        assert hand(state, 0) == ""
        assert "play vision" in legal(state)

        state = play(state, "note 0 gold-3")
        assert refused(state, "forget 0") == ("RN21", "nothing_to_forget", (54, 54))
        state = play(state, "turn mirror")
        assert not state.forgot

    def test_it_is_taken_back_even_while_paying_or_discarding(self):
        state = scene(noted={0: "gold-1"}, phase="pay", need=1)
        dwarf = play(scene(heroes="dwarf elf thief", noted={0: "light"}), "power")

        assert "discard gold-5" in legal(play(state, "forget 0"))
        assert "discard vision" in legal(play(dwarf, "forget 0"))

    def test_a_card_shown_by_another_is_not_noted_any_more(self):
        state = scene(seat=1, noted={0: "languor gold-5"})

        state = play(state, "play languor")
        assert hand(state, 0) == "gold-5"

    def test_notes_are_laid_open_at_the_end_and_clashing_ones_asked_for(self):
        state = scene(
            seats=2, anger=1, noted={0: "languor gold-1", 1: "languor gold-2"}
        )

        told = story(state, "turn dragon")
        assert told[4:] == [
            "dragon_asleep",
            "notes_clashed",
            "card_shown gold-1",
            "notes_clashed",
            "card_shown gold-2",
        ]
        state = play(state, "turn dragon")
        assert state.hands == (1, 1)
        assert hand(state, 0) == hand(state, 1) == ""
        assert GAME.outcome(play(state, "show 0 languor", "show 1 gold-1")) is not None

    def test_a_note_that_others_could_see_is_refused(self):
        state = scene()
        kind = TREASURES.index("gold-1")

        for seen_by in ((), (0, 1)):
            verdict = GAME.judge(state, NoteCard(0, Hidden(kind, seen_by)))
            assert verdict.reason == "dragon_run.no.note_not_secret"


class TestRN22:
    """What becomes of too much?"""

    def test_it_is_lost_and_one_is_warned(self):
        state = play(scene(noted={0: "gold-5"}), "sneak")

        assert "no_change" in prompts(state)
        assert story(state, "discard gold-5") == ["paid gold-5", "overpaid 4"]


class TestRN23:
    """Who begins?"""

    def test_the_seat_that_the_set_up_names(self):
        state = new_game(seats=3, first=2)

        assert play(state, "deal elf", "deal dwarf", "deal thief").seat == 2


class TestRN24:
    """What becomes of the talismans of a burned adventurer?"""

    def test_they_are_discarded(self):
        state = scene(wounded=(0,), fronts={0: "languor"}, noted={0: "gold-1"})

        state = play(state, "turn dragon")
        assert state.fronts[0] == ()
        assert state.discard == (None, *kinds("languor"))


class TestRN25:
    """What does the table learn of a look into a pile?"""

    def test_nothing(self):
        state = scene(noted={0: "vision"}, discard="annulment")

        after = play(state, "play vision")
        assert after.stock == state.stock
        assert after.pile == state.pile
        assert after.noted[1:] == state.noted[1:]


class TestRN26:
    """When is an empty pile refilled?"""

    def test_by_default_at_the_next_draw(self):
        state = scene(stock=1, discard="gold-1")

        assert story(state, "turn chest")[1:] == ["drawn"]
        assert play(state, "turn chest").stock == 0

    def test_at_once(self):
        state = scene(stock=1, discard="gold-1", options={"RN26": "at_once"})

        told = story(state, "turn chest")
        assert told[1] == "drawn"
        assert told[2].startswith("treasures_shuffled")
        assert play(state, "turn chest").stock > 0


class TestRN27:
    """May one pay more than asked?"""

    def test_more_cards_than_needed_are_taken_and_lost(self):
        state = play(
            scene(noted={0: "gold-1 gold-2 gold-3"}), "sneak", "discard gold-1"
        )
        assert {"discard gold-2", "discard gold-3", "roll 1"} <= legal(state)
        assert story(state, "discard gold-2") == ["paid gold-2", "overpaid 2"]
        assert play(state, "discard gold-2").phase == "roll"

        cried = play(scene(noted={0: "gold-2 gold-3"}), "cry", "discard gold-2")
        assert play(cried, "discard gold-3").hands[0] == 0

    def test_a_card_worth_nothing_pays_nothing(self):
        state = play(scene(), "sneak")

        for name in TREASURES[GOLD:]:
            assert refused(state, f"discard {name}") == (
                "RN27",
                "worth_nothing",
                (29, 29),
            )


class TestRN28:
    """May a lone survivor cry?"""

    def test_by_default_yes(self):
        assert "cry" in legal(scene(out=(1, 2)))

    def test_no(self):
        state = scene(out=(1, 2), options={"RN28": "no"})

        assert refused(state, "cry") == ("RN28", "alone", (97, 97))
        assert "cry" in legal(scene(out=(1,), options={"RN28": "no"}))


class TestRN29:
    """When are potions played?"""

    def test_while_the_turn_goes_on(self):
        paid = play(scene(), "sneak", "discard gold-1")
        room = play(scene(), "turn room")
        passed = play(scene(turned=NINE_OPEN, **ROLL), "roll 9")
        failed = play(scene(**ROLL), "roll 0")

        for state in (scene(), paid, room, passed, failed):
            assert "play light" in legal(state)

    def test_not_while_paying_nor_after_crying(self):
        for state in (play(scene(), "cry"), play(scene(), "cry", "discard gold-2")):
            assert refused(state, "play light") == ("RN29", "no_potion_now", (148, 148))

    def test_not_once_the_dragon_is_seen(self):
        state = play(scene(fronts={0: "redirection"}), "turn dragon")

        assert refused(state, "play invisibility")[0] == "RN29"


class TestRN30:
    """May one annul one's own potion?"""

    def test_no_and_both_potions_are_discarded(self):
        state = play(scene(noted={0: "light annulment"}), "play light")

        assert refused(state, "annul 0") == ("RN30", "own_potion", (150, 150))
        state = play(state, "annul 1")
        assert state.discard == (*kinds("light"), *kinds("annulment"))


class TestRN31:
    """A card or a power calms the dragon to 0."""

    def test_the_game_ends_at_once(self):
        state = scene(
            heroes="warrior elf dwarf", anger=1, noted={0: "gold-1", 1: "", 2: ""}
        )

        assert story(state, "power")[1:3] == ["calmed 0", "dragon_asleep"]
        assert GAME.outcome(play(state, "power")).winners == (0,)


class TestRN32:
    """A forced rush meets a treasure room."""

    def test_the_choice_is_the_usual_one(self):
        state = play(scene(**ROLL), "roll 0", "turn room")

        assert {"pass", "turn room"} <= legal(state)


class TestRN33:
    """How many may play?"""

    @pytest.mark.parametrize("seats", [1, 6, 7])
    def test_two_to_five(self, seats):
        with pytest.raises(BadSetup, match="2 to 5 can"):
            new_game(seats=seats)


class TestRN34:
    """Whose dearest cards are compared?"""

    def test_those_of_the_tied_alone(self):
        state = scene(
            anger=1,
            noted={0: "gold-3 gold-3", 1: "gold-2 gold-4", 2: "gold-5"},
        )

        assert GAME.outcome(play(state, "turn dragon")).winners == (1,)

    def test_with_nothing_at_all_the_win_is_shared(self):
        state = scene(anger=1, noted={0: "light", 1: "", 2: "languor"})

        state = play(state, "turn dragon")
        assert GAME.outcome(state).winners == (0, 1, 2)
