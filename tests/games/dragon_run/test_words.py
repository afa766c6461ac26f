"""What people read and hear: each line in three languages, and nothing secret."""

import re
from typing import get_args

import pytest

from companion.games.dragon_run import GAME, cues, events
from companion.games.dragon_run.box import STAND_IN
from companion.games.dragon_run.pieces import Kind
from companion.games.dragon_run.state import Deal, Move, NoteCard, Turn
from companion.games.hidden import (
    Hidden,
)
from companion.table import Cue, LinePart
from companion.words import LANGUAGES, Words, catalogue
from tests.games.dragon_run.tables import play, prompts, scene

START = "dragon_run."


def lines(language):
    """Return the forms of every line of this game by its id."""
    found = {}
    for message in catalogue(language):
        name = message.id[0] if isinstance(message.id, tuple) else message.id
        if name.startswith(START):
            forms = message.string
            found[name] = forms if isinstance(forms, tuple) else (forms,)
    return found


def tags(union):
    return {kind.__struct_config__.tag for kind in get_args(union)}


def test_the_three_languages_have_the_same_lines_with_the_same_values():
    french, *others = map(lines, LANGUAGES)

    for other in others:
        assert set(other) == set(french)
        for name, forms in french.items():
            values = {frozenset(re.findall(r"{(\w+)}", form)) for form in forms}
            assert len(values) == 1, name
            for form in other[name]:
                assert frozenset(re.findall(r"{(\w+)}", form)) in values, name


@pytest.mark.parametrize(
    ("prefix", "names"),
    [
        ("event.", {*tags(events.Event), "rolled_with"}),
        ("move.", {*tags(Move), "let_all"}),
        ("effect.", set(Kind)),
        (
            "do.",
            {
                *("deal", "act", "pay", "roll", "forced", "again", "choice", "sneaked"),
                *("cried", "answer", "discard", "steal", "swap", "redirect", "show"),
                *("no_change", "no_chance", "chance", "power", "no_crying", "wounded"),
                *("alone", "note", "roll_with", "roll_in_vain"),
            },
        ),
        ("part.", {"card"}),
        (
            "end.",
            {"dragon", "last_breath", "lone", "richest", "dearest", "shared"},
        ),
        ("place.", {card.id for card in STAND_IN.places}),
        ("hero.", {hero.id for hero in STAND_IN.heroes}),
        ("potion.", {s.id for s in STAND_IN.specials if not s.talisman}),
        ("talisman.", {s.id for s in STAND_IN.specials if s.talisman}),
    ],
)
def test_there_is_a_line_for_each_and_none_too_many(prefix, names):
    start = START + prefix
    known = {name[len(start) :] for name in lines("fr") if name.startswith(start)}

    assert known == set(names)


def test_a_secret_is_never_among_the_values():
    event = events.CardNoted(1, Hidden(4, (1,)))

    assert GAME.describe_event(event) == LinePart(
        "dragon_run.event.card_noted", (("seat", 1),)
    )
    assert GAME.cue(event) == Cue()


def test_what_matters_is_spoken_and_lights_up():
    cue = GAME.cue(events.Burned(2))

    assert (cue.light, cue.sound) == ("alarm", "capture")
    assert cue.spoken == LinePart("dragon_run.event.burned", (("seat", 2),))
    assert set(cues.CUES) <= set(get_args(events.Event))


def test_a_card_is_explained_effect_by_effect():
    dwarf = STAND_IN.heroes[0]

    parts = cues.explain(dwarf.effects)
    assert [Words("en").part(part) for part in parts] == [
        "Draw 1 treasure.",
        "Discard 1 treasure.",
    ]


def test_a_button_names_the_card():
    state = scene()
    words = Words("en", ("Ana", "Bo", "Cy"), strict=True)
    said = {
        "turn dragon": "Location: Dragon",
        "discard gold-3": "Discard: 3 gold",
        "play light": "Play: Light potion",
        "power": "Power: Elf",
        "note 0 gold-1": "My card: 1 gold",
        "show 1 languor": "Bo shows: Languor talisman",
        "annul 2": "Cy cancels the potion",
        "deal thief": "Character: Thief",
        "roll 7": "Die: 7",
        "cry": "Cry for mum",
    }

    for text, expected in said.items():
        assert (
            words.part(GAME.describe_move(state, GAME.parse(state, text))) == expected
        )


def test_what_is_not_in_the_box_is_an_unknown_card():
    state = scene()
    words = Words("en", strict=True)

    for move in (Turn(77), Deal(77), NoteCard(0, Hidden(None, (0,)))):
        assert words.part(GAME.describe_move(state, move)).endswith("an unknown card")


class TestPrompts:
    def test_the_chance_of_a_test_is_told(self):
        state = scene(turned="room room room")

        told = {p.line: dict(p.params) for p in GAME.expects(state)}
        assert told["dragon_run.do.chance"] == {"pips": 8, "percent": 20}
        assert told["dragon_run.do.act"] == {"seat": 0, "n": 7}

    def test_what_is_still_to_pay_is_told(self):
        state = play(scene(), "cry", "discard gold-1")

        told = {p.line: dict(p.params) for p in GAME.expects(state)}
        assert told["dragon_run.do.pay"] == {"seat": 0, "n": 1}

    def test_people_are_reminded_of_what_they_forget(self):
        state = scene(out=(1, 2), wounded=(0,))

        assert {"alone", "wounded", "power", "note", "no_chance"} <= prompts(state)
        assert prompts(play(state, "turn room")) == {
            *("choice", "alone", "wounded", "note"),
        }

    def test_notes_are_only_asked_for_on_the_phone_of_their_owner(self):
        (note,) = [p for p in GAME.expects(scene(seat=1)) if p.line.endswith("note")]

        assert (note.who, note.only_for, note.reminder) == (1, 1, True)

    def test_everybody_who_might_is_asked_to_annul(self):
        state = play(scene(noted={0: "light"}), "play light")

        assert [prompt.who for prompt in GAME.expects(state)] == [1, 2]

    def test_an_effect_says_what_to_choose(self):
        for hero, asked in (("dwarf", "discard"), ("thief", "steal")):
            state = play(scene(heroes=f"{hero} elf cleric"), "power")
            assert prompts(state) == {asked}

        state = play(scene(fronts={0: "redirection"}), "turn dragon")
        assert prompts(state) == {"redirect"}
