"""The inbox of a running table: all that edges may put into it, in any thread."""

import queue
from concurrent.futures import Future

from companion.kits.kit import Kit
from companion.running.commands import (
    Adopt,
    Amend,
    Heard,
    MissingStatus,
    Rest,
    TakeBack,
)
from companion.running.power import Power
from companion.running.snapshot import Answer, CameraStatus, Missing, PhoneToken, Setup
from companion.running.wishes import (
    ChangeBox,
    Delete,
    Forget,
    Leave,
    Resume,
    RevokeTokens,
    TakeKit,
    Wish,
)
from companion.table import Claim, Reading, Seat

ANSWER_S = 10.0
"""Whoever waits for a write longer than this gets TimeoutError; the write may still
happen."""


class Inbox:
    """Takes wishes for the writer, each with the place of its answer if one is due.

    The writer takes them out of `_inbox` one by one; None ends it.
    """

    def __init__(self) -> None:
        self._inbox: queue.Queue[tuple[Wish, Future[Answer] | None] | None] = (
            queue.Queue()
        )

    def hear(self, reading: Reading, seq: int | None = None) -> None:
        """Take a reading; *seq* drops it if the table has moved on since."""
        self._inbox.put((Heard(reading, seq), None))

    def notice_camera(self, status: CameraStatus) -> None:
        """Take note of how the camera is."""
        self._inbox.put((status, None))

    def notice_power(self, power: Power) -> None:
        """Take note of how the Pi's supply and heat are."""
        self._inbox.put((power, None))

    def notice_missing(self, parts: tuple[Missing, ...]) -> None:
        """Take note of all that the table goes on without."""
        self._inbox.put((MissingStatus(parts), None))

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

    def forget(self, name: str) -> Answer:
        """Put a seat's number in place of a player's name, in every game."""
        return self._ask(Forget(name))

    def delete(self, game_id: str) -> Answer:
        """Delete a stored game that does not lie on the table."""
        return self._ask(Delete(game_id))

    def take_kit(self, name: str, kit: Kit) -> None:
        """Let a kit be played with from the next game on."""
        self._ask(TakeKit(name, kit))

    def change_box(self, kit: str) -> Answer:
        """Go on with the game on the table by the box of a kit."""
        return self._ask(ChangeBox(kit))

    def add_token(self, token: PhoneToken) -> None:
        """Remember a phone, so that it stays in after a restart."""
        self._ask(token)

    def drop_tokens(self, hashes: frozenset[str]) -> None:
        """Forget the phones that were let in with these."""
        self._ask(RevokeTokens(hashes))

    def _ask(self, wish: Wish) -> Answer:
        answer: Future[Answer] = Future()
        self._inbox.put((wish, answer))
        return answer.result(ANSWER_S)
