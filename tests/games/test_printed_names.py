"""What people read in French is what the booklets and the cards print."""

import re

import pytest

from companion.words import catalogue


def french(start: str) -> dict[str, str]:
    """Return the sentences of all lines that begin with *start*."""
    found = {}
    for message in catalogue("fr"):
        line = message.id if isinstance(message.id, str) else message.id[0]
        if line.startswith(start):
            forms = message.string
            found[line] = forms if isinstance(forms, str) else " ".join(forms)
    return found


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        ("dragon_run.potion.annulment", "Potion Annulation"),  # l. 150
        ("dragon_run.talisman.redirection", "Talisman Redirection"),  # l. 54
        ("dragon_run.talisman.invisibility", "Talisman Invisibilité"),  # l. 54
        ("table.place.score", "sur le tableau de score"),  # Drachenhort l. 52, 95
        ("table.place.path", "sur la pioche Lieu"),  # Dragon Run l. 48, 82
        ("table.place.stock", "sur la pioche Trésor"),  # Dragon Run l. 54, 153
        ("table.place.camp", "dans le campement de {seat}"),  # Dragonix l. 26
        ("boards.dragorun.throw_step", "Le dé de déplacement relancé"),  # l. 51-52
    ],
)
def test_a_thing_is_called_what_is_printed_on_it(line, printed):
    assert french(line)[line] == printed


@pytest.mark.parametrize(
    ("start", "never"),
    [
        # Its plan de jeu (l. 49, 63) is a plateau to players, as in the other games.
        ("drachenhort.", "tableau des"),
        ("dashboard.drachenhort.", "tableau des"),
        ("dragon_run.", "pile|plateau"),  # pioche, tuile Dragon: l. 41, 48, 54
        ("boards.dragon_run.", "pile|plateau"),
        ("dragorun.", "pile|dé de mouvement"),  # réserve: l. 125, 141
        ("boards.dragorun.", "pile|dé de mouvement"),
    ],
)
def test_a_thing_is_called_by_no_other_name(start, never):
    wrong = {
        line: text
        for line, text in french(start).items()
        if re.search(rf"\b(?:{never})\b", text, re.IGNORECASE)
    }

    assert wrong == {}
