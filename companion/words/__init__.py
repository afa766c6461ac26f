"""Turns a line's id and its values into a sentence in French, English or German.

Rules, prompts and cues carry ids and values; only here do they become words. The
catalogues are gettext files, one folder a language, one file a part of the product: the
first word of each line's id. A file is read when somebody asks for a line of it.
"""

import gettext
import logging
from collections.abc import Mapping
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TypeAlias

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from msgspec import Struct

from companion.games.player_names import tidy
from companion.table import LinePart, Params, Text, Value, Word
from companion.words import french

LANGUAGES = ("fr", "en", "de")
"""French first: the rulebooks and most tables are."""

FOLDER = Path(__file__).parent
log = logging.getLogger(__name__)

NO_LINES = gettext.NullTranslations()
"""What stands for a file that is none of ours."""

Names: TypeAlias = tuple[str, ...]


class MissingWords(KeyError):
    """A line has no words in a language; only the strict mode of the tests raises."""


class Words(Struct, frozen=True):
    """One language's lines, for one table of players.

    *names* are the players by seat. *strict* raises `MissingWords` for a line without
    words, where a table would rather see the id than a broken page.
    """

    language: str
    names: Names = ()
    strict: bool = False

    def say(self, line: str, params: Params | Mapping[str, Value] = ()) -> str:
        """Return the sentence of *line*, filled with *params*.

        A `Word` among them is itself a line. A value whose name is or ends in ``seat``
        is a seat and becomes the player's name. A value named ``n`` chooses the plural
        form.
        """
        given = dict(params)
        sentence = self._find(line, given.get("n"))
        values = {name: self._value(name, value) for name, value in given.items()}
        if self.language == "fr":
            sentence = french.elide(sentence, values)
        return sentence.format_map(values)

    def part(self, part: LinePart) -> str:
        """Return the sentence of a line that comes with its values."""
        return self.say(part.line, part.params)

    def text(self, text: Text) -> str:
        """Return what a thing is called; what somebody typed stands as it is."""
        return self.say(text.line) if isinstance(text, Word) else text

    def knows(self, line: str) -> bool:
        """Tell whether this language has words for *line*."""
        lines = _lines(self.language, line)
        return lines.gettext(line) != line or lines.ngettext(line, line, 1) != line

    def name(self, seat: int) -> str:
        """Return the player's name, or the seat's number where none can be seen."""
        known = self.names[seat] if 0 <= seat < len(self.names) else ""
        return known if tidy(known) else str(seat + 1)

    def _find(self, line: str, n: Value | None) -> str:
        lines = _lines(self.language, line)
        found = lines.ngettext(line, line, n) if isinstance(n, int) else line
        if found == line:
            found = lines.gettext(line)
        if found == line:
            if self.strict:
                raise MissingWords(f"no {self.language} words for {line!r}")
            log.error("no %s words for %r", self.language, line)
        return found

    def _value(self, name: str, value: Value) -> str | int:
        if isinstance(value, Word):
            return self._find(value.line, None)
        if isinstance(value, int) and (name == "seat" or name.endswith("_seat")):
            return self.name(value)
        return value


@cache
def catalogue(language: str) -> Catalog:
    """Return all lines of a language, its files merged.

    Raises:
        KeyError: There is no such language.
    """
    return _merged(language, *_parts(language).values())


@cache
def _parts(language: str) -> dict[str, Path]:
    """Return the files of a language by their names."""
    if language not in LANGUAGES:
        raise KeyError(f"no language {language!r}; there are {', '.join(LANGUAGES)}")
    return {path.stem: path for path in sorted((FOLDER / language).glob("*.po"))}


def _merged(language: str, *paths: Path) -> Catalog:
    merged = Catalog(locale=language)
    # Two forms are all these languages need here; Babel's own French rule has a third
    # one for millions, which no table of this product can reach.
    rule = "(n > 1)" if language == "fr" else "(n != 1)"
    for path in paths:
        with path.open("rb") as file:
            for message in read_po(file, locale=language):
                if message.id:
                    merged.add(message.id, _set(message.string, language))
    merged.mime_headers = [
        ("Content-Type", "text/plain; charset=utf-8"),
        ("Plural-Forms", f"nplurals=2; plural={rule};"),
    ]
    return merged


def _set(
    text: str | tuple[str, ...] | list[str] | None, language: str
) -> str | tuple[str, ...]:
    """Return *text* as its language sets it: no French line begins with « ! »."""
    if isinstance(text, tuple | list):
        return tuple(map(french.typeset, text)) if language == "fr" else tuple(text)
    return french.typeset(text or "") if language == "fr" else text or ""


def _lines(language: str, line: str) -> gettext.NullTranslations:
    """Return the lines of the file in which *line* stands, or none."""
    part, _, _ = line.partition(".")
    return _read(language, part) if part in _parts(language) else NO_LINES


@cache
def _read(language: str, part: str) -> gettext.NullTranslations:
    compiled = BytesIO()
    write_mo(compiled, _merged(language, _parts(language)[part]))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)
