"""What a running table looks like at one moment, and what it answers.

Values only: the writer thread makes a new snapshot after each change, and every page,
lamp and stream reads the newest one without a lock.
"""

from typing import Protocol, TypeAlias

from msgspec import Struct

from companion.corrections.adopt import TableIsRight
from companion.corrections.look_back import LookBack
from companion.games.core import Refused, Unknown
from companion.running.power import Power
from companion.story.log import Story
from companion.table import Claim, Layout, LinePart, Seat


class Setup(Struct, frozen=True):
    """What the lobby asks before a game; *kit* names a kit, None is the stand-in."""

    game: str
    players: tuple[str, ...]
    options: tuple[tuple[str, str], ...] = ()
    kit: str | None = None
    first: Seat = 0


class CameraStatus(Struct, frozen=True, gc=False):
    """How the camera is: its name, and a line when something is wrong with it.

    *why* is the cause of it in one English line, for whoever looks after the table.
    """

    name: str = "none"
    trouble: LinePart | None = None
    why: str | None = None


class ButtonStatus(Struct, frozen=True, gc=False):
    """How the buttons are: the pin factory, whether it only pretends, and trouble.

    *knob* tells that there is one to turn, beside the buttons.
    """

    name: str = "none"
    simulated: bool = True
    trouble: str | None = None
    knob: bool = False


class Missing(Struct, frozen=True):
    """Something that the table goes on without.

    *part* tells one from the other, *what* says it to people, and *why* is the cause in
    one English line, for whoever looks after the table. *in_play* is True where it
    matters to a game that runs, and not only to the next one.
    """

    part: str
    what: LinePart
    why: str
    in_play: bool = False


Offer: TypeAlias = str | TableIsRight
"""What confirm carries out: a move, by its notation, or that the table is right."""


class Snapshot(Struct, frozen=True):
    """The table at one moment.

    *version* grows with every change, also of those that are not in the log. *offers*
    are what the buttons step through, *cursor* the one they stand at.
    *notice* is what was just refused or ignored, for the next look at the page, and
    *refused* the verdict behind it. *stored* is False while the disk refuses to keep
    what happened, and *warnings* say what people must know of the games' memory: each
    what happened and what to do. *lying* is what was last seen to lie on the table,
    None before the whole of it was looked at. *unseen* is True from a start, or the
    end of a pause, to the first look at the whole table. *back* is where the buttons
    are while somebody looks back at earlier moves with them. *off* is True once
    somebody held the button that switches the box off. *power* is how the Pi's supply
    and heat are. *missing* is what the table goes on without.
    """

    version: int = 0
    game_id: str | None = None
    story: Story | None = None
    offers: tuple[Offer, ...] = ()
    cursor: int = 0
    notice: LinePart | None = None
    refused: Refused | Unknown | None = None
    camera: CameraStatus = CameraStatus()
    buttons: ButtonStatus = ButtonStatus()
    stored: bool = True
    warnings: tuple[LinePart, ...] = ()
    lying: Layout | None = None
    unseen: bool = False
    back: LookBack | None = None
    off: bool = False
    power: Power = Power()
    missing: tuple[Missing, ...] = ()


class Done(Struct, frozen=True, gc=False):
    """It was carried out; *seq* is the newest entry of the game on the table.

    It is on disk, unless *stored* is False: then it is kept until the disk takes it.
    """

    seq: int
    game_id: str | None = None
    stored: bool = True


class Stale(Struct, frozen=True, gc=False):
    """It was meant for an older state and was not carried out; *seq* is today's."""

    seq: int


class Rejected(Struct, frozen=True, gc=False):
    """The rules refuse it, or it is no move at all."""

    why: LinePart
    verdict: Refused | Unknown | None = None


Answer: TypeAlias = Done | Stale | Rejected


class StoredGame(Struct, frozen=True):
    """A game in the store, for a list to choose from.

    *trouble* says what is wrong with it. One that is not *readable* is kept and listed
    all the same; its *game* may be one that is not known here.
    """

    id: str
    game: str
    players: tuple[str, ...]
    begun_at: float
    entries: int
    closed: bool
    trouble: LinePart | None = None
    readable: bool = True


class PhoneToken(Struct, frozen=True):
    """What a phone may do; known by the hash of its secret, without an end.

    *role* is ``"host"`` or ``"seat"``; a seat's token belongs to one game. With role
    ``"freed"`` the hash is a random word that the code of a freed seat changed with.
    """

    hash: str
    role: str
    seat: Seat | None = None
    game_id: str | None = None


class RunningTable(Protocol):
    """What the pages may ask of the running table; every call is safe in any thread."""

    @property
    def snapshot(self) -> Snapshot:
        """Return the newest snapshot."""

    def wait(self, version: int, timeout_s: float) -> Snapshot:
        """Return the newest snapshot once it is not *version* any more, or in time."""

    def sync(self) -> Snapshot:
        """Return the snapshot once all that is in the inbox by now is carried out."""

    def act(self, claim: Claim) -> Answer:
        """Carry out a claimed move."""

    def undo(self, seat: Seat | None, seq: int, key: str) -> Answer:
        """Take the last move back."""

    def amend(
        self, step: int, move: str, seat: Seat | None, seq: int, key: str
    ) -> Answer:
        """Put another move in the place of an earlier one, entry *step*."""

    def rest(self, *, pause: bool) -> Answer:
        """Pause the game, or go on with it; what happens meanwhile does not count."""

    def adopt(self, seat: Seat | None, seq: int, key: str, house: bool) -> Answer:
        """Set the record to what lies on the table, as a *house* rule or not."""

    def press(self, button: str, seat: Seat | None) -> None:
        """Press a simulated pin, as a finger would.

        Raises:
            LookupError: There is no such button, or the pins are real.
            queue.Full: Too many presses of it wait already.
        """

    def open_game(self, setup: Setup) -> Answer:
        """Begin a new game; the one on the table is put away."""

    def change_box(self, kit: str) -> Answer:
        """Go on with the game on the table by the box of a kit.

        Only where all that was made may be made on it; the game as it was is put away.
        """

    def resume(self, game_id: str) -> Answer:
        """Put a stored game back on the table."""

    def leave(self) -> Answer:
        """Put the game away and go back to the lobby."""

    def games(self) -> tuple[StoredGame, ...]:
        """Return all stored games, the newest first."""

    def story(self, game_id: str) -> Story:
        """Return a stored game; nothing of it is cut out yet.

        Raises:
            LookupError: There is no such game, or it cannot be read.
        """

    def forget(self, name: str) -> Answer:
        """Put a seat's number in place of a player's name, in every game."""

    def delete(self, game_id: str) -> Answer:
        """Delete a stored game that does not lie on the table."""

    def kept_aside(self) -> tuple[str, ...]:
        """Return the names of damaged files that are kept beside the games'."""

    def kits(self, game: str) -> tuple[str, ...]:
        """Return the names of the owner's kits for a game."""

    def tokens(self) -> tuple[PhoneToken, ...]:
        """Return what phones were let in with."""

    def tokens_with(self, digest: str) -> tuple[PhoneToken, ...]:
        """Return what the phone whose token has this hash was let in with, by games."""

    def tokens_of(self, game_id: str | None) -> tuple[PhoneToken, ...]:
        """Return what phones were let into a game with; None for the table itself."""

    def add_token(self, token: PhoneToken) -> None:
        """Remember a phone, so that it stays in after a restart."""

    def drop_tokens(self, hashes: frozenset[str]) -> None:
        """Forget the phones that were let in with these."""
