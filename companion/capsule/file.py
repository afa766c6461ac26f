"""A game as one file that can be played again to the bit: bug report and test in one.

Holds the entries, the inputs (`companion.capsule.input_log`), the pictures that
entries rest on and those that a watcher read, of the table alone. Before a game is over
its secrets are left out unless somebody asks for them.
"""

import io
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import IO

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.capsule.input_log import (
    LEFT_OUT,
    CommandLine,
    GameLaid,
    InputLine,
    PictureRead,
    ReadingHanded,
    command_of,
    decode,
    encode,
)
from companion.files import BROKEN_ZIP, read_part
from companion.games.core import (
    Legal,
    Refused,
)
from companion.games.hidden import (
    is_of_memory,
    redact,
)
from companion.referee.decisions import Thresholds
from companion.running.commands import Heard
from companion.running.reducer import carry_out, with_story
from companion.running.snapshot import Snapshot
from companion.running.storage.game_file import (
    BadRecord,
    BreakingPoint,
    Replayed,
    as_json,
    entries_of,
    verdict_on,
)
from companion.story.codec import encode as encode_entry
from companion.story.evidence import shown_to_all
from companion.story.log import BadLog, Entry, Made, Story, extend
from companion.table import LinePart

SCHEMA = "dragon-table/capsule/1"

ABOUT, GAME, TOLD = "capsule.json", "game.json", "told.jsonl"
PICTURES, FRAMES = "pictures/", "frames/"

MOST_BYTES = 64_000_000
"""Of one file in a capsule, unpacked: a picture of 50 megapixels as PNG."""

MOST_IN_ALL = 1_300_000_000
"""Of all of them: 200 MB are kept of pictures, 1000 MB of what a demo reads."""

OTHER = LinePart("core.capsule.other")
"""Replaying the inputs gives another entry than the one that was stored."""

_DAY = (1980, 1, 1, 0, 0, 0)  # the same game makes the same file


class About(Struct, frozen=True):
    """What a capsule says of itself: its files by name, each with its fingerprint.

    *secrets* says that nothing was left out.
    """

    schema: str
    game_id: str
    secrets: bool
    files: dict[str, str]


class Capsule(Struct, frozen=True):
    """An opened capsule: the entries, what the table was told, and its pictures."""

    about: About
    entries: tuple[Entry, ...]
    start: Story
    lines: tuple[InputLine, ...]
    frames: dict[str, bytes]


class Moment(Struct, frozen=True):
    """The table after a command, as a watcher could see it."""

    version: int
    shown: Snapshot


class ReplayedCapsule(Struct, frozen=True):
    """A capsule played again.

    *commands* is how many were carried out again, *left_out* how many entries stand as
    they were: nobody kept where they came from, or they tell a secret. *moments* are
    the snapshots on the way, *heard* what a watcher read, *pressed* what buttons did.
    """

    replayed: Replayed
    commands: int
    left_out: int
    moments: tuple[Moment, ...]
    heard: tuple[Heard, ...]
    pressed: tuple[Heard, ...]


# Packing.


def pack(
    to: IO[bytes], game_id: str, story: Story, folder: Path, *, secrets: bool = False
) -> None:
    """Write a capsule of a game to an open file.

    Args:
        to: Where it is written; must be able to seek.
        game_id: The game.
        story: All of it.
        folder: Where pictures and journal of this game are; need not exist.
        secrets: Leave nothing out though the game is not over.

    Raises:
        OSError: The file cannot be written, or the disk cannot be read.
    """
    bare = secrets or story.game.outcome(story.state) is not None
    told = b"".join(
        encode(one) + b"\n" for one in _input_lines(story, folder, bare=bare)
    )
    files: dict[str, str] = {}
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as packed:

        def add(name: str, content: bytes) -> None:
            files[name] = blake2b(content, digest_size=16).hexdigest()
            packed.writestr(zipfile.ZipInfo(name, _DAY), content)

        add(GAME, as_json(game_id, story, secrets=secrets))
        add(TOLD, told)
        for name, path in _pictures(story, folder, bare=bare):
            # The store may make room at this moment.
            with suppress(FileNotFoundError):
                add(name, path.read_bytes())
        about = About(SCHEMA, game_id, bare, files)
        packed.writestr(zipfile.ZipInfo(ABOUT, _DAY), msgspec.json.encode(about))


