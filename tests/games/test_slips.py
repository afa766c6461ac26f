"""Where what changed on the table looks like a move, the reason why not is told."""

import pytest
from msgspec.structs import replace

from companion.games import GAMES, find
from companion.games.drachenhort.state import DRAGON
from companion.referee.changes import plain_changes
from companion.table import Flipped, Moved, Placed, Removed, Shown, Turned, Word
from companion.words import LANGUAGES, Words
from tests.games import contract
from tests.games.drachenhort import tables as drachenhort
from tests.games.dragon_run import tables as dragon_run
from tests.games.dragonix import tables as dragonix
from tests.games.dragorun import tables as dragorun
from tests.games.eight_dragons import tables as eight_dragons


def refused(game, state, *sights):
    """Return the ruling, the reason and the numbers of what these sights look like."""
    verdict = find(game).objection(state, plain_changes(sights))
    return verdict and (
        verdict.ruling,
        verdict.reason.rpartition(".")[2],
        dict(verdict.params),
    )


def cited(game, state, *sights):
    """Return the lines that the refusal of these sights rests on."""
    cite = find(game).objection(state, plain_changes(sights)).cite
    return cite.first, cite.last


class TestDrachenhort:
    def test_an_adventurer_on_the_wrong_cell(self):
        # Green stands on 4 in the light; three free cells on is 7.
        state = drachenhort.scene(green="4", red="6d", pips=3)

        told = refused(
            "drachenhort", state, Moved("green", "cell/4/light", "cell/9/dark")
        )

        # Red's cell 6 is stepped over: 5, 7, 8.
        assert told == (
            "drachenhort",
            "wrong_cell",
            {"adventurer": Word("drachenhort.green"), "n": 3, "cell": 8},
        )

    def test_an_adventurer_left_on_a_trap(self):
        # One on from 4 lies the trap 5; three free cells ahead of the dragon's start
        # room are 1, 2, 3 (l. 119). Where it stands now is nothing to tell it.
        state = drachenhort.scene("....t.......", green="4", red="9d", dragon=0, pips=1)

        verdict = find("drachenhort").objection(
            state, plain_changes((Moved("green", "cell/4/light", "cell/5/dark"),))
        )

        assert verdict.reason == "drachenhort.no.trap_leads_to"
        assert dict(verdict.params) == {
            "adventurer": Word("drachenhort.green"), "trap": 5, "cell": 3
        }  # fmt: skip
        assert (verdict.cite.first, verdict.cite.last) == (119, 119)

    def test_a_trap_that_leads_out(self):
        # Ahead of the dragon on 8, blue's 9 and red's 12 are stepped over: 10, which
        # green has left, 11 and the exit are free (l. 107, 119).
        state = drachenhort.scene(
            "..........t.", green="10", red="12d", blue="9d", dragon=8, pips=1
        )

        told = refused(
            "drachenhort", state, Moved("green", "cell/10/light", "cell/11/dark")
        )

        assert told == (
            "DH27",
            "trap_leads_out",
            {"adventurer": Word("drachenhort.green"), "trap": 11},
        )

    def test_a_trap_that_gains_no_ground(self):
        state = drachenhort.scene(
            "....t.......", green="4", red="9d", dragon=3, pips=1,
            options={"DH8": "never_forward"},
        )  # fmt: skip

        told = refused(
            "drachenhort", state, Moved("green", "cell/4/light", "cell/7/dark")
        )

        # Three ahead of the dragon on 3 would be 6; this table plays that it stays.
        assert told == (
            "DH8", "trap_keeps", {"adventurer": Word("drachenhort.green"), "trap": 5}
        )  # fmt: skip

    def test_the_lit_half_of_the_right_cell(self):
        state = drachenhort.scene(green="4", red="6d", pips=3)

        verdict = find("drachenhort").objection(
            state, plain_changes((Moved("green", "cell/4/light", "cell/8/light"),))
        )

        assert verdict.reason == "drachenhort.no.wrong_half"
        assert (verdict.cite.first, verdict.cite.last) == (109, 109)
        # What it should do, and not what it has done.
        assert "doit" in Words("fr", strict=True).say(verdict.reason, verdict.params)

    def test_whoever_leaves_is_told_to_leave_and_no_cell_beyond_the_last(self):
        # Three on from 10 of twelve cells is past the last (l. 159).
        state = drachenhort.scene(green="10", red="6d", pips=3)

        verdict = find("drachenhort").objection(
            state, plain_changes((Moved("green", "cell/10/light", "cell/12/dark"),))
        )

        assert verdict.reason == "drachenhort.no.goes_out"
        assert dict(verdict.params) == {"adventurer": Word("drachenhort.green"), "n": 3}
        assert (verdict.cite.first, verdict.cite.last) == (159, 159)

    def test_a_figure_where_it_may_go_is_nothing_to_object_to(self):
        # Green moved by the throw; the dragon was moved too, though nobody woke it.
        state = drachenhort.scene(green="4", red="6d", blue="3", pips=3)
        green = Moved("green", "cell/4/light", "cell/8/dark")

        assert refused("drachenhort", state, green) is None
        told = refused("drachenhort", state, green, Moved("dragon", "hall", "start"))
        assert told[:2] == ("drachenhort", "somebody_in_light")

    def test_an_adventurer_in_the_shadow(self):
        state = drachenhort.scene(green="4", red="6d", pips=3)

        told = refused("drachenhort", state, Moved("red", "cell/6/dark", "cell/9/dark"))

        assert told[:2] == ("drachenhort", "in_shadow")

    def test_the_dragon_out_of_turn(self):
        state = drachenhort.scene(green="4", red="6d", pips=3)

        told = refused("drachenhort", state, Moved("dragon", "hall", "cell/3"))

        # Green stands in the light (l. 145).
        assert told == (
            "drachenhort", "somebody_in_light",
            {"adventurer": Word("drachenhort.green"), "n": 1},
        )  # fmt: skip

    def test_the_dragon_on_the_wrong_cell(self):
        game = find("drachenhort")
        for step in contract.steps(game, contract.config(game, 2), seed=1):
            if step.before.phase.value == "dragon":
                break

        told = refused("drachenhort", step.before, Moved("dragon", "hall", "cell/9"))

        # Its first step is one (l. 148).
        assert told == ("drachenhort", "wrong_dragon_cell", {"n": 1})
        assert cited("drachenhort", step.before, Moved("dragon", "hall", "cell/9")) == (
            148, 148
        )  # fmt: skip
        assert (
            refused("drachenhort", step.before, Moved("dragon", "hall", "start"))
            is None
        )

    def test_a_later_step_of_the_dragon_is_five_cells(self):
        state = replace(
            drachenhort.scene(green="9d", red="11d", dragon=0, pips=0), phase=DRAGON
        )

        told = refused("drachenhort", state, Moved("dragon", "start", "cell/4"))

        # From the start room to 5, nobody before it (l. 154).
        assert told == ("drachenhort", "wrong_dragon_cell", {"n": 5})
        assert cited("drachenhort", state, Moved("dragon", "start", "cell/4")) == (
            154, 154
        )  # fmt: skip

    def test_a_jewel_that_goes_looks_like_no_move(self):
        state = drachenhort.scene(green="4", red="6d", pips=3)

        assert refused("drachenhort", state, Removed("jewel", "cell/3")) is None


