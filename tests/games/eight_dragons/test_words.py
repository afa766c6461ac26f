"""What the game says: prompts, buttons, refusals, news and cues, in three languages."""

import re
from functools import cache
from pathlib import Path
from string import Formatter

import pytest
from msgspec.structs import replace

from companion.games.core import (
    NotAMove,
)
from companion.games.eight_dragons import GAME
from companion.games.eight_dragons.cues import CUES
from companion.games.eight_dragons.events import (
    CardTaken,
    DragonLaid,
    EndOffered,
    Event,
    Looked,
    PairTurned,
    TokenReturned,
)
from companion.games.eight_dragons.options import RULINGS, SECTIONS
from companion.games.eight_dragons.pieces import CARDS, Card, Colour
from companion.games.eight_dragons.state import (
    ASK,
    LOOK,
    End,
    Lay,
    Match,
    Phase,
    Stop,
)
from companion.games.hidden import (
    Hidden,
)
from companion.words import LANGUAGES, Words, catalogue
from tests.games.contract import setup_lines
from tests.games.eight_dragons.tables import parts, place, play, start, table
from tests.games.eight_dragons.test_rulings_0_to_18 import REST

PACKAGE = Path(GAME.setup.__code__.co_filename).parent
OWN = "eight_dragons."


@cache
def messages(language):
    """Return the game's own lines of a language."""
    lines = {}
    for message in catalogue(language):
        line = message.id if isinstance(message.id, str) else message.id[0]
        if line.startswith(OWN):
            lines[line] = message.string
    return lines


def values(sentence):
    """Return the values that a sentence wants, in all of its forms."""
    forms = [sentence] if isinstance(sentence, str) else sentence
    return {name for form in forms for _, name, _, _ in Formatter().parse(form) if name}


def english(part):
    line = getattr(part, "line", None) or part.reason
    return Words("en", ("Ana", "Bo"), strict=True).say(line, part.params)


class TestCatalogues:
    def test_all_languages_have_the_same_lines(self):
        for language in LANGUAGES:
            assert messages(language).keys() == messages("fr").keys(), language

    def test_a_line_takes_the_same_values_in_every_language(self):
        for line, sentence in messages("fr").items():
            for language in LANGUAGES:
                assert values(messages(language)[line]) == values(sentence), line

    def test_no_line_is_empty(self):
        for language in LANGUAGES:
            for line, sentence in messages(language).items():
                assert all(sentence), (line, language)

    def test_every_line_is_used_by_the_game(self):
        assert {line.removeprefix(OWN) for line in messages("fr")} == used()


def used():
    """Return the ids of all lines that the source can name."""
    tags = [kind.__struct_config__.tag for kind in Event.__args__]
    lines = {f"card.{card}" for card in CARDS} | {f"dragon.{c}" for c in Colour}
    lines |= {f"no.waits_{phase}" for phase in Phase} | {f"end.{end}" for end in End}
    lines |= {f"no.no_replay_{stop}" for stop in Stop}
    lines |= {f"event.{tag}" for tag in tags if tag != "looked"}
    lines |= {"event.pair_turned_colour", "event.dragon_laid_mended"}
    lines |= {"event.looked_pair", "event.looked_no_pair"}
    lines |= {f"do.ask_{end}" for end in End if end is not End.NO_PAIR}
    lines |= {f"do.pair_{match}" for match in Match}
    for name in ("turn", "nothing_to_turn", "turn_second", "turn_back", "again", "end"):
        lines.add(f"do.{name}")
    lines |= {"do.rest_of_pair", "do.grab", "do.exchange"}
    for verb in ("turn", "return", "draw"):
        lines |= {f"move.{verb}", f"move.{verb}_unknown"}
    for verb in (
        "take",
        "back",
        "token",
        "free",
        "grab",
        "exchange",
        "swap",
        "miss",
        "decline",
    ):
        lines.add(f"move.{verb}")
    lines |= {f"move.{name}" for name in ("end", "pair", "no_pair", "stop", "play_on")}
    lines |= {"part.whole", "part.mended"}
    lines |= {section.line.removeprefix(OWN) for section in SECTIONS}
    for ruling in RULINGS:
        lines.add(ruling.line.removeprefix(OWN))
        lines |= {f"choice.{ruling.id}.{choice}" for choice in ruling.choices}
    source = "".join(path.read_text() for path in PACKAGE.glob("*.py"))
    lines |= {f"do.{name}" for name in re.findall(r'\{DO\}\.(\w+)"', source)}
    lines |= {f"move.{name}" for name in re.findall(r'\{MOVE\}\.(\w+)"', source)}
    lines |= {f"no.{name}" for name in re.findall(r'refuse\(\s*"(\w+)"', source)}
    lines |= {line.removeprefix(OWN) for line in setup_lines(GAME)}
    return lines | {f"no.{name}" for name in re.findall(r'\{NO\}\.(\w+)"', source)}


