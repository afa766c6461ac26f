"""What the game says: prompts, buttons, refusals, news and cues, in three languages."""

import re
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from companion.games.core import LEGAL, NotAMove
from companion.games.drachenhort import GAME
from companion.games.drachenhort.cues import CUES
from companion.games.drachenhort.events import DragonWoken, Event, MedalGiven, Stuck
from companion.games.drachenhort.options import RULINGS, SECTIONS
from companion.games.drachenhort.pieces import Adventurer, Metal
from companion.games.drachenhort.state import MoveDragon, Phase
from companion.words import LANGUAGES, Words, catalogue
from tests.games.contract import setup_lines
from tests.games.drachenhort.tables import new_game, play, scene

PACKAGE = Path(GAME.setup.__code__.co_filename).parent


@cache
def messages(language):
    """Return the game's own lines of a language."""
    lines = {}
    for message in catalogue(language):
        line = message.id if isinstance(message.id, str) else message.id[0]
        if line.startswith("drachenhort."):
            lines[line] = message.string
    return lines


def places(sentence):
    """Return the values that a sentence wants, in each of its forms."""
    forms = [sentence] if isinstance(sentence, str) else sentence
    return [
        {name for _, name, _, _ in Formatter().parse(form) if name} for form in forms
    ]


def english(part):
    return Words("en", ("Ana", "Bo"), strict=True).part(part)


class TestCatalogues:
    def test_all_languages_have_the_same_lines(self):
        for language in LANGUAGES:
            assert messages(language).keys() == messages("fr").keys(), language

    def test_a_line_takes_the_same_values_in_every_language(self):
        for line, sentence in messages("fr").items():
            wanted = set().union(*places(sentence))
            for language in LANGUAGES:
                found = set().union(*places(messages(language)[line]))
                assert found == wanted, (line, language)

    def test_no_line_is_empty(self):
        for language in LANGUAGES:
            for line, sentence in messages(language).items():
                assert all(sentence), (line, language)

    def test_every_line_is_used_by_the_game(self):
        assert messages("fr").keys() == lines_of_the_game()


def lines_of_the_game():
    """Return the ids of all lines that the source can name."""
    named = {f"drachenhort.{thing}" for thing in (*Adventurer, *Metal)}
    named |= {f"drachenhort.no.waits_{phase}" for phase in Phase}
    named |= {
        f"drachenhort.event.{kind.__struct_config__.tag}" for kind in Event.__args__
    }
    named |= {section.line for section in SECTIONS}
    for ruling in RULINGS:
        named.add(ruling.line)
        named |= {f"drachenhort.choice.{ruling.id}.{c}" for c in ruling.choices}
    named |= {f"drachenhort.move.{tag}" for tag in ("pass", "dragon", "flip")}
    named |= {
        f"drachenhort.move.{verb}{more}"
        for verb in ("note", "show")
        for more in ("", "_unknown")
    }
    named |= {f"drachenhort.do.{name}" for name in ("advance_any", "advance_lit")}
    named |= {f"drachenhort.do.dragon_{name}" for name in ("first", "later")}
    named |= {f"drachenhort.move.advance_to_{name}" for name in ("trap", "cell")}
    source = "".join(path.read_text() for path in PACKAGE.glob("*.py"))
    named |= {
        f"drachenhort.do.{name}" for name in re.findall(r'\{DO\}\.(\w+)"', source)
    }
    named |= {f"drachenhort.move.{n}" for n in re.findall(r'\{MOVE\}\.(\w+)"', source)}
    named |= {f"drachenhort.no.{n}" for n in re.findall(r'_refuse\(\s*"(\w+)"', source)}
    named |= {f"drachenhort.no.{n}" for n in re.findall(r'\{NO\}\.(\w+)"', source)}
    named |= set(re.findall(r'"(drachenhort\.(?:part|end)\.\w+)"', source))
    return named | setup_lines(GAME)


class TestButtons:
    def test_an_advance_tells_the_cell(self):
        state = scene(green="1", red="2", blue="9", pips=3)

        assert english(
            GAME.describe_move(state, GAME.parse(state, "advance green"))
        ) == ("Green → space 5")

    def test_an_advance_tells_a_trap_and_the_exit(self):
        state = scene("....t.......", green="1", red="2", blue="10", pips=3)

        said = [
            english(GAME.describe_move(state, GAME.parse(state, f"advance {hero}")))
            for hero in ("green", "blue")
        ]

        assert said == ["Green → trap on space 5", "Blue → exit"]

    @pytest.mark.parametrize("text", ["advance violet", "advance pink"])
    def test_an_advance_that_cannot_be_has_a_button_all_the_same(self, text):
        state = scene(green="1", red="2", pips=3)
        colour = text.split()[1].title()

        assert (
            english(GAME.describe_move(state, GAME.parse(state, text)))
            == f"Move {colour}"
        )

    def test_an_advance_without_a_throw_tells_no_cell(self):
        state = new_game()

        said = english(GAME.describe_move(state, GAME.parse(state, "advance green")))
        assert said == "Move Green"

    def test_a_card_is_told_by_its_heroes(self):
        state = new_game()

        said = english(GAME.describe_move(state, GAME.parse(state, "show 1 0")))

        assert said == "Bo: Green, Red, White"
        assert english(GAME.describe_move(state, GAME.parse(state, "show 1 9"))) == (
            "Bo: show a group"
        )

    def test_a_medal_is_told_by_who_gets_it(self):
        state = new_game()

        said = english(GAME.describe_move(state, GAME.parse(state, "rank red")))
        assert said == "Medal for Red"


