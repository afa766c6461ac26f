"""A running table without threads, disk or camera, driven by the real referee."""

import threading
from collections.abc import Callable
from queue import Full
from typing import Any

from msgspec.structs import replace

from companion.corrections.amend import undo_bar, undo_depth
from companion.games import find
from companion.games.core import BadSetup, Game
from companion.referee.decisions import NotUnderstood, Thresholds, TurnedAway
from companion.referee.referee import judge_claim
from companion.running.commands import Adopt, Amend, Rest
from companion.running.phones import kept_seats
from companion.running.reducer import PAUSED, carry_out
from companion.running.snapshot import (
    Answer,
    ButtonStatus,
    Done,
    PhoneToken,
    Rejected,
    Setup,
    Snapshot,
    Stale,
    StoredGame,
)
from companion.story.log import Asked, Header, Made, Noted, Story, Undone, begin, extend
from companion.table import Claim, LinePart, Seat

NOON = 1_800_000_000.0


class FakeTable:
    """A `companion.running.snapshot.RunningTable` in memory, driven by *show*."""

    def __init__(self, lookup: Callable[[str], Game[Any, Any, Any]] = find) -> None:
        self._lookup = lookup
        self._changed = threading.Condition(threading.RLock())
        self._stored: dict[str, Story] = {}
        self._tokens: tuple[PhoneToken, ...] = ()
        self.snapshot = Snapshot(buttons=ButtonStatus("mock", simulated=True))
        self.pressed: list[tuple[str, Seat | None]] = []

    def show(self, **changes: Any) -> None:
        """Publish a snapshot that differs in *changes*."""
        with self._changed:
            version = self.snapshot.version + 1
            self.snapshot = replace(self.snapshot, version=version, **changes)
            self._changed.notify_all()

    def wait(self, version: int, timeout_s: float) -> Snapshot:
        with self._changed:
            self._changed.wait_for(lambda: self.snapshot.version != version, timeout_s)
            return self.snapshot

    def act(self, claim: Claim) -> Answer:
        with self._changed:
            story = self.snapshot.story
            if story is None:
                return Rejected(LinePart("core.no_game"))
            if story.knows_key(claim.key):
                return self._done()
            if story.paused:
                return Rejected(PAUSED)
            if claim.seq != story.seq:
                return Stale(story.seq)
            match judge_claim(story, claim, "phone"):
                case Made() as made:
                    self.tell(made)
                    return self._done()
                case TurnedAway() as turned:
                    return self._turned_away(turned)
                case NotUnderstood(why=text):
                    return Rejected(LinePart("core.not_a_move", (("why", text),)))
            raise AssertionError

    def _turned_away(self, turned: TurnedAway) -> Rejected:
        why = LinePart(turned.verdict.reason, turned.verdict.params)
        if not turned.secret:
            self.show(notice=why, refused=turned.verdict)
        return Rejected(why, turned.verdict)

    def tell(self, body: Made[Any] | Asked | Undone) -> None:
        """Append to the story, as a camera, a button or a phone would."""
        with self._changed:
            assert self.snapshot.story is not None
            story = extend(self.snapshot.story, body, NOON)
            if story.game.outcome(story.state) is not None:
                story = extend(story, Noted("end"), NOON)
            self._lay(self.snapshot.game_id or "", story)

    def lay(self, story: Story) -> None:
        """Put another story on the table, as the game that lies there."""
        with self._changed:
            self._lay(self.snapshot.game_id or "", story)

    def kept_aside(self) -> tuple[str, ...]:
        return ()

    def undo(self, seat: Seat | None, seq: int, key: str) -> Answer:
        with self._changed:
            story = self.snapshot.story
            if story is None:
                return Rejected(LinePart("core.no_game"))
            if story.knows_key(key):
                return self._done()
            if seq != story.seq:
                return Stale(story.seq)
            why = undo_bar(story, seat, host=seat is None)
            if why is not None:
                return Rejected(why)
            for _ in range(undo_depth(story)):
                self.tell(Undone("phone", seat, key))
            return self._done()

    def amend(
        self, step: int, move: str, seat: Seat | None, seq: int, key: str
    ) -> Answer:
        with self._changed:
            order = Amend(step, move, seat, seq, key)
            result = carry_out(self.snapshot, order, NOON, Thresholds())
            if result.shown.story is not None:
                self._lay(self.snapshot.game_id or "", result.shown.story)
            return result.answer

    def rest(self, *, pause: bool) -> Answer:
        with self._changed:
            result = carry_out(self.snapshot, Rest(pause), NOON, Thresholds())
            if result.shown.story is not None:
                self._lay(self.snapshot.game_id or "", result.shown.story)
            return result.answer

    def adopt(self, seat: Seat | None, seq: int, key: str, house: bool) -> Answer:
        with self._changed:
            order = Adopt(seat, seq, key, house)
            result = carry_out(self.snapshot, order, NOON, Thresholds())
            if result.shown.story is not None:
                self._lay(self.snapshot.game_id or "", result.shown.story)
            return result.answer

    def press(self, button: str, seat: Seat | None) -> None:
        if button not in ("confirm", "next", "previous", "undo"):
            raise LookupError(button)
        if len(self.pressed) >= 40:
            raise Full
        self.pressed.append((button, seat))

    def open_game(self, setup: Setup) -> Answer:
        with self._changed:
            try:
                game = self._lookup(setup.game)
                box = game.stand_in
                header = Header(game.id, setup.players, box, setup.options, setup.first)
                story = begin(game, header, NOON)
            except (BadSetup, LookupError) as error:
                return Rejected(LinePart("core.bad_setup", (("why", str(error)),)))
            self._lay_anew(f"game-{len(self._stored) + 1}", story)
            return self._done()

    def resume(self, game_id: str) -> Answer:
        if game_id not in self._stored:
            return Rejected(LinePart("core.bad_log", (("why", game_id),)))
        self._lay_anew(game_id, self._stored[game_id])
        return self._done()

    def _lay_anew(self, game_id: str, story: Story) -> None:
        names = story.header.players
        for token in kept_seats(game_id, names, self.games(), self.tokens_of):
            self.add_token(token)
        self._lay(game_id, story)

    def leave(self) -> Answer:
        self.show(game_id=None, story=None)
        return self._done()

    def games(self) -> tuple[StoredGame, ...]:
        return tuple(
            StoredGame(
                id=game_id,
                game=story.game.id,
                players=story.header.players,
                begun_at=NOON,
                entries=len(story.entries),
                closed=game_id != self.snapshot.game_id,
            )
            for game_id, story in reversed(self._stored.items())
        )

    def story(self, game_id: str) -> Story:
        return self._stored[game_id]

    def forget(self, name: str) -> Answer:
        with self._changed:
            for game_id, story in self._stored.items():
                header = story.header.without(name)
                entries = (replace(story.entries[0], body=header), *story.entries[1:])
                self._stored[game_id] = replace(story, header=header, entries=entries)
            on_table = self.snapshot.game_id
            self.show(story=self._stored[on_table] if on_table else None)
            return self._done()

    def delete(self, game_id: str) -> Answer:
        with self._changed:
            if game_id == self.snapshot.game_id:
                return Rejected(LinePart("core.on_the_table"))
            del self._stored[game_id]
            self.show()
            return self._done()

    def kits(self, game: str) -> tuple[str, ...]:
        return ()

    def tokens(self) -> tuple[PhoneToken, ...]:
        return self._tokens

    def tokens_with(self, digest: str) -> tuple[PhoneToken, ...]:
        return tuple(token for token in self._tokens if token.hash == digest)

    def tokens_of(self, game_id: str | None) -> tuple[PhoneToken, ...]:
        return tuple(token for token in self._tokens if token.game_id == game_id)

    def add_token(self, token: PhoneToken) -> None:
        with self._changed:
            self._tokens = (*self._tokens, token)
            self.show()

    def drop_tokens(self, hashes: frozenset[str]) -> None:
        with self._changed:
            self._tokens = tuple(t for t in self._tokens if t.hash not in hashes)
            self.show()

    def _lay(self, game_id: str, story: Story) -> None:
        self._stored[game_id] = story
        self.show(game_id=game_id, story=story, notice=None, refused=None)

    def _done(self) -> Done:
        story = self.snapshot.story
        return Done(story.seq if story else 0, self.snapshot.game_id)
