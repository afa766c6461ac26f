"""Plays a capsule again with a real watcher and buttons: pictures and edges come first.

What is read in the kept pictures, and what buttons make of the kept edges, must be what
went into the table at the time.
"""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from companion.capsule.evidence_store import fingerprint
from companion.capsule.file import Capsule, Moment, ReplayedCapsule
from companion.capsule.input_log import (
    Button,
    Edge,
    GameLaid,
    PictureRead,
    ReadingHanded,
    Recipe,
)
from companion.capsule.input_recorder import frame_name
from companion.demo.setup import drawn_table
from companion.demo.tables import find as table_of
from companion.games import find
from companion.running.commands import Heard
from companion.running.snapshot import CameraStatus, Snapshot
from companion.table import Pressed, Reading
from companion.watching.table_watcher import TableWatcher
from companion.watching.watcher import Hooks
from firmware import edges
from firmware.contacts import SUFFIX
from vision.camera.files import PictureUnreadable, decode_png
from vision.camera.stillness import StillnessLimits

FOREVER_S = 1e9
"""After the last edge: until every press is certain."""


class InputReplay(Struct, frozen=True):
    """What was read and pressed again.

    *readings* and *presses* came out the same; *why_not* says why pictures were not
    read, *differs* what came out otherwise, None where nothing did.
    """

    readings: int = 0
    presses: int = 0
    why_not: str | None = None
    differs: str | None = None


def replay_inputs(capsule: Capsule, again: ReplayedCapsule) -> InputReplay:
    """Return what watcher and buttons report when they see and feel the same again."""
    presses, differs = _press_again(capsule, again)
    why_not = _why_not(capsule)
    if why_not is not None:
        return InputReplay(0, presses, why_not, differs)
    told = tuple(_look_again(capsule, again.moments))
    same = 0
    for mine, theirs in zip(told, again.heard, strict=False):
        if (_bare(mine.reading), mine.seq) != (_bare(theirs.reading), theirs.seq):
            break
        same += 1
    if same < max(len(told), len(again.heard)):
        differs = differs or f"reading {same + 1} of {len(again.heard)} by the camera"
    return InputReplay(same, presses, None, differs)


def _why_not(capsule: Capsule) -> str | None:
    """Return why the watcher cannot read again, None where it can."""
    laid = [line for line in capsule.lines if isinstance(line, GameLaid)]
    looks = [line for line in capsule.lines if isinstance(line, PictureRead)]
    if not looks:
        return "no pictures of the whole table were kept"
    if len(laid) != 1 or laid[0].looks or laid[0].recipe is None:
        return "the camera had watched other tables before, or a real one"
    if any(line.frame not in capsule.frames for line in looks):
        return "not all pictures that were read were kept"
    return None


class _Ear:
    """Stands for the table: shows the watcher a snapshot and listens to it."""

    def __init__(self) -> None:
        self.snapshot = Snapshot()
        self.heard: list[Heard] = []

    # The watcher asks as it asks a running table; here nothing new ever comes.
    def wait(self, version: int, timeout_s: float) -> Snapshot:  # noqa: ARG002
        return self.snapshot

    def hear(self, reading: Reading, seq: int | None = None) -> None:
        self.heard.append(Heard(reading, seq))

    def notice_camera(self, status: CameraStatus) -> None:
        """Take no note: a capsule holds nothing of it."""


class _NoCamera:
    def read(self) -> None:
        return None

    def close(self) -> None:
        """Do nothing: the pictures are handed in."""


def _look_again(capsule: Capsule, moments: tuple[Moment, ...]) -> Iterator[Heard]:
    """Yield what a watcher reports that was taught and shown the same."""
    recipe = next(x.recipe for x in capsule.lines if isinstance(x, GameLaid))
    assert isinstance(recipe, Recipe)
    game, stand_in = find(recipe.game), table_of(recipe.game)
    assert stand_in is not None
    box = capsule.start.header.box
    assert capsule.start.game is game
    _, reader = drawn_table(stand_in, box, recipe.seed, recipe.light)
    ear = _Ear()
    watcher = TableWatcher(
        ear,
        "capsule",
        _NoCamera(),
        reader,
        StillnessLimits(),
        lambda: 0.0,
        reader.framing,
        Hooks(keep=fingerprint),
    )
    for line in capsule.lines:
        if isinstance(line, PictureRead):
            picture = decode_png(capsule.frames[line.frame])
            if frame_name(picture) != line.frame:
                raise PictureUnreadable(f"picture {line.frame} is another one now")
            watcher.look(picture, first=line.first)
        elif isinstance(line, ReadingHanded):
            known = [m.shown for m in moments if m.version <= line.version]
            watcher.hand_over(known[-1] if known else Snapshot(), line.taken_at)
            yield from ear.heard
            ear.heard = []


def _bare(reading: Reading) -> Reading:
    """Return a reading without names of pictures: JPEG differs from maker to maker."""
    return replace(
        reading,
        glimpses=tuple(replace(one, evidence_id=None) for one in reading.glimpses),
        choices=tuple(replace(one, evidence_id=None) for one in reading.choices),
    )


def _press_again(capsule: Capsule, again: ReplayedCapsule) -> tuple[int, str | None]:
    """Return how many presses came out the same, and the first that did not."""
    same = 0
    for button in dict.fromkeys(x for x in capsule.lines if isinstance(x, Button)):
        mine = _presses(button, capsule)
        theirs = [
            (sight, told.reading.taken_at)
            for told in again.pressed
            for sight in (told.reading.glimpses[0].sight,)
            if isinstance(sight, Pressed)
            and (sight.button.partition(".")[0], sight.seat)
            == (button.name, button.seat)
        ]
        if mine != theirs:
            return same, f"a press of button {button.label}"
        same += len(theirs)
    return same, None


def _presses(button: Button, capsule: Capsule) -> list[tuple[Pressed, float]]:
    """Return what the edges of a button come to."""
    rules = edges.PressTimes(long_s=button.long_s, double_s=button.double_s)
    contact = edges.start(closed=False, at_s=button.at_s)
    told: tuple[edges.ContactEvent, ...] = ()
    for line in capsule.lines:
        if isinstance(line, Edge) and line.label == button.label:
            contact, news = edges.hear(contact, rules, line.closed, line.at_s)
            told += news
    _, news = edges.wait(contact, rules, contact.since_s + FOREVER_S)
    return [
        (Pressed(button.name + SUFFIX[one.kind], button.seat), one.at_s)
        for one in (*told, *news)
        if one.kind in SUFFIX
    ]
