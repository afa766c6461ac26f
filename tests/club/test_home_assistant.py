"""Home Assistant finds each table as a device, and reads how it is."""

import msgspec
import pytest

from companion.club.messages import Need, PlayerNow, TableNow
from companion.club.table.home_assistant import discovery, state
from companion.table import LinePart
from companion.words import LANGUAGES

PLAYING = TableNow(
    "Table 7", 1, 0.0, "g", "drachenhort",
    (PlayerNow("Ana"), PlayerNow("Bo", to_act=True)), temperature_c=48.0,
)  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_described_as_the_documentation_asks(language):
    ((topic, payload),) = discovery("table-7", "Table 7", language)
    told = msgspec.json.decode(payload)

    assert topic == "homeassistant/device/dragon-table-table-7/config"
    # Required of a device: itself, who describes it, and of each part its platform and
    # an id that no other has.
    assert told["device"]["identifiers"] == ["dragon-table-table-7"]
    assert told["origin"]["name"] == "Dragon Table"
    parts = told["components"]
    assert [*parts] == ["turn", "game", "state", "help", "temperature"]
    assert len({part["unique_id"] for part in parts.values()}) == 5
    assert all(part["platform"].endswith("sensor") for part in parts.values())
    assert told["availability"][0]["payload_available"] == "here"
    assert not [part["name"] for part in parts.values() if "club." in part["name"]]


def test_each_part_finds_its_value_in_the_state():
    ((_, payload),) = discovery("table-7", "Table 7", "en")
    parts = msgspec.json.decode(payload)["components"]

    told = msgspec.json.decode(state(PLAYING, "en"))

    assert {part["value_template"] for part in parts.values()} == {
        f"{{{{ value_json.{name} }}}}" for name in told
    }
    assert told == {
        "turn": "Bo", "game": "Drachenhort", "state": "Game in progress",
        "help": "off", "temperature": 48.0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        ({"paused": True}, "Paused"),
        ({"ended": LinePart("drachenhort.end")}, "Game over"),
        ({"game": None}, "Free table"),
    ],
)
def test_a_table_is_free_plays_rests_or_is_done(change, wanted):
    now = msgspec.structs.replace(PLAYING, **change)

    assert msgspec.json.decode(state(now, "en"))["state"] == wanted


def test_a_call_for_help_turns_a_lamp_on():
    now = msgspec.structs.replace(PLAYING, needs=(Need.CAMERA,))

    assert msgspec.json.decode(state(now, "fr"))["help"] == "on"