class TestDragorun:
    def test_a_wrong_dragon_and_a_cell_too_far(self):
        game = find("dragorun")
        for step in contract.steps(game, contract.config(game, 2), seed=1):
            if type(step.move).__name__ == "MoveDragon":
                break
        state, move = step.before, step.move
        here = state.cells[state.index(move.dragon)]

        told = refused(
            "dragorun", state,
            Moved(move.dragon.value, f"track/{here}", f"track/{move.cell + 3}"),
        )  # fmt: skip

        assert told is not None
        assert told[0] == "dragorun" or told[0].startswith("DG")

    def test_a_marker_and_an_egg_out_of_turn(self):
        game = find("dragorun")
        state = next(
            step.before
            for step in contract.steps(game, contract.config(game, 2), seed=1)
            if step.before.phase.value == "keep" or step.before.colour is not None
        )
        other = next(d for d in state.setting.dragons)

        assert refused("dragorun", state, Placed("egg", "mushroom", "egg/0/1"))
        assert refused(
            "dragorun", state, Moved(f"marker/{other}", "pool", f"seat/{state.seat}")
        )

    def test_dice_and_what_goes_look_like_no_move(self):
        state = dragorun.new_game()

        for sight in (
            Shown("move", "+1", "tray"),
            Removed("egg", "egg/0/1"),
            Placed("red", None, "pool"),
            Placed("egg", "unknown", "egg/0/1"),
        ):
            assert refused("dragorun", state, sight) is None


