"""What is printed on the pieces of the box; what each card does is in `box`.

Source: rulebook l. 26-33 (the parts), 41-45 (anger), 60-64 (the acts).
"""

from enum import StrEnum

PLACE = "place"  # carte Lieu
TREASURE = "treasure"  # carte Trésor
CHARACTER = "character"  # tuile Personnage
DRAGON = "dragon"  # pion Dragon
DIE = "d10"  # dé à 10 faces

PLACES = 10
"""Place cards in the box. Source: rulebook l. 28."""

VALUABLES = 29
"""Treasures that are worth gold. Source: rulebook l. 29."""

SPECIALS = 9
"""Potions and talismans. Source: rulebook l. 29."""

HEROES = 7
"""Characters in the box. Source: rulebook l. 32."""

GOLD = 5
"""Gold is worth 1 to 5; the first five kinds of treasure. Source: rulebook l. 29."""

HAND = 4
"""Treasures dealt to each. Source: rulebook l. 54."""

SEATS = range(2, 6)
"""How many may play. Source: rulebook l. 41-45; ruling RN33."""

ANGER = {2: 5, 3: 6, 4: 7, 5: 8}
"""The dragon's anger at the start, by players. Source: rulebook l. 41-45."""

FACES = tuple(range(10))
"""What the die can show. Source: rulebook l. 30, 93."""

FAILURE = 0
"""The face that fails whatever else holds. Source: rulebook l. 93; ruling RN6."""

SNEAK_COST = 1
"""Points that sneaking costs. Source: rulebook l. 76."""

CRY_COST = 2
"""Points that crying costs. Source: rulebook l. 99."""


class Health(StrEnum):
    """How a character is. Source: rulebook l. 32, 113."""

    FIT = "fit"  # pleine forme
    WOUNDED = "wounded"  # blessé
    OUT = "out"  # réduit en cendres


FIT, WOUNDED, OUT = Health


class Then(StrEnum):
    """The sign at the foot of a place card. Source: rulebook l. 122-144."""

    STOP = "stop"  # laisser la main
    REPLAY = "replay"  # rejouer immédiatement
    CHOOSE = "choose"  # passer la main ou poursuivre l'exploration


class Kind(StrEnum):
    """What a card or a power can do; each copy's box says which does what."""

    DRAW = "draw"  # piocher des trésors
    DISCARD = "discard"  # défausser des trésors
    PEEK = "peek"  # regarder les premiers trésors
    CONSULT = "consult"  # consulter les premiers lieux
    STEAL = "steal"  # voler un trésor
    SWAP = "swap"  # échanger un trésor
    HEAL = "heal"  # soigner
    ATTACK = "attack"  # attaquer le dragon
    SKIP = "skip"  # finir son tour aussitôt
    NO_CRYING = "no_crying"  # interdit de pleurer
    REDIRECT = "redirect"  # redirection
    INVISIBLE = "invisible"  # invisibilité
    BONUS = "bonus"  # bonus au test de discrétion
    CANCEL = "cancel"  # annulation
    BY_HAND = "by_hand"  # à appliquer à la main


STANDING = frozenset({Kind.REDIRECT, Kind.INVISIBLE, Kind.BONUS})
"""What a talisman does while it lies before its owner."""

AT_ONCE = frozenset(Kind) - {
    Kind.REDIRECT,
    Kind.INVISIBLE,
    Kind.NO_CRYING,
    Kind.CANCEL,
}
"""What happens once, when a card is played or turned or a power used.

A bonus on the die is both: of a talisman while it lies there, else for the turn.
"""

ASKING = frozenset({Kind.DISCARD, Kind.STEAL, Kind.SWAP})
"""What waits for a choice of its own."""
