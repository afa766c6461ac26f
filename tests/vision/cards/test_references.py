import numpy as np
import pytest

from vision.cards.references import (
    CardShot,
    CardShots,
    DeckUnreadable,
    build_deck,
    load_deck,
    save_deck,
)

WHOLE = (0, 0, 160, 240)

pytestmark = pytest.mark.slow


def _shot(picture):
    return CardShot(picture, WHOLE)


class TestTheAudit:
    def test_names_the_cards_that_were_not_shown(self, drawing):
        shown = CardShots("1 red disc", (_shot(drawing.card("disc", "red", 1)),))
        deck = build_deck([shown], parts=["1 red disc", "3 red disc"])

        assert deck.audit.missing == ("3 red disc",)

    def test_finds_two_cards_that_are_the_same(self, drawing):
        same = drawing.card("disc", "red", 1)

        deck = build_deck(
            [
                CardShots("one", (_shot(same),)),
                CardShots("other", (_shot(same),)),
                CardShots("square", (_shot(drawing.card("square", "green", 2)),)),
            ]
        )

        assert deck.audit.always_ask == (("one", "other"),)

    def test_finds_the_shot_of_another_card(self, drawing):
        good = [drawing.lit(drawing.card(), (g, g, g), 0.1) for g in (1.0, 0.9, 0.8)]
        other = [
            drawing.lit(drawing.card("square", "green", 2), (g, g, g), 0.1)
            for g in (1.0, 0.9)
        ]
        strange = drawing.card("cross", "blue", 3)

        deck = build_deck(
            [
                CardShots("disc", tuple(_shot(shot) for shot in good)),
                CardShots("square", tuple(_shot(shot) for shot in (*other, strange))),
            ]
        )

        assert deck.audit.bad == (("square", 2),)
        assert [one.shots for one in deck.references] == [3, 2]

    def test_tells_where_two_look_alikes_differ(self, drawing):
        one = drawing.card("disc", "red", 1)
        other = one.copy()
        other[200:230, 120:150] = drawing.INKS["red"]

        deck = build_deck(
            [CardShots("a", (_shot(one),)), CardShots("b", (_shot(other),))]
        )

        pairs = deck.audit.pairs
        assert all(pair.region[0] > 0.4 and pair.region[1] > 0.6 for pair in pairs)


class TestADeckFile:
    def test_gives_the_deck_back(self, deck, tmp_path):
        path = tmp_path / "my.deck"

        save_deck(deck, path)
        again = load_deck(path)

        assert again.audit == deck.audit
        assert again.noise == deck.noise
        assert [one.face for one in again.references] == [
            one.face for one in deck.references
        ]
        assert path.stat().st_size < 40_000 * len(deck.references)

    @pytest.mark.parametrize("content", [b"", b"no deck", b"PK\x03\x04broken off"])
    def test_that_is_none_is_refused_in_one_line(self, tmp_path, content):
        path = tmp_path / "my.deck"
        path.write_bytes(content)

        with pytest.raises(DeckUnreadable, match="no deck of cards; enrol it again"):
            load_deck(path)


class TestShotsThatAreNone:
    def test_no_shot_at_all_is_refused(self):
        with pytest.raises(DeckUnreadable, match="at least one picture a card"):
            build_deck([])

    def test_a_box_beside_the_picture_is_refused(self):
        picture = np.zeros((50, 50, 3), np.uint8)

        with pytest.raises(DeckUnreadable, match="lies outside"):
            build_deck([CardShots("a", (CardShot(picture, (60, 60, 90, 90)),))])
