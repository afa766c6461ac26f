"""Each door by which a hidden card once came out, and that it is shut.

8 Dragons is a game of memory: what was turned and lies face down again is known to the
people who remember it, and no screen, voice or answer may help them.
"""

import re

import pytest

from companion.display.panels import panel
from companion.games import find
from companion.games.dragon_run.state import NoteCard
from companion.games.hidden import (
    Hidden,
)
from companion.running.snapshot import Done, Rejected, Snapshot
from companion.story.log import Header, Made, begin, extend
from companion.table import Claim, Flipped, Removed
from companion.words import Words
from tests.dashboard.fakes import NOON
from tests.secrets.tables import DeskTable

ANA, BO = 0, 1
A1 = "grid/1/1"
CARDS = tuple(find("eight_dragons").pieces[0].faces)
FACES = tuple(face for face in CARDS if face not in ("back", "twin"))
NAMES = re.compile(r"(tail|legs|claws|head|diamond|fireball|twin)", re.IGNORECASE)


def game_of(game_id, *moves):
    """Return a running table of Ana and Bo on which *moves* were told."""
    game = find(game_id)
    story = begin(game, Header(game_id, ("Ana", "Bo"), game.stand_in), NOON)
    for text in moves:
        move = game.parse(story.state, text)
        actor = game.actor(story.state, move)
        story = extend(story, Made(move, "phone", actor), NOON)
    return DeskTable(Snapshot(game_id="game", story=story))


def memory(*more):
    """Return 8 Dragons where a1 and b1 were turned and lie face down again."""
    turned = ("turn a1 gold_head", "turn b1 silver_tail", "back a1", "back b1", "end")
    return game_of("eight_dragons", *turned, *more)


def claim(table, text, seat=None):
    seq = table.snapshot.story.seq
    return table.act(Claim(text, seat, seq, f"key/{seq}/{text}"))


def display(table):
    return panel(table.snapshot, "en", "link")


class TestTheDisplay:
    def test_its_look_back_ends_where_cards_lie_face_down(self):
        table = memory()

        table.press("undo.long", None)
        seen = [display(table)]
        for _ in range(8):
            table.press("next", None)
            seen.append(display(table))

        assert not NAMES.search(str(seen))

    def test_it_says_why_there_is_nothing_to_look_back_at(self):
        table = game_of("eight_dragons", "turn a1 gold_head", "turn b1 silver_tail",
                        "back a1")  # fmt: skip

        table.press("undo.long", None)
        table.press("next", None)

        assert "gold" not in str(display(table))

    def test_what_lies_open_still_can_be_put_right(self):
        table = game_of("eight_dragons", "turn a1 gold_head")

        table.press("undo.long", None)
        assert NAMES.search(str(display(table)))
        table.press("confirm", None)
        table.press("confirm", None)

        assert table.snapshot.story.state.grid[0] != "gold_head"


class TestAnUndo:
    def test_it_turns_no_card_face_up_again(self):
        table = memory()

        for _ in range(3):
            table.press("undo", None)
            state = table.snapshot.story.state
            assert all(not isinstance(spot, str) for spot in state.grid)

    def test_it_takes_back_the_turning_with_the_turning_back(self):
        table = game_of("eight_dragons", "turn a1 gold_head", "turn b1 silver_tail",
                        "back a1")  # fmt: skip
        seq = table.snapshot.story.seq

        answer = table.undo(ANA, seq, "key")

        # b1 lies open, a1 would show its face again: both are told anew.
        assert isinstance(answer, Done)
        assert table.snapshot.story.steps == ()

    def test_elsewhere_it_takes_back_one_move(self):
        table = game_of("drachenhort", "throw 3", "advance green")

        table.undo(ANA, table.snapshot.story.seq, "key")

        assert len(table.snapshot.story.steps) == 1


class TestOneReading:
    def test_of_a_card_that_is_gone_names_no_face(self):
        table = memory()

        table.see(Removed("card", A1))

        assert table.snapshot.story.asked.options == ()
        assert not NAMES.search(str(display(table)))

    def test_of_a_face_that_was_remembered_otherwise_is_asked(self):
        table = memory()

        table.see(Flipped("card", "red_tail", A1))

        asked = table.snapshot.story.asked
        assert asked.options[0] == "turn a1 red_tail"
        assert not re.search("gold", str((asked, display(table))))


