"""A log always folds to the same story."""

import random

import pytest

from companion.games.hidden import (
    Hidden,
    redact,
)
from companion.story.codec import decode, encode
from companion.story.log import (
    Amended,
    Asked,
    BadLog,
    Edited,
    Entry,
    Made,
    Noted,
    Undone,
    extend,
    fold,
    redact_entry,
)
from companion.table import LinePart
from tests.running.table_setup import GAME, doubted, new_story, played


def random_story(seed: int, moves: int):
    rng = random.Random(seed)
    story = new_story()
    for number in range(moves):
        legal = list(GAME.legal(story.state))
        if not legal:
            break
        story = extend(story, Made(rng.choice(legal), "test"), float(number))
        if rng.random() < 0.1:
            story = extend(story, Undone("test"), float(number))
    return story


@pytest.mark.parametrize("seed", range(5))
def test_a_log_written_and_read_again_tells_the_same_story(seed):
    story = random_story(seed, 150)

    lines = [encode(entry) for entry in story.entries]
    again = fold(GAME, tuple(decode(GAME, line) for line in lines))

    assert again == story


@pytest.mark.parametrize("seed", range(3))
def test_every_prefix_of_a_log_folds_to_the_state_of_that_moment(seed):
    story = new_story()
    rng = random.Random(seed)
    for _ in range(40):
        story = extend(
            story, Made(rng.choice(list(GAME.legal(story.state))), "test"), 0.0
        )
        assert fold(GAME, story.entries).state == story.state


def test_undoing_every_move_leads_back_to_the_start():
    story = played(new_story(), "throw 3", "advance green", "throw 2")

    for _ in range(3):
        story = extend(story, Undone("test"), 2.0)

    assert story.state == new_story().state
    assert len(story.entries) == 7  # header, three moves, three undos


def test_an_undo_with_nothing_to_undo_is_refused():
    with pytest.raises(BadLog, match="none stands before it"):
        extend(new_story(), Undone("test"), 0.0)


def test_an_edit_sets_the_state_and_can_be_undone():
    story = new_story()
    other = played(story, "throw 6", "advance blue").state

    edited = extend(story, Edited(other, "the table is right"), 1.0)

    assert edited.state == other
    assert extend(edited, Undone("test"), 2.0).state == story.state
    lines = [encode(entry) for entry in edited.entries]
    assert fold(GAME, tuple(decode(GAME, line) for line in lines)).state == other


def test_a_question_stands_until_a_move_answers_it():
    asked = Asked(doubted(("3", 0.6)), LinePart("core.ask.unsure"), ("throw 3",))

    story = extend(new_story(), asked, 1.0)

    assert story.asked == asked
    assert extend(story, Noted("pause"), 2.0).asked == asked
    assert played(story, "throw 3").asked is None


def test_pictures_are_counted_by_those_that_were_used():
    story = new_story()
    assert story.position == 0

    story = extend(
        story, Made(GAME.parse(story.state, "throw 3"), "camera", position=0), 1
    )
    assert story.position == 1

    # Taking the throw back does not bring the picture back.
    assert extend(story, Undone("test"), 2.0).position == 1


def test_a_missing_entry_is_noticed():
    story = played(new_story(), "throw 3", "advance green", "throw 2")

    with pytest.raises(BadLog, match="entry 2 is missing before entry 3"):
        fold(GAME, (*story.entries[:2], story.entries[3]))


@pytest.mark.parametrize(
    "line", [b"", b"{}", b"nonsense", b'{"seq":1,"at":0,"body":{"type":"throne"}}']
)
def test_a_line_that_is_no_entry_is_refused_in_one_line(line):
    with pytest.raises(BadLog, match="a log entry cannot be read") as refused:
        decode(GAME, line)
    assert "\n" not in str(refused.value)


def test_a_log_without_header_is_refused():
    with pytest.raises(BadLog, match="starts with a header"):
        fold(GAME, (Entry(0, 0.0, Noted("end")),))
    with pytest.raises(BadLog, match="second header"):
        extend(new_story(), new_story().header, 0.0)


class TestSecrets:
    def test_a_redacted_entry_shows_a_note_to_its_owner_alone(self):
        story = played(new_story(), "note 1 4")
        entry = story.entries[-1]

        assert redact_entry(entry, 1).body.move.group.value == 4
        assert redact_entry(entry, 0).body.move.group.value is None
        assert redact_entry(entry, None).body.move.group.value is None

    def test_what_only_the_referee_knows_is_shown_to_nobody(self):
        secret = (Hidden(3, ()), frozenset({("a", Hidden("b", (1,)))}))

        assert redact(secret, 0) == (
            Hidden(None, ()), frozenset({("a", Hidden(None, (1,)))}),
        )  # fmt: skip

    def test_a_value_without_secrets_is_the_same_value(self):
        state = played(new_story(), "throw 3").state

        assert redact(state, None) is state


class TestAmending:
    def test_a_move_that_does_not_stand_cannot_be_amended(self):
        story = played(new_story(), "throw 3")
        move = story.steps[0].made.move

        with pytest.raises(BadLog, match="entry 7 is no move that stands"):
            extend(story, Amended(7, move, "amend"), 1.0)

    def test_one_that_leaves_a_later_move_without_sense_is_refused(self):
        story = played(new_story(), "throw 3", "advance green")
        advance = story.steps[1].made.move

        with pytest.raises(BadLog, match="cannot follow"):
            extend(story, Amended(1, advance, "amend"), 1.0)
