"""An area in which cards lie: how it looked when believed, and what is new there.

Only where it has changed cards are sought. One that looks as before is the same card,
wherever it was pushed; what is new is read.
"""

from collections.abc import Collection, Mapping
from functools import partial

import numpy as np
from msgspec.structs import replace

from companion.games.copy import Zone
from companion.table import BoxPx, Face, Piece
from companion.watching.zone_cards import Known, ZoneRules, identify
from companion.watching.zone_lying import (
    AreaReading,
    CardFate,
    CardInArea,
    Doubt,
    as_its_like,
    below_by_record,
    covered_top,
    found_again,
    hidden_by_record,
    is_heaped,
    laid_on,
    laid_on_its_like,
    laid_on_pile,
    moved,
    same_again,
    still_owed,
    there_and_lost,
    what_covers,
    without,
)
from vision.arrays import Floats, Mask, Picture
from vision.cards.area_look import (
    DEFAULT_CELL,
    AreaLook,
    area_grid,
    box_about,
    cells_under,
    count_unexplained,
    look_at_area,
    points_in_cells,
)
from vision.cards.laid import (
    COVERED,
    HEAPED,
    LaidCard,
    cards_in_area,
    is_covered,
    match_cards,
    shows_ground,
)
from vision.cards.outlines import CardSize
from vision.cards.reader import CardReader
from vision.ground.knock import move_points
from vision.taught_dice.judging import DetectedTaughtDie
from vision.taught_dice.rounds import TokenModel, read_new_rounds

