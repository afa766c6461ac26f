"""The facts of a box are typed line by line; sums tell which line is wrong."""

import re

import pytest

from companion.games import GAMES, find
from companion.games.copy import BadFact
from companion.kits.box_form import (
    empty_form,
    faults,
    fields,
    read_facts,
    sides,
    sums,
    sums_so_far,
    tapped,
    with_answers,
)
from companion.kits.kit import load
from companion.words import LANGUAGES, Words
from tests.teaching.hands import Phone, new_teacher

DRACHENHORT = find("drachenhort").stand_in


def typed(game: str, **changes: str) -> dict[str, str]:
    """Return the form of a stand-in box with some lines changed."""
    box = find(game).stand_in
    return {field.name: field.value for field in fields(game, box)} | changes


@pytest.mark.parametrize("game", [game.id for game in GAMES])
def test_a_form_that_nobody_changed_tells_the_same_box(game):
    box = find(game).stand_in

    told = read_facts(game, box, typed(game))

    assert told == box
    assert faults(game, told) == ()
    assert all(each.is_right for each in sums(game, told))


@pytest.mark.parametrize("game", [game.id for game in GAMES])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_has_words(game, language):
    box, words = find(game).stand_in, Words(language, strict=True)

    for field in fields(game, box):
        assert words.part(field.label)
        assert all(words.text(name) for _, name in field.choices)
    for each in sums(game, box):
        assert words.part(each.label)


class TestWhatCannotBeRead:
    @pytest.mark.parametrize(
        ("game", "field", "text", "line"),
        [
            ("drachenhort", "front-10", ".........", "teach.fact.not_ten"),
            ("drachenhort", "back-0", "....x.....", "teach.fact.no_sign"),
            ("drachenhort", "card-1-1", "gold", "teach.fact.no_choice"),
            ("dragorun", "starts", "one two", "teach.fact.no_number"),
            ("dragorun", "finish", "-3", "teach.fact.no_number"),
            ("dragorun", "fifth", "", "teach.fact.no_choice"),
            ("dragonix", "sun", "gold", "teach.fact.no_choice"),
            ("dragon_run", "gold-1", "many", "teach.fact.no_number"),
        ],
    )
    def test_is_told_by_its_line(self, game, field, text, line):
        with pytest.raises(BadFact) as caught:
            read_facts(game, find(game).stand_in, typed(game, **{field: text}))

        assert (caught.value.field, caught.value.why.line) == (field, line)


def test_a_jewel_too_few_is_told_by_its_sum():
    """The first cell with a jewel of ". j . j t j . D . j" loses it."""
    form = typed("drachenhort", **{"front-0": "...jtj.D.j"})

    box = read_facts("drachenhort", DRACHENHORT, form)

    wrong = [(s.label.line, s.found, s.wanted) for s in sums("drachenhort", box)
             if not s.is_right]  # fmt: skip
    assert wrong == [("teach.fact.front_jewels", 11, 12)]
    assert [f.line for f in faults("drachenhort", box)] == ["teach.fault.front_jewels"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("game", "changes", "codes"),
    [
        ("drachenhort", {"front-0": "t" * 10, "back-0": "l" * 10}, 5),
        ("drachenhort", {"hero-1": "grey", "hero-2": "grey"}, 3),
        ("drachenhort", {"card-1-1": "red", "card-1-2": "red"}, 1),
        ("dragorun", {"starts": "0 2 1", "finish": "1", "fifth": "violet"}, 4),
        ("dragonix", {"sun": "green", "forest": "green"}, 1),
        ("dragon_run", {"gold-1": "0", "special-light": "5", "place-room": "9"}, 4),
    ],
)
def test_every_fault_has_words(language, game, changes, codes):
    box = read_facts(game, find(game).stand_in, typed(game, **changes))
    words = Words(language, strict=True)

    told = [words.part(fault) for fault in faults(game, box)]

    assert len(told) >= codes
    assert all(told)


