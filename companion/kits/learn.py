"""Learns what the pictures of an owner's kit show, once, and keeps it in the kit."""

import contextlib
import hashlib
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np

from companion.games.copy import Kind
from companion.kits.curriculum import course
from companion.kits.kit import KeptShot, kept_shots, load, shot_content
from companion.kits.next_step import PieceAudit
from companion.kits.spaces import card_rows, card_zones
from companion.table import Face, Piece
from vision.arrays import Picture
from vision.camera.files import decode_png
from vision.cards.reader import CardReader
from vision.cards.references import (
    CardShot,
    CardShots,
    Deck,
    DeckUnreadable,
    build_deck,
    load_deck,
    save_deck,
)
from vision.taught_dice.hues import HueModel, teach_hues
from vision.taught_dice.looks import FaceShot
from vision.taught_dice.own_dice import OwnDice, SignDie
from vision.taught_dice.reader import DieModel, teach_die
from vision.taught_dice.rounds import TokenModel, teach_rounds
from vision.taught_dice.serialise import DieUnreadable, decode_die, encode_die

SAME_CARD = 1.0
"""How strange one card is to another that may be the same (`vision.cards.audit`)."""

NOT_YET: Picture = np.zeros((0, 0, 3), np.uint8)
"""Stands for the picture of a shot that was not looked at."""

_LEARNED = "learned"
_HOW = "2"
"""Part of the name of what was learned; to be raised when learning changes."""


def shots_of(shots: Sequence[KeptShot], kind: str, piece: str) -> list[KeptShot]:
    """Return the shots of one piece."""
    return [shot for shot in shots if (shot.kind, shot.piece) == (kind, piece)]


def learn_own_dice(folder: Path) -> OwnDice:
    """Return the dice that a kit's pictures show and that can be read.

    Raises:
        BadKit: There is no such kit, or a picture of it is gone.
    """
    shots = kept_shots(folder)
    signs: list[SignDie] = []
    colours: list[tuple[Piece, HueModel]] = []
    for kind, piece in sorted({(shot.kind, shot.piece) for shot in shots}):
        own = shots_of(shots, kind, piece)
        if kind is Kind.COLOUR:
            hues = learn_hues(folder, own)
            if can_be_read(hues, hues):
                colours.append((piece, hues))
        elif kind is Kind.DIE:
            model, hues = learn_die(folder, own), learn_hues(folder, own)
            if can_be_read(model, hues):
                signs.append(SignDie(piece, model, hues))
    return OwnDice(tuple(signs), tuple(colours))


def learn_die(folder: Path, shots: list[KeptShot]) -> DieModel:
    """Return the die that shots of a kit show, learned now or before.

    Raises:
        BadKit: A picture is gone.
    """
    path = _place(folder, shots, "die")
    with contextlib.suppress(OSError, DieUnreadable):
        return decode_die(path.read_bytes())
    model = teach_die(_open(folder, shots))
    # A kit that may only be read is learned anew each time.
    with contextlib.suppress(OSError):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(encode_die(model))
    return model


def learn_hues(folder: Path, shots: list[KeptShot]) -> HueModel:
    """Return the die of colours that shots of a kit show; that takes no time.

    Raises:
        BadKit: A picture is gone.
    """
    return teach_hues(_open(folder, shots))


def learn_rounds(folder: Path, shots: list[KeptShot]) -> TokenModel:
    """Return the round pieces that shots of a kit show; that takes a second.

    Raises:
        BadKit: A picture is gone.
    """
    return teach_rounds(_open(folder, shots))


class _KeptFaceShot(FaceShot, frozen=True):
    """A shot of a kit whose picture is opened whenever it is looked at, and not kept.

    A kit may hold 48 megapixels: with all of its pictures open it has 144 MB.
    """

    folder: Path
    kept: KeptShot

    # In the place of the field: what reads a shot knows only that it has a picture. To
    # mypy a field may be written and a property not; nobody writes to a frozen shot.
    @property  # type: ignore[misc]
    def picture(self) -> Picture:
        """Return the picture."""
        return decode_png(shot_content(self.folder, self.kept))


class _KeptCardShot(CardShot, frozen=True, kw_only=True):
    """A shot of a card, whose picture is opened as that of a face is."""

    folder: Path
    kept: KeptShot

    # In the place of the field, as in the shot above: frozen, so nobody writes to it.
    @property  # type: ignore[misc]
    def picture(self) -> Picture:
        """Return the picture."""
        return decode_png(shot_content(self.folder, self.kept))


def _open(folder: Path, shots: list[KeptShot]) -> list[_KeptFaceShot]:
    return [
        _KeptFaceShot(shot.face, NOT_YET, shot.box, shot.long_px, folder, shot)
        for shot in shots
    ]


