import pytest

from companion.table import Choice, Glimpse, Reading, Shown
from vision.vote import vote

HERE, THERE = (100, 100, 160, 160), (300, 200, 360, 260)


def _sure(face, box=HERE, confidence=0.995):
    return Glimpse(Shown("d6", face, "tray"), confidence, box)


def test_what_all_pictures_show_is_taken_with_the_least_confidence():
    first = Reading((_sure("3"), _sure("5", THERE)), taken_at=1.0)
    second = Reading((_sure("5", THERE), _sure("3", confidence=0.99)), taken_at=1.1)

    both = vote((first, second))

    assert {(g.sight.face, g.confidence) for g in both.glimpses} == {
        ("3", 0.99),
        ("5", 0.995),
    }
    assert both.choices == ()
    assert both.taken_at == 1.1


def test_a_die_that_changes_its_face_between_pictures_is_asked_with_both_faces():
    both = vote((Reading((_sure("3"),)), Reading((_sure("5"),))))

    assert both.glimpses == ()
    assert [{face for face, _ in choice.faces} for choice in both.choices] == [
        {"3", "5"}
    ]


def test_a_die_that_only_one_picture_shows_is_asked():
    both = vote((Reading((_sure("3"),)), Reading(())))

    assert both.glimpses == ()
    assert both.choices[0].faces == (("3", 0.995),)


def test_two_dice_with_the_same_face_stay_two():
    pair = Reading((_sure("4"), _sure("4", THERE)))

    assert len(vote((pair, pair, pair)).glimpses) == 2


def test_a_sure_and_an_unsure_picture_of_one_die_are_asked_once():
    doubt = Choice("d6", "tray", (("3", 0.6), ("5", 0.3)), HERE)

    both = vote((Reading((_sure("3"),)), Reading((), (doubt,))))

    assert both.glimpses == ()
    assert [choice.faces[0][0] for choice in both.choices] == ["3"]


def test_trouble_in_any_picture_is_passed_on():
    blind = Reading((), trouble="no_picture")

    assert vote((blind, Reading(()))).trouble == "no_picture"


def test_no_readings_are_an_error():
    with pytest.raises(ValueError, match="one to three"):
        vote(())