LIKELY = 0.3
"""Chance from which what looks like a frame on a mat may be a pale card: frames of the
drawn mats have at most 0.21."""


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
        self.lying: tuple[CardInArea, ...] = ()
        self.doubts: tuple[Doubt, ...] = ()
        self._corners = corners
        self._decks = decks
        self._look: AreaLook | None = None
        self._before: AreaLook | None = None
        self._left: AreaLook | None = None
        self._asked_by: ZoneRules | None = None
        sizes = (decks[one].deck.card_px for one in zone.cards if one in decks)
        self._card_px: CardSize | None = next((size for size in sizes if size[0]), None)

    def box(self) -> BoxPx:
        """Return the box about it in the picture, px."""
        return box_about(self._corners.tolist())

    def believe(self, picture: Picture) -> None:
        """Keep how it looks now that all of it is known."""
        wide_px, _ = self._card_px or (DEFAULT_CELL * picture.shape[1], 0.0)
        self._before, self._left = self._look, None
        self._look = look_at_area(picture, area_grid(self._corners, wide_px))

    def leave(self, picture: Picture) -> None:
        """Keep how it looks though nobody knows why, to see what changes next."""
        if self._look is not None:
            self._left = look_at_area(picture, self._look.grid)

    def new_rounds(
        self, picture: Picture, model: TokenModel, expected: Collection[Face]
    ) -> list[DetectedTaughtDie]:
        """Return the round pieces that were not there when it was believed.

        *expected* are the faces that a move may bring there.
        """
        left, top, right, bottom = self.box()
        here = np.ascontiguousarray(picture[top:bottom, left:right])
        before = None if self._look is None else self._look.seen_in(self.box())
        side_px = model.size * max(picture.shape[:2])
        return read_new_rounds(here, before, model, side_px, expected)

    def has_changed(self, picture: Picture) -> bool:
        """Tell whether it looks otherwise than when it was believed.

        A pile may: a like card on its top is seen only by where it lies.
        """
        changed = self._changed_cells(picture)
        may = bool(self.doubts) or (self.zone.is_pile and bool(self.lying))
        return changed is None or may or bool(changed.any())

    def changed_at(self, picture: Picture) -> list[tuple[float, float]]:
        """Return points of the cells that have changed, as parts of the picture."""
        changed = self._changed_cells(picture)
        if changed is None or self._look is None:
            return []
        return points_in_cells(changed, self._look.grid, picture.shape)

    def _changed_cells(self, picture: Picture) -> Mask | None:
        return None if self._look is None else self._look.changed(picture)

    def confirm(self) -> None:
        """Take note that the record has what was last believed there: no hand was."""
        self._before = None

    def move(self, knock: Floats) -> None:
        """Follow the camera, which has moved."""
        self._corners = move_points(self._corners, knock)
        self._look, self._before, self._left = (
            look and look.moved(knock)
            for look in (self._look, self._before, self._left)
        )
        self.lying = tuple(moved(one, knock) for one in self.lying)

    def trust(self, rules: ZoneRules, *, all_of_it: bool) -> None:
        """Take what was not read for a frame that is printed there, or a rim.

        *all_of_it* is taken to lie as the record says, as at the beginning.
        """
        if all_of_it:
            missing = rules.missing(one.thing for one in self.lying if one.thing)
            hidden = self.zone.is_pile
            unread = (CardInArea(card, None, hidden) for card in missing.elements())
            self.lying = (*self.lying, *unread)
        frames = (CardInArea(None, doubt.card) for doubt in self._unread())
        self.lying, self.doubts = (*self.lying, *frames), ()

    def take(self, reading: AreaReading, rules: ZoneRules) -> None:
        """Take what was read for what lies there, and note by which record."""
        self.lying, self.doubts = reading.lying, reading.doubts
        is_asked = len(self._unread()) < len(self.doubts)
        self._asked_by = rules if is_asked else None

    @property
    def _is_heaped(self) -> bool:
        return is_heaped(self.zone, self.lying)

    def _may_ask(self, rules: ZoneRules) -> bool:
        """Tell whether people have not been asked and played on since."""
        return self._asked_by in (None, rules)

    def _unread(self) -> list[Doubt]:
        """Return the doubts about what lies there beside the cards that are known."""
        known = [one.card for one in self.lying]
        return [
            doubt
            for doubt in self.doubts
            if not any(doubt.card is card for card in known)
        ]

    def settle(self, rules: ZoneRules) -> None:
        """Take cards that nobody can tell for those that people have entered.

        That is so where at least so many are missing: which one is which may be mixed
        up, what lies there is not.
        """
        missing = rules.missing(one.thing for one in self.lying if one.thing)
        unread = self._unread()
        if 0 < len(unread) <= missing.total():
            cards = zip(unread, missing.elements(), strict=False)
            told = tuple(CardInArea(thing, doubt.card) for doubt, thing in cards)
            self.lying, self.doubts = (*self.lying, *told), ()

    def read(self, picture: Picture, rules: ZoneRules, figures: int = 0) -> AreaReading:
        """Return what lies there now, beside *figures*; nothing is believed yet."""
        known = [one for one in self.lying if one.is_in_sight]
        found = cards_in_area(picture, self._corners, self._card_px)
        changed = self._changed_cells(picture)
        cards = [one.card for one in known if one.card]
        still = [k for k, card in enumerate(cards) if self._is_still(changed, card)]
        matched = match_cards(cards, found, still)
        came = [
            found[n] for n in matched.came if self._is_news(picture, changed, found[n])
        ]
        stayed = {k: found[n] for k, n in matched.stayed.items()}
        lying, asked, is_open = self._still_there(picture, rules, changed, came, stayed)
        if known and not is_open and not any(one.is_in_sight for one in lying):
            # The top of a pile is gone: with it all, or the card below is seen.
            lying = [one for one in lying if not one.is_hidden] if not came else lying
        lying = below_by_record(rules, lying)
        gone = [known[k] for k in matched.missing]
        owed = still_owed(rules, lying)
        here, doubts = self._read_new(picture, rules, changed, owed, came, gone)
        here = [*hidden_by_record(rules, here), *here]
        if any(one.thing and any(one.card is card for card in came) for one in here):
            # A new card explains the change: what looks like none is a figure's frame.
            frames = [doubt for doubt in doubts if not doubt.choices]
            doubts = [doubt for doubt in doubts if doubt.choices] + frames[figures:]
            here += [CardInArea(None, frame.card) for frame in frames[:figures]]
        doubts += asked
        # A figure may stand on a frame, and may look like a card.
        cards = [one.card for one in (*known, *here) if one.thing and one.card]
        fresh = [*came, *(one.card for one in gone)]
        news = [one for one in cards if any(one is card for card in fresh)]
        strange = 0
        if changed is not None and self._look is not None:
            strange = count_unexplained(self._look.grid, changed, cards, news)
        if strange and self._before is not None:
            # A hand may have been taken in where a part of it looked like a figure.
            strange = min(
                strange, self._before.count_unexplained(picture, cards, cards)
            )
        is_as_left = self._left is not None and not self._left.count_unexplained(
            picture, cards, news
        )
        return AreaReading(tuple(here), tuple(doubts), is_open, strange, is_as_left)

    def _still_there(
        self,
        picture: Picture,
        rules: ZoneRules,
        changed: Mask | None,
        came: list[LaidCard],
        stayed: Mapping[int, LaidCard],
    ) -> tuple[list[CardInArea], list[Doubt], bool]:
        """Return what of before still lies there, what to ask, and whether it is open.

        *stayed* are the cards that were found again, by their number among those that
        were in sight.
        """
        lying = [one for one in self.lying if not one.is_in_sight]
        missing = rules.missing(one.thing for one in self.lying if one.thing)
        find_like = partial(self._find_like, picture, changed)
        asked, is_open = list[Doubt](), False
        for k, one in enumerate(one for one in self.lying if one.is_in_sight):
            if k in stayed:
                owed = one.thing is not None and missing[one.thing] > 0
                there, doubts = found_again(
                    one,
                    stayed[k],
                    rules,
                    is_owed=owed,
                    may_ask=self._may_ask(rules),
                    looks_other=bool(self._looks_other(picture, changed, stayed[k])),
                    find_like=find_like,
                )
                lying, asked = [*lying, *there], [*asked, *doubts]
                continue
            fate = self._fate(picture, changed, one, came)
            if fate is CardFate.OPEN and self._is_heaped and (missing or not came):
                # People may have entered what lies on it, and nobody finds its rim.
                laid = (
                    CardInArea(next(missing.elements()), one.card, is_laid=True)
                    if missing
                    else laid_on_pile(
                        self._decks, picture, rules, one, self.lying, find_like
                    )
                )
                if laid is not None:
                    lying += [replace(one, is_hidden=True), laid]
                    continue
                asked += what_covers(one, rules, may_ask=self._may_ask(rules))
            is_open |= fate is CardFate.OPEN
            if fate is not CardFate.GONE:
                lying.append(replace(one, is_hidden=fate is CardFate.HIDDEN))
        return lying, asked, is_open

    def _read_new(
        self,
        picture: Picture,
        rules: ZoneRules,
        changed: Mask | None,
        lying: list[CardInArea],
        came: list[LaidCard],
        gone: list[CardInArea],
    ) -> tuple[list[CardInArea], list[Doubt]]:
        """Return what lies there once new cards were read.

        *gone* are those that were not found again: one that nobody can tell and that
        looks most like the one that lay there is that one, in another frame.
        """
        doubts = []
        for card in came:
            things, lost = there_and_lost(lying, gone)
            corners = card.quad.array()
            seen = identify(self._decks, picture, corners, rules, things, lost)
            seen = as_its_like(seen, card, lying)
            if isinstance(seen, Known):
                thing = seen.card
                is_open = seen.is_entered or not rules.awaits(thing, things)
                # A pale card in glare shows no print, but not the ground's colour.
                light = np.zeros(3, np.float32) if seen.is_entered else None
                if is_open and shows_ground(picture, card, light):
                    thing = None  # a frame on a mat
                top = covered_top(card, gone) if self._is_heaped else None
                if top is not None and top.thing == thing:
                    lying, asked = laid_on_its_like(
                        top, card, rules, lying, may_ask=self._may_ask(rules),
                        find_like=partial(self._find_like, picture, changed),
                    )  # fmt: skip
                    doubts += asked
                    continue
                if top is None:
                    lying = without(rules, lying, thing)
                lying = [*lying, CardInArea(thing, card, is_laid=top is not None)]
            elif (same := same_again(seen, card, gone)) is not None:
                lying = [one for one in lying if one.card is not same.card]
                lying.append(CardInArea(same.thing, card))
            elif seen.best >= LIKELY or not shows_ground(picture, card):
                doubts.append(Doubt(seen.choices, card))
        return lying, doubts

    def _fate(
        self,
        picture: Picture,
        changed: Mask | None,
        one: CardInArea,
        came: list[LaidCard],
    ) -> CardFate:
        """Return what became of a card that was not found."""
        assert one.card is not None
        if changed is not None and not changed[self._under(one.card)].any():
            return CardFate.THERE
        if one.thing is None:
            return CardFate.GONE
        if is_covered(one.card, came, HEAPED if self._is_heaped else COVERED):
            return CardFate.HIDDEN if self.zone.is_pile else CardFate.GONE
        light = None
        if changed is not None and self._look is not None:
            light = self._look.light_change(picture, changed)
        is_gone = shows_ground(picture, one.card, light)
        return CardFate.GONE if is_gone else CardFate.OPEN

    def _is_news(self, picture: Picture, changed: Mask | None, card: LaidCard) -> bool:
        """Tell whether a card may have come: frames and rims were there before.

        What shares cells with a card that came or went beside it has not changed.
        """
        return self._looks_other(picture, changed, card) is not False

    def _looks_other(
        self, picture: Picture, changed: Mask | None, card: LaidCard
    ) -> bool | None:
        """Tell whether a place looks otherwise than when it was believed.

        None where only its cells do: it was not seen then, or all is lit anew.
        """
        if changed is None or self._look is None:
            return None
        return self._look.looks_other(picture, changed, card)

    def _find_like(
        self, picture: Picture, changed: Mask | None, one: CardInArea
    ) -> CardInArea | None:
        """Return the card like the top of a pile that was laid on it, if it is seen."""
        if not self.zone.is_pile or changed is None or not (self._look and one.card):
            return None
        is_only = [other.thing for other in self.lying].count(one.thing) == 1
        corners = self._look.like_on(picture, changed, one.card, is_only=is_only)
        return None if corners is None else laid_on(picture, one, corners)

    def _is_still(self, changed: Mask | None, card: LaidCard) -> bool:
        """Tell whether nothing has changed where a card lies, and none lies on it."""
        if changed is None or self._is_heaped:
            return False
        return not changed[self._under(card)].any()

    def _under(self, card: LaidCard) -> Mask:
        assert self._look is not None
        return cells_under(card, self._look.grid)
