"""What lies on the table, and how a move looks there."""

import pytest
from msgspec.structs import replace

from companion.games.core import NotNow
from companion.games.dragonix import GAME
from companion.games.dragonix.moves import (
    Begin,
    Fly,
    Insert,
    Play,
    Recolour,
    Reveal,
    Strike,
    Summon,
    Swap,
    TakeBack,
    TurnUp,
)
from companion.table import Moved, Placed, Removed, Shown
from tests.games.dragonix.tables import card, legal, new_game, play, scene

OPENED = ("open sun1 I", "open rock12 II", "open krak3 III", "open krak9 IV")


def look(state, text):
    return GAME.evidence(state, GAME.parse(state, text))


class TestTable:
    def test_at_the_start(self):
        state = play(new_game(), *OPENED, "reveal 0 hero")

        assert GAME.layout(state) == {
            ("card", "sun1", "army/1"),
            ("card", "rock12", "army/2"),
            ("card", "krak3", "army/3"),
            ("card", "krak9", "army/4"),
            ("red", None, "army/1"),
            ("card", "hero", "show/0"),
            ("camp", "back", "camp/0"),
            ("camp", "back", "camp/1"),
            ("token", "back", "tokens/0"),
            ("token", "back", "tokens/1"),
        }

    def test_tokens_lie_open_as_long_as_they_work(self):
        state = scene(hands=("sun5", "?"), camps=(0, 1), tokens=("undead prison",))

        state = play(state, "token prison", "token undead")
        assert ("token", "undead", "event/0") in GAME.layout(state)
        state = play(state, "summon II")

        assert {
            ("token", "undead", "event/0"),
            ("token", "prison", "event/0"),
            ("undead", None, "army/2"),
        } <= GAME.layout(state)
        assert ("camp", "back", "camp/0") not in GAME.layout(state)

    def test_the_newest_deserter_lies_on_the_others_beside_the_board(self):
        state = scene(
            hands=("sun5",),
            seats=1,
            camps=(1,),
            I="sun8 sun9",
            II="forest1",
            III="rock9",
            IV="rock1",
            tower="krak1",
            red="II",
        )

        state = play(state, "back I")
        assert ("card", "sun9", "deserters") in GAME.layout(state)
        state = play(state, "back I")

        lying = {face for _, face, place in GAME.layout(state) if place == "deserters"}
        assert lying == {"sun8"}


class TestEvidence:
    def test_cards_show_themselves_where_they_are_put(self):
        state = scene(
            hands=("sun5 sun8",), I="sun4 hero", red="II", tokens=("volunteers",)
        )

        assert look(state, "play sun8 I") == {Shown("card", "sun8", "army/1")}
        assert look(state, "play sun8 tower") == {Shown("card", "sun8", "tower")}
        assert look(state, "insert sun8 I 1") == {Shown("card", "sun8", "army/1")}
        assert look(state, "swap sun5 I") == {
            Shown("card", "sun5", "army/1"),
            Removed("card", "army/1", "hero"),
        }
        assert look(state, "back I") == {Removed("card", "army/1", "hero")}
        assert look(state, "reveal 1 sun5") == {Shown("card", "sun5", "show/1")}

    def test_dragons_and_tokens(self):
        state = scene(hands=("sun5",), red="II", undead="I", undead_by=1)

        assert look(state, "fly red III") == {Moved("red", "army/2", "army/3")}
        assert look(state, "fly undead III") == {Moved("undead", "army/1", "army/3")}
        assert look(state, "summon IV") == {Placed("undead", None, "army/4")}
        assert look(state, "token plague") == {Shown("token", "plague", "event/0")}

    @pytest.mark.parametrize(
        "text",
        [
            "begin 0",
            "recruit",
            "enough",
            "soar red",
            "note 0 sun4",
            "recolour III sun",
            "insert hero I 1",
        ],
    )
    def test_what_can_only_be_told(self, text):
        assert look(scene(hands=("sun5",)), text) == frozenset()


