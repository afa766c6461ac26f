"""Open picture files that anybody may hand in, with bounded memory.

Whatever the file holds, the answer is a plain picture or one clear line of what is
wrong; nothing is decoded before its size is known to be bearable.
"""

from io import BytesIO
from pathlib import Path
from stat import S_ISDIR, S_ISFIFO, S_ISREG
from typing import Any

import cv2
import imagesize
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.arrays import Picture

MOST_PIXELS = 50_000_000
"""Larger pictures are refused unopened: 50 megapixels are 150 MB once decoded."""

LEAST_SIDE = 16
"""Nothing can be read in a picture with fewer rows or columns than this."""

_MOST_BYTES = 80_000_000
"""A longer file is no photograph of 50 megapixels."""

_HEADS = (b"\xff\xd8", b"\x89PNG\r\n\x1a\n", b"RIFF", b"BM")
"""How files of JPEG, PNG, WebP and BMP begin."""

_MOST_DECODED = 200_000_000
"""Bytes: 50 megapixels of three colours and how opaque they are. A PNG may have twice
as many, for two bytes a colour, and be decoded into 400 MB."""

_MOST_CHUNKS = 100_000
"""Of a PNG: 80 MB in chunks of 8 kB are 10,000."""

_BAND_ROWS = 256
"""So many rows are worked on at once: what is in between takes no room to speak of."""

_REDUCED_PIXELS = 12_600_000
"""JPEGs above this are decoded at half size: four times less memory and time, and
dice that fill 60 pixels there still fill 30."""


class VisionError(Exception):
    """Base of all that the eye refuses, with one clear line."""


class PictureUnreadable(VisionError, OSError, ValueError):
    """A file is no picture that can be opened."""


class Photo(Struct, frozen=True):
    """A picture and the size it had in its file.

    Attributes:
        picture: ``(h, w, 3)``, uint8, BGR, after EXIF rotation.
        scale: Pixels of the original for one pixel of *picture*, 1 or 2.
        size: Height and width of the original after EXIF rotation.
    """

    picture: Picture
    scale: float
    size: tuple[int, int]


def open_picture(path: Path) -> Photo:
    """Return the picture in a file.

    Grey, transparent, 16-bit and CMYK pictures become ordinary BGR ones.

    Raises:
        PictureUnreadable: No such file, a folder, no picture, broken off, or too large
            or too small.
    """
    content = _read_bytes(path)
    size = _size_in_head(content)
    if size is None:
        raise PictureUnreadable(
            f"{path} is no picture that can be opened; "
            "give a JPEG, PNG, WebP or BMP file"
        )
    _check_size(path, *size)
    if _bytes_decoded(content, *size) > _MOST_DECODED:
        raise PictureUnreadable(
            f"{path} has so many pixels in so many colours that it takes more than 200 "
            "MB of memory; save it with 8 bits a colour, or smaller"
        )
    if _broken_off(content):
        raise PictureUnreadable(f"{path} is broken off; copy it again from the camera")
    half = content[:2] == b"\xff\xd8" and size[0] * size[1] > _REDUCED_PIXELS
    picture = _decode(content, half)
    if picture is None:
        raise PictureUnreadable(f"{path} is damaged; copy it again from the camera")
    scale = 2.0 if half else 1.0
    turned = (picture.shape[0] >= picture.shape[1]) != (size[0] >= size[1])
    return Photo(picture, scale, size[::-1] if turned else size)


def _size_in_head(content: bytes) -> tuple[int, int] | None:
    """Return height and width as stored, before EXIF rotation; None for no picture.

    Decoders allocate before they complain, so a picture's size is learned here first.
    """
    if not content.startswith(_HEADS):
        return None
    width, height = imagesize.get(BytesIO(content))
    return None if -1 in (width, height) else (int(height), int(width))


def _read_bytes(path: Path) -> bytes:
    """Return what is in a file, no more of it than a picture may have.

    What it says of its length may not hold: it can grow meanwhile, a pipe says that it
    has none, and a device has no end.
    """
    try:
        mode = path.stat().st_mode
        if not (S_ISREG(mode) or S_ISFIFO(mode)):
            what = "a folder" if S_ISDIR(mode) else "no file"
            raise PictureUnreadable(f"{path} is {what}; give a picture file")
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except FileNotFoundError:
        reason = "does not exist; check the name"
    except PermissionError:
        reason = "may not be read; give yourself the right to read it"
    except PictureUnreadable:
        raise
    except OSError as error:
        reason = f"cannot be read ({error.strerror}); copy it to this machine first"
    else:
        if len(content) <= _MOST_BYTES:
            return content
        reason = "has more than 80 MB; give a picture below that"
    raise PictureUnreadable(f"{path} {reason}")


