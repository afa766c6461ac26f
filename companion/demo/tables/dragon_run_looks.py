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
from vision.tabletop.plan import Bgr, PieceLook

_LIGHT: tuple[Bgr, ...] = (
    (60, 225, 250),
    (235, 225, 70),
    (200, 175, 255),
    (240, 240, 240),
    (20, 110, 245),
    (110, 225, 130),
    (130, 130, 130),
)
_DARK: tuple[Bgr, ...] = (
    (30, 28, 26),
    (30, 24, 220),
    (190, 70, 20),
    (30, 100, 20),
    (130, 20, 100),
    (25, 75, 135),
    (130, 125, 10),
)
"""Fields of cards, bright and dark, as far apart as fourteen colours can be."""

_BLACK: Bgr = (36, 34, 32)
_WHITE: Bgr = (245, 245, 245)

_GOLD = (12, 6, 0, 4, 8)
"""Colours of the valuables: brown, grey, yellow, orange, red."""

_SPECIALS = (1, 2, 3, 5, 7, 9, 10, 11)
_PLACES = (1, 8, 2, 10, 3, 0, 9, 4, 11, 5)
_HIDDEN_PLACE, _HIDDEN_TREASURE = 7, 13
"""Numbers in the light row, and from 7 on in the dark one."""


def looks(box: Box) -> Iterator[PieceLook]:
    """Yield the looks of every piece and face of a copy."""
    yield PieceLook(DRAGON, None, (36, 26, 112), (40, 200, 230), "wings")
    for pips in FACES:
        yield PieceLook(DIE, str(pips), (36, 32, 176), (245, 245, 245), str(pips))
    yield from _places(box)
    yield from _treasures(box)
    for number, hero in enumerate(box.heroes):
        yield from _characters(hero.id, number)


def _places(box: Box) -> Iterator[PieceLook]:
    yield PieceLook(PLACE, None, *_paint(_HIDDEN_PLACE), "?")
    for number, place in enumerate(box.places):
        paint = _paint(_PLACES[number % len(_PLACES)])
        yield PieceLook(PLACE, place.id, *paint, _sign(place.id))


def _treasures(box: Box) -> Iterator[PieceLook]:
    yield PieceLook(TREASURE, None, *_paint(_HIDDEN_TREASURE), "+")
    for kind in box.kinds:
        name = box.treasure_id(kind)
        if kind < GOLD:
            yield PieceLook(TREASURE, name, *_paint(_GOLD[kind]), str(kind + 1))
        else:
            number = _SPECIALS[(kind - GOLD) % len(_SPECIALS)]
            yield PieceLook(TREASURE, name, *_paint(number), _sign(name))


def _characters(hero: str, number: int) -> Iterator[PieceLook]:
    """Yield a character's bright side and its dark one, each upright and across.

    Source: rulebook l. 32, 160.
    """
    for health, paint in ((FIT, number % 7), (WOUNDED, number % 7 + 7)):
        sign = _sign(hero) if health is FIT else _sign(hero).lower()
        upright = face_of(hero, health, tilted=False)
        yield PieceLook(CHARACTER, upright, *_paint(paint), sign)
        across = face_of(hero, health, tilted=True)
        yield PieceLook(
            CHARACTER, across, *_paint(paint), sign, quarter=1, same_as=upright
        )


def _paint(number: int) -> tuple[Bgr, Bgr]:
    """Return the field and the blazon of a number."""
    return (_LIGHT[number], _BLACK) if number < 7 else (_DARK[number - 7], _WHITE)


def _sign(name: str) -> str:
    """Return the first letters of a name."""
    return name[:2].title()
