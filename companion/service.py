"""The running table: one inbox, one writer thread, one snapshot for everybody.

Only the writer changes anything. Cameras, buttons and phones put messages into the
inbox; pages and lamps read the snapshot that the writer leaves after each of them.
"""

import logging
import queue
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Protocol, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from companion.archive import Archive
from companion.decisions import Thresholds
from companion.desk import carry_out, done, with_story
from companion.games import find
from companion.games.core import BadSetup
from companion.kit import Kit, stand_in
from companion.log import BadLog, Header, Story, begin
from companion.orders import Adopt, Amend, Heard, Lacks, Rest, TableOrder, TakeBack
from companion.power import Power
from companion.snapshot import (
    Answer,
    Eye,
    Missing,
    Pins,
    Rejected,
    Setup,
    Snapshot,
    StoredGame,
    Token,
)
from companion.store import Store, StoreTrouble
from companion.table import Claim, Cue, LinePart, Reading, Seat

logger = logging.getLogger(__name__)

RETRY_S = 1.0
"""How often a full or failing disk is tried again; the page warns within this time."""

ANSWER_S = 10.0
"""A write that takes longer than this has failed for the one who waits for it."""


class Clock(Struct, frozen=True):
    """Where time comes from: *monotonic* measures, *wall* is only shown to people."""

    monotonic: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time


class Resume(Struct, frozen=True):
    """A wish to put a stored game on the table."""

    game_id: str


class Leave(Struct, frozen=True):
    """A wish to put the game away."""


class Forget(Struct, frozen=True):
    """A wish to delete a player's name from everything."""

    name: str


class Delete(Struct, frozen=True):
    """A wish to delete a stored game."""

    game_id: str


class TakeKit(Struct, frozen=True):
    """A kit that is new or has changed, for the next game."""

    name: str
    kit: Kit


class PutOut(Struct, frozen=True):
    """A wish to let some phones in no more, by the hashes of their tokens."""

    hashes: frozenset[str]


Order: TypeAlias = (
    Heard
    | Claim
    | TakeBack
    | Amend
    | Rest
    | Adopt
    | Setup
    | Resume
    | Leave
    | Forget
    | Delete
    | Token
    | PutOut
    | TakeKit
    | Eye
    | Pins
    | Power
    | Lacks
)


class Witness(Protocol):
    """Notes what happens at a table; each call returns at once and never raises."""

    def laid(self, shown: Snapshot) -> None:
        """Note that a game came to lie on the table."""

    def left(self) -> None:
        """Note that the game was put away."""

    def told(
        self, order: TableOrder, at: float, before: Snapshot, after: Snapshot
    ) -> None:
        """Note an order that was carried out at a time of day."""


