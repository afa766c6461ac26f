"""A table calls for help once something lasts too long, and no sooner."""

import pytest
from msgspec.structs import replace

from companion.club.broker import BadBroker, read_address
from companion.club.messages import Need, table_id
from companion.club.table import calls
from companion.club.table.calls import Calls, temperature_c
from companion.club.table.marks import Mark, Marks
from companion.running.power import LOW, Power
from companion.running.snapshot import CameraStatus, Setup, Snapshot
from companion.story.log import Asked, extend
from companion.table import LinePart, Reading
from tests.dashboard.fakes import NOON, FakeTable


@pytest.fixture
def watched(tmp_path) -> Calls:
    return Calls(tmp_path)


def asked() -> Snapshot:
    table = FakeTable()
    table.open_game(Setup("drachenhort", ("Ana", "Bo")))
    table.tell(Asked(Reading(()), LinePart("core.ask.no_move"), ()))
    return table.snapshot


class TestAQuestion:
    def test_it_calls_after_two_minutes(self, watched):
        shown = asked()

        assert watched.needs(shown, 1000.0) == ()
        assert watched.needs(shown, 1120.0) == ()
        assert watched.needs(shown, 1120.1) == (Need.QUESTION,)

    def test_another_question_begins_anew(self, watched):
        shown = asked()
        watched.needs(shown, 1000.0)
        other = Asked(Reading(()), LinePart("core.ask.was_it_thrown"), ())

        shown = replace(shown, story=extend(shown.story, other, NOON))

        assert watched.needs(shown, 1121.0) == ()
        assert watched.needs(shown, 1242.0) == (Need.QUESTION,)

    def test_in_a_pause_nobody_waits(self, watched):
        shown = asked()
        watched.needs(shown, 1000.0)

        shown = replace(shown, story=replace(shown.story, paused=True))

        assert watched.needs(shown, 1500.0) == ()


def test_a_camera_that_is_covered_for_a_minute_calls(watched):
    dark = Snapshot(camera=CameraStatus("pi", LinePart("core.eye.dark")))

    assert watched.needs(dark, 100.0) == ()
    assert watched.needs(dark, 160.1) == (Need.CAMERA,)
    assert watched.needs(Snapshot(), 160.2) == ()
    assert watched.needs(dark, 170.0) == ()  # a minute of its own


def test_too_little_voltage_calls_at_once(watched):
    assert watched.needs(Snapshot(power=Power(LOW)), 0.0) == (Need.POWER,)
    assert watched.needs(Snapshot(power=Power(0, LOW)), 1.0) == ()


def test_a_disk_that_is_nearly_full_calls(watched, monkeypatch):
    monkeypatch.setattr(calls, "LEAST_FREE_BYTES", 10**18)

    assert watched.needs(Snapshot(), 0.0) == (Need.DISK,)


def test_a_processor_tells_its_heat_in_thousandths_of_a_degree(tmp_path):
    path = tmp_path / calls.THERMAL
    path.parent.mkdir(parents=True)
    path.write_text("48712\n")

    assert temperature_c(tmp_path) == 48.7
    assert temperature_c(tmp_path / "elsewhere") is None


class TestMarks:
    def test_they_outlive_a_restart(self, tmp_path):
        marks = Marks(tmp_path / "marks")
        marks.put("game", Mark(7, ("Ana", "Bo")))
        marks.close()

        again = Marks(tmp_path / "marks")

        assert again.of("game") == Mark(7, ("Ana", "Bo"))
        assert again.of("another") == Mark(-1)
        again.close()

    def test_a_damaged_file_means_that_all_is_delivered_again(self, tmp_path, caplog):
        (tmp_path / "marks").write_bytes(b"no database" * 1000)

        marks = Marks(tmp_path / "marks")
        marks.put("game", Mark(7))

        assert marks.of("another") == Mark(-1)
        assert marks.of("game") == Mark(7)
        assert "all is delivered again" in caplog.text
        marks.close()


class TestNames:
    @pytest.mark.parametrize(
        ("name", "wanted"),
        [
            ("Table 7", "table-7"),
            ("Près de la fenêtre", "pres-de-la-fenetre"),
            ("  #+/Bar/+# ", "bar"),  # signs that mean something in a topic
        ],
    )
    def test_a_table_gets_a_name_that_a_topic_takes(self, name, wanted):
        assert table_id(name) == wanted

    def test_a_name_without_a_letter_is_refused_with_what_to_do(self):
        with pytest.raises(ValueError, match="call it such as"):
            table_id("###")

    def test_a_broker_is_named_by_scheme_host_and_port(self):
        found = read_address("mqtts://table-7@club.local", {})

        assert (found.host, found.port, found.tls) == ("club.local", 8883, True)
        assert (found.user, found.password) == ("table-7", None)

    def test_its_password_is_no_part_of_a_command_line(self):
        environ = {"DRAGON_TABLE_CLUB_PASSWORD": "s3cret"}

        assert read_address("mqtt://t@127.0.0.1:1999", environ).password == "s3cret"

    @pytest.mark.parametrize(
        "url", ["http://club", "club.local", "mqtt://", "mqtt://a:b"]
    )
    def test_what_is_no_broker_is_refused_with_what_to_do(self, url):
        with pytest.raises(BadBroker):
            read_address(url, {})