def learn_deck(folder: Path, shots: list[KeptShot]) -> Deck:
    """Return the deck that shots of a kit show, learned now or before.

    Raises:
        BadKit: A picture is gone.
    """
    path = _place(folder, shots, "deck")
    with contextlib.suppress(OSError, DeckUnreadable):
        return load_deck(path)
    by_face: dict[str, list[CardShot]] = {}
    for shot in shots:
        lazy = _KeptCardShot(NOT_YET, shot.box, folder=folder, kept=shot)
        by_face.setdefault(shot.face, []).append(lazy)
    deck = build_deck(CardShots(face, tuple(some)) for face, some in by_face.items())
    with contextlib.suppress(OSError):
        path.parent.mkdir(exist_ok=True)
        save_deck(deck, path)
    return deck


def learn_whole_decks(folder: Path) -> dict[Piece, CardReader]:
    """Return what reads each deck of a kit of which every face was shown.

    Of games whose cards are followed: to make 52 ready takes seconds.

    Raises:
        BadKit: There is no such kit, or a picture of it is gone.
    """
    if not _is_followed(folder):
        return {}
    return {
        piece: CardReader(learn_deck(folder, shots))
        for piece, shots in _whole(folder, Kind.CARD).items()
    }


def learn_whole_rounds(folder: Path) -> dict[Piece, TokenModel]:
    """Return the round pieces of a kit of which every face was shown.

    Raises:
        BadKit: There is no such kit, or a picture of it is gone.
    """
    return {
        piece: learn_rounds(folder, shots)
        for piece, shots in _whole(folder, Kind.TOKEN).items()
    }


def _is_followed(folder: Path) -> bool:
    kit = load(folder)
    return bool(card_rows(kit.game, kit.box) or card_zones(kit.game, kit.box))


def _whole(folder: Path, kind: Kind) -> dict[Piece, list[KeptShot]]:
    """Return the shots of each piece of one kind of which every face was shown."""
    kit, shots = load(folder), kept_shots(folder)
    faces: dict[Piece, set[Face]] = {}
    for item in course(kit.game, kit.box).items:
        if item.kind is kind:
            faces.setdefault(item.piece, set()).add(item.face)
    whole = {}
    for piece, wanted in faces.items():
        # A kit may hold more than its game asks for, as one that was taught earlier.
        own = [s for s in shots_of(shots, kind, piece) if s.face in wanted]
        if wanted <= {shot.face for shot in own}:
            whole[piece] = own
    return whole


def audit(folder: Path, shots: list[KeptShot]) -> PieceAudit:
    """Return what is wrong with the shots of one piece, all of one kind.

    Raises:
        BadKit: A picture is gone.
    """
    if not shots:
        return PieceAudit()
    if shots[0].kind is Kind.CARD:
        found = learn_deck(folder, shots).audit
        numbers = {face: of_face(shots, face) for face, _ in found.bad}
        bad = tuple(numbers[face][n].file for face, n in found.bad)
        close = {pair.faces for pair in found.pairs if pair.apart < SAME_CARD}
        return PieceAudit(bad, tuple(sorted({*found.always_ask, *close})))
    if shots[0].kind is Kind.TOKEN:
        rounds = learn_rounds(folder, shots)
        return PieceAudit(tuple(shots[n].file for n in rounds.bad), rounds.always_ask)
    hues = learn_hues(folder, shots)
    model = hues if shots[0].kind is Kind.COLOUR else learn_die(folder, shots)
    bad = tuple(shots[n].file for n in (*model.bad, *(n for n, _ in model.mistaken)))
    # Signs that look alike may still be told by the colours of their faces.
    alike = tuple(pair for pair in model.always_ask if pair in hues.always_ask)
    return PieceAudit(bad, alike)


def can_be_read(model: HueModel | DieModel, hues: HueModel) -> bool:
    """Tell whether a die is worth reading: most of its faces can be told from others.

    Where that is not so the camera is too far away, and what little is taken is less
    sure than it looks: of 30 throws of a drawn ten-sided die at 1.9 pixels a millimetre
    two were read right and one wrong.
    """
    pairs = [pair for pair in model.always_ask if pair in hues.always_ask]
    return len({face for pair in pairs for face in pair}) <= len(hues.faces) / 2


def of_face(shots: Sequence[KeptShot], face: str) -> list[KeptShot]:
    """Return the shots of one face."""
    return [shot for shot in shots if shot.face == face]


def _place(folder: Path, shots: list[KeptShot], kind: str) -> Path:
    mark = hashlib.blake2b(
        _HOW.encode() + msgspec.json.encode(shots), digest_size=8
    ).hexdigest()
    return folder / _LEARNED / f"{mark}.{kind}"