TIE = replace(new_game(), phase="begin")


@pytest.mark.parametrize(
    "move",
    [
        Play(card("sun5"), 7),
        Play(99, 0),
        Play(card("sun12"), 0),
        Play(card("rock5"), 9),
        Swap(card("sun5"), 0),
        TakeBack(3),
        TakeBack(4),
        Fly("red", 4),
        Fly("undead", 1),
        Strike(0),
        Recolour(2, "sun"),
        Summon(0),
        Insert(card("sun5"), 0, 1),
        TurnUp(card("sun5"), 0),
        Reveal(0, 1),
        Begin(0),
    ],
)
def test_what_makes_no_sense_is_not_done(move):
    with pytest.raises(NotNow):
        GAME.apply(scene(hands=("sun5 hero",), I="sun4", red="II"), move)


@pytest.mark.parametrize(
    ("token", "moves"),
    [
        ("plague", ["strike IV", "strike tower"]),
        ("counter", ["recolour IV sun"]),
        ("undead", ["summon tower"]),
        ("volunteers", ["insert sun5 tower 1", "insert sun5 I 0", "insert sun5 IV 1"]),
    ],
)
def test_effects_that_make_no_sense(token, moves):
    state = scene(
        hands=("sun5",), I="sun4 sun9", III="rock1", red="II", tokens=(token,)
    )
    state = play(state, f"token {token}")

    for text in moves:
        with pytest.raises(NotNow):
            GAME.apply(state, GAME.parse(state, text))


def test_a_hero_is_not_forced_onto_the_tower():
    state = scene(hands=("hero",), red="II")

    with pytest.raises(NotNow):
        GAME.apply(state, GAME.parse(state, "play hero tower"))


def test_a_reinforcement_from_an_empty_camp_is_not_forced():
    state = scene(hands=("sun5",), camps=(0, 1), tokens=("reinforce",))

    with pytest.raises(NotNow):
        GAME.apply(state, GAME.parse(state, "token reinforce"))


class TestForced:
    """A table may accept what the judge refuses."""

    def test_a_card_out_of_order_lies_where_it_was_laid(self):
        state = scene(hands=("sun3",), I="sun4", red="II")

        after, _ = GAME.apply(state, GAME.parse(state, "play sun3 I"))

        assert after.rows[0].values == (4, 3)

    def test_a_card_too_much_taken_back(self):
        state = scene(hands=("sun9",), I="sun4 sun5", red="II")

        after, _ = GAME.apply(state, GAME.parse(state, "back I"))
        after, _ = GAME.apply(after, GAME.parse(after, "play sun9 I"))

        # It was in the way of nothing, but nothing is left that could still show that.
        assert after.turn.ghost is None
        assert after.rows[0].values == (4, 9)
        assert "fly red I" in legal(after)

    def test_a_card_too_much_taken_back_while_the_hand_has_one_that_needed_it(self):
        state = scene(hands=("sun5 sun9",), I="sun4 sun6", red="II")

        after, _ = GAME.apply(state, GAME.parse(state, "back I"))

        # 9 would have fitted behind the 6; only 5 was kept off by it.
        assert legal(after) == {"play sun5 I"}

    def test_a_full_ghost_is_forgotten(self):
        state = scene(hands=("sun9",), I="sun1 sun2 sun3 sun4 sun5", red="II")

        after, _ = GAME.apply(state, GAME.parse(state, "back I"))
        after, _ = GAME.apply(after, GAME.parse(after, "play sun9 I"))

        assert after.turn.ghost is None

    def test_a_hero_cannot_be_opened_or_an_impossible_card_shown(self):
        state = new_game()

        for text in ("open hero I",):
            with pytest.raises(NotNow):
                GAME.apply(state, GAME.parse(state, text))
        state = play(state, *OPENED)
        with pytest.raises(NotNow):
            GAME.apply(state, GAME.parse(state, "reveal 0 sun1"))
