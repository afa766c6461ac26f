"""Opens an owner's kit for ``see`` and ``enrol``: all that its pictures teach."""

from pathlib import Path

from companion.cli.errors import BadInput
from companion.kits.kit import BadKit, kept_shots
from companion.kits.learn import learn_deck, learn_die, shots_of
from vision.cards.reader import CardReader
from vision.see import DiceAndDecks


def open_kit(folder: Path, expect: str | None) -> DiceAndDecks:
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
            (piece, learn_die(folder, shots_of(shots, kind, piece)))
            for kind, piece in pieces
            if kind == "die"
        )
        decks = tuple(
            (piece, CardReader(learn_deck(folder, shots_of(shots, kind, piece))))
            for kind, piece in pieces
            if kind == "card"
        )
    except BadKit as error:
        raise BadInput(str(error)) from error
    return DiceAndDecks(dice, decks)
