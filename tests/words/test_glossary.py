"""One word for one thing: what a thing is called in each language, and never else."""

import re
from collections.abc import Iterator

import pytest

from companion.words import catalogue

ONE_WORD = {
    "fr": {
        # A die is thrown: un lancer. A box is kept on « Nouvelle partie ».
        "": "plans?|jets?|salon|retenir|emporter|prêt au bouton|dé juste|en lumière",
        "dragonix.": "camp|camps",  # campement: l. 26
        "boards.dragonix.": "camp|camps",
        "eight_dragons.": "diapré|pions?",  # l. 59: multicolore; l. 112: jeton
        "dragon_run.": "aventuriers?",  # l. 32, 155: personnage
        "teach.": "exemplaires?",
    },
    "en": {
        "": (
            "throw|throws|thrown|cells?|stand-in|annuls?|annulled|sinks|dearest|"
            "wipes? (?:the|my) notes"
        ),
        "dragon_run.": "place cards?|act|acts",  # location card, action
        "boards.dragon_run.": "place cards?",
        "table.": "place cards?",
        "teach.": "place cards?|(?:a|your) copy",
    },
    "de": {
        "": (
            "tischleitung|gastgebers?|die leitung|brett|bretts|plans?|ersatzbrett|"
            "telefon|laufwürfel|regelheft|exemplare?|exemplars|verwundet|losrennen|"
            "kraft|gleichauf-\\w+|wegzulegen|weglegen|weggeräumte?"
        ),
        "eight_dragons.": "spielsteine?s?|marker|feuerkugel",  # Plättchen, Feuerball
        "dragonix.": "marker|ereignismarker|abtrünnige\\w*",  # Plättchen, Deserteur
        "drachenhort.": "figur|figuren",  # Abenteurer
        "dragon_run.": "heul\\w*|rennt?|renne|abenteurer",
    },
}
"""By language and beginning of an id: names that a thing must not have there."""


def sentences(language: str, start: str) -> Iterator[tuple[str, str]]:
    for message in catalogue(language):
        line = message.id if isinstance(message.id, str) else message.id[0]
        if line.startswith(start):
            for form in (
                [message.string] if isinstance(message.string, str) else message.string
            ):
                yield line, re.sub(r"\{\w+\}", "", form)


@pytest.mark.parametrize(
    ("language", "start", "never"),
    [
        pytest.param(language, start, never, id=f"{language}-{start or 'all'}")
        for language, starts in ONE_WORD.items()
        for start, never in starts.items()
    ],
)
def test_a_thing_has_no_second_name(language, start, never):
    wrong = {
        line: text
        for line, text in sentences(language, start)
        if re.search(rf"\b(?:{never})\b", text, re.IGNORECASE)
    }

    assert wrong == {}


def test_a_button_orders_as_everybody_is_spoken_to():
    """German says "Dreh eine Karte um", not "Eine Karte umdrehen", after a name."""
    orders = [
        (line, text.removeprefix(": "))
        for game in (
            "drachenhort",
            "dragorun",
            "dragon_run",
            "dragonix",
            "eight_dragons",
        )
        for line, text in sentences("de", f"{game}.do.")
        if text.startswith(": ") and not text.startswith(":  ")
    ]

    assert len(orders) > 60
    assert [one for one in orders if not one[1][0].isupper()] == []
    infinitives = "umdrehen|beenden|verdecken|nehmen|lassen|ziehen|verzichten|tauschen"
    assert [one for one in orders if re.search(rf"(?:{infinitives})\.$", one[1])] == []


@pytest.mark.parametrize("language", ["fr", "en", "de"])
@pytest.mark.parametrize("start", ["boards.badge.", "dashboard.drachenhort.badge."])
def test_no_two_colours_have_the_same_two_letters(language, start):
    badges = dict(sentences(language, start))

    assert len(badges) == 12
    assert len(set(badges.values())) == 12, badges


@pytest.mark.parametrize("start", ["doctor.", "firmware.", "terminal.", "usage."])
def test_a_terminal_says_du_to_whoever_sits_before_it(start):
    """A page speaks to the whole table, a terminal to one person."""
    plural = (
        "nehmt|gebt|führt `|steckt (?:ein|sie|die)|stellt (?:die|eine)|wählt|"
        "startet den|prüft|euch|eure?"
    )
    wrong = {
        line: text
        for line, text in sentences("de", start)
        if re.search(rf"\b(?:{plural})", text, re.IGNORECASE)
    }

    assert wrong == {}