def _check_size(path: Path, height: int, width: int) -> None:
    if height * width > MOST_PIXELS:
        raise PictureUnreadable(
            f"{path} has {width}x{height} pixels, more than 50 megapixels; "
            "save it smaller, 4000 pixels wide are plenty"
        )
    if min(height, width) < LEAST_SIDE:
        raise PictureUnreadable(
            f"{path} has only {width}x{height} pixels; give one with at least "
            f"{LEAST_SIDE} on each side"
        )


def _bytes_decoded(content: bytes, height: int, width: int) -> int:
    """Return how many bytes OpenCV makes of a picture, at most.

    Source: PNG specification (third edition), 11.2.1 IHDR: depth and colour type.
    """
    if content[:4] != b"\x89PNG":
        return 3 * height * width
    depth, kind = content[24], content[25]
    # Grey and colours alone have no transparency; a palette may have.
    channels = {0: 1, 2: 3}.get(kind, 4)
    return height * width * channels * (2 if depth > 8 else 1)


def _decode(content: bytes, half: bool) -> Picture | None:
    coded = np.frombuffer(content, np.uint8)
    mode = cv2.IMREAD_REDUCED_COLOR_2 if half else cv2.IMREAD_COLOR
    try:
        if content[:4] == b"\x89PNG":
            if not _chunks_fit(content):
                return None
            return _on_white(cv2.imdecode(coded, cv2.IMREAD_UNCHANGED))
        picture = cv2.imdecode(coded, mode)
    except cv2.error:
        return None
    return None if picture is None else np.asarray(picture, np.uint8)


def _on_white(picture: NDArray[Any] | None) -> Picture | None:
    """Return a PNG of any depth as BGR; what is transparent becomes white."""
    if picture is None:
        return None
    if picture.dtype == np.uint8 and picture.shape[2:] == (3,):
        # Most are so already, and need no second copy.
        return picture
    plain = np.empty((*picture.shape[:2], 3), np.uint8)
    for top in range(0, len(picture), _BAND_ROWS):
        rows = slice(top, top + _BAND_ROWS)
        plain[rows] = _band_on_white(picture[rows])
    return plain


def _band_on_white(picture: NDArray[Any]) -> Picture:
    """Return some rows as `_on_white` does all of them."""
    if picture.dtype == np.uint16:
        picture = (picture >> 8).astype(np.uint8)
    if picture.ndim == 2:
        return np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), np.uint8)
    if picture.shape[2] == 4:
        opaque = picture[:, :, 3:].astype(np.uint16)
        mixed = (picture[:, :, :3] * opaque + 255 * (255 - opaque)) // 255
        return mixed.astype(np.uint8)
    return np.asarray(picture, np.uint8)


def _broken_off(content: bytes) -> bool:
    """Return whether a file ends too early; OpenCV fills the rest with grey.

    A whole JPEG holds an end marker after its last scan, a whole PNG its IEND chunk
    behind all others; WebP and BMP say at their beginning how long they are.
    """
    if content[:2] == b"\xff\xd8":
        return content.rfind(b"\xff\xd9") <= content.rfind(b"\xff\xda")
    if content[:4] == b"\x89PNG":
        return not _chunks_fit(content)
    if content[:4] == b"RIFF":
        return len(content) < 8 + int.from_bytes(content[4:8], "little")
    return len(content) < int.from_bytes(content[2:6], "little")


def _chunks_fit(content: bytes) -> bool:
    """Tell whether each chunk of a PNG ends within it, up to IEND.

    OpenCV 5 makes room for as many bytes as a chunk says that it has before it looks
    whether they are there: a file of 440 bytes took 256 MB.

    Source: PNG specification (third edition), 5.3: four bytes of length, four of type,
    the data, four of a sum.
    """
    at = 8
    for _ in range(_MOST_CHUNKS):
        length, kind = content[at : at + 4], content[at + 4 : at + 8]
        at += 12 + int.from_bytes(length)
        if len(kind) < 4 or at > len(content):
            return False
        if kind == b"IEND":
            return True
    return False


def decode_png(content: bytes) -> Picture:
    """Return a PNG of our own as BGR.

    Raises:
        PictureUnreadable: It is damaged.
    """
    picture = _decode(content, False)
    if picture is None:
        raise PictureUnreadable("a picture of the kit is damaged; enrol it again")
    return picture


def encode_png(picture: Picture) -> bytes:
    """Return a picture ``(H, W, 3)``, uint8, BGR, as PNG."""
    done, coded = cv2.imencode(".png", picture)
    assert done, "OpenCV always codes uint8 BGR as PNG"
    return np.asarray(coded).tobytes()