class TestThePage:
    @pytest.fixture
    def teacher(self, tmp_path):
        return new_teacher(tmp_path)

    @pytest.fixture
    def phone(self, teacher):
        phone = Phone(teacher)
        phone.tap("begin", game="dragorun", name="Chez nous")
        return phone

    def test_keeps_what_can_be_and_asks_for_the_new_colour(
        self, phone, teacher, tmp_path
    ):
        form = typed("dragorun", fifth="pink", finish="30")

        answer = phone.client.post("/teach/facts", data=form)

        assert answer.status_code == 303
        assert load(tmp_path / "kits" / "Chez nous").box.finish == 30
        faces = [item.face for item in teacher.lesson.course.of("colour")]
        assert "pink" in faces

    def test_shows_the_line_that_is_wrong_and_keeps_what_was_typed(
        self, phone, tmp_path
    ):
        form = typed("dragorun", finish="far", starts="1 2 3")

        answer = phone.client.post("/teach/facts?lang=en", data=form)

        assert answer.status_code == 422
        assert "This line needs numbers." in answer.text
        wrong = re.findall(r'name="(\w+)"[^>]*aria-invalid', answer.text)
        assert wrong == ["finish"]
        assert 'value="1 2 3"' in answer.text
        assert load(tmp_path / "kits" / "Chez nous").box.finish == 25

    def test_says_what_cannot_be(self, phone):
        answer = phone.client.post(
            "/teach/facts?lang=en", data=typed("dragorun", starts="1 2 3")
        )

        assert answer.status_code == 422
        assert "3 start spaces, not 5." in answer.text

    def test_is_not_there_without_a_lesson(self, phone):
        phone.tap("close")

        assert phone.client.get("/teach/facts").status_code == 404


class TestTheFile:
    @pytest.fixture
    def phone(self, tmp_path):
        phone = Phone(new_teacher(tmp_path))
        phone.tap("begin", game="dragorun", name="Chez nous")
        phone.tap("close")
        return phone

    def test_goes_out_and_comes_back_as_another_kit(self, phone):
        sent = phone.client.get("/teach/kit/Chez nous")
        assert sent.status_code == 200
        assert "Chez%20nous.kit.zip" in sent.headers["Content-Disposition"]

        answer = phone.bring(sent.data)

        assert answer.status_code == 303
        assert "Chez nous 2" in phone.client.get("/teach").text

    def test_that_is_broken_is_one_clear_line(self, phone):
        answer = phone.bring(b"not a zip", "?lang=en")

        assert answer.status_code == 422
        assert "this file is no kit, or it is broken" in answer.text

    def test_of_a_kit_that_is_not_there_is_refused(self, phone):
        assert phone.client.get("/teach/kit/..%2F..").status_code in (404, 422)
        assert phone.client.get("/teach/kit/nobody").status_code == 422


class TestDescribedByTaps:
    """A box begins empty; what is tapped stands in its form, and its sums grow."""

    @pytest.mark.parametrize("game", [game.id for game in GAMES])
    def test_nothing_is_told_at_first(self, game):
        form = empty_form(game)

        assert {field.name for field in fields(game, find(game).stand_in)} == set(form)
        assert set("".join(form.values())) <= {"."}
        for each in sums_so_far(game, form):
            # The cells are there, and nothing on them.
            assert each.found == (30 if each.label.line.endswith("_cells") else 0)

    def test_the_start_and_finish_of_a_track_are_tapped_and_taken_back(self):
        form = empty_form("dragorun")
        for tool, cell in (("start", 3), ("start", 1), ("finish", 25), ("start", 3)):
            form = tapped("dragorun", form, "track", tool, cell)

        assert (form["starts"], form["finish"]) == ("1", "25")
        (track,) = sides("dragorun", form)
        assert [one.number for one in track.cells if one.mark == "start"] == [1]
        assert next(one.number for one in track.cells if one.out) == 26
        again = tapped("dragorun", form, "track", "finish", 25)
        assert again["finish"] == ""
        assert not any(one.out for one in sides("dragorun", again)[0].cells)

    @pytest.mark.parametrize(
        ("side", "tool", "cell"),
        [("roof", "start", 1), ("track", "jewel", 1), ("track", "start", 43)],
    )
    def test_a_tap_beside_the_board_changes_nothing(self, side, tool, cell):
        form = empty_form("dragorun")

        assert tapped("dragorun", form, side, tool, cell) == form

    def test_a_game_without_a_board_has_nothing_to_tap(self):
        form = empty_form("dragonix")

        assert sides("dragonix", form) == ()
        assert tapped("dragonix", form, "front", "jewel", 1) == form

    def test_counts_are_summed_while_some_are_still_open(self):
        form = empty_form("dragon_run") | {"gold-1": "9", "gold-2": "many"}

        gold = sums_so_far("dragon_run", form)[0]

        assert (gold.found, gold.wanted) == (9, 29)

    def test_what_is_typed_never_replaces_what_was_tapped(self):
        before = empty_form("drachenhort") | {"front-0": "j........."}
        typed = {"front-0": "tttttttttt", "hero-1": "violet", "stranger": "x"}

        told = with_answers("drachenhort", before, typed)

        assert told["front-0"] == "j........."
        assert told["hero-1"] == "violet"
        assert "stranger" not in told
