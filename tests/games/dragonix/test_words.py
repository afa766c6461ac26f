"""What the game says: prompts, buttons, refusals, news and cues, in three languages."""

import re
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from companion.games.core import NotAMove
from companion.games.dragonix import GAME
from companion.games.dragonix.cues import CUES
from companion.games.dragonix.events import Event, GameWon, Placed
from companion.games.dragonix.moves import (
    Fly,
    Insert,
    Move,
    NoteCard,
    NoteToken,
    Play,
    TakeBack,
)
from companion.games.dragonix.options import RULINGS, SECTIONS
from companion.games.dragonix.pieces import CARDS, ROWS, Dragon, People, Token
from companion.games.dragonix.scoring import GRADES, WORST
from companion.games.dragonix.state import Phase
from companion.words import LANGUAGES, Words, catalogue
from tests.games.contract import setup_lines
from tests.games.dragonix.tables import new_game, play, scene

PACKAGE = Path(GAME.setup.__code__.co_filename).parent
OPENED = ("open sun1 I", "open rock12 II", "open krak3 III", "open krak9 IV")


@cache
def messages(language):
    """Return the game's own lines of a language."""
    lines = {}
    for message in catalogue(language):
        line = message.id if isinstance(message.id, str) else message.id[0]
        if line.startswith("dragonix."):
            lines[line] = message.string
    return lines


def places(sentence):
    """Return the values that a sentence wants, in all its forms."""
    forms = [sentence] if isinstance(sentence, str) else sentence
    return {name for form in forms for _, name, _, _ in Formatter().parse(form) if name}


def english(part):
    return Words("en", ("Ana", "Bo"), strict=True).part(part)


class TestCatalogues:
    def test_all_languages_have_the_same_lines(self):
        for language in LANGUAGES:
            assert messages(language).keys() == messages("fr").keys(), language

    def test_a_line_takes_the_same_values_in_every_language(self):
        for line, sentence in messages("fr").items():
            for language in LANGUAGES:
                found = places(messages(language)[line])
                assert found == places(sentence), (line, language)

    def test_no_line_is_empty(self):
        for language in LANGUAGES:
            for line, sentence in messages(language).items():
                assert all(sentence), (line, language)

    def test_every_line_is_used_by_the_game(self):
        assert messages("fr").keys() == lines_of_the_game()


def lines_of_the_game():
    """Return the ids of all lines that the source can name."""
    pending = ("plague", "counter", "undead", "volunteers", "flight")
    named = {
        *People,
        *(f"card.{name}" for name in CARDS),
        *(f"row.{name}" for name in ROWS),
        *(f"dragon.{name}" for name in Dragon),
        *(f"token.{name}" for name in Token),
        *(f"no.waits_{phase}" for phase in Phase),
        *(f"event.{kind.__struct_config__.tag}" for kind in Event.__args__),
        *(f"move.{kind.__struct_config__.tag}" for kind in Move.__args__),
        *(f"do.effect_{token}" for token in pending),
        *("do.more_plague", "do.more_volunteers", "do.begin_lot", "do.begin_youngest"),
        *("do.place_there", "do.place_more", "do.place_another"),
        *("do.place_or_take_back", "do.recruit", "do.end_turn"),
        *("do.closed_army", "do.hero_counts", "do.sixth_card"),
        *("do.undead_until", "do.tower", "do.note", "do.note_token"),
        *(f"end.{name}" for _, name in GRADES),
        f"end.{WORST}",
        *("no.must_rise", "no.must_fall"),
    }
    named |= {section.line.removeprefix("dragonix.") for section in SECTIONS}
    for ruling in RULINGS:
        named.add(ruling.line.removeprefix("dragonix."))
        named |= {f"choice.{ruling.id}.{choice}" for choice in ruling.choices}
    source = "".join(path.read_text() for path in PACKAGE.glob("*.py"))
    named |= {f"do.{name}" for name in re.findall(r'\{DO\}\.(\w+)"', source)}
    named |= {f"move.{name}" for name in re.findall(r'\{MOVE\}\.(\w+)"', source)}
    named |= {f"no.{name}" for name in re.findall(r'refuse\(\s*"(\w+)"', source)}
    named |= {f"no.{name}" for name in re.findall(r'\{NO\}\.(\w+)"', source)}
    named |= set(re.findall(r'"dragonix\.((?:part|end)\.\w+)"', source))
    return {f"dragonix.{name}" for name in named} | setup_lines(GAME)


class Said:
    """A prompt or a refusal as a line with values."""

    def __init__(self, thing):
        self.line = getattr(thing, "line", None) or thing.reason
        self.params = thing.params


