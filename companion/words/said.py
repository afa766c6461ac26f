"""Sentences for a terminal: English for scripts and logs, and what its reader speaks.

A finding or an error is an English sentence that also knows which line it came from, so
that a terminal can say it in any other language of ours.
"""

from companion.table import Filling as Part
from companion.table import LinePart, Said, Value
from companion.words import Words

__all__ = ["Part", "Said", "in_words", "say"]


def say(line: str, **values: Part) -> Said:
    """Return the English sentence of *line*."""
    said = Said(_sentence(line, values, Words("en")))
    said.line, said.values = line, values
    return said


def in_words(text: str, words: Words) -> str:
    """Return *text* as *words* say it; what has no line stays as it is."""
    return _sentence(text.line, text.values, words) if isinstance(text, Said) else text


def _sentence(line: str, values: dict[str, Part], words: Words) -> str:
    return words.say(line, {name: _part(part, words) for name, part in values.items()})


def _part(part: Part, words: Words) -> Value:
    if isinstance(part, LinePart):
        return words.part(part)
    if isinstance(part, tuple):
        return " ".join(words.part(one) for one in part)
    return in_words(part, words) if isinstance(part, str) else part
