"""What lies in an area, and what one more look at a card there makes of it.

Pure.
"""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from companion.watching.zone_cards import Card, Chances, ZoneRules
from vision.arrays import Floats
from vision.cards.laid import NUDGED, LaidCard, has_slid, has_turned
from vision.ground.knock import move_points

HALF = 0.5
"""Chance that a card of a pile that has slid a little is another one like it."""


class Lying(Struct, frozen=True):
    """A card of an area.

    Attributes:
        thing: What it is; None of a card of no deck, which is nobody's business.
        card: Where it was last seen, and how it looked; None if it was never found.
        is_hidden: Whether other cards lie on it.
        is_another: Whether it lies on one of a pile that looks like it.
    """

    thing: Card | None
    card: LaidCard | None = None
    is_hidden: bool = False
    is_another: bool = False

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


def moved(one: Lying, knock: Floats) -> Lying:
    """Return a card where a camera that was knocked sees it."""
    if one.card is None:
        return one
    corners = points(move_points(one.card.quad.array(), knock))
    quad = replace(one.card.quad, corners=corners)
    return replace(one, card=replace(one.card, quad=quad))


def points(corners: Floats) -> tuple[tuple[float, float], ...]:
    """Return corners ``(N, 2)`` as plain values."""
    return tuple((float(x), float(y)) for x, y in corners)


def below_by_record(rules: ZoneRules, lying: Iterable[Lying]) -> list[Lying]:
    """Return what lies in an area, of what is hidden only what the record has.

    Nobody sees what lies in a pile: that it lies there is no news, and when the record
    has it no longer it was taken away with all the rest. One that came on top of its
    like is not the one that the record has.
    """
    some = list(lying)
    left = rules.missing(
        one.thing for one in some if one.thing and not (one.is_hidden or one.is_another)
    )
    kept = []
    for one in some:
        if one.is_hidden and one.thing is not None:
            if left[one.thing] <= 0:
                continue
            left[one.thing] -= 1
        kept.append(one)
    return kept


def still_owed(rules: ZoneRules, lying: list[Lying]) -> list[Lying]:
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


def seen_again(before: Lying, card: LaidCard, rules: ZoneRules) -> list[Lying]:
    """Return a card where it lies now, which may have been turned by a quarter."""
    assert before.card is not None
    thing = before.thing
    if thing is None or thing[1] is None or rules.zone.is_pile:
        return [replace(before, card=card)]
    if has_turned(before.card, card):
        other = thing[0], rules.zone.turned(thing[1])
        cards = {(piece, face) for piece, face, _ in (*rules.record, *rules.legal)}
        return [Lying(other if other in cards else thing, card)]
    return [Lying(thing, card)]


def is_another(before: Lying, card: LaidCard, rules: ZoneRules, *, owed: bool) -> bool:
    """Tell whether a card on a pile is another one that looks as the one before it.

    Only people can tell: whoever squares a pile up moves its top card as far.
    """
    assert before.card is not None
    if not rules.zone.is_pile or before.thing is None:
        return False
    return owed and has_slid(before.card, card, NUDGED)


def may_be_another(before: Lying, card: LaidCard, rules: ZoneRules) -> list[Doubt]:
    """Return the doubt whether a card of a pile that slid a little is another one."""
    legal = {(piece, face) for piece, face, _ in rules.legal}
    assert before.card is not None
    if not rules.zone.is_pile or before.thing is None or before.thing not in legal:
        return []
    if not has_slid(before.card, card, NUDGED):
        return []
    return [Doubt(((*before.thing, HALF),), before.card)]


def without(rules: ZoneRules, lying: list[Lying], card: Card | None) -> list[Lying]:
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
