"""Sets French as printers do: elision, apostrophes, narrow spaces.

All of it is done here, on the way from the catalogues to the page, so that no line has
to know whose name will stand in it.
"""

import re
import unicodedata

NARROW = "\u202f"
"""The narrow space at which no line may break."""

_SPACED = re.compile(r"[ \u00a0\u202f]+(?=[!?:;»%])|(?<=«)[ \u00a0\u202f]+")
_ELIDABLE = re.compile(r"\b(d|jusqu|l|lorsqu|puisqu|qu)([ea]) \{(\w+)\}", re.IGNORECASE)
_VOWELS = frozenset("aeiouœæ")
# fmt: off
_MUTE_H = (
    "hadri", "harm", "hector", "helen", "heli", "heloi", "henri", "henry", "herbe",
    "hercu", "hermi", "herve", "heure", "hilai", "hippo", "histoi", "homm", "honor",
    "horac", "horten", "hubert", "hug", "humbert", "hyac",
)
# fmt: on
"""How names and nouns with a mute h begin, without accents. All others keep their h:
those that come to French from elsewhere (Hans, Harry, Hakim, Hiroshi) are said so."""


def typeset(text: str) -> str:
    """Return *text* with curved apostrophes and with narrow spaces at its signs."""
    return _SPACED.sub(NARROW, text.replace("'", "’"))


def elide(sentence: str, values: dict[str, str | int]) -> str:
    """Return *sentence*, its "de {seat}" made "d’{seat}" where the value asks for it.

    *values* are what the braces of *sentence* will be filled with.
    """

    def _joined(found: re.Match[str]) -> str:
        stem, vowel, name = found.groups()
        loses = vowel.lower() == "e" or stem.lower() == "l"
        if loses and _begins_with_a_vowel(str(values.get(name, ""))):
            return f"{stem}’{{{name}}}"
        return found[0]

    return _ELIDABLE.sub(_joined, sentence)


def _begins_with_a_vowel(text: str) -> bool:
    parts = unicodedata.normalize("NFD", text.strip()).lower()
    bare = "".join(sign for sign in parts if not unicodedata.combining(sign))
    if bare.startswith("h"):
        return bare.startswith(_MUTE_H)
    if bare.startswith("y"):
        # Yves and Ysée, but not Yann: there the y is a consonant.
        return bare[1:2].isalpha() and bare[1] not in _VOWELS
    return bare[:1] in _VOWELS
