"""What people call the places and pieces of a copy, where they are told to put back."""

import pytest

from companion.games.copy import Copy
from companion.words import Words
from companion.words.pieces import place_name

WORDS = Words("en", ("Ana", "Bo", "Cy"), strict=True)


@pytest.mark.parametrize(
    ("game", "place", "name"),
    [
        ("dragonix", "event/1", "in front of Bo"),
        ("dragonix", "show/0", "in front of Ana"),
        ("dragonix", "camp/2", "in Cy’s camp"),
        ("dragonix", "tokens/1", "among Bo’s tokens"),
        ("dragonix", "army/2", "at Army II"),
        ("dragonix", "tower", "at Defence tower"),
        ("dragonix", "deserters", "among the deserters"),
        ("dragorun", "egg/1", "in front of Bo"),
        ("dragorun", "seat/0", "in front of Ana"),
        ("dragorun", "track/0", "on the snail space"),
        ("dragorun", "track/7", "on space 7"),
        ("dragorun", "pool", "beside the board"),
        ("drachenhort", "cell/3", "on space 3"),
        ("drachenhort", "cell/4/light", "on space 4, in the light"),
        ("drachenhort", "hall", "in the treasure hall"),
        ("dragon_run", "front/1", "in front of Bo"),
        ("dragon_run", "path/2", "in the place of location card 2"),
        ("dragon_run", "anger/3", "at anger 3"),
        ("dragon_run", "stock", "on the treasure pile"),
        ("eight_dragons", "grid/1/1", "on a1"),
    ],
)
def test_a_place_is_called_what_people_call_it(game, place, name):
    assert place_name(game, place, WORDS) == name


def test_a_game_that_names_nothing_is_told_by_its_ids():
    bare = Copy()

    assert bare.name_piece({}, "coin", "2") == ("coin", "2")
    assert bare.name_piece({}, "coin", None) == ("coin",)
    assert bare.name_place("seat/1") == "seat/1"
    assert bare.face_name({}, "coin", "2") == "2"
    assert (bare.items({}), tuple(bare.fields({})), bare.read(7, {})) == ((), (), 7)
