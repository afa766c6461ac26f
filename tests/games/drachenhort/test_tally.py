"""The final count alone, and every fault of a sheet in one line. L. 203-213."""

import json

import msgspec
import pytest

from companion.games.drachenhort.box import STAND_IN
from companion.games.drachenhort.tally import TallyError, count_points, parse_sheet

GREEN_RED_WHITE = {"name": "Ana", "group": ["green", "red", "white"], "jewels": 6}


def sheet(*players, silver=None, gold=None, **more):
    """Return a sheet as JSON: the rulebook's own example where nothing else is said."""
    medals = {
        "silver": silver or {"green": 1, "red": 2, "white": 8},
        "gold": gold or {"green": 5, "red": 3, "white": 1},
    }
    return json.dumps(
        {"medals": medals, "players": players or [GREEN_RED_WHITE], **more}
    )


def ana(**changes):
    return {**GREEN_RED_WHITE, **changes}


ALL = dict(zip(STAND_IN.adventurers, (1, 2, 3, 4, 5, 6, 8), strict=True))


class TestCounting:
    def test_the_example_of_the_rulebook_is_26(self):
        result = count_points(parse_sheet(sheet()))

        assert result.scores == {"Ana": 26}  # 6 (green) + 5 (red) + 9 (white) + 6

    def test_the_result_says_where_the_points_come_from(self):
        result = json.loads(msgspec.json.encode(count_points(parse_sheet(sheet()))))

        assert result == {
            "scores": {"Ana": 26},
            "winners": ["Ana"],
            "breakdown": {
                "Ana": {
                    "medals": {"green": [1, 5], "red": [2, 3], "white": [8, 1]},
                    "jewels": 6,
                }
            },
        }

    def test_the_most_points_win(self):
        players = [ana(jewels=2), {**GREEN_RED_WHITE, "name": "Bo", "jewels": 3}]

        assert count_points(parse_sheet(sheet(*players))).winners == ("Bo",)

    def test_equal_points_win_together(self):
        players = [ana(name=name, jewels=4) for name in ("Ana", "Bo", "Cy")]

        assert count_points(parse_sheet(sheet(*players))).winners == ("Ana", "Bo", "Cy")

    def test_all_seven_colours_may_have_medals(self):
        text = sheet(silver=ALL, gold=ALL)

        assert count_points(parse_sheet(text, STAND_IN.groups)).scores == {
            "Ana": 2 * (1 + 2 + 5) + 6
        }

    def test_two_colours_of_any_name_are_known_without_a_kit(self):
        text = sheet(
            ana(group=["green", "turquoise", "lilac"]),
            silver={"green": 1, "turquoise": 2, "lilac": 3},
            gold={"green": 1, "turquoise": 2, "lilac": 3},
        )

        assert count_points(parse_sheet(text)).scores == {"Ana": 2 * 6 + 6}

    @pytest.mark.parametrize(
        "name", ["A" * 40, "Zoë", "李雷", "नेहा", "علی‌رضا", "👩‍🚀", "O'Neil"]
    )
    def test_a_name_may_be_of_any_script(self, name):
        assert count_points(parse_sheet(sheet(ana(name=name)))).winners == (name,)

    def test_seven_may_play_and_all_24_jewels_be_won(self):
        players = [
            {"name": f"P{n}", "group": list(group), "jewels": 24 if n == 0 else 0}
            for n, group in enumerate(STAND_IN.groups)
        ]

        result = count_points(
            parse_sheet(sheet(*players, silver=ALL, gold=ALL), STAND_IN.groups)
        )

        assert len(result.scores) == 7