def prompts(state):
    return [english(Said(p)) for p in GAME.expects(state) if p.only_for is None]


class TestPrompts:
    def test_the_set_up(self):
        state = new_game()
        assert prompts(state) == ["Turn up the first card of the pile: Army I."]

        state = play(state, *OPENED, "reveal 0 sun2", "reveal 0 sun3")
        assert prompts(state) == ["Ana: show everybody card 3 of your camp."]

    @pytest.mark.parametrize(
        ("choice", "said"), [("random", "draw lots"), ("youngest", "the youngest")]
    )
    def test_a_tie(self, choice, said):
        shown = [
            f"reveal {seat} {people}{value}"
            for seat, people in enumerate(("sun", "rock"))
            for value in (2, 3, 4)
        ]
        state = play(new_game(options={"DX2": choice}), *OPENED, *shown)

        (prompt,) = prompts(state)
        assert prompt.startswith("2 people have the same total: " + said)

    def test_a_turn_with_what_is_forgotten(self):
        state = scene(
            hands=("sun5 sun6",),
            I="sun1 sun2 sun3 sun4 hero",
            red="II",
            undead="III",
            undead_by=1,
            prison_by=1,
        )

        assert prompts(state) == [
            "Ana: place cards on one free army, or a single troop on the tower.",
            "Cards are taken back from an army only if no card can be placed.",
            "Army II: a dragon keeps cards away.",
            "Army III: a dragon keeps cards away.",
            "Army I: the hero at the end counts 5.",
            "Army I: the sixth card sends all six into the box.",
            "The undead dragon leaves at the start of Bo’s turn.",
            "The tower stays closed until the start of Bo’s turn.",
        ]

    def test_after_the_first_card(self):
        state = scene(hands=("sun5 sun6",), I="sun4", red="II")

        assert prompts(play(state, "play sun5 I")) == [
            "Ana: place more cards in the same place if you like: Army I.",
            "Ana: move the red dragon to another army.",
        ]
        on_tower = play(state, "play sun5 tower")
        assert prompts(on_tower) == ["Ana: move the red dragon to another army."]

    def test_the_end_of_a_turn(self):
        state = scene(hands=("sun5 sun6 sun7",), camps=(2, 1), red="II")
        one = play(state, "play sun5 I", "fly red III")

        assert prompts(one)[0] == "Ana: draw 1 card from your camp."
        empty = scene(hands=("sun5 sun6",), camps=(0, 1), red="II")
        empty = play(empty, "play sun5 I", "fly red III")
        assert prompts(empty)[0] == "Ana: nothing to draw, end your turn."

    def test_taking_back(self):
        state = scene(
            hands=("hero sun8",),
            I="sun3 hero sun12",
            II="forest1",
            III="rock9",
            IV="rock1",
            tower="krak1",
            red="III",
        )

        state = play(state, "back I", "back I")
        assert prompts(state)[0].startswith("Ana: place what the card taken back was")
        state = play(state, "play sun8 I")
        assert prompts(state)[0].startswith("Ana: now place the card that the card")

    def test_an_exchange_binds(self):
        state = scene(hands=("sun5 sun8",), I="sun4 hero", red="III")

        state = play(state, "swap sun5 I")

        assert prompts(state)[0] == "Ana: place at least one card here: Army I."

    def test_tokens(self):
        state = scene(hands=("sun5",), I="sun4 sun6", tokens=("plague",))

        state = play(state, "token plague")
        assert prompts(state) == ["Ana: put the last card of an army into the box."]
        state = play(state, "strike I")
        assert prompts(state)[0].startswith("Ana: take away a second card")

    def test_alone_the_dragons_go_to_the_next_army(self):
        state = play(new_game(1, {"SOLO": "variant"}), *OPENED, "play sun2 II")
        assert "Ana: Red dragon to the next army: Army II." in prompts(state)

        state = play(state, "fly red II")
        assert prompts(state) == ["Ana: Undead dragon to the next army: Army I."]

    def test_with_an_empty_hand_only_the_dragon_is_left(self):
        state = scene(hands=("sun5",), I="sun4 sun9", red="III", tokens=("volunteers",))

        state = play(state, "token volunteers", "insert sun5 I 1")

        assert prompts(state)[0] == "Ana: move the red dragon to another army."

    def test_notes_are_asked_for_on_ones_own_phone(self):
        state = scene(hands=("? ?", "sun5"), rest="sun1 sun2")

        asked = [p for p in GAME.expects(state) if p.only_for == 0]

        assert [english(Said(p)) for p in asked] == [
            "You may note 2 cards of your hand; nobody else sees them."
        ]

    def test_after_the_end_nothing_is_asked(self):
        state = scene(hands=("sun5", "?"), camps=(0, 1), I="sun4", red="II")

        assert prompts(play(state, "play sun5 I")) == []