class TestTapping:
    """Whoever taps tells what the table shows, and is believed."""

    def test_sixteen_taps_find_no_card(self):
        answers = set()
        for face in FACES:
            table = memory()
            answers.add(type(claim(table, f"turn a1 {face}", BO)))

        assert answers == {Done}

    def test_what_a_tap_shows_is_what_lies_there_from_then_on(self):
        table = memory()

        claim(table, "turn a1 silver_tail", BO)

        state = table.snapshot.story.state
        assert state.grid[0] == "silver_tail"
        assert find("eight_dragons").check(state) == ()

    def test_what_it_shows_lies_nowhere_else_any_more(self):
        table = game_of("eight_dragons", "turn a1 multi_head", "turn b1 silver_tail",
                        "back a1", "back b1", "end")  # fmt: skip

        claim(table, "turn c1 multi_head", BO)

        # There is one multicolour head: what lies on a1 nobody knows any more.
        state = table.snapshot.story.state
        assert state.grid[0] == Hidden(None, ())
        assert find("eight_dragons").check(state) == ()

    def test_what_everybody_can_see_to_be_wrong_is_refused_for_all(self):
        table = game_of("eight_dragons", "turn a1 multi_head")

        answer = claim(table, "turn b1 multi_head", ANA)

        assert answer.verdict.reason == "eight_dragons.no.no_more_of_it"
        assert table.snapshot.refused == answer.verdict

    def test_a_hand_is_not_found_by_drawing(self):
        turned = ("turn a1 red_head", "turn b1 red_tail", "take a1", "take b1", "end",
                  "turn c1 diamond")  # fmt: skip
        answers = {}
        for face in ("red_head", "red_tail", "gold_head", "green_legs"):
            table = game_of("eight_dragons", *turned)
            answers[face] = type(claim(table, f"draw 0 {face}", BO))

        assert set(answers.values()) == {Done}

    def test_whose_hand_was_told_wrong_knows_it_and_nobody_else(self):
        table = game_of(
            "eight_dragons", "turn a1 red_head", "turn b1 red_tail", "take a1",
            "take b1", "end", "turn c1 diamond",
        )  # fmt: skip

        claim(table, "draw 0 gold_head", BO)

        assert table.snapshot.story.state.hands[ANA] == (Hidden(None, (ANA,)),)

    def test_the_host_finds_no_hand_by_laying_for_another(self):
        table = memory()
        answers = [
            claim(
                table, f"lay {colour}_tail {colour}_legs {colour}_claws {colour}_head"
            )
            for colour in ("red", "green", "gold")
        ]

        # With no cards in hand all three are refused by the same rule, for all to see.
        assert len({answer.verdict for answer in answers}) == 1


class TestDragonRun:
    @pytest.fixture
    def table(self):
        """Ana has noted her whole hand: gold worth one point a card."""
        table = game_of("dragon_run", "deal elf", "deal warrior")
        story = table.snapshot.story
        seat = story.state.seat
        for _ in range(story.state.hands[seat]):
            note = NoteCard(seat, Hidden(0, (seat,)))
            story = extend(story, Made(note, "phone", seat), NOON)
        return DeskTable(Snapshot(game_id="game", story=story))

    def test_that_notes_say_otherwise_is_told_to_their_owner_alone(self, table):
        seat = table.snapshot.story.state.seat
        before = table.snapshot

        answer = claim(table, "play light", seat)

        assert isinstance(answer, Rejected)
        assert answer.verdict.reason == "dragon_run.no.noted_otherwise"
        # No word, lamp or sound for the others, not even that something was refused.
        assert table.snapshot == before
        assert table.cues == []

    def test_the_host_reads_no_hand_by_acting_for_another(self, table):
        answers = {
            text: claim(DeskTable(table.snapshot), text)
            for text in ("play light", "sneak", "cry")
        }

        # Ana's notes deny the first; to the host all three may be.
        assert {type(answer) for answer in answers.values()} == {Done}, answers

    def test_a_card_that_is_played_undoes_the_notes_that_denied_it(self, table):
        seat = table.snapshot.story.state.seat
        noted = table.snapshot.story.state.noted[seat].value
        assert noted

        claim(table, "play light")

        assert table.snapshot.story.state.noted[seat].value == ()


def test_no_card_is_said_to_have_been_turned_back_instead():
    table = game_of("eight_dragons", "turn a1 gold_head", "turn b1 silver_tail",
                    "back a1")  # fmt: skip
    last = table.snapshot.story.steps[-1].seq

    answer = table.amend(last, "back b1", None, table.snapshot.story.seq, "key")

    # Then a1 would lie open again, and its face on every screen.
    assert isinstance(answer, Rejected)


def test_a_later_move_that_would_not_fit_is_told_from_what_all_know():
    table = game_of("eight_dragons", "turn a1 gold_head", "turn b1 silver_tail",
                    "back a1", "back b1")  # fmt: skip
    first = table.snapshot.story.steps[0].seq

    answers = {
        face: table.amend(
            first, f"turn a1 {face}", None, table.snapshot.story.seq, face
        )
        for face in FACES
    }

    assert len(set(answers.values())) == 1
    assert "hidden card" in Words("en").part(answers["gold_head"].why)
