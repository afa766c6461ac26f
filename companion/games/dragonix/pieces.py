"""What is printed on the cards and tokens of the box, as numbers and as words.

A card is a number: 0 to 47 for the troops, people by people and rising in value, and
`HERO` for each of the four heroes, which the rules never tell apart.

Source: rulebook l. 24-28 (the parts), 53-57 (the rows), 124-154 (the tokens).
"""

from enum import StrEnum
from typing import TypeAlias

Card: TypeAlias = int
Row: TypeAlias = int
"""Where cards are stacked: armies I to IV are 0 to 3, the defence tower is 4."""


class People(StrEnum):
    """The four peoples; "colour" in the rulebook. Source: rulebook l. 172-190."""

    FOREST = "forest"  # druides du Cœur-de-la-Forêt
    SUN = "sun"  # tribus du Soleil-Brûlant
    ROCK = "rock"  # artisans de la Roche-Noire
    KRAK = "krak"  # paladins du Krak


class Dragon(StrEnum):
    """The two dragons. Source: rulebook l. 29, 142-144."""

    RED = "red"  # Dragon rouge
    UNDEAD = "undead"  # Dragon mort-vivant


class Token(StrEnum):
    """The event tokens. Source: rulebook l. 124-154."""

    PRISON = "prison"  # Emprisonnés
    PLAGUE = "plague"  # Épidémie
    REINFORCE = "reinforce"  # Renfort
    COUNTER = "counter"  # Contre-ordre
    UNDEAD = "undead"  # Dragon mort-vivant, the only one that is there twice
    VOLUNTEERS = "volunteers"  # Volontaires inattendus
    FLIGHT = "flight"  # Vol en altitude


RED, UNDEAD = Dragon
KINDS = tuple(Token)
"""The kinds of token; going through the enum itself takes three times as long."""

PEOPLES = tuple(People)
VALUES = 12
"""Troops of a people, valued 1 to 12. Source: rulebook l. 62."""

TROOPS = len(PEOPLES) * VALUES
HERO: Card = TROOPS
HEROES = 4
"""How many heroes there are. Source: rulebook l. 24."""

NO_COLOUR = -1
"""Colour of a hero, and of a row that asks for none."""

CARDS = (
    *(f"{people}{value}" for people in PEOPLES for value in range(1, VALUES + 1)),
    "hero",
)
"""What each card is called in the log and on the table, by its number."""

VALUE = (*(card % VALUES + 1 for card in range(TROOPS)), 0)
COLOUR = (*(card // VALUES for card in range(TROOPS)), NO_COLOUR)
"""Value and colour (as the number of the people) of each card."""

HERO_AT_START = 13
"""What a hero counts in the draw for the first turn. Source: rulebook l. 30."""

ARMIES = (0, 1, 2, 3)
TOWER: Row = 4
ROWS = ("I", "II", "III", "IV", "tower")
RISING = (True, False, True, False, True)
"""Which armies rise in value; the tower has no order. Source: rulebook l. 53-57."""

COLOURED = (False, False, True, True, True)
"""Which rows ask for one colour. Source: rulebook l. 55-57."""

FULL = 6
"""Cards that send a row into the box. Source: rulebook l. 61."""

HAND = 3
"""Cards that a hand is filled up to. Source: rulebook l. 90."""

TOKENS = (*Token, Token.UNDEAD)
"""The eight tokens. Source: rulebook l. 100, 142."""

SOLO_TOKENS = tuple(token for token in KINDS if token not in ("prison", "undead"))
"""The five of the solo game. Source: rulebook l. 100."""
