"""How the stand-in pieces of Dragon Run are painted, each kind in its own colours."""

from collections.abc import Iterator

from companion.games.dragon_run.box import Box
from companion.games.dragon_run.layout import face_of
from companion.games.dragon_run.pieces import (
    CHARACTER,
    DIE,
    DRAGON,
    FACES,
    FIT,
    GOLD,
    PLACE,
    TREASURE,
    WOUNDED,
)
from vision.plan import Bgr, Look

_LIGHT: tuple[Bgr, ...] = (
    (120, 220, 250),
    (150, 235, 150),
    (235, 190, 120),
    (150, 170, 245),
    (235, 235, 235),
    (225, 150, 220),
    (220, 225, 120),
)
_DARK: tuple[Bgr, ...] = (
    (20, 90, 130),
    (40, 100, 30),
    (130, 70, 20),
    (40, 40, 140),
    (80, 74, 70),
    (110, 30, 100),
    (96, 90, 10),
)
"""Two rows of seven colours in the same order, bright and dark."""

_GOLD: tuple[tuple[Bgr, Bgr], ...] = (
    ((70, 110, 150), (30, 50, 80)),
    ((150, 150, 150), (70, 70, 70)),
    ((60, 180, 235), (20, 70, 140)),
    ((60, 130, 250), (220, 240, 255)),
    ((40, 40, 210), (120, 220, 250)),
)
"""Field and blazon of the valuables: the dearer, the redder."""


def looks(box: Box) -> Iterator[Look]:
    """Yield the looks of every piece and face of a copy."""
    yield Look(DRAGON, None, (36, 26, 112), (40, 200, 230), "wings")
    for pips in FACES:
        yield Look(DIE, str(pips), (36, 32, 176), (245, 245, 245), str(pips))
    yield from _places(box)
    yield from _treasures(box)
    for number, hero in enumerate(box.heroes):
        yield from _characters(hero.id, number)


def _places(box: Box) -> Iterator[Look]:
    yield Look(PLACE, None, (44, 40, 36), (90, 110, 130), "?")
    for number, place in enumerate(box.places):
        dark, light = _pair(number)
        yield Look(PLACE, place.id, light, dark, _sign(place.id))


def _treasures(box: Box) -> Iterator[Look]:
    yield Look(TREASURE, None, (40, 60, 30), (60, 190, 220), "+")
    for kind in box.kinds:
        if kind < GOLD:
            field, blazon, sign = *_GOLD[kind], str(kind + 1)
        else:
            field, blazon = _pair(kind - GOLD)
            sign = _sign(box.treasure_id(kind))
        yield Look(TREASURE, box.treasure_id(kind), field, blazon, sign)


def _characters(hero: str, number: int) -> Iterator[Look]:
    """Yield a character's bright side and its dark one, each upright and across.

    Source: rulebook l. 32, 160.
    """
    light, dark = _LIGHT[number % 7], _DARK[number % 7]
    for health, field, blazon in ((FIT, light, dark), (WOUNDED, dark, light)):
        sign = _sign(hero) if health is FIT else _sign(hero).lower()
        upright = face_of(hero, health, tilted=False)
        yield Look(CHARACTER, upright, field, blazon, sign)
        across = face_of(hero, health, tilted=True)
        yield Look(CHARACTER, across, field, blazon, sign, quarter=1, same_as=upright)


def _pair(number: int) -> tuple[Bgr, Bgr]:
    """Return two colours far apart; after seven pairs others follow."""
    other = number + 2 + number // 7
    return _DARK[number % 7], _LIGHT[other % 7]


def _sign(name: str) -> str:
    """Return the first letters of a name."""
    return name[:2].title()