class TestButtons:
    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("turn c4 red_head", "c4: red head"),
            ("turn c4 ?", "Turn over c4"),
            ("miss", "Not a pair, next player"),
            ("take c4", "Take c4"),
            ("back c4", "Turn c4 face down"),
            ("shift c4 a1", "Move c4 to a1"),
            ("swap", "Swap the two cards"),
            ("return gold_tail c4", "Put gold tail back on c4"),
            ("return ? c4", "Put a card back on c4"),
            ("draw 1 gold_tail", "Draw from Bo: gold tail"),
            ("draw 1 ?", "Draw from Bo"),
            ("grab 1", "Take Bo’s hand"),
            ("decline", "Decline"),
            ("token c4", "Block c4"),
            ("free c4", "Free c4"),
            ("lay red_tail red_legs red_claws red_head", "Lay: red dragon"),
            (
                "lay red_tail red_legs red_claws silver_head",
                "Lay: red dragon, with silver head",
            ),
            (
                "lay silver_tail silver_legs silver_claws silver_head",
                "Lay: silver dragon",
            ),
            ("lay red_tail red_legs green_head gold_claws", "Lay four cards"),
            ("end", "End the turn"),
            ("pair", "A pair is possible"),
            ("no_pair", "No pair is left"),
            ("stop", "The game is over"),
            ("play_on", "Play on"),
        ],
    )
    def test_each_move_has_words_and_a_line_of_its_own(self, text, words):
        move = GAME.parse(start(), text)

        assert english(GAME.describe_move(start(), move)) == words
        assert GAME.notate(start(), move) == text

    def test_an_exchange_is_called_so(self):
        state = start(ED14="exchange")

        assert english(GAME.describe_move(state, GAME.parse(state, "grab 1"))) == (
            "Exchange hands with Bo"
        )

    @pytest.mark.parametrize(
        "text",
        [
            "turn",
            "turn c4",
            "turn h1 red_head",
            "turn c7 red_head",
            "turn c4 black_head",
            "turn c4 red_head now",
            "take",
            "take C4",
            "shift c4",
            "return c4 red_head",
            "draw one red_head",
            "draw 01 red_head",
            "draw +1 red_head",
            "grab",
            "lay red_tail red_legs red_claws",
            "lay red_tail red_legs red_claws red_head red_head",
            "end now",
            "castle",
            "",
        ],
    )
    def test_what_is_no_move_is_told_with_examples(self, text):
        with pytest.raises(NotAMove) as told:
            GAME.parse(start(), text)

        assert repr(text) in str(told.value)
        assert "write 'turn c4 red_head'" in str(told.value)

    def test_a_place_beside_the_rectangle_is_named_by_its_number(self):
        move = type(GAME.parse(start(), "take a1"))(77)

        assert GAME.notate(start(), move) == "take 77"
        assert GAME.describe_move(start(), move).params == (("square", "77"),)

    def test_cards_in_any_order_are_one_dragon(self):
        move = GAME.parse(start(), "lay red_head red_tail red_claws red_legs")

        assert move == Lay(parts("red_tail", "red_legs", "red_claws", "red_head"))


def prompts(state):
    return [english(prompt) for prompt in GAME.expects(state)]


