import xml.etree.ElementTree as ET

import pytest

from vision.measure.calibration import (
    ScoredReading,
    band_table,
    count_bands,
    reliability_svg,
    risk_curve,
    risk_svg,
    taken_table,
)
from vision.measure.counts import PhotoReading, TrueDie, score_readings
from vision.pips.reader import DetectedDie

FIVE = (
    ScoredReading(0.99, True, True),
    ScoredReading(0.97, True, False),
    ScoredReading(1.0, True, True),
    ScoredReading(0.75, False, True),
    ScoredReading(0.6, False, False),
)


class TestBands:
    def test_count_what_was_read_at_each_chance(self):
        last = count_bands(FIVE)[-1]

        assert (last.low, last.high) == (0.98, 1.0)
        assert (last.dice, last.mean, last.right) == (2, pytest.approx(0.995), 1.0)
        assert [band.dice for band in count_bands(FIVE)] == [1, 1, 1, 2]

    def test_make_a_table(self):
        assert "| 0.95 to 0.98 | 1 | 0.97 | 0% |" in band_table(count_bands(FIVE))


def test_what_is_taken_is_counted_apart_from_what_is_asked():
    assert taken_table(FIVE).splitlines()[2:] == [
        "| below 0.9 | 0 | 0 |",
        "| 0.9 to 0.98 | 1 | 1 |",
        "| above | 2 | 0 |",
    ]


class TestRisks:
    def test_begin_with_the_surest_and_come_to_those_asked_last(self):
        assert risk_curve(FIVE, dice=10) == (
            (0.1, 0.0),
            (0.2, 0.0),
            (0.3, pytest.approx(1 / 3)),
            (0.4, 0.25),
            (0.5, 0.4),
        )


def test_curves_are_drawings_with_their_axes_named():
    for drawn, name in (
        (reliability_svg(count_bands(FIVE)), "share right"),
        (risk_svg(risk_curve(FIVE, 10), 0.3), "share of dice read"),
    ):
        words = [each.text for each in ET.fromstring(drawn).iter() if each.text]
        assert name in words


class TestAnswers:
    def test_of_dice_whose_place_is_labelled(self):
        truth = (TrueDie(3, (0.0, 0.0, 0.1, 0.2)),)
        there, nowhere = (0, 0, 20, 20), (100, 50, 120, 70)
        dice = (
            DetectedDie(((3, 0.9),), True, there, 20.0),
            DetectedDie(((5, 0.8),), True, nowhere, 20.0),
            DetectedDie(((5, 0.6),), False, nowhere, 20.0),
        )

        assert score_readings([PhotoReading(truth, dice, (100, 200), 1.0)]) == [
            ScoredReading(0.9, True, True),
            ScoredReading(0.8, True, False),
        ]

    def test_of_dice_that_were_only_counted(self):
        truth = (TrueDie(3), TrueDie(5))
        box = (0, 0, 20, 20)
        dice = (
            DetectedDie(((5, 0.7),), False, box, 20.0),
            DetectedDie(((2, 0.95),), True, box, 20.0),
        )

        assert score_readings([PhotoReading(truth, dice, (100, 200), 1.0)]) == [
            ScoredReading(0.95, True, False),
            ScoredReading(0.7, False, True),
        ]
