"""What went into a running table, line by line, so that it can be replayed.

Commands in the order in which they were carried out, edges of buttons, and what a
watcher read. Pure values; `companion.capsule.input_recorder` writes them, a
capsule takes them along.
"""

from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from companion.running.commands import Adopt, Amend, GameCommand, Heard, Rest, TakeBack
from companion.table import Claim, Layout, Seat

COMMANDS: dict[str, type[Any]] = {
    kind.__name__: kind for kind in (Heard, Claim, TakeBack, Amend, Adopt, Rest)
}


class Recipe(Struct, frozen=True, tag="recipe"):
    """The drawn table that a watcher looked at: enough to draw and teach it again."""

    game: str
    seed: int
    light: str


class GameLaid(Struct, frozen=True, tag="laid"):
    """The game came to lie on the table, anew or again, with *seq* as its newest entry.

    *lying* is what was known to lie there. *recipe* is the drawn table, None for a real
    one; *looks* is how often the camera had looked before.
    """

    seq: int
    version: int
    lying: Layout | None = None
    recipe: Recipe | None = None
    looks: int = 0


class CommandLine(Struct, frozen=True, tag="told"):
    """A command that was carried out; *kind* is a name of `COMMANDS`.

    *before* and *seq* are the numbers of the newest entry before and after it,
    *version* that of the snapshot after it. *order* is ``null`` where it was left out,
    as it tells a secret.
    """

    at: float
    before: int
    seq: int
    version: int
    kind: str
    order: msgspec.Raw


class PictureRead(Struct, frozen=True, tag="looked"):
    """A picture was read; *first* of a stillness. *frame* is "" when it was lost."""

    frame: str
    first: bool


class ReadingHanded(Struct, frozen=True, tag="handed"):
    """A watcher held what it had read against the record, as it was at *version*."""

    version: int
    taken_at: float


class Button(Struct, frozen=True, tag="button"):
    """A button that was opened, and how its presses are told apart."""

    label: str
    name: str
    seat: Seat | None
    long_s: float
    double_s: float | None
    at_s: float


class Edge(Struct, frozen=True, tag="edge"):
    """A button's raw contact closed or opened, seconds on the table's clock."""

    label: str
    closed: bool
    at_s: float


InputLine: TypeAlias = (
    GameLaid | CommandLine | PictureRead | ReadingHanded | Button | Edge
)

LEFT_OUT = msgspec.Raw(b"null")

_DECODER = msgspec.json.Decoder(InputLine)


def command_line(
    command: GameCommand | Rest, at: float, before: int, seq: int, version: int
) -> CommandLine:
    """Return the line of a command."""
    raw = msgspec.Raw(msgspec.json.encode(command))
    return CommandLine(at, before, seq, version, type(command).__name__, raw)


def command_of(line: CommandLine) -> GameCommand | Rest | None:
    """Return the command of a line; None where it was left out or is none we know."""
    kind = COMMANDS.get(line.kind)
    if kind is None or bytes(line.order) == bytes(LEFT_OUT):
        return None
    try:
        command: GameCommand | Rest = msgspec.json.decode(line.order, type=kind)
    except (msgspec.MsgspecError, RecursionError):
        return None
    return command


def encode(line: InputLine) -> bytes:
    """Return a line of JSON, without the line end."""
    return msgspec.json.encode(line)


def decode(text: bytes) -> tuple[InputLine, ...]:
    """Return the lines of a journal; what a power cut tore is lost, and no error."""
    found: list[InputLine] = []
    for line in text.splitlines():
        try:
            found.append(_DECODER.decode(line))
        except (msgspec.MsgspecError, RecursionError):
            continue
    return tuple(found)
