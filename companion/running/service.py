"""The running table: one inbox, one writer thread, one snapshot for everybody.

Only the writer changes anything. Cameras, buttons and phones put messages into the
inbox; pages and lamps read the snapshot that the writer leaves after each of them.
"""

import logging
import queue
import threading
from collections.abc import Callable, Mapping
from typing import TypeAlias

from msgspec.structs import replace

from companion.games.core import BadSetup
from companion.kits.kit import Kit
from companion.referee.decisions import Thresholds
from companion.running.commands import Command
from companion.running.inbox import Inbox
from companion.running.phones import Phones
from companion.running.reducer import carry_out, done_at, with_story
from companion.running.shelf import Shelf, line_of, new_story, on_kit, without_name
from companion.running.snapshot import (
    Answer,
    ButtonStatus,
    Done,
    PhoneToken,
    Rejected,
    Setup,
    Snapshot,
    StoredGame,
)
from companion.running.storage.store import Store
from companion.running.storage.stored import NoSuchGame
from companion.running.storage.trouble import StoreTrouble
from companion.running.unsaved import Unsaved
from companion.running.wishes import (
    ChangeBox,
    Clock,
    Delete,
    Forget,
    Leave,
    Resume,
    RevokeTokens,
    Sync,
    TableWitness,
    TakeKit,
    Wish,
)
from companion.story.log import Story
from companion.table import Cue, LinePart, Seat, Word

logger = logging.getLogger(__name__)

RETRY_S = 1.0
"""How often a full or failing disk is tried again; the page warns within this time."""

Finger: TypeAlias = Callable[[str, Seat | None], None]
"""Presses a simulated pin: the button's name, and its seat if it has one."""


