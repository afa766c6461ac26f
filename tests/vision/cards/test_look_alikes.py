import msgspec
import pytest

from vision.cards.reader import CardQuestion, CardReader, SureCard
from vision.cards.references import CardShot, CardShots, build_deck
from vision.measure.card_looks import LookLimits, look_at, paint_pale, pairs

pytestmark = pytest.mark.slow

CARDS = pairs(paint_pale, pictures=4)


def _shot(face, seed):
    picture, corners = look_at(CARDS[face], seed, LookLimits())
    points = tuple((float(x), float(y)) for x, y in corners)
    return CardShot(picture, corners=points)


@pytest.fixture(scope="module")
def deck():
    """Return four pictures with the numbers 1 and 2, three shots of each."""
    return build_deck(
        CardShots(face, tuple(_shot(face, (number, n)) for n in range(3)))
        for number, face in enumerate(CARDS)
    )


def _read(reader, face, seed=77):
    return reader.read(*look_at(CARDS[face], seed, LookLimits()))


class TestCardsThatDifferByANumberInACorner:
    def test_are_told_apart_with_three_shots(self, deck):
        reader = CardReader(deck)

        answers = {face: _read(reader, face) for face in CARDS}

        wrong = {
            face: answer
            for face, answer in answers.items()
            if isinstance(answer, SureCard) and answer.face != face
        }
        sure = [face for face, one in answers.items() if isinstance(one, SureCard)]
        assert wrong == {}
        assert len(sure) >= 7

    def test_are_no_pair_that_is_always_asked(self, deck):
        assert deck.audit.always_ask == ()

    def test_are_asked_about_while_one_of_the_deck_was_never_shown(self, deck):
        audit = msgspec.structs.replace(deck.audit, missing=("1/3",))
        reader = CardReader(msgspec.structs.replace(deck, audit=audit))

        answer = _read(reader, "1/1")

        assert isinstance(answer, CardQuestion)
        assert "1/1" in dict(answer.choices)


class TestOnlySomeFacesCanLieThere:
    def test_one_of_them_is_read(self, deck):
        reader = CardReader(deck).among({"1/1", "2/1", "3/1", "4/1"})

        answer = _read(reader, "2/1")

        assert isinstance(answer, SureCard)
        assert answer.face == "2/1"

    def test_what_fits_another_better_is_asked_and_never_forced(self, deck):
        reader = CardReader(deck).among({"1/1", "2/1", "3/1", "4/1"})

        answers = [_read(reader, face) for face in ("1/2", "2/2", "3/2", "4/2")]

        assert not any(isinstance(answer, SureCard) for answer in answers)
