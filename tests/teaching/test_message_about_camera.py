"""After the first shot of a die people hear what the camera can read from there."""

import pytest

from companion.games.copy import Item, Kind
from companion.kits.kit import NewShot
from companion.teaching.camera import message_about_camera
from companion.words import LANGUAGES, Words


def shot(kind, piece, side_px):
    return NewShot(kind, piece, "3", b"", (10, 10, 10 + side_px, 10 + side_px), 1280.0)


@pytest.mark.parametrize(
    ("piece", "side_px", "line", "px", "percent", "bad"),
    [
        # A die of 16 mm: 24 px are 15 a centimetre, and 18 are wanted.
        ("die", 24, "teach.told.reads_little", 15, 83, True),
        ("die", 32, "teach.told.reads_marks", 20, 62, False),
        ("d10", 32, "teach.told.reads_marks", 20, 62, True),  # digits want 32
        ("d10", 64, "teach.told.reads_all", 40, 100, False),
    ],
)
def test_says_what_can_be_read_and_warns_where_it_is_too_little(
    piece, side_px, line, px, percent, bad
):
    item = Item(Kind.DIE, piece, "3", "3")

    told = message_about_camera(item, shot("die", piece, side_px))

    assert (told.line, dict(told.params)) == (line, {"px": px, "percent": percent})
    assert told.bad is bad
    for language in LANGUAGES:
        assert str(px) in Words(language, strict=True).say(told.line, told.params)


def test_of_a_card_nobody_knows_the_size():
    item = Item(Kind.CARD, "place", "cave", "Cave")

    assert message_about_camera(item, shot("card", "place", 60)) is None
