"""What becomes of a card of a pile that another one like it covers."""

from companion.games.copy import Zone
from companion.table import LinePart
from companion.watching.zone_cards import ZoneRules
from companion.watching.zone_lying import Lying, below_by_record
from vision.cards.laid import LaidCard
from vision.cards.quads import Quad

ASKS = (LinePart("teach.space.army_area"), LinePart("teach.space.army_area_end"))
PILE = Zone("pile", 1, ASKS, ("path/",), ("place",), is_pile=True)
ROOM = ("place", "room")
CARD = LaidCard(Quad(((0, 0), (20, 0), (20, 30), (0, 30)), 1.0), None)

BELOW = Lying(ROOM, CARD, is_hidden=True)
ON_ITS_LIKE = Lying(ROOM, CARD, is_another=True)


def rules(rooms):
    record = tuple(("place", "room", f"path/{n + 1}") for n in range(rooms))
    return ZoneRules(PILE, record, (("place", "room", "path/9"),))


def test_a_card_on_its_like_is_one_more_than_the_record_has():
    assert below_by_record(rules(1), [BELOW, ON_ITS_LIKE]) == [BELOW, ON_ITS_LIKE]


def test_once_the_record_has_both_both_lie_there():
    assert below_by_record(rules(2), [BELOW, ON_ITS_LIKE]) == [BELOW, ON_ITS_LIKE]


def test_a_card_that_only_slid_is_no_news_and_hides_nothing():
    assert below_by_record(rules(1), [BELOW, Lying(ROOM, CARD)]) == [Lying(ROOM, CARD)]


def test_what_the_record_took_away_lies_there_no_longer():
    assert below_by_record(rules(0), [BELOW, ON_ITS_LIKE]) == [ON_ITS_LIKE]
