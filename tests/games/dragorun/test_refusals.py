"""Why a hand may not do what it did, and what makes no sense at all."""

import pytest
from msgspec.structs import replace

from companion.games.core import NotNow
from companion.games.dragorun import GAME
from companion.games.dragorun.events import DragonStayed
from companion.games.dragorun.pieces import (
    Colour,
    Egg,
    Step,
)
from companion.games.dragorun.state import (
    DrawEgg,
    MoveDragon,
    Swap,
    ThrowStep,
)
from companion.words import Words
from tests.games.dragorun.tables import (
    DRAGONS,
    lined_up,
    new_game,
    numbers,
    play,
    refused,
    scene,
    where,
)

FAR = (8, 6, 5, 4, 3)
"""Red leads on 8, then green, blue, yellow; violet is last on 3."""


class TestNotNow:
    """A table may bend the rules, but not make nonsense."""

    @pytest.mark.parametrize(
        ("state", "move"),
        [
            (scene(FAR), MoveDragon(Colour.RED, 9)),
            (scene(FAR, dice="red +1"), MoveDragon(Colour.PINK, 9)),
            (scene(FAR, dice="red +1"), MoveDragon(Colour.RED, 13)),
            (scene(FAR, dice="red +1"), MoveDragon(Colour.RED, -1)),
            (scene(FAR, dice="red +1"), MoveDragon(Colour.RED, 6)),
            (scene(FAR, dice="red +1"), MoveDragon(Colour.RED, 8)),
            (scene(FAR), Swap(Colour.RED)),
            (scene(FAR), ThrowStep(Step.ONE)),
            (scene(FAR), GAME.parse(None, "return")),
            (new_game(), GAME.parse(None, "place red 9")),
            (lined_up(), GAME.parse(None, "deal 1 red")),
            (new_game(), GAME.parse(None, "again")),
        ],
    )
    def test_what_makes_no_sense_is_told(self, state, move):
        with pytest.raises(NotNow):
            GAME.apply(state, move)

    def test_no_egg_comes_out_of_an_empty_supply(self):
        held = ("red red green green blue blue", "yellow yellow violet snail mushroom")
        state = play(scene(FAR, eggs=held), "swap blue")
        empty = replace(state, eggs=((*state.eggs[0], Egg.VIOLET), state.eggs[1]))

        with pytest.raises(NotNow):
            GAME.apply(empty, DrawEgg(Egg.RED))

    def test_a_table_may_accept_what_the_judge_refuses(self):
        state, _ = GAME.apply(scene(FAR, dice="red +1"), MoveDragon(Colour.GREEN, 10))

        assert where(state, "green") == 10