def _pictures(story: Story, folder: Path, *, bare: bool) -> Iterator[tuple[str, Path]]:
    """Yield the pictures that may be taken along, each with its name in the capsule."""
    shown = shown_to_all(story)
    # No entry rests on the photo of the final table: that shows people too, and stays.
    for path in sorted(folder.glob("*-*.jpg")):
        name = path.stem.partition("-")[2]
        if bare or name in shown:
            yield f"{PICTURES}{path.name}", path
    if bare or not is_of_memory(story.state):
        for path in sorted((folder / "frames").glob("*.png")):
            yield f"{FRAMES}{path.name}", path


def _input_lines(story: Story, folder: Path, *, bare: bool) -> Iterator[InputLine]:
    """Yield the lines of an input log, commands that tell a secret left out."""
    path = folder / TOLD
    lines = decode(path.read_bytes()) if path.exists() else ()
    if bare:
        yield from lines
        return
    hides = is_of_memory(story.state)
    open_seqs = {e.seq for e in story.entries if redact(e.body, None) is e.body}
    for line in lines:
        if isinstance(line, CommandLine):
            made = range(line.before + 1, line.seq + 1)
            tells = hides or not all(seq in open_seqs for seq in made)
            # What came to nothing may have named a card all the same.
            if tells or (not made and line.kind in ("Claim", "Amend")):
                yield replace(line, order=LEFT_OUT)
                continue
        elif hides and isinstance(line, PictureRead | ReadingHanded):
            continue
        yield line


# Opening.