class TestPrompts:
    def test_a_turn(self):
        state = start()

        assert prompts(state)[0] == "Ana: turn over a card."
        assert prompts(state)[1] == "Ana may block a card with a token."
        state = play(state, "turn a1 red_head")
        assert prompts(state) == ["Ana: turn over a second card."]
        state = play(state, "turn a2 gold_tail")
        assert prompts(state) == ["Ana: turn what lies open face down again."]
        state = play(state, "back a1", "back a2")
        assert prompts(state)[0] == "Ana: end your turn."

    def test_a_pair_of_shape_and_a_token_that_may_be_freed(self):
        state = table(grid=f"red_head gold_head {REST}", blocked=((place("a3"), 1),))
        state = play(state, "turn a1 red_head", "turn a2 gold_head")

        assert prompts(state) == [
            "Ana: the same part! Take the cards or leave them.",
            "Ana may free a card of its token.",
        ]
        state = play(state, "take a1")
        assert prompts(state)[0] == "Ana: take the other card or leave it."
        state = play(state, "take a2")
        assert prompts(state)[0].startswith("Ana: turn over two more cards")

    def test_a_pair_of_colour_does_not_let_one_play_again(self):
        state = table(grid=f"red_head red_tail {REST}")
        state = play(state, "turn a1 red_head", "turn a2 red_tail")

        assert prompts(state)[1].startswith("Ana does not play again")

    def test_excess(self):
        five = "red_tail red_legs green_tail gold_legs gold_head"
        state = table(grid=f"fireball {REST}", hands=["", five])

        assert (
            prompts(state)[1] == "Bo must put 1 card back first when it is their turn."
        )
        assert prompts(replace(state, seat=1))[0] == (
            "Bo: put 1 card of your hand face down on an empty place."
        )

    def test_gains_and_traps(self):
        hands = ["red_tail red_legs", "gold_tail gold_legs"]
        state = table(grid=f"diamonds grab fireballs {REST}", hands=hands)

        draw = play(state, "turn a1 diamonds")
        grab = play(state, "turn a2 grab")
        give = play(state, "turn a3 fireballs")

        assert prompts(draw) == [
            "Ana: draw 2 cards from anybody, or decline.",
            "Tell the table on your phone which card you drew.",
        ]
        assert prompts(grab) == ["Ana: take anybody’s whole hand, or decline."]
        assert prompts(give)[0] == "Bo: draw 2 cards from Ana’s hand."
        other = table(grid=f"grab {REST}", hands=hands, state=start(ED14="exchange"))
        assert "exchange" in prompts(play(other, "turn a1 grab"))[0]

    def test_a_dragon_in_hand(self):
        state = table(grid=REST, hands=["red_tail red_legs red_claws red_head"])

        assert prompts(state)[1] == "You hold a whole dragon: you may lay it."

    def test_questions_to_the_table(self):
        look = replace(table(grid="? ? ? twin"), phase=LOOK)

        assert prompts(look) == [
            "4 free cards: look at them. Can a pair still be made?"
        ]
        for end in (End.PAIR_LEFT, End.BARREN, End.DEAD_END):
            asked = replace(start(), phase=ASK, end=end)
            assert prompts(asked)[0].endswith("Is the game over?")

    def test_a_single_or_no_free_card(self):
        one = play(table(grid="red_head"), "turn a1 red_head")
        none = table(grid="red_head", blocked=((0, 1),))

        assert prompts(one)[0] == "Ana: turn what lies open face down again."
        assert prompts(none)[0] == "Ana: no card is free, end your turn."

    def test_after_the_end_nothing_is_asked(self):
        state = replace(start(), phase=Phase.OVER, end=End.BARREN)

        assert prompts(state) == []


class TestNews:
    @pytest.mark.parametrize(
        ("event", "words"),
        [
            (
                PairTurned(0, Match.SHAPE),
                "Ana has a pair of the same part and may play again.",
            ),
            (PairTurned(0, Match.COLOUR), "Ana has a pair of the same colour."),
            (DragonLaid(1, Colour.RED, False, 15), "Bo lays: red dragon, 15 points."),
            (
                DragonLaid(1, Colour.RED, True, 10),
                "Bo lays: red dragon, completed with silver, 10 points.",
            ),
            (Looked(True), "Checked: a pair is possible."),
            (Looked(False), "Checked: no pair is left."),
            (
                EndOffered(End.BARREN),
                "Is the game over? For a full round no dragon was laid, and as many "
                "cards went back as were taken.",
            ),
            (TokenReturned(0), "Ana gets a token."),
        ],
    )  # fmt: skip
    def test_it_is_told(self, event, words):
        assert english(GAME.describe_event(event)) == words

    def test_a_pair_is_seen_heard_and_spoken(self):
        cue = GAME.cue(PairTurned(0, Match.COLOUR))

        assert (cue.light, cue.sound) == ("celebrate", "pair")
        assert english(cue.spoken) == "Ana has a pair of the same colour."

    def test_a_taken_card_is_a_line_only(self):
        event = CardTaken(0, Hidden(Card.RED_HEAD, (0,)))
        cue = GAME.cue(event)

        assert (cue.light, cue.sound, cue.spoken) == (None, None, None)
        assert english(GAME.describe_event(event)) == "Ana takes a card."

    def test_cues_are_for_events_that_exist(self):
        assert set(CUES) <= set(Event.__args__)
