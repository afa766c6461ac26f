"""An area in which cards lie: how it looked when believed, and what is new there.

Only where it has changed cards are sought. One that looks as before is the same card,
wherever it was pushed; what is new is read.
"""

from collections.abc import Mapping
from enum import Enum, auto
from typing import NamedTuple

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from companion.games.copy import Zone
from companion.table import BoxPx, Piece
from companion.watching.zone_cards import (
    Card,
    Chances,
    Known,
    ZoneRules,
    identify,
    turned,
)
from vision.arrays import Floats, Mask, Picture
from vision.cards.laid import (
    DEFAULT_CELL,
    NUDGED,
    LaidCard,
    area_grid,
    cards_in_area,
    cells_under,
    changed_part,
    has_slid,
    has_turned,
    is_covered,
    match_cards,
    shows_ground,
)
from vision.cards.outlines import CardSize
from vision.cards.reader import CardReader
from vision.cards.rows import flatten_rows
from vision.cards.zones import Grid
from vision.ground.knock import move_points
from vision.taught_dice.hues import find_bodies
from vision.taught_dice.judging import DetectedTaughtDie
from vision.taught_dice.rounds import RoundModel, read_round

NEWS = 0.4
"""Part of the cells under a card that must have changed when it came. First guess."""


ROUND = 0.7, 1.5
"""Sides of what may be a token, in the side of the taught ones."""


LIKELY = 0.3
"""Chance from which what looks like a frame on a mat may be a pale card: frames of the
drawn mats have at most 0.21."""


HALF = 0.5
"""Chance that a card of a pile that has slid a little is another one like it."""


class Lying(Struct, frozen=True):
    """A card of an area.

    Attributes:
        thing: What it is; None of a card of no deck, which is nobody's business.
        card: Where it was last seen, and how it looked; None if it was never found.
        is_hidden: Whether other cards lie on it.
    """

    thing: Card | None
    card: LaidCard | None = None
    is_hidden: bool = False

    @property
    def is_in_sight(self) -> bool:
        """Tell whether it was found and nothing hides it."""
        return self.card is not None and not self.is_hidden

    @property
    def was_seen(self) -> bool:
        """Tell whether it is known to lie there, and not only by the record."""
        return self.card is not None or self.is_hidden


class Doubt(Struct, frozen=True):
    """A card that nobody can tell, and what it may be."""

    choices: Chances
    card: LaidCard


class AreaReading(NamedTuple):
    """What lies in an area.

    *is_open* tells that a card may be gone or hidden, *strange* how many cells have
    changed that no card explains.
    """

    lying: tuple[Lying, ...]
    doubts: tuple[Doubt, ...] = ()
    is_open: bool = False
    strange: int = 0


