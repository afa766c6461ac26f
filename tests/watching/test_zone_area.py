"""An area of cards under a camera, from one look to the next."""

from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from companion.games.copy import Zone
from companion.table import LinePart
from companion.watching.zone_area import Area
from companion.watching.zone_cards import ZoneRules
from companion.watching.zone_lying import CardInArea, points
from tests.vision.cards import cards as drawing
from tests.vision.cards.test_area_look import corners_at, painted_card
from tests.watching.test_zone_cards import ROW, Reads
from vision.cards.laid import cards_in_area
from vision.cards.quads import Quad
from vision.cards.reader import CardQuestion, SureCard

ASKS = (LinePart("teach.space.army_area"), LinePart("teach.space.army_area_end"))
PILE = Zone("pile", 1, ASKS, ("path/",), ("place",), is_pile=True)
ROOM = ("place", "room")
AREA = np.array([(40, 60), (860, 60), (860, 640), (40, 640)], np.float32)


def rules(*rooms):
    record = tuple((*ROOM, f"path/{n}") for n in rooms)
    return ZoneRules(PILE, record, ((*ROOM, "path/9"),))


@pytest.fixture
def pile():
    """Return an area in which one room lies, and what draws it where it is laid."""
    room = drawing.card("disc", "red", 1)

    def picture(*places):
        return drawing.table(*((room, x, y, 0) for x, y in places), seed=len(places))

    area = Area(PILE, AREA, {})
    lying = picture((300, 300))
    (found,) = cards_in_area(lying, AREA, None)
    area.lying = (CardInArea(ROOM, found),)
    area.believe(lying)
    return area, picture


def look(area, picture, rules):
    """Look at a picture, take what is read, and return what is asked.

    It is believed once nothing is.
    """
    area.take(area.read(picture, rules), rules)
    if not area.doubts:
        area.believe(picture)
    return [doubt.choices for doubt in area.doubts]


@pytest.mark.slow
def test_a_room_that_slid_is_asked_about_until_people_play_on(pile):
    area, picture = pile
    slid = picture((320, 300))

    assert look(area, slid, rules(1)) == [((*ROOM, 0.5),)]
    assert look(area, slid, rules(1)) == [((*ROOM, 0.5),)]
    # Nobody has entered another room, but something else: it was pushed.
    other = ZoneRules(PILE, rules(1).record, (("place", "gate", "path/9"),))
    assert look(area, slid, other) == []
    assert look(area, slid, rules(1)) == []


def test_a_like_room_is_taken_where_the_one_below_is_seen_beside_it():
    """A painted one, as white strips prove nothing: nobody is asked."""
    area, room = Area(PILE, AREA, {}), painted_card(1)
    below, upper = (room, 300, 300, 0), (room, 340, 312, 0)
    lying = drawing.table((painted_card(2), 270, 290, 0), below)
    tops = cards_in_area(lying, AREA, (160.0, 240.0))
    (top,) = (one for one in tops if np.abs(one.middle - (300, 300)).max() < 5)
    # Its white rim lies on another one, so that its frame is that of the painting.
    quad = Quad(points(corners_at(300, 300)), 1.0)
    area.lying = (CardInArea(ROOM, replace(top, quad=quad)),)
    area.believe(lying)
    area._decks = deck_that_reads("room")
    both = drawing.table((painted_card(2), 270, 290, 0), below, upper, seed=3)

    assert look(area, both, rules(1)) == []
    assert [(one.thing, one.is_hidden) for one in area.lying] == [
        (ROOM, True), (ROOM, False)
    ]  # fmt: skip


@pytest.mark.slow
def test_a_room_beside_one_that_was_framed_too_long_is_asked_about(pile):
    """Its frame had a rim of the card below, so it does not say how far it slid."""
    area, picture = pile
    (room,) = area.lying
    longer = room.card.quad.array()
    longer[longer[:, 1] < 300] -= (0, 30)  # 270 px for 240
    quad = Quad(points(longer), 1.0)
    area.lying = (replace(room, card=replace(room.card, quad=quad)),)

    assert look(area, picture((300, 285)), rules(1)) == [((*ROOM, 0.5),)]
    # Where it lies as before in a better frame nobody is asked.
    area.take(area.read(picture((300, 300)), rules(1)), rules(1))
    assert area.doubts == ()


@pytest.mark.slow
def test_a_room_that_people_have_entered_lies_on_the_one_below(pile):
    area, picture = pile
    slid = picture((320, 300))

    assert look(area, slid, rules(1)) == [((*ROOM, 0.5),)]
    assert look(area, slid, rules(1, 2)) == []
    assert [one.is_hidden for one in area.lying] == [True, False]
    assert [one.thing for one in area.lying] == [ROOM, ROOM]


def with_glare(picture):
    """Put print on a pile that has no outline, as of a pale card in glare."""
    cv2.circle(picture, (300, 300), 60, (250, 250, 250), -1)
    cv2.line(picture, (180, 180), (420, 420), (250, 250, 250), 25)
    return picture


