"""Every game says step by step what to lay where, and who begins."""

import pytest

from companion.games import GAMES, find
from companion.games.core import Config
from companion.story.log import Header, Made, Undone, begin, extend
from companion.words import LANGUAGES, Words
from tests.games.book_lines import written

each_table = pytest.mark.parametrize(
    ("game", "seats"),
    [(game, seats) for game in GAMES for seats in game.seats],
    ids=lambda value: getattr(value, "id", value),
)


def settings(game, seats):
    """Return a set-up by the defaults, and one with every other choice."""
    others = tuple((r.id, r.choices[-1]) for r in game.rulings if r.choices)
    return [
        Config(seats, game.stand_in, options, first=seats - 1)
        for options in ((), others)
    ]


def steps(game_id, seats, options=()):
    game = find(game_id)
    return game.setting_up(Config(seats, game.stand_in, options))


def told(game_id, seats, options=()):
    """Return the steps by their short names, with the lines that they rest on."""
    return [
        (one.told.line.rpartition(".")[2], one.cite.first, one.cite.last)
        for one in steps(game_id, seats, options)
    ]


def values(game_id, seats, name):
    """Return the numbers of one step, None where it is not among them."""
    found = {
        one.told.line.rpartition(".")[2]: dict(one.told.params)
        for one in steps(game_id, seats)
    }
    return found.get(name)


@each_table
class TestEveryTable:
    def test_the_steps_have_words_and_lines_of_the_book(self, game, seats):
        for setting in settings(game, seats):
            found = game.setting_up(setting)

            assert len(found) >= 3
            for one in found:
                assert one.cite.rulebook == game.id
                assert {one.cite.first, one.cite.last} <= written(game.id)
                for language in LANGUAGES:
                    assert Words(language, strict=True).part(one.told)

    def test_who_begins_is_told_where_the_table_has_chosen_it(self, game, seats):
        for setting in settings(game, seats):
            begins = [
                one.begins for one in game.setting_up(setting) if one.begins is not None
            ]

            # In Dragonix three cards of each camp tell it (l. 30).
            assert begins == ([] if game.id == "dragonix" else [seats - 1])


class TestWhatTheBooksSay:
    def test_drachenhort_is_laid_out_before_anybody_throws(self):
        assert told("drachenhort", 3) == [
            ("board", 63, 63), ("figures", 71, 73), ("jewels", 75, 79),
            ("scores", 95, 95), ("groups_left", 97, 97), ("first", 89, 89),
        ]  # fmt: skip

    def test_the_cards_left_over_in_drachenhort(self):
        # Seven cards, one each (l. 97).
        assert values("drachenhort", 2, "groups_left") == {"number": 7, "n": 5}
        assert values("drachenhort", 6, "groups_left") == {"number": 7, "n": 1}
        assert values("drachenhort", 7, "groups_left") is None
        assert values("drachenhort", 7, "groups") == {"number": 7, "n": 0}

    def test_the_dragons_space_in_dragon_run(self):
        # 8 for five, 7 for four, 6 for three, 5 for two (l. 42-45).
        found = [values("dragon_run", n, "dragon") for n in (5, 4, 3, 2)]

        assert found == [{"number": 8}, {"number": 7}, {"number": 6}, {"number": 5}]

    def test_two_talismans_leave_dragon_run_before_two_are_dealt_to(self):
        assert told("dragon_run", 2) == [
            ("dragon", 41, 45), ("heroes", 46, 47), ("places", 48, 48),
            ("talismans", 54, 54), ("treasures", 54, 54), ("first", 56, 56),
        ]  # fmt: skip
        assert "talismans" not in [name for name, *_ in told("dragon_run", 3)]

    def test_the_markers_beside_the_board_in_dragorun(self):
        # Five markers, one each; with five players none is left (l. 74).
        assert told("dragorun", 4) == [
            ("board", 70, 70), ("eggs", 71, 71), ("dragons", 72, 72),
            ("markers_dealt", 73, 73), ("spare", 74, 74), ("first", 75, 75),
        ]  # fmt: skip
        assert [values("dragorun", n, "spare") for n in (2, 3, 4, 5)] == [
            {"n": 3}, {"n": 2}, {"n": 1}, None
        ]  # fmt: skip

    def test_markers_are_chosen_where_the_table_plays_so(self):
        assert ("markers_chosen", 73, 73) in told("dragorun", 4, (("DG22", "chosen"),))

    def test_the_rectangle_and_the_square_of_eight_dragons(self):
        assert told("eight_dragons", 4) == [
            ("grid", 70, 70), ("first", 70, 70), ("tokens", 70, 70)
        ]  # fmt: skip
        assert told("eight_dragons", 4, (("ED0", "short"),))[:2] == [
            ("short", 118, 118), ("square", 118, 118)
        ]  # fmt: skip

    def test_the_camps_of_dragonix(self):
        # 48 cards after the armies are opened (l. 25-26): 24, 16, 12 each.
        found = [values("dragonix", n, "camps") for n in (2, 3, 4)]

        assert found == [{"number": 24}, {"number": 16}, {"number": 12}]

    def test_the_heroes_and_tokens_of_dragonix(self):
        # Two each with two players, else one; the fourth waits with three (l. 24-25).
        assert values("dragonix", 2, "heroes") == {"n": 2}
        assert values("dragonix", 3, "heroes_three") == {"n": 1}
        assert values("dragonix", 4, "heroes") == {"n": 1}
        assert ("armies_three", 25, 25) in told("dragonix", 3)
        assert ("tokens_two", 27, 28) in told("dragonix", 2)
        assert ("tokens", 27, 28) in told("dragonix", 4)

    def test_who_plays_dragonix_alone(self):
        assert told("dragonix", 1) == [
            ("board", 23, 23), ("heroes_alone", 24, 24), ("armies", 25, 25),
            ("camp_alone", 100, 100), ("tokens_alone", 100, 100), ("red", 102, 102),
            ("hand_alone", 90, 90),
        ]  # fmt: skip
        variant = told("dragonix", 1, (("SOLO", "variant"),))
        assert ("both_dragons", 118, 118) in variant


class TestHowLong:
    @staticmethod
    def opened(game_id, seats=3):
        game = find(game_id)
        names = ("Ana", "Bo", "Cy", "Di")[:seats]
        return begin(game, Header(game.id, names, game.stand_in), 0.0)

    @staticmethod
    def after(story, *texts):
        for text in texts:
            move = story.game.parse(story.state, text)
            story = extend(story, Made(move, "phone"), 0.0)
        return story

    @pytest.mark.parametrize(
        ("game_id", "preparing", "first"),
        [
            ("drachenhort", ["note 0 2"], "throw 3"),
            ("dragon_run", ["deal elf", "deal dwarf", "deal thief"], "sneak"),
            ("dragorun", ["place red 1", "place green 2"], None),
            ("eight_dragons", [], "turn a1 red_tail"),
            ("dragonix", ["open sun4 I"], None),
        ],
    )
    def test_the_steps_stay_till_a_move_plays_on_them(self, game_id, preparing, first):
        fresh = self.opened(game_id)
        prepared = self.after(fresh, *preparing)

        assert prepared.to_set_up == fresh.to_set_up != ()
        if first is not None:
            assert self.after(prepared, first).to_set_up == ()

    def test_they_are_back_when_the_first_move_is_taken_back(self):
        fresh = self.opened("drachenhort")
        thrown = self.after(fresh, "throw 3")

        assert extend(thrown, Undone("phone"), 0.0).to_set_up == fresh.to_set_up