class Area:
    """An area of a table under a camera.

    Args:
        zone: Which it is.
        corners: Where it is, ``(4, 2)``, px, around with the clock.
        decks: What reads the cards, by their pieces.
    """

    def __init__(
        self, zone: Zone, corners: Floats, decks: Mapping[Piece, CardReader]
    ) -> None:
        self.zone = zone
        self.lying: tuple[Lying, ...] = ()
        self.doubts: tuple[Doubt, ...] = ()
        self._corners = corners
        self._decks = decks
        self._grid: Grid | None = None
        self._flat: Floats | None = None
        self._last: tuple[Grid, Floats] | None = None
        self._before: tuple[Grid, Floats] | None = None
        self._seen: Picture | None = None
        self._seen_box: BoxPx | None = None
        sizes = (decks[one].deck.card_px for one in zone.cards if one in decks)
        self._card_px: CardSize | None = next((size for size in sizes if size[0]), None)

    def box(self) -> BoxPx:
        """Return the box about it in the picture, px."""
        ends = np.maximum(self._corners.min(0), 0), self._corners.max(0)
        left, top, right, bottom = (round(float(v)) for end in ends for v in end)
        return left, top, right, bottom

    def believe(self, picture: Picture) -> None:
        """Keep how it looks now that all of it is known."""
        cell_px = DEFAULT_CELL * picture.shape[1]
        if self._card_px is not None:
            cell_px = self._card_px[0]
        self._grid = area_grid(self._corners, cell_px)
        self._flat = flatten_rows(picture, self._grid).copy()
        self._before = self._last
        self._last = (self._grid, self._flat)
        left, top, right, bottom = self._seen_box = self.box()
        self._seen = picture[top:bottom, left:right].copy()

    def new_rounds(
        self, picture: Picture, model: RoundModel
    ) -> list[DetectedTaughtDie]:
        """Return the round pieces that were not there when it was believed."""
        left, top, right, bottom = self.box()
        here = np.ascontiguousarray(picture[top:bottom, left:right])
        side_px = model.size * max(picture.shape[:2])
        before = self._seen if self._seen_box == self.box() else None
        found = []
        for box in find_bodies(here, side_px, before):
            wide, high = box[2] - box[0], box[3] - box[1]
            if (
                ROUND[0] * side_px
                < min(wide, high)
                <= max(wide, high)
                < ROUND[1] * side_px
            ):
                found.append(read_round(here, box, model))
        return found

    def has_changed(self, picture: Picture) -> bool:
        """Tell whether it looks otherwise than when it was believed.

        A pile may: a like card on its top is seen only by where it lies.
        """
        changed = self._changed_cells(picture)
        may = bool(self.doubts) or (self.zone.is_pile and bool(self.lying))
        return changed is None or may or bool(changed.any())

    def _changed_cells(self, picture: Picture) -> Mask | None:
        if self._grid is None or self._flat is None:
            return None
        return changed_part(picture, self._grid, self._flat)[1]

    def move(self, knock: Floats) -> None:
        """Follow the camera, which has moved."""
        self._corners = move_points(self._corners, knock)
        if self._grid is not None:
            moved = move_points(np.array(self._grid.corners, np.float32), knock)
            self._grid = replace(self._grid, corners=_points(moved))
        self._before = None
        self.lying = tuple(_moved(one, knock) for one in self.lying)

    def trust(self, rules: ZoneRules, *, all_of_it: bool) -> None:
        """Take what was not read for a frame that is printed there, or a rim.

        *all_of_it* is taken to lie as the record says, as at the beginning.
        """
        if all_of_it:
            missing = rules.missing(one.thing for one in self.lying if one.thing)
            hidden = self.zone.is_pile
            unread = (Lying(card, None, hidden) for card in missing.elements())
            self.lying = (*self.lying, *unread)
        frames = (Lying(None, doubt.card) for doubt in self.doubts)
        self.lying, self.doubts = (*self.lying, *frames), ()

    def read(self, picture: Picture, rules: ZoneRules) -> AreaReading:
        """Return what lies there now; nothing is believed yet."""
        known = [one for one in self.lying if one.is_in_sight]
        found = cards_in_area(picture, self._corners, self._card_px)
        matched = match_cards([one.card for one in known if one.card], found)
        changed = self._changed_cells(picture)
        came = [found[n] for n in matched.came if self._is_news(changed, found[n])]
        lying, is_open = [one for one in self.lying if not one.is_in_sight], False
        missing = rules.missing(one.thing for one in self.lying if one.thing)
        asked = []
        for k, one in enumerate(known):
            if k in matched.stayed:
                card = found[matched.stayed[k]]
                owed = one.thing is not None and missing[one.thing] > 0
                if _is_another(one, card, rules, owed=owed):
                    lying += [replace(one, is_hidden=True), Lying(one.thing, card)]
                    continue
                lying += _seen_again(one, card, rules)
                asked += _may_be_another(one, card, rules)
                continue
            fate = self._fate(picture, changed, one, came)
            is_open |= fate is _Fate.OPEN
            if fate is not _Fate.GONE:
                lying.append(replace(one, is_hidden=fate is _Fate.HIDDEN))
        if self.zone.is_pile and known and not found and not is_open:
            lying = [one for one in lying if not one.is_hidden]
        here, doubts = self._read_new(picture, rules, _still_owed(rules, lying), came)
        doubts += asked
        # A figure may stand on a frame, and may look like a card.
        cards = [one.card for one in (*known, *here) if one.thing and one.card]
        strange = self._unexplained(self._grid, changed, cards)
        if strange and self._before is not None:
            # A hand may have been taken in where a part of it looked like a figure.
            grid, flat = self._before
            without = changed_part(picture, grid, flat)[1]
            strange = min(strange, self._unexplained(grid, without, cards))
        return AreaReading(tuple(here), tuple(doubts), is_open, strange)

    def _read_new(
        self,
        picture: Picture,
        rules: ZoneRules,
        lying: list[Lying],
        came: list[LaidCard],
    ) -> tuple[list[Lying], list[Doubt]]:
        """Return what lies there once new cards were read."""
        doubts = []
        for card in came:
            in_sight = any(one.is_in_sight for one in lying)
            # Where the top of a pile is gone, it may be one that lay below.
            things = [
                one.thing
                for one in lying
                if one.thing and one.was_seen and (in_sight or not one.is_hidden)
            ]
            seen = identify(self._decks, picture, card.quad.array(), rules, things)
            if isinstance(seen, Known):
                lying = [*_without(rules, lying, seen.card), Lying(seen.card, card)]
            elif seen.best >= LIKELY or not shows_ground(picture, card):
                doubts.append(Doubt(seen.choices, card))
        return lying, doubts

    def _fate(
        self, picture: Picture, changed: Mask | None, one: Lying, came: list[LaidCard]
    ) -> "_Fate":
        """Return what became of a card that was not found."""
        assert one.card is not None
        if changed is not None and not changed[self._under(one.card)].any():
            return _Fate.THERE
        if one.thing is None:
            return _Fate.GONE
        if is_covered(one.card, came):
            return _Fate.HIDDEN if self.zone.is_pile else _Fate.GONE
        return _Fate.GONE if shows_ground(picture, one.card) else _Fate.OPEN

    def _is_news(self, changed: Mask | None, card: LaidCard) -> bool:
        """Tell whether a card may have come: frames and rims were there before."""
        if changed is None:
            return True
        under = self._under(card)
        return bool(under.any()) and float(changed[under].mean()) >= NEWS

    def _unexplained(
        self, grid: Grid | None, changed: Mask | None, cards: list[LaidCard]
    ) -> int:
        """Return how many cells have changed that no card lies on or lay on.

        Beside a card that came or went colours seem changed, and its shadow falls.
        """
        if changed is None or grid is None:
            return 0
        under = np.zeros(changed.shape, np.bool_)
        for card in cards:
            under |= cells_under(card, grid)
        around = cv2.dilate((changed & under).astype(np.uint8), np.ones((3, 3)))
        return int((changed & ~under & (around == 0)).sum())

    def _under(self, card: LaidCard) -> Mask:
        assert self._grid is not None
        return cells_under(card, self._grid)