@pytest.mark.slow
def test_what_hides_a_top_without_a_rim_of_its_own_is_asked_about(pile):
    area, picture = pile
    hidden = with_glare(picture((300, 300)))

    assert look(area, hidden, rules(1)) == [((*ROOM, 1.0),)]
    # Once people have entered it, it lies on the other.
    assert look(area, hidden, rules(1, 2)) == []
    assert [one.is_hidden for one in area.lying] == [True, False]


GATE = ZoneRules(PILE, (("place", "room", "path/1"),), (("place", "gate", "path/2"),))


def deck_that_reads(face):
    deck = Reads(SureCard(face, 0.95))
    deck.deck = SimpleNamespace(card_px=(160.0, 240.0))
    return {"place": deck}


def test_a_card_without_a_rim_of_its_own_is_read_all_about_the_top(pile):
    area, picture = pile
    area._decks = deck_that_reads("gate")

    assert look(area, with_glare(picture((300, 300))), GATE) == []
    assert [(one.thing, one.is_hidden) for one in area.lying] == [
        (ROOM, True), (("place", "gate"), False)
    ]  # fmt: skip


def test_what_is_read_there_as_the_top_itself_is_asked_about(pile):
    """It may be that one, in a shadow that hides its rim."""
    area, picture = pile
    area._decks = deck_that_reads("room")
    hidden = with_glare(picture((300, 300)))

    assert look(area, hidden, rules(1)) == [((*ROOM, 1.0),)]
    assert [one.thing for one in area.lying] == [ROOM]


def test_a_card_that_was_laid_crookedly_on_a_pile_lies_there_once(pile):
    area, _ = pile
    gate = drawing.card("square", "blue", 2)
    cv2.rectangle(gate, (0, 0), (159, 239), (60, 60, 60), 6)
    # It covers 0.55 of the room below: what people have entered is that card alone.
    now = drawing.table(
        (drawing.card("disc", "red", 1), 300, 300, 0), (gate, 345, 355, 0), seed=2
    )
    record = (*rules(1).record, ("place", "gate", "path/2"))

    told = ZoneRules(PILE, record, (("place", "fork", "path/3"),))
    look(area, now, told)
    area.settle(told)

    assert area.doubts == ()
    assert [(one.thing, one.is_hidden) for one in area.lying] == [
        (ROOM, True), (("place", "gate"), False)
    ]  # fmt: skip


def test_a_card_without_print_that_people_have_entered_is_no_frame():
    """In a lamp's glare a pale card shows none, but it is paler than the ground."""
    area = Area(PILE, AREA, {})
    area.believe(drawing.table(seed=1))
    white = np.full((240, 160, 3), 250, np.uint8)
    entered = ZoneRules(PILE, ((*ROOM, "path/1"),), (("place", "gate", "path/2"),))

    assert look(area, drawing.table((white, 300, 300, 0), seed=2), entered) == []
    assert [one.thing for one in area.lying] == [ROOM]


def test_what_nobody_may_lay_on_a_pile_is_no_question(pile):
    area, picture = pile
    hidden = with_glare(picture((300, 300)))

    assert look(area, hidden, ZoneRules(PILE, rules(1).record, ())) == []


def test_cells_that_changed_are_pointed_at(pile):
    area, picture = pile

    at = list(area.changed_at(picture((300, 300), (700, 500))))

    high, wide = picture((300, 300)).shape[:2]
    assert list(area.changed_at(picture((300, 300)))) == []
    assert min(np.hypot(x * wide - 700, y * high - 500) for x, y in at) < 40
    assert min(np.hypot(x * wide - 300, y * high - 300) for x, y in at) > 40


def test_the_place_of_a_figure_is_no_card_where_the_card_beside_it_is_taken_away():
    """They share a cell, so that it seems to have changed too; no reader tells it."""
    deck = Reads(CardQuestion(()))
    deck.deck = SimpleNamespace(card_px=(160.0, 240.0))
    area = Area(ROW, AREA, {"card": deck})
    # Brown stone with a scratch, as large as the card, which lies 10 px beside it.
    slab = np.full((240, 160, 3), (70, 110, 150), np.uint8)
    cv2.line(slab, (30, 150), (60, 190), (50, 70, 110), 3)
    room = drawing.card("disc", "red", 1)
    lying = drawing.table((room, 330, 300, 0), (slab, 500, 300, 0), seed=1)
    cards = cards_in_area(lying, AREA, (160.0, 240.0))
    (found,) = (one for one in cards if one.middle[0] < 410)
    area.lying = (CardInArea(("card", "rock1"), found),)
    area.believe(lying)
    record = ZoneRules(ROW, (("card", "rock1", "army/1"),), ())

    # A cloud lights what is left unevenly: the stone is 15 % darker.
    bare = drawing.table((slab, 500, 300, 0), seed=2)
    bare[:, 415:] = (bare[:, 415:] * 0.85).astype(np.uint8)
    asked = look(area, bare, record)

    assert (asked, area.lying) == ([], ())
