"""Learns what an owner's kit shows, once, and keeps what was learned in the kit."""

import contextlib
import hashlib
from pathlib import Path

import msgspec

from companion.cli.errors import BadInput
from companion.kit import BadKit, KeptShot, kept_shots, shot_content
from vision.cards.reader import CardReader
from vision.cards.references import (
    Deck,
    DeckUnreadable,
    Item,
    enrol,
    load_deck,
    save_deck,
)
from vision.cards.references import Shot as CardShot
from vision.enrolled.keeping import DieUnreadable, die_bytes, die_from
from vision.enrolled.looks import Shot
from vision.enrolled.reader import DieModel, teach
from vision.pictures import decode_png
from vision.see import Taught

_LEARNED = "learned"
_HOW = "1"
"""Part of the name of what was learned; to be raised when learning changes."""


def open_kit(folder: Path, expect: str | None) -> Taught:
    """Return what a kit's pictures teach of all that is expected.

    Raises:
        BadInput: There is no such kit, nothing was shown, or not what is expected.
    """
    try:
        shots = kept_shots(folder)
        if not shots:
            raise BadInput(
                f"the kit {folder} has no pictures yet; "
                "teach it with dragon-table enrol"
            )
        kind, _, name = (expect or "").partition(":")
        wanted = [s for s in shots if kind in ("", s.kind) and name in ("", s.piece)]
        if not wanted and kind in ("die", "card"):
            raise BadInput(f"the kit {folder} was never shown {expect}; enrol it")
        pieces = sorted({(s.kind, s.piece) for s in wanted})
        dice = tuple(
            (piece, learn_die(folder, _of(shots, kind, piece)))
            for kind, piece in pieces
            if kind == "die"
        )
        decks = tuple(
            (piece, CardReader(learn_deck(folder, _of(shots, kind, piece))))
            for kind, piece in pieces
            if kind == "card"
        )
    except BadKit as error:
        raise BadInput(str(error)) from error
    return Taught(dice, decks)


def _of(shots: tuple[KeptShot, ...], kind: str, piece: str) -> list[KeptShot]:
    return [shot for shot in shots if (shot.kind, shot.piece) == (kind, piece)]


def learn_die(folder: Path, shots: list[KeptShot]) -> DieModel:
    """Return the die that shots of a kit show, learned now or before."""
    path = _place(folder, shots, "die")
    with contextlib.suppress(OSError, DieUnreadable):
        return die_from(path.read_bytes())
    model = teach(
        [
            Shot(
                shot.face, decode_png(shot_content(folder, shot)), shot.box,
                shot.long_px,
            )
            for shot in shots
        ]
    )  # fmt: skip
    # A kit that may only be read is learned anew each time.
    with contextlib.suppress(OSError):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(die_bytes(model))
    return model


def learn_deck(folder: Path, shots: list[KeptShot]) -> Deck:
    """Return the deck that shots of a kit show, learned now or before."""
    path = _place(folder, shots, "deck")
    with contextlib.suppress(OSError, DeckUnreadable):
        return load_deck(path)
    by_face: dict[str, list[CardShot]] = {}
    for shot in shots:
        picture = decode_png(shot_content(folder, shot))
        by_face.setdefault(shot.face, []).append(CardShot(picture, shot.box))
    deck = enrol(Item(face, tuple(some)) for face, some in by_face.items())
    with contextlib.suppress(OSError):
        path.parent.mkdir(exist_ok=True)
        save_deck(deck, path)
    return deck


def _place(folder: Path, shots: list[KeptShot], kind: str) -> Path:
    mark = hashlib.blake2b(
        _HOW.encode() + msgspec.json.encode(shots), digest_size=8
    ).hexdigest()
    return folder / _LEARNED / f"{mark}.{kind}"
