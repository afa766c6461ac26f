"""Too little voltage or heat is told while it lasts, and remembered for the doctor."""

import pytest
from msgspec.structs import replace

from companion.display.panels import panel
from companion.doctor.meter import Meter
from companion.running.power import (
    CAPPED,
    HOT,
    LOW,
    SLOWED,
    Power,
    after_bits,
    power_line,
)
from companion.running.reducer import with_story
from companion.running.snapshot import Snapshot
from companion.table import LinePart
from companion.words import LANGUAGES
from firmware.display import MOST_LINES, text_lines
from tests.running.table_setup import new_story, running

LINK = "http://192.168.178.23:8000"


class Table:
    def __init__(self):
        self.told = []

    def notice_power(self, power):
        self.told.append(power)


def test_a_warning_comes_and_goes_with_what_the_pi_says():
    bits = iter([0, 0x50005, 0x50005, 0x50000])
    table = Table()
    meter = Meter(table, lambda: next(bits))

    assert all(meter.measure() for _ in range(4))

    # Told when it begins and when it ends, and what was is kept: voltage, slowed down.
    was = LOW | SLOWED
    assert table.told == [Power(was, was), Power(0, was)]


def test_what_happened_between_two_looks_is_remembered_though_it_was_never_now():
    assert after_bits(Power(), 0x80000) == Power(0, HOT)
    # A kernel may forget it once it was read.
    assert after_bits(Power(0, HOT), 0) == Power(0, HOT)


def test_a_computer_that_tells_nothing_is_asked_once():
    asked = []
    meter = Meter(Table(), lambda: asked.append(1), every_s=0.0)
    meter.start()
    meter.stop()

    assert len(asked) <= 1


@pytest.mark.parametrize(
    ("now", "line"),
    [
        (0, None),
        (LOW, "core.power.low"),
        (LOW | CAPPED | SLOWED, "core.power.low"),
        (HOT | CAPPED, "core.power.hot"),
        (SLOWED, "core.power.slowed"),
        (CAPPED, "core.power.slowed"),
    ],
)
def test_the_cause_that_people_can_do_most_about_is_said(now, line):
    assert power_line(Power(now)) == line


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("now", [LOW, HOT, SLOWED])
def test_the_display_warns_below_what_it_says(language, now):
    calm = with_story(Snapshot(), new_story())
    shown = replace(calm, power=Power(now))

    before, warned = panel(calm, language, LINK), panel(shown, language, LINK)

    assert warned.text[:-1] == before.text
    assert len(text_lines(warned.text[-1:])) == 1
    assert warned.rows == before.rows
    assert panel(replace(shown, power=Power(0, now)), language, LINK) == before


def test_where_the_display_is_full_only_a_mark_fits():
    long = LinePart("core.bad_log", (("why", "w " * 200),))
    shown = Snapshot(notice=long, power=Power(LOW))
    assert len(text_lines(panel(Snapshot(notice=long), "en", LINK).text)) > MOST_LINES

    assert panel(shown, "en", LINK).title == "! !"


def test_before_a_game_the_display_warns_beside_the_code():
    shown = panel(Snapshot(power=Power(LOW)), "en", LINK)

    assert shown.qr == LINK
    assert shown.text == ("Too little voltage",)


def test_a_running_table_shows_it_and_forgets_it_when_it_is_over(tmp_path):
    with running(tmp_path) as table:
        table.notice_power(Power(LOW, LOW))
        shown = table.wait(table.snapshot.version, 5.0)
        while shown.power.now != LOW:
            shown = table.wait(shown.version, 5.0)
        table.notice_power(Power(0, LOW))
        while shown.power.now:
            shown = table.wait(shown.version, 5.0)

        assert shown.power == Power(0, LOW)