class TestRefusals:
    """Each reason cites its line, names its ruling and the numbers of the case."""

    UNDEALT = lined_up(seats=3)
    DEALT = play(lined_up(seats=3), "deal 0 red")
    SWAPPED = play(scene(FAR, eggs=("", "red red")), "swap blue")
    FOLLOWING = play(SWAPPED, "egg yellow")
    NOBODY = play(scene((6, 5, 11, 4, 3), dice="blue +1"), "move blue 12")
    TIE = play(
        scene(
            (11, 0, 0, 0, 0),
            riders="red green blue",
            dice="red +1",
            eggs=("mushroom",),
            options={"DG5": "decide"},
        ),
        "move red 12",
    )

    @pytest.mark.parametrize(
        ("state", "text", "expected", "values"),
        [
            (new_game(), "throw red +1", ("dragorun", "waits_place", (72, 72)), [0]),
            (UNDEALT, "move red 9", ("dragorun", "waits_deal", (73, 74)), [0]),
            (DEALT, "throw red +1", ("dragorun", "waits_deal", (73, 74)), [1]),
            (scene(FAR), "again", ("dragorun", "waits_turn", (81, 121)), [0]),
            (
                scene(FAR, dice="red +1", seat=1),
                "decide 0",
                ("dragorun", "waits_keep", (85, 85)),
                [1],
            ),
            (
                scene(FAR, dice="red +1", bound=True),
                "place red 1",
                ("dragorun", "waits_bound", (85, 85)),
                [0],
            ),
            (SWAPPED, "step +1", ("dragorun", "waits_draw", (125, 125)), [0]),
            (FOLLOWING, "egg red", ("dragorun", "waits_egg", (131, 135)), [0]),
            (TIE, "move red 3", ("dragorun", "waits_decide", (139, 152)), [0]),
            (NOBODY, "swap red", ("dragorun", "waits_again", (154, 154)), [0]),
            (
                new_game(),
                "place pink 1",
                ("dragorun", "no_such_dragon", (46, 46)),
                ["pink"],
            ),
            (
                play(new_game(), "place red 4"),
                "place red 5",
                ("dragorun", "placed_already", (72, 72)),
                ["red", 4],
            ),
            (
                new_game(),
                "place red 7",
                ("DG33", "not_a_start_cell", (72, 72)),
                ["red", 7],
            ),
            (UNDEALT, "deal 3 red", ("dragorun", "no_such_seat", (73, 73)), [4]),
            (TIE, "decide 3", ("dragorun", "no_such_seat", (73, 73)), [4]),
            (TIE, "decide 0", ("DG5", "not_level", (139, 152)), [0]),
            (DEALT, "deal 0 blue", ("dragorun", "dealt_already", (73, 73)), [0, "red"]),
            (
                DEALT,
                "deal 1 red",
                ("dragorun", "marker_of_another", (73, 73)),
                ["red", 0],
            ),
            (DEALT, "deal 2 blue", ("dragorun", "deal_order", (73, 81)), [2, 1]),
            (
                scene(FAR),
                "colour red",
                ("dragorun", "both_dice_first", (85, 85)),
                [0],
            ),
            (
                scene(FAR, dice="red +1", bound=True, seat=1),
                "colour red",
                ("DG24", "bound", (85, 85)),
                [1],
            ),
            (
                scene(FAR),
                "throw pink +1",
                ("dragorun", "no_such_face", (91, 91)),
                ["pink"],
            ),
            (
                FOLLOWING,
                "move red 9",
                ("dragorun", "wrong_dragon_egg", (131, 131)),
                ["red", "yellow"],
            ),
            (
                FOLLOWING,
                "move yellow 0",
                ("DG15", "wrong_cell", (131, 131)),
                ["yellow", "+1", 7, "snail"],
            ),
            (
                scene(FAR, dice="red +1"),
                "swap blue",
                ("dragorun", "thrown_already", (81, 121)),
                [0],
            ),
            (
                scene(FAR, dice="red +1"),
                "egg red",
                ("dragorun", "egg_without_swap", (125, 125)),
                [0],
            ),
            (SWAPPED, "egg red", ("dragorun", "egg_not_there", (125, 131)), ["red"]),
            (SWAPPED, "egg pink", ("dragorun", "no_such_egg", (131, 131)), ["pink"]),
            (SWAPPED, "return", ("DG17", "return_too_late", (144, 144)), [0]),
            (scene(FAR), "return", ("dragorun", "no_eggs", (144, 144)), [0]),
        ],
    )
    def test_reason_line_and_numbers(self, state, text, expected, values):
        assert refused(state, text) == expected
        assert list(numbers(state, text).values()) == values

    def test_an_outcome_cites_its_lines(self):
        first = play(scene((11, 6, 5, 4, 3), dice="red +1"), "move red 12")
        second = play(
            scene((11, 6, 5, 4, 3), dice="red +1", eggs=("mushroom",)), "move red 12"
        )

        cites = [GAME.outcome(state).cite for state in (first, second)]
        assert [(cite.first, cite.last) for cite in cites] == [(152, 152), (139, 152)]


LEVEL = (0, 0, 0, 0, 0)
"""All five share the snail cell."""


