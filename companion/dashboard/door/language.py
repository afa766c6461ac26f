"""Which language a phone reads, and the words in it."""

from collections.abc import Mapping

from werkzeug.datastructures import LanguageAccept

from companion.words import LANGUAGES

COOKIE = "lang"
NAMES = {"fr": "Français", "en": "English", "de": "Deutsch"}
"""Each language in its own words, for the one who cannot read the present one."""


def choose(
    args: Mapping[str, str], cookies: Mapping[str, str], accepted: LanguageAccept
) -> str:
    """Return the language asked for, else the one kept, else one the phone accepts.

    French where none of them is ours: the rulebooks and most tables are.
    """
    for wish in (args.get("lang"), cookies.get(COOKIE)):
        if wish in LANGUAGES:
            return str(wish)
    # A phone in Zurich says de-CH first; that is our German before any English.
    for tag in accepted.values():
        language = tag.lower().partition("-")[0]
        if language in LANGUAGES:
            return language
    return LANGUAGES[0]
