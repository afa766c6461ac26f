"""Makes a table a device of a smart home: whose turn, which game, who needs help.

Home Assistant finds it by itself, so that lamps and speakers that people own already
can join in without code of theirs.

Source: Home Assistant, MQTT integration, "Device discovery payload".
"""

from collections.abc import Iterator

import msgspec

from companion.club.messages import TableNow, here_topic, home_topic
from companion.games import UnknownGame, find
from companion.words import Words

PREFIX = "homeassistant"
"""Where Home Assistant listens, unless its owner has changed it."""


def device_topic(table: str) -> str:
    """Return where a table describes itself."""
    return f"{PREFIX}/device/dragon-table-{table}/config"


def discovery(table: str, name: str, language: str) -> Iterator[tuple[str, bytes]]:
    """Yield the topic and the description of a table as a device."""
    words = Words(language)
    device = {
        "device": {
            "identifiers": [f"dragon-table-{table}"],
            "name": name,
            "manufacturer": "Dragon Table",
        },
        "origin": {"name": "Dragon Table"},
        "state_topic": home_topic(table),
        "availability": [
            {
                "topic": here_topic(table),
                "payload_available": "here",
                "payload_not_available": "gone",
            }
        ],
        "components": {
            key: {
                **options,
                "name": words.say(f"club.home.{key}"),
                "unique_id": f"dragon-table-{table}-{key}",
                "value_template": f"{{{{ value_json.{key} }}}}",
            }
            for key, options in _COMPONENTS.items()
        },
    }
    yield device_topic(table), msgspec.json.encode(device)


_COMPONENTS: dict[str, dict[str, str]] = {
    "turn": {"platform": "sensor", "icon": "mdi:account-arrow-right"},
    "game": {"platform": "sensor", "icon": "mdi:dice-multiple"},
    "state": {"platform": "sensor", "icon": "mdi:flag-checkered"},
    "help": {
        "platform": "binary_sensor",
        "device_class": "problem",
        "payload_on": "on",
        "payload_off": "off",
    },
    "temperature": {
        "platform": "sensor",
        "device_class": "temperature",
        "unit_of_measurement": "°C",
        "entity_category": "diagnostic",
    },
}


def state(now: TableNow, language: str) -> bytes:
    """Return how a table is, as its device's entities read it."""
    words = Words(language)
    turn = next((player.name for player in now.players if player.to_act), "")
    return msgspec.json.encode(
        {
            "turn": turn,
            "game": game_title(now.game),
            "state": words.say(f"club.state.{state_of(now)}"),
            "help": "on" if now.needs else "off",
            "temperature": now.temperature_c,
        }
    )


def state_of(now: TableNow) -> str:
    """Return ``free``, ``over``, ``paused`` or ``playing``."""
    if now.game is None:
        return "free"
    if now.ended is not None:
        return "over"
    return "paused" if now.paused else "playing"


def game_title(game: str | None) -> str:
    """Return what is on the box; the id of a game that only a newer table knows."""
    if game is None:
        return ""
    try:
        return find(game).title
    except UnknownGame:
        return game
