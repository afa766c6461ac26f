"""Read how large a picture is from the first bytes of its file.

Decoders allocate before they complain, so a picture's size is learned here first.
Nothing is decoded.

Source: ITU-T T.81 table B.1 (JPEG), W3C PNG 11.2.2, RFC 9649 (WebP), BITMAPINFOHEADER.
"""

_NO_FRAME = (0xC4, 0xC8, 0xCC)
"""JPEG markers between SOF0 and SOF15 that start no frame: tables and extensions."""


def size_in_header(content: bytes) -> tuple[int, int] | None:
    """Return height and width as stored, before EXIF rotation; None for no picture."""
    try:
        if content[:2] == b"\xff\xd8":
            return _jpeg(content)
        if content[:8] == b"\x89PNG\r\n\x1a\n":
            return _big(content, 20), _big(content, 16)
        if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
            return _webp(content)
        if content[:2] == b"BM":
            height = int.from_bytes(content[22:26], "little", signed=True)
            return abs(height), int.from_bytes(content[18:22], "little")
    except IndexError:
        return None
    return None


def _big(content: bytes, at: int, length: int = 4) -> int:
    if at + length > len(content):
        raise IndexError
    return int.from_bytes(content[at : at + length], "big")


def _little(content: bytes, at: int, length: int) -> int:
    if at + length > len(content):
        raise IndexError
    return int.from_bytes(content[at : at + length], "little")


def _jpeg(content: bytes) -> tuple[int, int] | None:
    at = 2
    while content[at] == 0xFF:
        marker = content[at + 1]
        if marker == 0xFF:
            at += 1
        elif 0xC0 <= marker <= 0xCF and marker not in _NO_FRAME:
            return _big(content, at + 5, 2), _big(content, at + 7, 2)
        else:
            at += 2 + _big(content, at + 2, 2)
    return None


def _webp(content: bytes) -> tuple[int, int] | None:
    kind = content[12:16]
    if kind == b"VP8X":
        return _little(content, 27, 3) + 1, _little(content, 24, 3) + 1
    if kind == b"VP8 ":
        return _little(content, 28, 2) & 0x3FFF, _little(content, 26, 2) & 0x3FFF
    if kind == b"VP8L":
        bits = _little(content, 21, 4)
        return (bits >> 14 & 0x3FFF) + 1, (bits & 0x3FFF) + 1
    return None
