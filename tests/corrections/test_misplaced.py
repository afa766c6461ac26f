"""What lies astray is told piece by piece, in the words of each game."""

import random

import pytest

from companion.corrections.misplaced import Misplaced, find_misplaced
from companion.games import GAMES, find
from companion.games.hidden import is_private
from companion.referee.changes import changes_between
from companion.story.log import Asked, Header, Made, begin, extend
from companion.table import (
    TRAY,
    Flipped,
    Glimpse,
    LinePart,
    Moved,
    Placed,
    Reading,
    Removed,
    Shown,
    UnsureSight,
)
from companion.words import LANGUAGES, Words
from companion.words.pieces import describe_misplaced
from tests.running.table_setup import new_story

WHY = LinePart("core.ask.table_unexpected")


def asked(story, *sights, **more):
    reading = Reading(tuple(Glimpse(s, 0.99) for s in sights), whole=True, **more)
    return extend(story, Asked(reading, WHY, ()), 1.0)


def test_a_figure_that_moved_belongs_where_the_record_has_it():
    story = asked(new_story(), Moved("green", "start", "cell/5/dark"))

    assert find_misplaced(story, None) == (Misplaced("green", "start", "cell/5/dark"),)


def test_what_is_missed_and_what_lies_there_too_much_are_told_apart():
    story = new_story()
    gone, more = (f"cell/{n}" for n in (min(story.state.jewels), 30))

    lost = find_misplaced(
        asked(story, Removed("jewel", gone), Placed("dragon", None, more)), None
    )

    assert lost == (
        Misplaced("dragon", None, more),
        Misplaced("jewel", gone, None),
    )


def test_a_card_that_shows_another_side_is_to_be_turned_over():
    game = find("eight_dragons")
    header = Header(game.id, ("Ana", "Bo"), game.stand_in)
    story = begin(game, header, 0.0)
    place = next(place for _, face, place in game.layout(story.state) if face == "back")

    (lost,) = find_misplaced(asked(story, Flipped("card", "red_tail", place)), None)

    assert lost == Misplaced("card", place, place, "back", "red_tail")
    assert "A face-down card should show on " in describe_misplaced(
        story, lost, Words("en", strict=True)
    )


def test_what_hands_have_yet_to_carry_out_and_dice_are_not_astray():
    story = new_story()
    lying = (story.game.layout(story.state) - {("green", None, "start")}) | {
        ("green", None, "cell/5/dark")
    }
    seen = Moved("green", "start", "cell/5/dark"), Shown("die", "3", "tray")

    assert find_misplaced(asked(story, *seen), lying) == ()


def test_of_an_unsure_table_nothing_is_said_to_lie_astray():
    story = new_story()
    unsure = asked(
        story,
        Moved("green", "start", "cell/5/dark"),
        choices=(UnsureSight(None, "cell/9", ()),),
    )

    assert find_misplaced(unsure, None) == find_misplaced(story, None) == ()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_piece_at_every_place_has_words_in_three_languages(game):
    chance = random.Random(game.id)
    names = tuple("ABCDEFG"[: max(game.seats)])
    story = begin(game, Header(game.id, names, game.stand_in), 0.0)
    told = set()
    while moves := [m for m in game.legal(story.state) if not is_private(m)]:
        before = game.layout(story.state)
        story = extend(story, Made(chance.choice(moves), "test"), 1.0)
        for sight in changes_between(before, game.layout(story.state)):
            if sight.place != TRAY:
                told.add((sight.piece, sight.face, sight.place))
    assert len(told) > 20
    for piece, face, place in told:
        for lost in (
            Misplaced(piece, place, None, face),
            Misplaced(piece, None, place, None, face),
        ):
            for language in LANGUAGES:
                assert describe_misplaced(
                    story, lost, Words(language, names, strict=True)
                )
