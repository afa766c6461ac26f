"""Keep a taught die as one file, so that it is learned once and read at once."""

from io import BytesIO
from zipfile import BadZipFile
from zlib import error as zip_broken

import msgspec
import numpy as np
from msgspec import Struct

from companion.table import Face
from vision.camera.files import VisionError
from vision.taught_dice.discs import Tone
from vision.taught_dice.looks import FaceLook
from vision.taught_dice.places import prepare_looks
from vision.taught_dice.reader import DieModel

_NO_DIE = (ValueError, KeyError, OSError, EOFError, BadZipFile, zip_broken)


class DieUnreadable(VisionError, ValueError):
    """What should be a taught die is none."""


class _LookHeader(Struct, frozen=True):
    """A look without its ink."""

    face: Face
    colour: tuple[float, float, float]
    strength: float
    size: float
    shots: tuple[int, ...]
    spread: float


class _DieHeader(Struct, frozen=True):
    """What the file says beside the inks."""

    looks: tuple[_LookHeader, ...]
    tone: Tone
    pips: tuple[int, ...]
    safe: dict[Face, float]
    always_ask: tuple[tuple[Face, Face], ...]
    bad: tuple[int, ...]
    mistaken: tuple[tuple[int, Face], ...]
    safe_together: dict[Face, float] = {}


def encode_die(model: DieModel) -> bytes:
    """Return a taught die as the content of a file."""
    looks = model.die.looks
    header = _DieHeader(
        tuple(
            _LookHeader(k.face, k.colour, k.strength, k.size, k.shots, k.spread)
            for k in looks
        ),
        model.die.tone,
        model.pips,
        model.safe,
        model.always_ask,
        model.bad,
        model.mistaken,
        model.safe_together,
    )
    content = BytesIO()
    np.savez_compressed(
        content,
        told=np.frombuffer(msgspec.json.encode(header), np.uint8),
        ink=np.stack([look.ink for look in looks]).astype(np.float16),
        rough=np.stack([look.rough for look in looks]).astype(np.float16),
    )
    return content.getvalue()


def decode_die(content: bytes) -> DieModel:
    """Return the die in the content of a file.

    Raises:
        DieUnreadable: It is none.
    """
    try:
        with np.load(BytesIO(content), allow_pickle=False) as file:
            header = msgspec.json.decode(file["told"].tobytes(), type=_DieHeader)
            inks = file["ink"].astype(np.float32)
            roughs = file["rough"].astype(np.float32)
        looks = [
            FaceLook(
                one.face, ink, rough, one.colour, one.strength, one.size, one.shots,
                one.spread,
            )
            for one, ink, rough in zip(header.looks, inks, roughs, strict=True)
        ]  # fmt: skip
        die = prepare_looks(looks, header.tone)
    except _NO_DIE as error:
        raise DieUnreadable("this is no taught die; learn it again") from error
    return DieModel(
        die, header.pips, header.safe, header.always_ask, header.bad, header.mistaken,
        header.safe_together,
    )  # fmt: skip
