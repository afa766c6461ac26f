"""Writes down what a running table is told, beside the pictures of its game.

Takes everything at once and writes in a thread of its own: a slow or full disk loses
lines, never a move. Pictures that a watcher read are kept only where somebody asked for
it, of the table alone, without loss.
"""

import logging
import queue
import threading
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from companion.capsule.input_log import (
    Button,
    Edge,
    GameLaid,
    InputLine,
    PictureRead,
    ReadingHanded,
    Recipe,
    command_line,
    encode,
)
from companion.files import write_whole
from companion.running.commands import Adopt, Amend, Command, Heard, Rest, TakeBack
from companion.running.snapshot import Snapshot
from companion.table import Claim
from vision.arrays import Picture
from vision.camera.files import encode_png

logger = logging.getLogger(__name__)

INPUT_LOG_NAME = "told.jsonl"
FRAMES = "frames"

MOST_WAITING = 5_000
"""Lines that wait for the disk at most; further ones are lost."""

MOST_BYTES = 5_000_000
"""Of one game's journal. A long game has 200 kB; a button with a loose wire might fill
the card."""

MOST_FRAMES_WAITING = 8
"""Pictures that wait for it: one of 1280 x 720 has 2.8 MB."""

STOP_S = 10.0
"""How long the end of the program waits for a disk that hangs."""


class _Seen(Struct, frozen=True):
    """A picture that a watcher read."""

    picture: Picture
    first: bool


class _On(Struct, frozen=True):
    """A game came onto the table, or went: then *laid* is None."""

    game_id: str
    laid: GameLaid | None


_Item: TypeAlias = InputLine | _Seen | _On


class InputRecorder:
    """Keeps what the game on the table is told; every call returns at once.

    Args:
        folder: Where each game has its folder.
        recipe: The drawn table that is looked at, None for a real one.
        frames_bytes: How much may be kept of the pictures that a watcher reads, in all;
            0 keeps none.
        trouble: Told why lines are lost, and None once one is written again; in any
            thread.
    """

    def __init__(
        self,
        folder: Path,
        recipe: Recipe | None = None,
        frames_bytes: int = 0,
        trouble: Callable[[str | None], object] = lambda _: None,
    ) -> None:
        self._folder = folder
        self._recipe = recipe
        self._frames_left = frames_bytes
        self._keeps_frames = frames_bytes > 0
        self._queue: queue.Queue[_Item | None] = queue.Queue(MOST_WAITING)
        self._waiting = threading.Semaphore(MOST_FRAMES_WAITING)
        self._buttons: list[Button] = []
        self._game_id: str | None = None
        self._looks = 0
        self._said = False
        self._trouble = trouble
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)

    def start(self) -> None:
        """Begin to write."""
        self._thread.start()

    def stop(self) -> None:
        """Write what waits, then stop."""
        self._put(None)
        if self._thread.is_alive():
            self._thread.join(STOP_S)

    # What the writer thread, the buttons and the camera tell.

    def note_game(self, shown: Snapshot) -> None:
        """Note that a game came to lie on the table."""
        assert shown.game_id is not None
        assert shown.story is not None
        seq, version = shown.story.seq, shown.version
        line = GameLaid(seq, version, shown.lying, self._recipe, self._looks)
        self._put(_On(shown.game_id, line))

    def note_put_away(self) -> None:
        """Note that the game was put away."""
        self._put(_On("", None))

    def note_command(
        self, command: Command, at: float, before: Snapshot, after: Snapshot
    ) -> None:
        """Note a command that was carried out at a time of day."""
        if before.story is None or after.story is None:
            return
        if isinstance(command, Heard | Claim | TakeBack | Amend | Adopt | Rest):
            seqs = before.story.seq, after.story.seq
            self._put(command_line(command, at, *seqs, after.version))

    def note_button(self, button: Button) -> None:
        """Note a button that is listened to."""
        self._buttons.append(button)
        # A game that was put back at the start lies there before buttons are opened.
        self._put(button)

    def note_edge(self, label: str, closed: bool, at_s: float) -> None:
        """Note that a button's contact closed or opened."""
        self._put(Edge(label, closed, at_s))

    def note_picture(self, picture: Picture, *, first: bool) -> None:
        """Note a picture of the table alone that a watcher read."""
        self._looks += 1
        if not self._keeps_frames:
            return
        if self._waiting.acquire(blocking=False):
            self._put(_Seen(picture, first))
        else:
            self._put(PictureRead("", first))

    def note_handed_over(self, version: int, taken_at: float) -> None:
        """Note that a watcher held what it had read against a snapshot."""
        if self._keeps_frames:
            self._put(ReadingHanded(version, taken_at))

    def _put(self, item: _Item | None) -> None:
        try:
            self._queue.put_nowait(item)
        except queue.Full:
            self._lose("the disk does not keep up")

    def _lose(self, why: str) -> None:
        """Say once that lines are lost, till one is written again."""
        if not self._said:
            logger.warning("the journal loses lines: %s", why)
            self._trouble(why)
        self._said = True

    # What the recorder's own thread does.

    def _run(self) -> None:
        while (item := self._queue.get()) is not None:
            try:
                self._write(item)
            except OSError as error:
                self._lose(str(error))

    def _write(self, item: _Item) -> None:
        match item:
            case _On():
                self._game_id = item.game_id or None
                if item.laid is not None:
                    self._append(item.laid, *self._buttons)
            case _Seen():
                self._append(PictureRead(self._frame(item.picture), item.first))
            case _:
                self._append(item)

    def _append(self, *lines: InputLine) -> None:
        if self._game_id is None:
            return
        path = self._folder / self._game_id / INPUT_LOG_NAME
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with path.open("ab") as file:
            if file.tell() > MOST_BYTES:
                self._lose(f"{path} is full")
                return
            # What a power cut tore must not take the next line along.
            first = b"\n" if isinstance(lines[0], GameLaid) and file.tell() else b""
            file.write(first + b"".join(encode(line) + b"\n" for line in lines))
        if self._said:
            self._trouble(None)
        self._said = False

    def _frame(self, picture: Picture) -> str:
        """Keep a picture; return its name, "" where it cannot be kept."""
        self._waiting.release()
        if self._game_id is None or self._frames_left <= 0:
            return ""
        name = frame_name(picture)
        folder = self._folder / self._game_id / FRAMES
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            coded = encode_png(picture)
            write_whole(folder / f"{name}.png", coded)
        except OSError:
            return ""
        self._frames_left -= len(coded)
        return name


def frame_name(picture: Picture) -> str:
    """Return the name of a picture ``(h, w, 3)``: the fingerprint of its pixels."""
    shape = "x".join(map(str, picture.shape)).encode()
    return blake2b(picture.tobytes(), digest_size=12, key=shape).hexdigest()
