"""What owners taught of the copy that is played: its dice, its cards, its places."""

import contextlib
import threading
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from msgspec import Struct

from companion.kits.kit import kept_shots, still_px
from companion.kits.kit_files import (
    BARE,
    LESSON,
    SPACES,
    TAPPED,
    kept_spaces,
    load_kept,
)
from companion.kits.learn import learn_own_dice, learn_whole_decks, learn_whole_rounds
from companion.kits.next_step import Progress
from companion.kits.spaces import Spaces
from companion.table import Piece, Reading
from vision.arrays import Picture
from vision.camera.files import PictureUnreadable, decode_png
from vision.cards.reader import CardReader
from vision.ground.upper_side import PointBelow
from vision.taught_dice.own_dice import Area, OwnDice, read_own_dice
from vision.taught_dice.rounds import TokenModel


class PieceLooks(Struct, frozen=True):
    """What reads cards, and tokens, by their pieces."""

    decks: Mapping[Piece, CardReader]
    rounds: Mapping[Piece, TokenModel] = {}


class LearnedKit(Struct, frozen=True):
    """What was learned of one kit: its dice, where they fall, where its spaces are.

    *decks* has the decks of which every face was shown, by their pieces: of a deck that
    is not whole, a card that was never shown would be taken for one that looks like it.
    *rounds* has the tokens of which every face was shown.
    *still_px* is the longer side of the stills that it was taught in, if it was.
    *bare* is the table without pieces, as the lesson saw it, *tapped* a small picture
    of it when its spaces were tapped; None where there is none.
    """

    dice: OwnDice = OwnDice()
    spaces: Spaces = Spaces()
    decks: Mapping[Piece, CardReader] = {}
    rounds: Mapping[Piece, TokenModel] = {}
    bare: Picture | None = None
    tapped: Picture | None = None
    still_px: float | None = None

    @property
    def area(self) -> Area | None:
        """Return where dice fall."""
        return self.spaces.tray


def learn_kit(folder: Path) -> LearnedKit:
    """Return the dice of a kit that may be played with.

    One that was taught on the phone must have passed its test rolls; one that the
    command line taught has had no test and is trusted.

    Raises:
        BadKit: The kit is broken.
    """
    dice = learn_own_dice(folder)
    if (folder / LESSON).exists():
        dice = dice.only(*load_kept(folder, LESSON, Progress).passed)
    return LearnedKit(
        dice,
        kept_spaces(folder),
        learn_whole_decks(folder),
        learn_whole_rounds(folder),
        _kept_picture(folder / BARE),
        _kept_picture(folder / TAPPED),
        still_px(kept_shots(folder)),
    )


def _kept_picture(path: Path) -> Picture | None:
    with contextlib.suppress(OSError, PictureUnreadable):
        return decode_png(path.read_bytes())
    return None


class LearnedKits:
    """Keeps what was learned of each kit until the kit changes.

    Args:
        kits: Folder of the owner's kits.
        beside: Other kits by name, as one that the command line was given.
        unread: Called with a kit whose dice cannot be learned, and why.
        learned: Called with a kit whose dice were learned.
    """

    def __init__(
        self,
        kits: Path,
        beside: Mapping[str, Path] | None = None,
        unread: Callable[[str, Exception], object] = lambda _, __: None,
        learned: Callable[[str], object] = lambda _: None,
    ) -> None:
        self._kits = kits
        self._beside = dict(beside or {})
        self._known: dict[str, tuple[object, LearnedKit]] = {}
        self._learning: set[str] = set()
        self._unread = unread
        self._learned = learned

    def read(
        self, kit: str, picture: Picture, below: PointBelow | None = None
    ) -> Reading | None:
        """Return what the dice of a kit show; None where none of them was taught.

        A kit that is broken reads nothing: its dice are asked for, as without one.
        *below* is the point of the table below the camera, where it is known.
        """
        taught = self._taught(kit)
        if not taught.dice.pieces:
            return None
        return read_own_dice(
            picture, taught.dice, taught.area, bare=taught.bare, below=below
        )

    def dice_px(self, kit: str) -> float | None:
        """Return the longer side of the stills that its dice are read in.

        None for the video's pictures: no die with signs was taught in stills. Where it
        is not known where dice fall, all of a still would be searched: no Pi has room.
        """
        taught = self._taught(kit)
        asks = taught.dice.signs and taught.area is not None
        return taught.still_px if asks else None

    def cards_px(self, kit: str) -> float | None:
        """Return the longer side of the stills that its cards are read in."""
        taught = self._taught(kit)
        return taught.still_px if taught.decks else None

    def spaces(self, kit: str) -> Spaces:
        """Return the spaces that were tapped of a kit; none where none were."""
        return self._taught(kit).spaces

    def tapped(self, kit: str) -> Picture | None:
        """Return a small picture of the table when they were tapped, if it was kept."""
        return self._taught(kit).tapped

    def decks(self, kit: str) -> Mapping[Piece, CardReader]:
        """Return what reads the cards of a kit: whole decks, by their pieces."""
        return self._taught(kit).decks

    def rounds(self, kit: str) -> Mapping[Piece, TokenModel]:
        """Return the tokens of a kit of which every face was shown, by their pieces."""
        return self._taught(kit).rounds

    def _taught(self, kit: str) -> LearnedKit:
        folder = self._beside.get(kit, self._kits / kit)
        mark = _changed_at(folder) if kit else None
        if mark is None:
            return LearnedKit()
        before = self._known.get(kit)
        if before is None:
            self._learn(kit, folder, mark)
            return self._known[kit][1]
        if before[0] != mark and kit not in self._learning:
            # In the middle of a game nobody waits until one more shot is learned.
            self._learning.add(kit)
            learn = partial(self._learn, kit, folder, mark)
            threading.Thread(target=learn, name="learning", daemon=True).start()
        return before[1]

    def _learn(self, kit: str, folder: Path, mark: object) -> None:
        try:
            taught = learn_kit(folder)
        except Exception as error:  # noqa: BLE001
            # A picture that a power cut tore, a list that was edited: whatever it is,
            # the game goes on and asks for the dice.
            self._unread(kit, error)
            taught = LearnedKit()
        else:
            self._learned(kit)
        self._known[kit] = mark, taught
        self._learning.discard(kit)


def _changed_at(folder: Path) -> tuple[object, ...] | None:
    """Return what changes with any file that was taught; None where there is no kit."""
    try:
        if not folder.is_dir():
            return None
        return tuple(_mark(folder / name) for name in ("shots.json", LESSON, SPACES))
    except OSError:
        return None


def _mark(path: Path) -> object:
    found = path.stat() if path.exists() else None
    return (found.st_mtime_ns, found.st_ino) if found else None
