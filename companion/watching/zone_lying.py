"""What lies in an area, and what one more look at a card there makes of it.

Pure.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum, auto
from typing import NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from companion.games.copy import Zone
from companion.table import LaidPiece, Piece, Place
from companion.watching.zone_cards import (
    Card,
    Chances,
    Known,
    UnsureCard,
    ZoneRules,
    places_of,
    read_on_pile,
)
from vision.arrays import Floats, Picture
from vision.cards.laid import (
    HEAPED,
    LaidCard,
    has_slid,
    has_turned,
    is_covered,
    looks_same,
)
from vision.cards.looks import look_at
from vision.cards.quads import Quad
from vision.cards.reader import CardReader
from vision.ground.knock import move_points

LEAST_NAMED, RIVAL = 0.2, 0.25
"""Chance of a face from which a card is known by one that looks like it, and how much
of it another face may have: two that differ by a number are nearly as likely. First
guesses: with 0.3 one card fewer of 83 is seen on the drawn table in mixed light."""

HALF = 0.5
"""Chance that a card of a pile that has slid a little is another one like it."""


class CardInArea(Struct, frozen=True):
    """A card of an area.

    Attributes:
        thing: What it is; None of a card of no deck, which is nobody's business.
        card: Where it was last seen, and how it looked; None if it was never found.
        is_hidden: Whether other cards lie on it.
        is_laid: Whether it came to lie on another card that lay open until then. So it
            is no card of the pile that lies open again.
    """

    thing: Card | None
    card: LaidCard | None = None
    is_hidden: bool = False
    is_laid: bool = False

    @property
    def is_in_sight(self) -> bool:
        """Tell whether it was found and nothing hides it."""
        return self.card is not None and not self.is_hidden

    @property
    def was_seen(self) -> bool:
        """Tell whether it is known to lie there, and not only by the record."""
        return self.card is not None or self.is_hidden


LikeOnTop: TypeAlias = Callable[[CardInArea], CardInArea | None]
"""Finds one like a card that was laid on it, where both are seen."""


class CardFate(Enum):
    """What became of a card that was not found."""

    THERE = auto()
    HIDDEN = auto()
    GONE = auto()
    OPEN = auto()


class Doubt(Struct, frozen=True):
    """A card that nobody can tell, and what it may be."""

    choices: Chances
    card: LaidCard


class AreaReading(NamedTuple):
    """What lies in an area.

    *is_open* tells that a card may be gone or hidden, *strange* how many cells have
    changed that no card explains, and *is_as_left* whether it looks as it was left the
    last time that nobody could tell what lies there.
    """

    lying: tuple[CardInArea, ...]
    doubts: tuple[Doubt, ...] = ()
    is_open: bool = False
    strange: int = 0
    is_as_left: bool = False


def moved(one: CardInArea, knock: Floats) -> CardInArea:
    """Return a card where a camera that was knocked sees it."""
    if one.card is None:
        return one
    corners = points(move_points(one.card.quad.array(), knock))
    quad = replace(one.card.quad, corners=corners)
    return replace(one, card=replace(one.card, quad=quad))


def points(corners: Floats) -> tuple[tuple[float, float], ...]:
    """Return corners ``(N, 2)`` as plain values."""
    return tuple((float(x), float(y)) for x, y in corners)


def is_heaped(zone: Zone, lying: Iterable[CardInArea]) -> bool:
    """Tell whether the cards of a pile lie on each other: one is in sight at most.

    People lay them side by side too, where there is room.
    """
    in_sight = [one for one in lying if one.is_in_sight and one.thing]
    return zone.is_pile and len(in_sight) <= 1


def below_by_record(rules: ZoneRules, lying: Iterable[CardInArea]) -> list[CardInArea]:
    """Return what lies in an area, of what is hidden only what the record has.

    Nobody sees what lies in a pile: that it lies there is no news, and when the record
    has it no longer it was taken away with all the rest.
    """
    some = list(lying)
    open_ones = (one for one in some if not (one.is_hidden or one.is_laid))
    left = rules.missing(one.thing for one in open_ones if one.thing)
    kept = []
    for one in some:
        if one.is_hidden and one.thing is not None:
            if left[one.thing] <= 0:
                continue
            left[one.thing] -= 1
        kept.append(one)
    return kept


def hidden_by_record(rules: ZoneRules, lying: list[CardInArea]) -> list[CardInArea]:
    """Return the cards that lie below the top of a pile without having been seen.

    That is so of all that the record has there, once its last one lies on top, or one
    that a legal move lays on it; where several lie open, nothing lies below any.
    """
    tops = [one.thing for one in lying if one.is_in_sight and one.thing]
    if not rules.zone.is_pile or len(tops) != 1:
        return []
    is_recorded = tops[0] in _cards(rules.record[-1:])
    if not is_recorded and tops[0] not in _cards(rules.legal):
        return []
    below = (one.thing for one in lying if is_recorded or not one.is_in_sight)
    owed = rules.missing(thing for thing in below if thing)
    return [CardInArea(thing, None, is_hidden=True) for thing in owed.elements()]


def there_and_lost(
    lying: Sequence[CardInArea], gone: Sequence[CardInArea]
) -> tuple[list[Card], list[Card]]:
    """Return the cards that are there, and those that a new one may be again.

    Where the top of a pile is gone, it may be one that lay below.
    """
    in_sight = any(one.is_in_sight for one in lying)
    below = [one for one in lying if one.is_hidden and not in_sight]
    things = [
        one.thing
        for one in lying
        if one.thing and one.was_seen and (in_sight or not one.is_hidden)
    ]
    return things, [one.thing for one in (*gone, *below) if one.thing]


def still_owed(rules: ZoneRules, lying: list[CardInArea]) -> list[CardInArea]:
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


def found_again(
    before: CardInArea,
    card: LaidCard,
    rules: ZoneRules,
    *,
    is_owed: bool,
    may_ask: bool,
    looks_other: bool = False,
    find_like: LikeOnTop = lambda _: None,
) -> tuple[list[CardInArea], list[Doubt]]:
    """Return what lies where a card was found again, and what to ask.

    One of a pile that has slid a little, or looks otherwise, may be another one like
    it. It is, where the first is still seen beside it. Else only people can tell, as
    whoever squares the pile up moves its top card as far: they are asked, and until
    they have said so it lies where it lay. A card of another area may have been turned
    by a quarter.

    Args:
        before: As it was last believed.
        card: Where it is now.
        rules: What may lie there.
        is_owed: Whether people have entered another one like it.
        may_ask: Whether people have not been asked and played on since.
        looks_other: Whether its place looks otherwise than when it was believed.
        find_like: Finds one like a card on it, where both are seen.
    """
    assert before.card is not None
    thing, zone = before.thing, rules.zone
    is_moved = looks_other or has_slid(before.card, card)
    if thing is not None and zone.is_pile and is_moved:
        if is_owed:
            return [replace(before, is_hidden=True), CardInArea(thing, card)], []
        laid = find_like(before) if thing in _cards(rules.legal) else None
        if laid is not None:
            return [replace(before, is_hidden=True), laid], []
        if may_ask and thing in _cards(rules.legal):
            return [before], [Doubt(((*thing, HALF),), before.card)]
    if thing is None or thing[1] is None or zone.is_pile:
        return [replace(before, card=card)], []
    turned = thing[0], zone.turned(thing[1])
    known = _cards((*rules.record, *rules.legal))
    has_other = has_turned(before.card, card) and turned in known
    return [CardInArea(turned if has_other else thing, card)], []


def covered_top(card: LaidCard, gone: Iterable[CardInArea]) -> CardInArea | None:
    """Return the top of a pile on which a new card was laid, if it was on one."""
    tops = (one for one in gone if one.thing is not None)
    return next(
        (one for one in tops if one.card and is_covered(one.card, [card], HEAPED)), None
    )


def laid_on_its_like(
    below: CardInArea,
    card: LaidCard,
    rules: ZoneRules,
    lying: list[CardInArea],
    *,
    may_ask: bool,
    find_like: LikeOnTop,
) -> tuple[list[CardInArea], list[Doubt]]:
    """Return what lies in a pile where one like its top is seen in another way.

    Framed with a rim of the card below, the top that it was is no measure of where it
    lies: on a traced table a card that was laid a fifth of its side away was held for
    the one below.
    """
    rest = [one for one in lying if one.card is not below.card]
    owed = rules.missing(one.thing for one in lying if one.thing)
    is_owed = below.thing is not None and owed[below.thing] > 0
    there, doubts = found_again(
        below, card, rules, is_owed=is_owed, may_ask=may_ask, looks_other=True,
        find_like=find_like,
    )  # fmt: skip
    return [*rest, *there], doubts


def laid_on_pile(
    decks: Mapping[Piece, CardReader],
    picture: Picture,
    rules: ZoneRules,
    top: CardInArea,
    lying: Iterable[CardInArea],
    find_like: LikeOnTop,
) -> CardInArea | None:
    """Return the card that was laid on the top of a pile, if it is sure.

    One like those that lay there may be one of them, in another frame or light, unless
    both are seen.
    """
    assert top.card is not None
    found = read_on_pile(decks, picture, top.card.quad.array(), rules)
    if found is None:
        return None
    if found[0] == top.thing:
        return find_like(top)
    if any(one.thing == found[0] for one in lying):
        return None
    return laid_on(picture, replace(top, thing=found[0]), found[1])


def laid_on(picture: Picture, card: CardInArea, corners: Floats) -> CardInArea:
    """Return a card that lies on another one, between *corners* ``(4, 2)``, px."""
    quad = Quad(points(corners), card.card.quad.support if card.card else 0.0)
    look = look_at(picture, {0: quad}).get(0)
    return CardInArea(card.thing, LaidCard(quad, look), is_laid=True)


def what_covers(top: CardInArea, rules: ZoneRules, *, may_ask: bool) -> list[Doubt]:
    """Return the question what was laid on a pile whose top looks otherwise.

    A pale card in a lamp's glare has no rim of its own on one below.
    """
    cards = sorted(_cards(rules.legal), key=repr)
    if not (cards and may_ask):
        return []
    assert top.card is not None
    return [Doubt(tuple((*one, 1 / len(cards)) for one in cards), top.card)]


def same_again(
    seen: UnsureCard, card: LaidCard, gone: Iterable[CardInArea]
) -> CardInArea | None:
    """Return the card that lay where one lies that looks most like it, if there is one.

    In mixed light a card of the drawn table was framed otherwise once another one had
    come; as nobody could tell it, it was asked about at each of 20 acts.
    """
    likeliest = seen.choices[0][:2] if seen.choices else None
    lay = (one for one in gone if one.thing is not None and one.thing == likeliest)
    return next((one for one in lay if one.card and is_covered(one.card, [card])), None)


def as_its_like(
    seen: Known | UnsureCard, card: LaidCard, lying: Iterable[CardInArea]
) -> Known | UnsureCard:
    """Return what a card is that looks as one does that lies there, if that is open.

    No picture of a lesson shows a card in the light of this evening: in the mixed light
    of the drawn table the reader names a third "gold" with a chance of 0.4 to 0.5.
    """
    if isinstance(seen, Known) or not seen.choices:
        return seen
    (piece, face, chance), *others = seen.choices
    rival = others[0][2] if others else 0.0
    is_named = chance >= LEAST_NAMED and rival <= RIVAL * chance
    common_form = is_named and any(
        one.thing == (piece, face) and one.card and looks_same(one.card, card)
        for one in lying
    )
    return Known((piece, face)) if common_form else seen


def place_of_doubt(rules: ZoneRules, lying: list[Card], doubt: Doubt) -> Place:
    """Return where a card lies of which nobody knows what it is."""
    awaited = [*rules.missing(lying), *(one[:2] for one in rules.legal)]
    first = doubt.choices[0][:2] if doubt.choices else next(iter(awaited), None)
    card = first or (rules.zone.cards[-1], None)
    return list(places_of(rules, [*lying, card]))[-1][2]


def _cards(things: Iterable[LaidPiece]) -> set[Card]:
    return {(piece, face) for piece, face, _ in things}


def without(
    rules: ZoneRules, lying: list[CardInArea], card: Card | None
) -> list[CardInArea]:
    """Return what lies in an area without one that must be the card found now.

    That is one that was never found, or one of a pile that lies open again: no move
    lays such a card, and nothing else of the pile is in sight.
    """
    again = card not in _cards(rules.legal) and not any(
        one.is_in_sight for one in lying
    )
    for n, one in reversed(list(enumerate(lying))):
        if (
            card is not None
            and one.thing == card
            and (not one.was_seen or (one.is_hidden and again))
        ):
            return [*lying[:n], *lying[n + 1 :]]
    return lying