FAULTS = {
    "not JSON": ("{", "this is not JSON"),
    "nothing": ("", "this is not JSON"),
    "nested without end": ("[" * 100_000, "this is not JSON"),
    "a number without end": (sheet().replace("6}", "9" * 5000 + "}"), "not JSON"),
    "no number": (sheet().replace("6}", "NaN}"), "NaN is no number"),
    "infinite": (sheet().replace("6}", "-Infinity}"), "-Infinity is no number"),
    "a list": ("[]", "Expected `object`, got `array`"),
    "no medals": ('{"players": []}', "missing required field `medals`"),
    "no gold": (
        '{"medals": {"silver": {}}, "players": []}',
        "missing required field `gold` - at `$.medals`",
    ),
    "no jewels": (
        sheet({"name": "Ana", "group": ["green", "red", "white"]}),
        "missing required field `jewels` - at `$.players[0]`",
    ),
    "one field too many": (sheet(ana(age=8)), "unknown field `age`"),
    "one part too many": (sheet(winner="Ana"), "unknown field `winner`"),
    "a field with a line break": (sheet(**{"a\nb": 1}), "unknown field `a b`"),
    "a bronze medal": (
        '{"medals": {"silver": {}, "gold": {}, "bronze": {}}, "players": []}',
        "unknown field `bronze`",
    ),
    "a truth for a number": (sheet(ana(jewels=True)), "Expected `int`, got `bool`"),
    "a truth for a medal": (
        sheet(silver={"green": True, "red": 2, "white": 8}),
        "Expected `int`, got `bool`",
    ),
    "half a jewel": (sheet(ana(jewels=1.5)), "Expected `int`, got `float`"),
    "jewels in words": (sheet(ana(jewels="6")), "Expected `int`, got `str`"),
    "no name at all": (sheet(ana(name=None)), "Expected `str`, got `null`"),
    "a medal written twice": (
        sheet().replace('"red": 2', '"red": 2, "red": 4'),
        "'red' is written 2 times",
    ),
    "no such medal": (
        sheet(silver={"green": 7, "red": 2, "white": 8}),
        "green has a silver medal 7, which is not in the box",
    ),
    "one medal for two": (
        sheet(gold={"green": 5, "red": 3, "white": 3}),
        "gold medal 3 is given to red, white",
    ),
    "eight colours": (
        sheet(silver={str(n): m for n, m in enumerate((1, 2, 3, 4, 5))}),
        "8 colours",
    ),
    "a colour without a name": (sheet(silver={" ": 1}), "a colour among the medals is"),
    "no players": (
        '{"medals": {"silver": {}, "gold": {}}, "players": []}',
        "0 players",
    ),
    "eight players": (sheet(*(ana(name=str(n)) for n in range(8))), "8 players"),
    "a blank name": (sheet(ana(name="  ")), "the name of player 1 is blank"),
    "a long name": (sheet(ana(name="A" * 41)), "player 1 has 41 letters"),
    "a name with a line break": (sheet(ana(name="A\nB")), "cannot be shown"),
    "half a sign for a name": (sheet(ana(name="\ud800")), "cannot be shown"),
    "one name twice": (sheet(ana(jewels=1), ana(jewels=2)), "2 players are named Ana"),
    "owed jewels": (sheet(ana(jewels=-1)), "Ana has -1 jewels"),
    "too many jewels": (
        sheet(ana(jewels=13), ana(name="Bo", jewels=12)),
        "25 jewels are listed in all, the box has 24",
    ),
    "two heroes": (sheet(ana(group=["green", "red"])), "three different colours"),
    "four heroes": (
        sheet(ana(group=["green", "red", "white", "red"])),
        "three different colours",
    ),
    "no heroes": (sheet(ana(group=[])), "is empty"),
    "one hero twice": (sheet(ana(group=["red", "red", "white"])), "three different"),
    "a hero without medals": (
        sheet(ana(group=["green", "red", "pink"])),
        "has 'pink', which has no silver medal",
    ),
    "a hero without gold": (
        sheet(gold={"green": 5, "red": 3}),
        "has 'white', which has no gold medal",
    ),
    "a hero in four groups": (
        sheet(*(ana(name=name, jewels=0) for name in "ABCD")),
        "green is in 4 groups",
    ),
}

KIT_FAULTS = {
    "a colour of another copy": (
        sheet(silver={"green": 1, "red": 2, "white": 8, "pink": 3}),
        "medals name 'pink', no adventurer of this copy; choose from blue, green",
    ),
    "no card of the copy": (
        sheet(ana(group=["green", "red", "blue"]), silver=ALL, gold=ALL),
        "the group of Ana, green, red, blue, is on no card",
    ),
    "one card for two": (
        sheet(ana(), ana(name="Bo", group=["white", "red", "green"])),
        "Ana and Bo have the same card",
    ),
}


def fault(text, groups):
    with pytest.raises(TallyError) as told:
        parse_sheet(text, groups)
    return str(told.value)


class TestFaults:
    @pytest.mark.parametrize(("text", "says"), FAULTS.values(), ids=FAULTS)
    def test_a_fault_is_told_in_one_line(self, text, says):
        told = fault(text, None)

        assert says in told
        assert "\n" not in told

    @pytest.mark.parametrize(("text", "says"), KIT_FAULTS.values(), ids=KIT_FAULTS)
    def test_a_kit_knows_its_own_colours_and_cards(self, text, says):
        assert says in fault(text, STAND_IN.groups)
        assert count_points(parse_sheet(text)) is not None  # without it nobody can tell

    def test_what_to_write_is_shown(self):
        assert '"group": ["green", "red", "white"]' in fault("{", None)

    def test_it_is_a_value_error_too(self):
        assert issubclass(TallyError, ValueError)