class TestEightDragons:
    def test_each_thing_a_hand_may_do_wrong(self):
        state = eight_dragons.start()

        # The first card of a turn: nothing lies open, and nobody has a pair.
        assert refused("eight_dragons", state, Removed("card", "grid/1/1", "back"))
        assert refused("eight_dragons", state, Flipped("card", "back", "grid/1/1"))
        assert refused("eight_dragons", state, Removed("token", "grid/1/1"))
        # A token may be placed before the first card (l. 112): no slip.
        assert (
            refused("eight_dragons", state, Placed("token", None, "grid/1/1")) is None
        )

    def test_a_third_card(self):
        game = find("eight_dragons")
        step = next(
            step
            for step in contract.steps(game, contract.config(game, 2), seed=3)
            if step.before.phase.value == "pair" and len(step.before.up) == 2
        )
        free = next(
            place
            for piece, face, place in sorted(game.layout(step.before), key=repr)
            if (piece, face) == ("card", "back")
        )

        assert refused("eight_dragons", step.before, Shown("card", "red_head", free))

    def test_what_lies_elsewhere_looks_like_no_move(self):
        state = eight_dragons.start()

        assert refused("eight_dragons", state, Placed("card", None, "tray")) is None
        assert refused("eight_dragons", state, Placed("card", None, "grid/1/1")) is None
        assert refused("eight_dragons", state, Turned("card", "grid/1/1", 1)) is None


class TestDragonix:
    def test_a_card_under_the_dragon_and_one_that_does_not_fit(self):
        state = dragonix.scene(hands=("sun5 sun3",), I="sun4", II="rock9", red="II")

        under = refused("dragonix", state, Shown("card", "sun5", "army/2"))
        early = refused("dragonix", state, Moved("red", "army/2", "army/3"))

        assert under is not None
        assert early is not None
        assert under != early

    def test_taking_back_dragons_and_tokens(self):
        state = dragonix.scene(hands=("sun5",), I="sun4", II="rock9", red="II")

        assert refused("dragonix", state, Removed("card", "army/2", "rock9"))
        assert refused("dragonix", state, Placed("undead", None, "army/1"))
        assert refused("dragonix", state, Placed("token", "plague", "event/0"))
        there = dragonix.scene(
            hands=("sun5",), I="sun4", II="rock9", red="II", undead="I", undead_by=1
        )
        assert refused("dragonix", there, Moved("undead", "army/1", "army/3"))

    def test_what_lies_elsewhere_looks_like_no_move(self):
        state = dragonix.scene(hands=("sun5",), I="sun4", red="II")

        for sight in (
            Placed("token", "back", "tokens/0"),
            Removed("token", "event/0"),
            Placed("camp", "back", "camp/0"),
            Placed("card", "back", "army/1"),
            Removed("red", "army/2"),
            Turned("card", "army/1", 1),
        ):
            assert refused("dragonix", state, sight) is None


class TestDragonRun:
    def test_a_card_turned_and_treasures_laid_where_none_may(self):
        game = find("dragon_run")
        state = game.setup(contract.config(game, 2))  # characters are still dealt
        box = state.setting.box
        treasure = box.treasure_id(box.kinds[0])

        assert refused("dragon_run", state, Shown("place", box.places[0].id, "path/1"))
        assert refused("dragon_run", state, Placed("treasure", treasure, "discard/1"))
        assert refused("dragon_run", state, Placed("treasure", treasure, "front/0/1"))
        across = Shown("character", "elf/fit/across", "seat/0")
        assert refused("dragon_run", state, across)

    def test_what_is_not_in_the_box_or_goes_looks_like_no_move(self):
        state = dragon_run.new_game(seats=2)

        for sight in (
            Shown("place", "unknown", "path/1"),
            Placed("treasure", "unknown", "discard/1"),
            Placed("dragon", None, "anger/3"),
            Placed("character", "elf/fit", "seat/0"),
            Removed("treasure", "discard/1"),
        ):
            assert refused("dragon_run", state, sight) is None


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_reason_for_any_slip_has_words_and_a_line_of_the_book(game):
    told = set()
    seats = game.seats[-1]
    for step in list(contract.steps(game, contract.config(game, seats), 5))[:60]:
        places = sorted({place for _, _, place in game.layout(step.before)})
        for piece, face, here in sorted(game.layout(step.before), key=repr)[:12]:
            for there in places[:: max(1, len(places) // 5)]:
                changes = plain_changes(
                    (Removed(piece, here, face), Placed(piece, face, there))
                )
                verdict = game.objection(step.before, changes)
                if verdict is None:
                    continue
                told.add(verdict.reason)
                assert 1 <= verdict.cite.first <= verdict.cite.last
                for language in LANGUAGES:
                    words = Words(language, ("Ana", "Bo", "Cy"), strict=True)
                    assert words.say(verdict.reason, verdict.params)
    assert told