class TestARulingSaysWhatTheRefusalSays:
    """What stands below a refusal speaks of the same case, or only the book does."""

    @pytest.mark.parametrize(
        ("state", "text", "expected"),
        [
            # A leader that the trophy leaves in front: l. 105 alone.
            (
                scene(FAR, dice="red trophy"),
                "move red 9",
                ("dragorun", "stays_first", (105, 105)),
            ),
            # All five are first together only where a table plays so.
            (
                scene(LEVEL, dice="red trophy", options={"DG25": "stay"}),
                "move red 1",
                ("DG25", "stays_first", (105, 113)),
            ),
            (
                scene(LEVEL, dice="red trophy"),
                "move red 3",
                ("DG25", "wrong_cell_trophy", (105, 113)),
            ),
            # A last one that the snail leaves behind: l. 109; several: DG4 and l. 113,
            # unless a table says that none or another is last.
            (
                scene(FAR, dice="violet snail"),
                "move violet 2",
                ("dragorun", "stays_last", (109, 109)),
            ),
            (
                scene((8, 6, 5, 0, 0), dice="violet snail"),
                "move violet 2",
                ("DG4", "stays_last", (109, 113)),
            ),
            (
                scene((8, 6, 5, 0, 0), dice="violet snail", options={"DG4": "none"}),
                "move violet 2",
                ("dragorun", "stays_last", (109, 113)),
            ),
            # Behind the last; beside the last where that is the snail cell.
            (
                scene(FAR, dice="red snail"),
                "move red 0",
                ("DG3", "wrong_cell_snail", (109, 109)),
            ),
            (
                scene((8, 6, 5, 4, 0), dice="red snail"),
                "move red 3",
                ("dragorun", "wrong_cell_snail", (109, 113)),
            ),
            # A step back: as the table counts it.
            (
                scene(FAR, dice="green -1"),
                "move green 5",
                ("DG1", "wrong_cell_back", (101, 101)),
            ),
            (
                scene(FAR, dice="red -1", options={"DG1": "next_cell"}),
                "move red 6",
                ("DG1", "wrong_cell_one_back", (101, 101)),
            ),
            (
                scene((8, 6, 5, 1, 0), dice="yellow -1"),
                "move yellow 3",
                ("DG2", "wrong_cell_back", (97, 101)),
            ),
            (
                scene((8, 6, 5, 1, 0), dice="yellow -1", options={"DG2": "stay"}),
                "move yellow 0",
                ("DG2", "stays_no_way_back", (97, 101)),
            ),
            (
                scene(FAR, dice="green -1", options={"DG1": "next_cell"}),
                "move green 2",
                ("DG1", "stays_no_way_back", (101, 101)),
            ),
            (
                scene((8, 6, 5, 4, 0), dice="violet -1"),
                "move violet 1",
                ("dragorun", "stays_no_way_back", (101, 101)),
            ),
            # A marker face down; DG12 only where none at all is left.
            (
                scene(FAR, riders="red green blue", hidden={2}),
                "swap blue",
                ("dragorun", "marker_hidden", (121, 121)),
            ),
            (
                scene(FAR, riders=" ".join(DRAGONS), hidden={1, 2, 3, 4}),
                "swap blue",
                ("DG12", "marker_hidden", (121, 121)),
            ),
            (
                scene(FAR, riders=" ".join(DRAGONS), hidden={1, 2, 3, 4}),
                "egg red",
                ("dragorun", "egg_without_swap", (125, 125)),
            ),
            (
                scene(FAR, riders=" ".join(DRAGONS), hidden={1, 2, 3, 4}),
                "move red 9",
                ("DG12", "waits_throw", (121, 121)),
            ),
            # Eggs: who is not last, and who is not last of several.
            (
                scene(FAR, eggs=("red",)),
                "return",
                ("DG18", "not_last", (144, 148)),
            ),
            (
                scene((0, 6, 5, 4, 0), eggs=("red",), options={"DG4": "none"}),
                "return",
                ("DG4", "not_last_of_several", (113, 144)),
            ),
            # The order of dealing is a choice only where markers are chosen.
            (
                play(lined_up(seats=3, options={"DG22": "chosen"}), "deal 0 red"),
                "deal 2 blue",
                ("DG22", "deal_order", (73, 81)),
            ),
        ],
    )
    def test_the_case_and_its_rule(self, state, text, expected):
        assert refused(state, text) == expected

    def test_only_what_is_counted_says_that_taken_spaces_do_not_count(self):
        words = Words("en", strict=True)
        told = {
            dice: words.say(verdict.reason, verdict.params)
            for dice in ("violet +1", "green -1", "violet trophy", "red snail")
            for state in [scene(FAR, dice=dice)]
            for verdict in [
                GAME.judge(state, GAME.parse(state, f"move {dice.split()[0]} 12"))
            ]
        }

        counted = {dice for dice, text in told.items() if "do not count" in text}
        assert counted == {"violet +1"}

    def test_a_snail_egg_that_moves_nobody_rests_on_its_own_ruling(self):
        drawn = play(scene((8, 6, 5, 4, 3)), "swap violet")

        _, events = GAME.apply(drawn, DrawEgg(Egg.SNAIL))
        stayed = next(one for one in events if isinstance(one, DragonStayed))

        found = GAME.grounds(drawn, stayed)
        assert (found.cite.first, found.rulings) == (135, ("DG14",))
