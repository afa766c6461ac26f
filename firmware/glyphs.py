"""Letters of five by seven dots for the small display, where no font file can be had.

Only signs that a keyboard without accents has; others are spelled with those.
"""

from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

Dots = NDArray[np.bool_]

STEP_PX = 6
"""From one letter to the next: five dots and a gap."""

LINE_PX = 8
"""From one line to the next: seven dots and a gap."""

# Five columns for each sign from the space to the tilde, the lowest bit on top.
_COLUMNS = bytes.fromhex(
    "0000000000 00005F0000 0007000700 147F147F14 242A7F2A12 2313086462 3649562050"
    "0005030000 001C224100 0041221C00 14083E0814 08083E0808 0050300000 0808080808"
    "0060600000 2010080402 3E5149453E 00427F4000 4261514946 2141454B31 1814127F10"
    "2745454539 3C4A494930 0171090503 3649494936 064949291E 0036360000 0056360000"
    "0814224100 1414141414 0041221408 0201510906 324979413E 7E1111117E 7F49494936"
    "3E41414122 7F4141221C 7F49494941 7F09090901 3E4149497A 7F0808087F 00417F4100"
    "2040413F01 7F08142241 7F40404040 7F020C027F 7F0408107F 3E4141413E 7F09090906"
    "3E4151215E 7F09192946 4649494931 01017F0101 3F4040403F 1F2040201F 3F4038403F"
    "6314081463 0708700807 6151494543 007F414100 0204081020 0041417F00 0402010204"
    "4040404040 0001020400 2054545478 7F48444438 3844444420 384444487F 3854545418"
    "087E090102 0C5252523E 7F08040478 00447D4000 2040443D00 7F10284400 00417F4000"
    "7C04180478 7C08040478 3844444438 7C14141408 081414187C 7C08040408 4854545420"
    "043F444020 3C4040207C 1C2040201C 3C4030403C 4428102844 0C5050503C 4464544C44"
    "0008364100 00007F0000 0041360800 0804081008"
)
_SPELLED = str.maketrans(
    {"ß": "ss", "œ": "oe", "Œ": "OE", "æ": "ae", "«": '"', "»": '"', "’": "'"}
)


def to_ascii(text: str) -> str:
    """Return *text* in signs that can be drawn, ``"Œuf doré"`` as ``"OEuf dore"``.

    A sign that cannot be spelled is a question mark.
    """
    bare = normalize("NFKD", text.translate(_SPELLED))
    signs = (sign for sign in bare if not 0x300 <= ord(sign) < 0x370)
    return "".join(sign if " " <= sign <= "~" else "?" for sign in signs)


def write_text(dots: Dots, text: str, row: int, column: int) -> None:
    """Light the dots of *text* with its upper left at *row* and *column*.

    What would go over the right edge is left out.

    Args:
        dots: Picture of shape ``(H, W)``, changed in place.
        text: One line.
        row: Dots from the top.
        column: Dots from the left.
    """
    for sign in to_ascii(text):
        if column + STEP_PX - 1 > dots.shape[1]:
            return
        first = (ord(sign) - ord(" ")) * 5
        columns = np.frombuffer(_COLUMNS[first : first + 5], dtype=np.uint8)
        glyph = (columns[None, :] >> np.arange(7, dtype=np.uint8)[:, None]) & 1
        dots[row : row + 7, column : column + 5] |= glyph.astype(bool)
        column += STEP_PX
