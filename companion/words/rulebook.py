"""Says where in a rulebook something stands, in words for people who look it up."""

from collections.abc import Iterable
from functools import cache

from companion.games import find
from companion.games.core import Cite, Section
from companion.words import Words


def named_sections(cites: Iterable[Cite], words: Words) -> str:
    """Return the names of the sections in which *cites* begin and end, quoted.

    A game that has no sections is looked up by its lines.
    """
    named = (name for cite in cites for name in _named(cite, words.language))
    return ", ".join(dict.fromkeys(named))


# A page names those of each line of its history, each time that something happens.
@cache
def _named(cite: Cite, language: str) -> tuple[str, ...]:
    words = Words(language)
    listed = find(cite.rulebook).sections
    if not listed:
        lines = {"first": cite.first, "last": cite.last}
        return (words.say("core.book_lines", lines),)
    return tuple(
        words.say("core.quoted", {"text": words.say(_section_at(line, listed).line)})
        for line in (cite.first, cite.last)
    )


def _section_at(line: int, listed: tuple[Section, ...]) -> Section:
    before = [section for section in listed if section.first <= line]
    return before[-1] if before else listed[0]
