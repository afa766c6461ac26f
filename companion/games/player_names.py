"""What people call themselves: any script, as it is typed, where it can be seen."""

import re
import unicodedata
from functools import lru_cache

MOST_LETTERS = 40
MOST_SIGNS = 4 * MOST_LETTERS
"""Letters of some scripts carry up to three marks each, as in Vietnamese or Thai."""

JOINERS = "\u200c\u200d"
"""Join and part letters in Persian or Hindi, and join emoji; nothing by themselves."""

BLANKS = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters of Hangul and Braille that are drawn as nothing.

Source: Unicode 15.1, chapter 18.6 (Hangul fillers) and 21.1 (U+2800).
"""

_UNSEEN = re.compile(
    "[\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0d\U000e0100-\U000e01ef]"
)
"""Marks that are drawn as nothing; what else is unseen is of category C.

The signs that choose how an emoji is drawn (U+FE0E, U+FE0F) stay.
Source: Unicode 15.1, DerivedCoreProperties.txt, Default_Ignorable_Code_Point.
"""

_STRAY = re.compile(f"(?<![^ {JOINERS}])[{JOINERS}]+|[{JOINERS}]+(?=[ {JOINERS}]|$)")


@lru_cache(256)
def tidy(text: str) -> str:
    """Return *text* as a name: composed letters, single blanks, nothing unseen.

    Empty where nobody would see anything.
    """
    shown = "".join(
        " " if letter.isspace() or letter in BLANKS else letter
        for letter in unicodedata.normalize("NFC", _UNSEEN.sub("", text))
        # Marks that turn the direction of writing could dress one name up as another.
        if letter in JOINERS
        or letter.isspace()
        or unicodedata.category(letter)[0] != "C"
    )
    name = " ".join(_STRAY.sub("", shown).split())
    return name if any(map(_is_seen, name)) else ""


def letters(name: str) -> int:
    """Return how many letters *name* has; marks upon them and joiners are none."""
    return sum(
        letter not in JOINERS and unicodedata.category(letter)[0] != "M"
        for letter in name
    )


def is_long(name: str) -> bool:
    """Tell whether *name* has more letters than a page has room for."""
    return letters(name) > MOST_LETTERS or len(name) > MOST_SIGNS


def visible_form(name: str) -> str:
    """Return what is seen of *name*: two that are alike in it cannot be told apart."""
    return re.sub(f"[{JOINERS}\ufe0e\ufe0f]", "", tidy(name))


def common_form(name: str) -> str:
    """Return the form that all names share which people would take for one.

    "Ana" and "ana" are one: phones write a capital where people did not mean one.
    """
    return visible_form(name).casefold()


def _is_seen(letter: str) -> bool:
    """Tell whether a letter is seen by itself; a mark needs one that it stands on."""
    return letter not in JOINERS and unicodedata.category(letter)[0] in "LNPS"
