"""What tables and hubs send each other, and where: topics and typed JSON.

Values only. What stands here has left a table, so that it holds nothing that not
everybody at the table may see (`companion.club.table.public` makes it).
"""

import re
import unicodedata
from enum import StrEnum
from typing import TypeVar

import msgspec
from msgspec import Struct

from companion.table import LinePart, Seat

ROOT = "dragon-table"
TABLES, ASKS, HUBS = f"{ROOT}/tables", f"{ROOT}/asks", f"{ROOT}/hubs"
KITS = f"{ROOT}/kits"

HERE, GONE = b"here", b"gone"
"""What a retained presence says; the broker itself says "gone" as a last will."""

FORGET = f"{ASKS}/all/forget"
"""Where hubs ask every table to delete a player's name."""

SHARED = f"$share/hubs/{TABLES}/+/entries"
"""All hubs share what comes here: each delivery goes to one of them."""

MOST_ENTRIES = 200
"""Of one delivery: 50 to 100 kB, which a Pi encodes in 5 ms."""

KEEP_S = 30 * 24 * 3600
"""How long the broker keeps a club's wish for a table that is switched off."""

T = TypeVar("T")


def table_id(name: str) -> str:
    """Return what a table is called in topics and at the broker: ``table-7``.

    Raises:
        ValueError: Nothing of the name is a letter or a digit.
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    found = "-".join(re.findall(r"[a-z0-9]+", plain.lower()))[:40].strip("-")
    if not found:
        raise ValueError(
            f"the table's name {name!r} has no letter or digit that a broker takes; "
            'call it such as "Table 7"'
        )
    return found


def now_topic(table: str) -> str:
    """Return where a table's public snapshot is kept by the broker."""
    return f"{TABLES}/{table}/now"


def here_topic(table: str) -> str:
    """Return where it is kept whether a table is there or gone."""
    return f"{TABLES}/{table}/here"


def entries_topic(table: str) -> str:
    """Return where a table delivers its entries."""
    return f"{TABLES}/{table}/entries"


def home_topic(table: str) -> str:
    """Return where a table tells a smart home how it is."""
    return f"{TABLES}/{table}/home"


def stored_topic(table: str) -> str:
    """Return where hubs say what of a table is in the database."""
    return f"{ASKS}/{table}/stored"


def hub_topic(hub: str) -> str:
    """Return where it is kept whether a hub is there or gone."""
    return f"{HUBS}/{hub}/here"


KIT_LABELS = f"{KITS}/+/+/label"


def label_topic(table: str, kit: str) -> str:
    """Return where a table says that it offers a kit."""
    return f"{KITS}/{table}/{kit}/label"


def kit_topic(table: str, kit: str) -> str:
    """Return where the kit itself is, as one file."""
    return f"{KITS}/{table}/{kit}/file"


def table_of(topic: str) -> str:
    """Return the table that a topic belongs to."""
    return topic.split("/")[2]


class Need(StrEnum):
    """Why a table calls for help; ``club.need.<value>`` says it in words."""

    QUESTION = "question"
    CAMERA = "camera"
    DISK = "disk"
    POWER = "power"


class PlayerNow(Struct, frozen=True, omit_defaults=True):
    """A player and their points, exact when *low* equals *high*."""

    name: str
    low: int = 0
    high: int = 0
    to_act: bool = False
    won: bool = False


class TableNow(Struct, frozen=True, omit_defaults=True):
    """The public snapshot of a table; without a game all that is about one is empty.

    Attributes:
        name: What people call the table.
        version: Number of the table's own snapshot; of one start of it only.
        sent_at: Time of day by the table's clock, which may be wrong by years.
        game_id: Which game lies on the table.
        game: Its kind.
        players: By seat.
        todo: What is to be done now, by those who may all know it.
        moves: How many moves stand.
        round: The round, in games that count any.
        begun_at: When the game began, by the table's clock.
        ended: Why the game is over, None while it is not.
        paused: Nothing counts now.
        seats_free: How many more the game could take.
        needs: Why people at the table need help.
        temperature_c: Of the Pi's processor, None where nothing tells it.
    """

    name: str
    version: int
    sent_at: float
    game_id: str | None = None
    game: str | None = None
    players: tuple[PlayerNow, ...] = ()
    todo: tuple[LinePart, ...] = ()
    moves: int = 0
    round: int | None = None
    begun_at: float | None = None
    ended: LinePart | None = None
    paused: bool = False
    seats_free: int = 0
    needs: tuple[Need, ...] = ()
    temperature_c: float | None = None


class SeatLine(Struct, frozen=True, omit_defaults=True):
    """A player of a stored game; *points* once it is over, None in a race."""

    player: str
    points: int | None = None
    won: bool = False


class GameLine(Struct, frozen=True, omit_defaults=True):
    """A stored game in one line: what, who, since when, and how it ended."""

    game_id: str
    game: str
    seats: tuple[SeatLine, ...]
    begun_at: float
    ended_at: float | None = None


class Delivery(Struct, frozen=True):
    """Entries of one game, each after the other, with the game's line as it is then.

    Attributes:
        number: Tells one delivery of a table from another.
        name: What people call the table.
        sent_at: Time of day by the table's clock when this was sent.
        seq: Number of the newest entry that the line knows; the later line counts.
        line: The game.
        first: Number of the first of the entries.
        entries: Each as JSON; none where only the line has changed.
    """

    number: int
    name: str
    sent_at: float
    seq: int
    line: GameLine
    first: int
    entries: tuple[msgspec.Raw, ...]


class Stored(Struct, frozen=True):
    """A hub's word that a delivery is in the database."""

    number: int


class Forget(Struct, frozen=True):
    """A hub's wish that a name be deleted from every game."""

    name: str


class KitLabel(Struct, frozen=True):
    """A kit that a table offers to all, and *table*, what people call that one.

    *digest* is the fingerprint of the kit as one file, of *size_bytes*.
    """

    digest: str
    game: str
    name: str
    table: str
    size_bytes: int


def encode(message: Struct) -> bytes:
    """Return a message as JSON."""
    return msgspec.json.encode(message)


def decode(payload: bytes, kind: type[T]) -> T:
    """Return a message of that kind.

    Raises:
        msgspec.MsgspecError: It is none.
    """
    try:
        return msgspec.json.decode(payload, type=kind)
    except RecursionError as error:
        # Whoever sends a thousand brackets must not end the thread that listens.
        raise msgspec.DecodeError("it has too many brackets") from error


def other_seats(players: int, most: int) -> int:
    """Return how many more could play where *most* can."""
    return max(0, most - players)


def seat_name(seat: Seat) -> str:
    """Return what stands for a player whose name is nobody's business."""
    return str(seat + 1)