def unpack(content: bytes) -> Capsule:
    """Return an opened capsule.

    Raises:
        BadRecord: It is none, is torn, or one of its files was changed.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            about = msgspec.json.decode(_read(packed, ABOUT), type=About)
            if about.schema != SCHEMA:
                raise BadRecord(f"a capsule of another kind ({about.schema})")
            if sum(part.file_size for part in packed.infolist()) > MOST_IN_ALL:
                raise BadRecord("the capsule is too large to be one of ours")
            files = {name: _checked(packed, about, name) for name in about.files}
        lines = decode(files[TOLD])
        entries, start = entries_of(files[GAME].decode())
    except BROKEN_ZIP as error:
        if isinstance(error, BadRecord):
            raise
        raise BadRecord(
            f"not a whole capsule of Dragon Table: {_line(error)}"
        ) from error
    frames = {
        name.removeprefix(FRAMES).removesuffix(".png"): content
        for name, content in files.items()
        if name.startswith(FRAMES)
    }
    return Capsule(about, entries, start, lines, frames)


def _read(packed: zipfile.ZipFile, name: str) -> bytes:
    part = packed.getinfo(name)
    if part.file_size > MOST_BYTES:
        raise BadRecord(f"{name} in the capsule is too large to be one of ours")
    return read_part(packed, part)


def _checked(packed: zipfile.ZipFile, about: About, name: str) -> bytes:
    content = _read(packed, name)
    if blake2b(content, digest_size=16).hexdigest() != about.files[name]:
        raise BadRecord(f"{name} in the capsule was changed; ask for it again")
    return content


def _line(error: BaseException) -> str:
    return " ".join(str(error.args[0] if error.args else error).split())


# Replaying.


def replay_log(capsule: Capsule, thresholds: Thresholds) -> ReplayedCapsule:
    """Return what comes of replaying the inputs into a fresh table.

    Each entry must come out as it was written, to the bit; `stop` of the result is the
    first that does not.
    """
    return _Replay(capsule, thresholds).run()


class _Replay:
    """One run through a capsule."""

    def __init__(self, capsule: Capsule, thresholds: Thresholds) -> None:
        self._entries = capsule.entries
        self._lines = capsule.lines
        self._thresholds = thresholds
        self._shown = Snapshot(game_id=capsule.about.game_id, story=capsule.start)
        self._commands = self._left_out = 0
        self._moments: list[Moment] = []
        self._heard: dict[str, list[Heard]] = {"camera": [], "button": []}

    @property
    def _story(self) -> Story:
        assert self._shown.story is not None
        return self._shown.story

    def run(self) -> ReplayedCapsule:
        stop = None
        for line in self._lines:
            if stop is None and isinstance(line, GameLaid | CommandLine):
                stop = self._follow(line)
        stop = stop or self._fill_up(self._entries[-1].seq)
        return ReplayedCapsule(
            Replayed(self._story, stop),
            self._commands,
            self._left_out,
            tuple(self._moments),
            tuple(self._heard["camera"]),
            tuple(self._heard["button"]),
        )

    def _follow(self, line: GameLaid | CommandLine) -> BreakingPoint | None:
        """Do what a line says; return why it does not come out the same."""
        if isinstance(line, GameLaid):
            stop = self._fill_up(line.seq)
            fresh = Snapshot(game_id=self._shown.game_id, lying=line.lying)
            self._show(with_story(fresh, self._story), line)
            return stop
        command = command_of(line)
        if command is None:
            stop = self._fill_up(line.seq)
            self._show(with_story(self._shown, self._story), line)
            return stop
        stop = self._fill_up(line.before)
        if stop is not None:
            return stop
        if isinstance(command, Heard) and command.reading.source in self._heard:
            self._heard[command.reading.source].append(command)
        shown = carry_out(self._shown, command, line.at, self._thresholds).shown
        self._commands += 1
        self._show(shown, line)
        return self._compare(line)

    def _show(self, shown: Snapshot, line: GameLaid | CommandLine) -> None:
        self._shown = replace(shown, version=line.version)
        self._moments.append(Moment(line.version, self._shown))

    def _compare(self, line: CommandLine) -> BreakingPoint | None:
        """Return the first entry that is not what was written; None for none."""
        made = self._story.entries[line.before + 1 :]
        wanted = self._entries[line.before + 1 : line.seq + 1]
        for mine, theirs in zip(made, wanted, strict=False):
            if encode_entry(mine) != encode_entry(theirs):
                return BreakingPoint(theirs.seq, _told_as(theirs), OTHER)
        if len(made) != len(wanted):
            return BreakingPoint(line.seq, line.kind, OTHER)
        return None

    def _fill_up(self, upto: int) -> BreakingPoint | None:
        """Take stored entries over of which no input was kept."""
        for entry in self._entries[self._story.seq + 1 : upto + 1]:
            stop = _refusal(self._story, entry)
            if stop is not None:
                return stop
            story = extend(self._story, entry.body, entry.at)
            self._shown = replace(self._shown, story=story)
            self._left_out += 1
        return None


def _told_as(entry: Entry) -> str:
    return type(entry.body).__name__.lower()


def _refusal(story: Story, entry: Entry) -> BreakingPoint | None:
    """Return why an entry cannot follow; one with a secret cut out cannot be judged."""
    try:
        if isinstance(entry.body, Made):
            verdict = verdict_on(story, entry.body.move)
            if isinstance(verdict, Refused):
                text = story.game.notate(story.state, entry.body.move)
                why = LinePart(verdict.reason, verdict.params)
                return BreakingPoint(entry.seq, text, why, verdict)
            if not isinstance(verdict, Legal):
                extend(story, entry.body, entry.at)
            return None
        extend(story, entry.body, entry.at)
    except (BadLog, ValueError, AssertionError):
        return BreakingPoint(
            entry.seq, _told_as(entry), LinePart("core.capsule.left_out")
        )
    return None