class _Fate(Enum):
    """What became of a card that was not found."""

    THERE = auto()
    HIDDEN = auto()
    GONE = auto()
    OPEN = auto()


def _moved(one: Lying, knock: Floats) -> Lying:
    if one.card is None:
        return one
    corners = _points(move_points(one.card.quad.array(), knock))
    quad = replace(one.card.quad, corners=corners)
    return replace(one, card=replace(one.card, quad=quad))


def _points(corners: Floats) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in corners)


def _still_owed(rules: ZoneRules, lying: list[Lying]) -> list[Lying]:
    """Return cards without those that were never found and that the record drops."""
    owed = rules.missing(one.thing for one in lying if one.thing and one.was_seen)
    kept = []
    for one in lying:
        if one.thing is not None and not one.was_seen:
            if owed[one.thing] <= 0:
                continue
            owed[one.thing] -= 1
        kept.append(one)
    return kept


def _seen_again(before: Lying, card: LaidCard, rules: ZoneRules) -> list[Lying]:
    """Return a card where it lies now, which may have been turned by a quarter."""
    assert before.card is not None
    thing = before.thing
    if thing is None or thing[1] is None or rules.zone.is_pile:
        return [Lying(thing, card)]
    if has_turned(before.card, card):
        other = thing[0], turned(thing[1])
        cards = {(piece, face) for piece, face, _ in (*rules.record, *rules.legal)}
        return [Lying(other if other in cards else thing, card)]
    return [Lying(thing, card)]


def _is_another(before: Lying, card: LaidCard, rules: ZoneRules, *, owed: bool) -> bool:
    """Tell whether a card on a pile is another one that looks as the one before it."""
    assert before.card is not None
    if not rules.zone.is_pile or before.thing is None:
        return False
    if owed:
        return has_slid(before.card, card, NUDGED)
    legal = {(piece, face) for piece, face, _ in rules.legal}
    return before.thing in legal and has_slid(before.card, card)


def _may_be_another(before: Lying, card: LaidCard, rules: ZoneRules) -> list[Doubt]:
    """Return the doubt whether a card of a pile that slid a little is another one."""
    legal = {(piece, face) for piece, face, _ in rules.legal}
    assert before.card is not None
    if not rules.zone.is_pile or before.thing is None or before.thing not in legal:
        return []
    if not has_slid(before.card, card, NUDGED):
        return []
    return [Doubt(((*before.thing, HALF),), before.card)]


def _without(rules: ZoneRules, lying: list[Lying], card: Card | None) -> list[Lying]:
    """Return what lies in an area without one that must be the card found now.

    That is one that was never found, or one of a pile that lies open again: no move
    lays such a card, and nothing else of the pile is in sight.
    """
    legal = {(piece, face) for piece, face, _ in rules.legal}
    again = card not in legal and not any(one.is_in_sight for one in lying)
    for n, one in reversed(list(enumerate(lying))):
        if (
            card is not None
            and one.thing == card
            and (not one.was_seen or (one.is_hidden and again))
        ):
            return [*lying[:n], *lying[n + 1 :]]
    return lying