class TestButtons:
    def test_moves_in_words(self):
        state = scene(hands=("sun5",))

        said = {
            text: english(GAME.describe_move(state, GAME.parse(state, text)))
            for text in ("play sun5 I", "fly red tower", "note 0 hero", "note 0 ?")
        }

        assert said == {
            "play sun5 I": "Tribes 5 to: Army I",
            "fly red tower": "Red dragon to: Defence tower",
            "note 0 hero": "In my hand: Hero",
            "note 0 ?": "Note in secret",
        }
        token = GAME.parse(state, "token-note 0 flight")
        assert (
            english(GAME.describe_move(state, token)) == "Among my tokens: High flight"
        )
        people = GAME.parse(state, "recolour III krak")
        assert (
            english(GAME.describe_move(state, people))
            == "Army III: from now on Paladins"
        )

    def test_what_there_is_not_has_a_button_all_the_same(self):
        state = scene(hands=("sun5",))

        assert english(GAME.describe_move(state, Play(99, 7))) == "99 to: 7"


class TestCues:
    def test_a_win_is_seen_heard_and_spoken(self):
        cue = GAME.cue(GameWon(1))

        assert (cue.light, cue.sound) == ("celebrate", "win")
        assert english(cue.spoken) == "Bo has no card left and wins."

    def test_a_card_is_a_line_only(self):
        event = Placed(0, 4, 0)

        assert GAME.cue(event).spoken is None
        assert english(GAME.describe_event(event)) == "Ana places Druids 5: Army I."

    def test_cues_are_for_events_that_exist(self):
        assert set(CUES) <= set(Event.__args__)


class TestRefusals:
    def test_the_numbers_of_the_case_are_told(self):
        state = scene(hands=("sun3 rock2",), I="sun4", red="II")

        verdict = GAME.judge(state, GAME.parse(state, "play sun3 I"))

        assert english(Said(verdict)) == "Tribes 3: 3 is not more than 4 (Army I)."


class TestNotation:
    @pytest.mark.parametrize(
        "text",
        [
            "open sun4 II",
            "reveal 0 hero",
            "begin 1",
            "play krak9 I",
            "swap rock3 III",
            "back IV",
            "token plague",
            "strike I",
            "recolour tower sun",
            "summon II",
            "insert sun5 I 2",
            "soar undead",
            "enough",
            "fly red III",
            "recruit",
            "note 0 sun4",
            "note 0 ?",
            "token-note 2 volunteers",
            "token-note 2 ?",
        ],
    )
    def test_a_move_reads_and_writes_the_same(self, text):
        state = new_game()

        assert GAME.notate(state, GAME.parse(state, text)) == text

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "play",
            "play sun5",
            "play sun13 I",
            "play sun5 V",
            "play Sun5 I",
            "play sun5 I I",
            "play sun5 I 1 1 1",
            "insert sun5 I +1",
            "insert sun5 I 01",
            "begin ２",
            "begin -1",
            "fly green I",
            "token joker",
            "recruit now",
            "note 0 joker",
            "castle",
            "castle sun5 I",
            "castle 1",
            "castle 1 2 3",
        ],
    )
    def test_what_is_no_move_is_told_with_examples(self, text):
        with pytest.raises(NotAMove) as told:
            GAME.parse(new_game(), text)

        assert repr(text) in str(told.value)
        assert "write 'play sun7 II'" in str(told.value)

    def test_cards_and_rows_that_there_are_not_are_written_as_numbers(self):
        state = new_game()

        assert GAME.notate(state, Insert(99, 8, 2)) == "insert 99 8 2"
        assert GAME.notate(state, TakeBack(-1)) == "back -1"


class TestActors:
    def test_whose_hand_it_is(self):
        state = scene(hands=("sun5", "?"), seat=1)

        assert GAME.actor(state, GAME.parse(state, "open sun1 I")) is None
        assert GAME.actor(state, GAME.parse(state, "begin 0")) is None
        assert GAME.actor(state, GAME.parse(state, "reveal 0 sun1")) == 0
        assert GAME.actor(state, GAME.parse(state, "note 0 sun1")) == 0
        assert GAME.actor(state, Fly(Dragon.RED, 1)) == 1
        assert {NoteCard, NoteToken} <= set(Move.__args__)
