"""A word in the place of everything hidden, and all that phones and files say then.

Nothing that is made for a viewer may come to what they may not see; where it did, the
word would stand in what it says, or the code that met it would fail, as it is no card.
"""

import logging
import random
from collections.abc import Iterator
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
from flask.testing import FlaskClient
from msgspec import Struct

from companion.corrections.amend import mendable
from companion.dashboard import create_app
from companion.dashboard.api.streams import Streams
from companion.dashboard.pages.forecast import Forecaster
from companion.display.panels import panel
from companion.games.hidden import Hidden, Viewer
from companion.running.snapshot import Snapshot
from companion.story.log import Header, Story, begin
from tests.dashboard.conftest import Clock, Phones
from tests.dashboard.setting import ADDRESS, PIN, SECRET
from tests.secrets.tables import DeskTable
from tests.secrets.worlds import NAMES, NOON, _played


class Canary(str):
    """A word that looks like a card to whoever asks what it shows."""

    __slots__ = ()

    @property
    def value(self) -> str:
        return str(self)


CANARY = Canary("kanarienvogel")
"""No card, place, word of a page or name is called so."""

PAGES = ("/", "/table", "/host", "/api/state", "/past", "/past/game",
         "/past/game/game.json", "/past/game/points.csv", "/past/game/points/0",
         "/past/game/points/1", "/figures", "/odds", "/amend/1")  # fmt: skip

LONGEST = 90


def a_game(game: Any, dice: random.Random) -> Story:
    """Return a game by chance, at some moment of it."""
    seats = dice.choice(game.seats)
    header = Header(game.id, NAMES[:seats], game.stand_in)
    return _played(begin(game, header, NOON), dice, dice.randrange(LONGEST))


# Where something can be hidden.


def zones_of(kind: Any, owner: str = "") -> Iterator[str]:
    """Yield every field below a type that can hide something, as ``Type.field``."""
    yield from _zones(kind, owner, set())


def _zones(kind: Any, owner: str, met: set[Any]) -> Iterator[str]:
    if get_origin(kind) is Hidden or kind is Hidden:
        yield owner
    for part in get_args(kind):
        yield from _zones(part, owner, met)
    if isinstance(kind, type) and issubclass(kind, Struct) and kind not in met:
        met.add(kind)
        if kind is not Hidden:
            for name, hint in get_type_hints(kind).items():
                yield from _zones(hint, f"{kind.__name__}.{name}", met)


class Planter:
    """Puts the word in the place of what *viewer* may not see; notes where it did."""

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        self.zones: set[str] = set()

    def plant(self, thing: Any, zone: str = "") -> Any:
        """Return *thing* with the word in each place that is hidden."""
        if isinstance(thing, Hidden):
            seen = self._viewer is not None and self._viewer in thing.seen_by
            if thing.value in (None, ()) or seen:
                return thing
            self.zones.add(zone)
            return Hidden(CANARY, thing.seen_by)
        if isinstance(thing, Struct):
            name = type(thing).__name__
            fields = {f: getattr(thing, f) for f in thing.__struct_fields__}
            planted = {f: self.plant(v, f"{name}.{f}") for f, v in fields.items()}
            same = all(planted[name] is fields[name] for name in fields)
            return thing if same else msgspec.structs.replace(thing, **planted)
        if isinstance(thing, tuple | frozenset):
            parts = [self.plant(part, zone) for part in thing]
            same = all(new is old for new, old in zip(parts, thing, strict=True))
            return thing if same else type(thing)(parts)
        return thing


def planted(story: Story, planter: Planter) -> Story:
    """Return a story with the word in all that it ever hid."""
    return msgspec.structs.replace(
        story,
        start=planter.plant(story.start),
        entries=planter.plant(story.entries),
        steps=planter.plant(story.steps),
        taken_back=planter.plant(story.taken_back),
    )


# What is said of it.


def said(story: Story, viewer: Viewer, language: str) -> Iterator[tuple[str, str]]:
    """Yield all that a viewer's phones can get, each with its name, and the display.

    Args:
        story: A game in which the word stands in all that the viewer may not see.
        viewer: A seat; None for the host and a guest.
        language: Of their pages.
    """
    table = DeskTable(Snapshot(game_id="game", story=story))
    streams = Streams(most=50, most_each=50, beat_s=0.01, life_s=600.0)
    app = create_app(table, secret=SECRET, pin=PIN, address=ADDRESS,
                     streams=streams, clock=Clock(),
                     # Chances come of what is dealt anew, as test_two_worlds has it.
                     forecaster=Forecaster(lambda work: None))  # fmt: skip
    phones = Phones(app, table)
    held = {"host": phones.host(), "guest": phones.viewer()}
    if viewer is not None:
        held = {"seat": phones.seat(viewer)}
    steps = (*(step.seq for step in mendable(story)[:2]), *(s.seq for s in story.steps))
    for who, phone in held.items():
        for path in (*PAGES, *(f"/amend/{seq}" for seq in sorted({*steps})[-3:])):
            with phone.get(path, headers={"Accept-Language": language}) as answer:
                assert answer.status_code < 500, (who, path)
                yield f"{who} {path} {answer.headers}", answer.text
        yield f"{who} /api/events", first_event(phone)
    yield "display", repr(panel(table.snapshot, language, "link"))


def first_event(phone: FlaskClient) -> str:
    with phone.get("/api/events", buffered=False) as stream:
        return next(iter(stream.response)).decode()


class Log(logging.Handler):
    """Keeps all that is logged, and what of it is a fault."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []
        self.faults: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))
        if record.levelno >= logging.ERROR:
            self.faults.append(self.format(record))