class Table(Inbox):
    """A running table; implements `companion.running.snapshot.RunningTable`.

    Args:
        store: The open store; after `start` only the writer thread writes to it.
        kits: The owner's kits by name; the stand-in needs no entry.
        clock: Where time comes from.
        new_id: Gives a new game its id, unguessable and never used before.
        stage: Plays a cue to players, by their names; must return at once and never
            raise.
        thresholds: How sure a glimpse must be.
        alive: Called at least every RETRY_S by the writer.
        witness: Notes what happens; None where nobody does.

    `failed` is set when the writer met a fault of its own and the program should end.
    """

    def __init__(
        self,
        store: Store,
        kits: Mapping[str, Kit],
        clock: Clock,
        new_id: Callable[[], str],
        stage: Callable[[Cue, tuple[str, ...]], None],
        thresholds: Thresholds,
        alive: Callable[[], object] = lambda: None,
        witness: TableWitness | None = None,
    ) -> None:
        super().__init__()
        self._store = store
        self._unsaved = Unsaved(store, clock.monotonic)
        self._kits = dict(kits)
        self._clock = clock
        self._new_id = new_id
        self._stage = stage
        self._thresholds = thresholds
        self._alive = alive
        self._witness = witness
        self._finger: Finger | None = None
        self.failed = threading.Event()
        self._changed = threading.Condition()
        self._shelf = Shelf(store, self._unsaved)
        self._phones = Phones(store, self._unsaved)
        self._read_from = store.readable
        self._snapshot = Snapshot(warnings=self._warnings())
        self._writer = threading.Thread(target=self._write, name="writer", daemon=True)

    # What edges may call, in any thread.

    def start(self) -> None:
        """Put the game that was on the table back on it, and begin to listen."""
        try:
            game_id = self._store.on_the_table()
        except StoreTrouble as error:
            logger.warning("which game was on the table cannot be read: %s", error)
            game_id = None
        if game_id is not None:
            self._put_back(game_id)
        self._writer.start()

    def stop(self) -> None:
        """Carry out what is in the inbox, then end the writer."""
        self._inbox.put(None)
        if self._writer.is_alive():
            self._writer.join()
        if self._unsaved and not self._unsaved.flush():
            logger.error("not all that happened is saved: %s", self._unsaved.trouble)

    @property
    def snapshot(self) -> Snapshot:
        """Return the newest snapshot."""
        return self._snapshot

    def wait(self, version: int, timeout_s: float) -> Snapshot:
        """Return the newest snapshot once it is not *version* any more, or in time."""
        with self._changed:
            self._changed.wait_for(lambda: self._snapshot.version != version, timeout_s)
            return self._snapshot

    def notice_buttons(
        self, status: ButtonStatus, finger: Finger | None = None
    ) -> None:
        """Take note of how the buttons are; *finger* presses simulated ones."""
        self._finger = finger
        self._inbox.put((status, None))

    def sync(self) -> Snapshot:
        """Return the snapshot once all that is in the inbox by now is carried out."""
        self._ask(Sync())
        return self._snapshot

    def story(self, game_id: str) -> Story:
        """Return a stored game; nothing of it is cut out yet.

        Raises:
            LookupError: There is no such game, or it cannot be read.
        """
        shown = self._snapshot
        if shown.story is not None and shown.game_id == game_id:
            return shown.story
        return self._shelf.story(game_id)

    def kept_aside(self) -> tuple[str, ...]:
        """Return the names of damaged files that are kept beside the games'."""
        return self._store.kept_aside()

    def press(self, button: str, seat: Seat | None) -> None:
        """Press a simulated pin, as a finger would.

        Raises:
            LookupError: There is no such button, or the pins are real.
            queue.Full: Too many presses of it wait already.
        """
        if self._finger is None:
            raise LookupError("no simulated pins; press the button itself")
        self._finger(button, seat)

    def games(self) -> tuple[StoredGame, ...]:
        """Return all stored games, the newest first."""
        return self._shelf.games

    def kits(self, game: str) -> tuple[str, ...]:
        """Return the names of the owner's kits for a game."""
        return tuple(name for name, kit in self._kits.items() if kit.game == game)

    def tokens(self) -> tuple[PhoneToken, ...]:
        """Return what phones were let in with."""
        return self._phones.tokens

    def tokens_with(self, digest: str) -> tuple[PhoneToken, ...]:
        """Return what the phone whose token has this hash was let in with, by games."""
        return self._phones.with_hash(digest)

    def tokens_of(self, game_id: str | None) -> tuple[PhoneToken, ...]:
        """Return what phones were let into a game with; None for the table itself."""
        return self._phones.of_game(game_id)

    # What the writer does, alone.

    def _write(self) -> None:
        while True:
            # Fed from here and not from a timer: a table that hangs must not look well.
            self._alive()
            try:
                message = self._inbox.get(timeout=RETRY_S)
            except queue.Empty:
                self._catch_up()
                continue
            if message is None:
                return
            wish, answer = message
            try:
                done = self._carry_out(wish)
                if isinstance(done, Done):
                    done = replace(done, stored=self._snapshot.stored)
            except BaseException as error:
                # A fault of our own. What is on disk is sound: ending the program and
                # starting it again is better than a page that never changes any more.
                self.failed.set()
                if answer is not None:
                    answer.set_exception(error)
                raise
            if answer is not None:
                answer.set_result(done)

    def _carry_out(self, wish: Wish) -> Answer:
        match wish:
            case Setup() | ChangeBox():
                return self._open(wish)
            case Resume():
                return self._resume(wish.game_id)
            case Leave():
                return self._leave()
            case Forget() | Delete():
                return self._erase(wish)
            case PhoneToken() | RevokeTokens():
                self._phones.carry_out(wish)
                # Streams ask again who listens whenever there is something new.
                self._publish(self._snapshot)
                return done_at(self._snapshot)
            case Sync():
                return done_at(self._snapshot)
            case TakeKit():
                self._kits = {**self._kits, wish.name: wish.kit}
                return done_at(self._snapshot)
            case _:
                return self._in_game(wish)

    def _in_game(self, command: Command) -> Answer:
        at, before = self._clock.wall(), self._snapshot
        result = carry_out(before, command, at, self._thresholds)
        # What came too late or twice changes nothing: no phone is told of that.
        if result.shown is not before:
            self._publish(result.shown)
        if self._witness is not None:
            self._witness.note_command(command, at, before, self._snapshot)
        story = self._snapshot.story
        names = story.header.players if story is not None else ()
        for cue in result.cues:
            self._stage(cue, names)
        return result.answer

    def _open(self, wish: Setup | ChangeBox) -> Answer:
        """Begin a game, or let what was played go on on another box, as a new one."""
        if isinstance(wish, ChangeBox):
            found = on_kit(self._snapshot.story, self._kits, wish.kit)
            return (
                Rejected(found) if isinstance(found, LinePart) else self._begin(found)
            )
        try:
            story = new_story(wish, self._kits, self._clock.wall())
        except (BadSetup, LookupError) as error:
            why = str(error.args[0] if error.args else error)
            return Rejected(LinePart("core.bad_setup", (("why", why),)))
        return self._begin(story)

    def _resume(self, game_id: str) -> Answer:
        try:
            story = self._shelf.resume(game_id)
        except (StoreTrouble, NoSuchGame) as error:
            return Rejected(line_of(error))
        return self._lay_anew(game_id, story)

    def _begin(self, story: Story) -> Answer:
        """Put a game that is not stored yet in the place of the one on the table."""
        self._shelf.put_away(self._snapshot.game_id)
        self._shelf.begin()
        return self._lay_anew(self._new_id(), story)

    def _lay_anew(self, game_id: str, story: Story) -> Answer:
        """Put a game on the table at which everybody's phone keeps their seat."""
        names = story.header.players
        self._phones.keep_seats(game_id, names, self._shelf.games)
        return self._lay(game_id, story)

    def _put_back(self, game_id: str) -> None:
        """Lay the game that ran on the table again."""
        story = self._shelf.put_back(game_id)
        if story is None:
            self._publish(self._snapshot)
        else:
            self._lay(game_id, story)

    def _lay(self, game_id: str, story: Story) -> Answer:
        """Put a game on the table; what lies there by now nobody has seen yet."""
        shown = replace(
            self._snapshot, game_id=game_id, lying=None, unseen=bool(story.steps)
        )
        self._publish(with_story(shown, story))
        if self._witness is not None:
            self._witness.note_game(self._snapshot)
        return done_at(self._snapshot)

    def _leave(self) -> Answer:
        self._shelf.put_away(self._snapshot.game_id)
        if self._witness is not None:
            self._witness.note_put_away()
        bare = replace(
            self._snapshot, game_id=None, story=None, offers=(), notice=None,
            refused=None, back=None,
        )  # fmt: skip
        self._publish(bare)
        return done_at(self._snapshot)

    def _erase(self, command: Forget | Delete) -> Answer:
        """Delete for good: refused in one line while the disk does not take it."""
        if isinstance(command, Delete) and command.game_id == self._snapshot.game_id:
            return Rejected(LinePart("core.on_the_table"))
        refused = self._shelf.erase(command)
        if refused is None and isinstance(command, Delete):
            self._phones.drop_game(command.game_id)
        elif refused is None and isinstance(command, Forget):
            self._forget(command.name)
        self._publish(self._snapshot)
        if refused is not None:
            return Rejected(refused)
        if self._unsaved.trouble is not None:
            why = ("why", Word(self._unsaved.trouble.why))
            return Rejected(LinePart("core.not_wiped", (why,)))
        return done_at(self._snapshot)

    def _forget(self, name: str) -> None:
        """Take a name that the store has forgotten off the table."""
        story = self._snapshot.story
        if story is not None:
            story = without_name(story, name)
            self._snapshot = replace(self._snapshot, story=story)

    def _publish(self, shown: Snapshot) -> None:
        """Keep what is new on disk, then let everybody see it."""
        self._shelf.hand_on(shown.game_id, shown.story)
        if self._unsaved.may_try():
            self._save()
        self._show(shown)

    def _save(self) -> None:
        if self._unsaved or self._unsaved.trouble is not None:
            before = self._unsaved.trouble
            self._unsaved.flush()
            if self._unsaved.trouble is not None and before is None:
                logger.error("%s; the game goes on", self._unsaved.trouble)
            self._look_again()

    def _show(self, shown: Snapshot) -> None:
        version = self._snapshot.version + 1
        stored, warnings = not self._unsaved, self._warnings()
        shown = replace(shown, version=version, stored=stored, warnings=warnings)
        with self._changed:
            self._snapshot = shown
            self._changed.notify_all()

    def _look_again(self) -> None:
        """List what the file holds, where it could not be read before."""
        if self._unsaved or self._store.readable == self._read_from:
            return
        try:
            self._shelf.reread()
            self._phones.reread()
        except StoreTrouble as error:
            logger.warning("the games cannot be listed: %s", error)
            return
        self._read_from = self._store.readable

    def _warnings(self) -> tuple[LinePart, ...]:
        """Return what people must know: first of all what is not saved."""
        unsaved = self._unsaved.warning()
        lines = (unsaved, self._shelf.mishap, *self._store.mishaps)
        return tuple(line for line in lines if line is not None)

    def _catch_up(self) -> None:
        """Try a disk again that refused, and use the time in which nobody acts."""
        self._unsaved.fold()
        if self._unsaved.trouble is not None and self._unsaved.may_try():
            before = self._warnings()
            self._save()
            if before != self._warnings():
                self._show(self._snapshot)