class TestPrompts:
    def prompts(self, state):
        return [english(Said(p)) for p in GAME.expects(state) if p.only_for is None]

    def test_a_turn(self):
        state = new_game()

        assert self.prompts(state) == ["Ana: roll the die."]
        assert self.prompts(play(state, "throw 3")) == [
            "Ana: move an adventurer in the light 3 spaces."
        ]
        assert self.prompts(play(state, "throw 2")) == [
            "Ana: move any adventurer 2 spaces, even out of the shadow."
        ]

    def test_the_dragon_comes_with_the_reminder_to_shift_first(self):
        first = play(scene(green="4", red="7d", pips=1), "advance green")
        later = play(scene(dragon=1, green="8", red="9d", pips=1), "advance green")

        assert "one space" in self.prompts(first)[0]
        assert "five spaces" in self.prompts(later)[0]
        assert [prompt.reminder for prompt in GAME.expects(first)][:2] == [False, True]
        assert all(p.who is None for p in GAME.expects(first)[:2])

    def test_adventurers_that_stand_level(self):
        spot = {"green": "11", "red": "start", "blue": "start"}
        drawn = play(scene(**spot, pips=4), "advance green")
        chosen = play(
            scene(**spot, pips=4, options={"DH17": "exiter"}), "advance green"
        )

        assert self.prompts(drawn)[0].startswith("Several adventurers are tied")
        assert self.prompts(chosen)[0].startswith("Ana: choose")

    def test_a_table_where_one_may_pass_says_so(self):
        state = play(new_game(options={"DH1": "optional"}), "throw 3")

        assert self.prompts(state)[1] == "At this table you may also pass."

    def test_between_the_rounds(self):
        state = play(scene(green="11", red="7", pips=4), "advance green")

        assert self.prompts(state)[0].startswith("End of the first round")
        assert "twelve jewels" in self.prompts(state)[1]


class Said:
    """A prompt as a line with values."""

    def __init__(self, prompt):
        self.line, self.params = prompt.line, prompt.params


class TestCues:
    def test_the_dragon_is_seen_heard_and_spoken(self):
        cue = GAME.cue(DragonWoken())

        assert (cue.light, cue.sound) == ("dragon", "dragon")
        assert english(cue.spoken) == "All in the shadow: here comes the dragon!"

    def test_a_medal_is_a_line_only(self):
        cue = GAME.cue(MedalGiven(Adventurer.RED, Metal.GOLD, 6))

        assert (cue.light, cue.sound, cue.spoken) == (None, None, None)
        assert english(
            GAME.describe_event(MedalGiven(Adventurer.RED, Metal.GOLD, 6))
        ) == ("Red gets medal 6 (gold).")

    def test_cues_are_for_events_that_exist(self):
        assert set(CUES) <= set(Event.__args__)

    def test_numbers_come_with_them(self):
        assert english(GAME.describe_event(Stuck(1, 3))).startswith(
            "With a 3 nobody can move"
        )


class TestRefusals:
    def test_all_who_stand_in_light_are_counted(self):
        one = scene(green="4", red="7d", blue="9d")
        two = scene(green="4", red="7", blue="9d")

        said = [
            english(Said(Reason(GAME.judge(state, MoveDragon()))))
            for state in (one, two)
        ]

        assert said == [
            "Green is still in the light: the dragon waits.",
            "2 adventurers are still in the light, Green among them: the dragon waits.",
        ]

    def test_when_all_are_in_shadow_a_throw_is_still_waited_for(self):
        # DH3: on wholly dark cells nobody came into the light after the dragon
        state = scene("........dd..", dragon=1, green="9d", red="10d")

        verdict = GAME.judge(state, MoveDragon())

        assert verdict != LEGAL
        assert verdict.reason == "drachenhort.no.waits_throw"


class Reason:
    """A refusal as a line with values."""

    def __init__(self, refusal):
        self.line, self.params = refusal.reason, refusal.params


class TestNotation:
    @pytest.mark.parametrize(
        "text",
        [
            "throw 2",
            "advance green",
            "pass",
            "dragon",
            "rank white",
            "flip",
            "note 0 3",
            "show 1 5",
        ],
    )
    def test_a_move_reads_and_writes_the_same(self, text):
        state = new_game()

        assert GAME.notate(state, GAME.parse(state, text)) == text

    @pytest.mark.parametrize(
        "text",
        [
            "throw",
            "throw two",
            "throw +2",
            "throw 02",
            "throw -1",
            "throw 2 2",
            "throw ２",
            "advance",
            "advance dragon",
            "advance Green",
            "pass on",
            "note 0",
            "note 0 3 1",
            "note 0 3 1 2",
            "show 0 ?",
            "rank 1",
            "castle",
            "",
        ],
    )
    def test_what_is_no_move_is_told_with_examples(self, text):
        with pytest.raises(NotAMove) as told:
            GAME.parse(new_game(), text)

        assert repr(text) in str(told.value)
        assert "write 'throw 2'" in str(told.value)