class Table:
    """A running table; implements `companion.snapshot.RunningTable`.

    Args:
        store: The open store; after `start` only the writer thread writes to it.
        kits: The owner's kits by name; the stand-in needs no entry.
        clock: Where time comes from.
        new_id: Gives a new game its id, unguessable and never used before.
        stage: Plays a cue; must return at once and never raise.
        thresholds: How sure a glimpse must be.

    `finger` presses a simulated pin; it stays None where the pins are real. `failed`
    is set when the writer met a fault of its own and the program should end. `alive` is
    called at least every RETRY_S by the writer, and `witness` is told what happens; set
    both before `start`. `eye_stuck` tells whether only the end of the program gives the
    camera back.
    """

    def __init__(
        self,
        store: Store,
        kits: Mapping[str, Kit],
        clock: Clock,
        new_id: Callable[[], str],
        stage: Callable[[Cue], None],
        thresholds: Thresholds,
    ) -> None:
        self._store = store
        self._archive = Archive(store.path)
        self._kits = dict(kits)
        self._clock = clock
        self._new_id = new_id
        self._stage = stage
        self._thresholds = thresholds
        self.finger: Callable[[str, Seat | None], None] | None = None
        self.failed = threading.Event()
        self.alive: Callable[[], object] = lambda: None
        self.eye_stuck: Callable[[], bool] = lambda: False
        self.witness: Witness | None = None
        self._inbox: queue.Queue[tuple[Order, Future[Answer] | None] | None] = (
            queue.Queue()
        )
        self._changed = threading.Condition()
        self._snapshot = Snapshot(warning=store.warning)
        self._stored_upto = -1
        self._tokens = store.tokens()
        self._games = store.games()
        self._writer = threading.Thread(target=self._write, name="writer", daemon=True)

    # What edges may call, in any thread.

    def start(self) -> None:
        """Put the game that was on the table back on it, and begin to listen."""
        game_id = self._store.on_the_table()
        if game_id is not None:
            self._resume(game_id)
        self._writer.start()

    def stop(self) -> None:
        """Carry out what is in the inbox, then end the writer."""
        self._inbox.put(None)
        if self._writer.is_alive():
            self._writer.join()

    @property
    def snapshot(self) -> Snapshot:
        """Return the newest snapshot."""
        return self._snapshot

    def wait(self, version: int, timeout_s: float) -> Snapshot:
        """Return the newest snapshot once it is not *version* any more, or in time."""
        with self._changed:
            self._changed.wait_for(lambda: self._snapshot.version != version, timeout_s)
            return self._snapshot

    def hear(self, reading: Reading, seq: int | None = None) -> None:
        """Take a reading; *seq* drops it if the table has moved on since."""
        self._inbox.put((Heard(reading, seq), None))

    def notice_eye(self, eye: Eye) -> None:
        """Take note of how the camera is."""
        self._inbox.put((eye, None))

    def notice_pins(self, pins: Pins) -> None:
        """Take note of how the buttons are."""
        self._inbox.put((pins, None))

    def notice_power(self, power: Power) -> None:
        """Take note of how the Pi's supply and heat are."""
        self._inbox.put((power, None))

    def notice_missing(self, parts: tuple[Missing, ...]) -> None:
        """Take note of all that the table goes on without."""
        self._inbox.put((Lacks(parts), None))

    def act(self, claim: Claim) -> Answer:
        """Carry out a claimed move."""
        return self._ask(claim)

    def undo(self, seat: Seat | None, seq: int, key: str) -> Answer:
        """Take the last move back."""
        return self._ask(TakeBack(seat, seq, key))

    def amend(
        self, step: int, move: str, seat: Seat | None, seq: int, key: str
    ) -> Answer:
        """Put another move in the place of an earlier one."""
        return self._ask(Amend(step, move, seat, seq, key))

    def rest(self, *, pause: bool) -> Answer:
        """Pause the game, or go on with it; what happens meanwhile does not count."""
        return self._ask(Rest(pause))

    def adopt(self, seat: Seat | None, seq: int, key: str, house: bool) -> Answer:
        """Set the record to what lies on the table."""
        return self._ask(Adopt(seat, seq, key, house))

    def open_game(self, setup: Setup) -> Answer:
        """Begin a new game; the one on the table is put away."""
        return self._ask(setup)

    def resume(self, game_id: str) -> Answer:
        """Put a stored game back on the table."""
        return self._ask(Resume(game_id))

    def leave(self) -> Answer:
        """Put the game away and go back to the lobby."""
        return self._ask(Leave())

    def story(self, game_id: str) -> Story:
        """Return a stored game; nothing of it is cut out yet.

        Raises:
            LookupError: There is no such game, or it cannot be read.
        """
        shown = self._snapshot
        if shown.story is not None and shown.game_id == game_id:
            return shown.story
        return self._archive.story(game_id)

    def forget(self, name: str) -> Answer:
        """Put a seat's number in place of a player's name, in every game."""
        return self._ask(Forget(name))

    def delete(self, game_id: str) -> Answer:
        """Delete a stored game that does not lie on the table."""
        return self._ask(Delete(game_id))

    def press(self, button: str, seat: Seat | None) -> None:
        """Press a simulated pin, as a finger would.

        Raises:
            LookupError: There is no such button, or the pins are real.
            queue.Full: Too many presses of it wait already.
        """
        if self.finger is None:
            raise LookupError("no simulated pins; press the button itself")
        self.finger(button, seat)

    def games(self) -> tuple[StoredGame, ...]:
        """Return all stored games, the newest first."""
        return self._games

    def kits(self, game: str) -> tuple[str, ...]:
        """Return the names of the owner's kits for a game."""
        return tuple(name for name, kit in self._kits.items() if kit.game == game)

    def take_kit(self, name: str, kit: Kit) -> None:
        """Let a kit be played with from the next game on."""
        self._ask(TakeKit(name, kit))

    def tokens(self) -> tuple[Token, ...]:
        """Return what phones were let in with."""
        return self._tokens

    def add_token(self, token: Token) -> None:
        """Remember a phone, so that it stays in after a restart."""
        self._ask(token)

    def drop_tokens(self, hashes: frozenset[str]) -> None:
        """Forget the phones that were let in with these."""
        self._ask(PutOut(hashes))

    def _ask(self, order: Order) -> Answer:
        answer: Future[Answer] = Future()
        self._inbox.put((order, answer))
        return answer.result(ANSWER_S)

    # What the writer does, alone.

    def _write(self) -> None:
        while True:
            # Fed from here and not from a timer: a table that hangs must not look well.
            self.alive()
            try:
                message = self._inbox.get(timeout=RETRY_S)
            except queue.Empty:
                self._catch_up()
                continue
            if message is None:
                return
            order, answer = message
            try:
                done = self._carry_out(order)
            except BaseException as error:
                # A fault of our own. What is on disk is sound: ending the program and
                # starting it again is better than a page that never changes any more.
                self.failed.set()
                if answer is not None:
                    answer.set_exception(error)
                raise
            if answer is not None:
                answer.set_result(done)

    def _carry_out(self, order: Order) -> Answer:
        match order:
            case Setup():
                return self._open(order)
            case Resume():
                return self._resume(order.game_id)
            case Leave():
                return self._leave()
            case Forget() | Delete():
                return self._erase(order)
            case Token() | PutOut():
                return self._at_the_door(order)
            case TakeKit():
                self._kits = {**self._kits, order.name: order.kit}
                return done(self._snapshot)
            case _:
                return self._in_game(order)

    def _in_game(self, order: TableOrder) -> Answer:
        at, before = self._clock.wall(), self._snapshot
        result = carry_out(before, order, at, self._thresholds)
        self._publish(result.shown)
        if self.witness is not None:
            self.witness.told(order, at, before, self._snapshot)
        for cue in result.cues:
            self._stage(cue)
        return result.answer

    def _open(self, setup: Setup) -> Answer:
        try:
            game = find(setup.game)
            kit = self._kits[setup.kit] if setup.kit else stand_in(game)
            header = Header(
                game=game.id,
                players=setup.players,
                box=kit.box,
                options=setup.options,
                first=setup.first,
                kit=setup.kit or "",
                kit_hash=kit.digest(),
                meanings=kit.meanings,
            )
            story = begin(game, header, self._clock.wall())
        except (BadSetup, LookupError) as error:
            why = str(error.args[0] if error.args else error)
            return Rejected(LinePart("core.bad_setup", (("why", why),)))
        self._leave()
        self._stored_upto = -1
        return self._lay(self._new_id(), story)

    def _resume(self, game_id: str) -> Answer:
        try:
            story = self._store.load(game_id)
            self._store.reopen_game(game_id)
        except (StoreTrouble, BadLog, LookupError) as error:
            why = str(error.args[0] if error.args else error)
            self._publish(replace(self._snapshot, warning=why))
            return Rejected(LinePart("core.bad_log", (("why", why),)))
        self._stored_upto = story.seq
        return self._lay(game_id, story)

    def _lay(self, game_id: str, story: Story) -> Answer:
        """Put a game on the table; what lies there by now nobody has seen yet."""
        shown = replace(
            self._snapshot, game_id=game_id, lying=None, unseen=bool(story.steps)
        )
        self._publish(with_story(shown, story))
        if self.witness is not None:
            self.witness.laid(self._snapshot)
        return done(self._snapshot)

    def _leave(self) -> Answer:
        game_id = self._snapshot.game_id
        if game_id is not None:
            try:
                self._store.close_game(game_id)
            except StoreTrouble:
                logger.exception("the game on the table could not be put away")
        if self.witness is not None:
            self.witness.left()
        self._publish(
            replace(
                self._snapshot,
                game_id=None,
                story=None,
                offers=(),
                notice=None,
                refused=None,
                back=None,
            )
        )
        return done(self._snapshot)

    def _erase(self, order: Forget | Delete) -> Answer:
        if isinstance(order, Forget):
            return self._forget(order.name)
        if order.game_id == self._snapshot.game_id:
            return Rejected(LinePart("core.on_the_table"))
        try:
            self._store.delete(order.game_id)
        except StoreTrouble as error:
            return Rejected(LinePart("core.not_deleted", (("why", str(error)),)))
        self._games = self._store.games()
        self._tokens = self._store.tokens()
        self._publish(self._snapshot)
        return done(self._snapshot)

    def _forget(self, name: str) -> Answer:
        try:
            self._store.forget(name)
        except StoreTrouble as error:
            return Rejected(LinePart("core.not_forgotten", (("why", str(error)),)))
        self._games = self._store.games()
        story = self._snapshot.story
        if story is not None and name in story.header.players:
            header = story.header.without(name)
            first = replace(story.entries[0], body=header)
            entries = (first, *story.entries[1:])
            story = replace(story, header=header, entries=entries)
        self._publish(replace(self._snapshot, story=story))
        return done(self._snapshot)

    def _at_the_door(self, order: Token | PutOut) -> Answer:
        if isinstance(order, Token):
            return self._let_in(order)
        return self._put_out(order.hashes)

    def _let_in(self, token: Token) -> Answer:
        self._tokens = (*self._tokens, token)
        try:
            self._store.add_token(token)
        except StoreTrouble:
            # The phone is in all the same; only after a restart it must come again.
            logger.exception("a phone could not be remembered")
        return done(self._snapshot)

    def _put_out(self, hashes: frozenset[str]) -> Answer:
        self._tokens = tuple(t for t in self._tokens if t.hash not in hashes)
        try:
            self._store.drop_tokens(hashes)
        except StoreTrouble:
            # The phone is out all the same; after a restart it would be in again.
            logger.exception("a phone could not be forgotten")
        # Streams ask again who listens whenever there is something new.
        self._publish(self._snapshot)
        return done(self._snapshot)

    def _publish(self, shown: Snapshot) -> None:
        """Keep what is new on disk, then let everybody see it."""
        stored, warning = self._keep(shown)
        version = self._snapshot.version + 1
        shown = replace(shown, version=version, stored=stored, warning=warning)
        with self._changed:
            self._snapshot = shown
            self._changed.notify_all()

    def _keep(self, shown: Snapshot) -> tuple[bool, str | None]:
        """Store the entries that are not on disk yet; say if the disk refuses."""
        story, game_id = shown.story, shown.game_id
        if story is None or game_id is None or self._stored_upto == story.seq:
            return shown.stored, shown.warning
        try:
            if self._stored_upto < 0:
                self._store.create(game_id, story)
            else:
                self._store.append(game_id, story.entries[self._stored_upto + 1 :])
        except StoreTrouble as error:
            if shown.stored:
                logger.exception("the game goes on without being stored")
            return False, str(error)
        self._stored_upto = story.seq
        self._games = self._store.games()
        return True, None if not shown.stored else shown.warning

    def _catch_up(self) -> None:
        """Try a disk again that refused; nothing else happens when nobody acts."""
        if not self._snapshot.stored:
            self._publish(self._snapshot)
