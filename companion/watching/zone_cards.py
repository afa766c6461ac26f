"""What a card in an area may be by record and rules, and at which place it lies.

Pure. People lay cards of an area as they like: which of its places each one is at, the
record and the legal moves say.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from companion.games.copy import Zone
from companion.games.hidden import is_private
from companion.referee.changes import plain_changes
from companion.story.log import Story
from companion.table import Face, LaidPiece, Layout, Piece, Place, Placed, Removed
from vision.arrays import Floats, Picture
from vision.cards.framing import ON_PILE, frame_anew
from vision.cards.reader import CardQuestion, CardReader, CardVerdict, SureCard

Card: TypeAlias = tuple[Piece, Face | None]
Chances: TypeAlias = tuple[tuple[Piece, Face | None, float], ...]


class ZoneRules(Struct, frozen=True):
    """What may lie in an area.

    *record* are the cards that the record has there, in the order of their places, and
    *legal* those that a legal move lays there.
    """

    zone: Zone
    record: tuple[LaidPiece, ...]
    legal: tuple[LaidPiece, ...]

    def missing(self, lying: Iterable[Card]) -> Counter[Card]:
        """Return the cards that the record has there and that do not lie there."""
        left = Counter((piece, face) for piece, face, _ in self.record)
        left.subtract(lying)
        return +left

    def awaits(self, card: Card | None, lying: Iterable[Card]) -> bool:
        """Tell whether the record or a legal move has a new card there."""
        legal = {(piece, face) for piece, face, _ in self.legal}
        return card is not None and (card in legal or self.missing(lying)[card] > 0)

    def faces(self, piece: Piece, lying: Iterable[Card]) -> frozenset[Face]:
        """Return the faces, as they are printed, that a new card may show."""
        awaited = [*self.missing(lying), *((one[0], one[1]) for one in self.legal)]
        return frozenset(
            self.zone.printed(face) for own, face in awaited if own == piece and face
        )


def rules_of(story: Story, zone: Zone, record: Layout) -> ZoneRules:
    """Return what may lie in an area."""
    game, state = story.game, story.state
    there = [thing for thing in record if thing[0] in zone.cards and zone.has(thing[2])]
    placed = {
        (sight.piece, sight.face, sight.place)
        for move in game.legal(state)
        for sight in plain_changes(game.evidence(state, move))
        if isinstance(sight, Placed) and sight.piece in zone.cards
    }
    cards = {thing for thing in placed if zone.has(thing[2])}
    return ZoneRules(
        zone,
        tuple(sorted(there, key=lambda thing: (_number(thing[2]), repr(thing)))),
        tuple(sorted(cards, key=repr)),
    )


Others: TypeAlias = frozenset[LaidPiece]
"""What lies in areas beside cards, such as figures and tokens."""


def others_in(layout: Iterable[LaidPiece], zones: Collection[Zone]) -> Others:
    """Return what lies in areas beside their cards."""
    return frozenset(
        thing
        for thing in layout
        if (zone := zone_of(thing, zones)) and thing[0] not in zone.cards
    )


def zone_of(thing: LaidPiece, zones: Iterable[Zone]) -> Zone | None:
    """Return the area in which a thing lies."""
    return next((zone for zone in zones if zone.has(thing[2])), None)


def others_after(
    story: Story, before: Others, zones: Collection[Zone]
) -> Iterator[Others]:
    """Yield what may lie in areas beside cards after each legal move that shows it."""
    game, state = story.game, story.state
    for move in game.legal(state):
        if is_private(move):
            continue
        now = set(before)
        for sight in plain_changes(game.evidence(state, move)):
            match sight:
                case Placed(piece, face, place):
                    now |= others_in([(piece, face, place)], zones)
                case Removed(piece, place):
                    now -= {thing for thing in before if thing[::2] == (piece, place)}
                case _:
                    pass
        if now != before:
            yield frozenset(now)


def areas_between(before: Others, now: Others, zones: Collection[Zone]) -> set[Zone]:
    """Return the areas in which two layouts differ beside their cards."""
    areas = (zone_of(thing, zones) for thing in now ^ before)
    return {zone for zone in areas if zone is not None}


def others_put_right(
    before: Others, record: Others, changed: Collection[Zone], zones: Collection[Zone]
) -> Others:
    """Return what lies there where things that people have entered were carried out.

    That is so of each thing of which all areas that it came to or left have changed.
    """
    now = set(before)
    for piece in sorted({thing[:2] for thing in before ^ record}, key=repr):
        gone = {thing for thing in before - record if thing[:2] == piece}
        come = {thing for thing in record - before if thing[:2] == piece}
        if areas_between(frozenset(gone), frozenset(come), zones) <= set(changed):
            now = (now - gone) | come
    return frozenset(now)


def fitting_others(
    before: Others,
    after: Iterable[Others],
    changed: Collection[Zone],
    zones: Collection[Zone],
) -> list[Others]:
    """Return what may lie there now: it differs in just the areas that have changed."""
    fits: list[Others] = []
    for now in after:
        if areas_between(before, now, zones) == set(changed) and now not in fits:
            fits.append(now)
    return fits


SURE = 0.9
"""A token is taken that is more certain than this."""


def came_in(before: Others, fits: Iterable[Others]) -> list[LaidPiece]:
    """Return what has come in some of the layouts that fit, in one order."""
    return sorted({thing for one in fits for thing in one - before}, key=repr)


def sure_ones(
    before: Others, fits: Iterable[Others], odds: Mapping[LaidPiece, float]
) -> list[Others]:
    """Return the fits to which just those things came that are sure."""
    sure = {one for one, chance in odds.items() if chance > SURE}
    return [one for one in fits if one - before == sure]


def _number(place: Place) -> tuple[str, int]:
    head, _, last = place.rpartition("/")
    return (head, int(last)) if last.isdecimal() else (place, 0)


def places_of(rules: ZoneRules, lying: Sequence[Card]) -> Iterator[LaidPiece]:
    """Yield at which place each card of an area lies.

    A card that neither the record nor a legal move has there is at the next free place.
    """
    left = list(rules.record)
    taken = {place for _, _, place in left}
    fresh: list[Card] = []
    for card in lying:
        same = next((thing for thing in left if _is(card, thing)), None)
        if same is None:
            fresh.append(card)
        else:
            left.remove(same)
            yield same
    for card in fresh:
        place = _legal_place(rules, card, taken)
        if place is None:
            place = _next_place(rules.zone, card[0], taken)
        taken.add(place)
        yield (*card, place)


def _legal_place(
    rules: ZoneRules, card: Card, taken: Collection[Place]
) -> Place | None:
    """Return where a legal move lays a card; a numbered place holds one."""
    places = (place for piece, face, place in rules.legal if (piece, face) == card)
    covers = rules.zone.covers
    return next((one for one in places if one in covers or one not in taken), None)


def _is(card: Card, thing: LaidPiece) -> bool:
    """Tell whether a card may be one of the record, whose face nobody may know."""
    piece, face = card
    return piece == thing[0] and (face == thing[1] or None in (face, thing[1]))


def _next_place(zone: Zone, piece: Piece, taken: Iterable[Place]) -> Place:
    cover = zone.covers[0 if piece == zone.cards[0] else -1]
    if not cover.endswith("/"):
        return cover
    numbers = [_number(place)[1] for place in taken if place.startswith(cover)]
    return f"{cover}{max(numbers, default=0) + 1}"


class Known(Struct, frozen=True):
    """What a new card is for sure; *card* is None for one of no deck.

    *is_entered* tells that people have entered it, and nobody could read it.
    """

    card: Card | None
    is_entered: bool = False


class UnsureCard(Struct, frozen=True):
    """What a new card may be, each with its chance, best first; nobody may know."""

    choices: Chances

    @property
    def best(self) -> float:
        """Return the chance of the likeliest."""
        return self.choices[0][2] if self.choices else 0.0


def identify(
    decks: Mapping[Piece, CardReader],
    picture: Picture,
    corners: Floats,
    rules: ZoneRules,
    lying: Sequence[Card],
    gone: Sequence[Card] = (),
) -> Known | UnsureCard:
    """Return what a new card of an area is.

    Args:
        decks: What reads the cards.
        picture: ``(h, w, 3)``, uint8, BGR.
        corners: Of the card, ``(4, 2)``, px.
        rules: What may lie there.
        lying: What lies there already.
        gone: What lay there and is not found: the record still has it, but not because
            people have entered it since.
    """
    faces = {piece: rules.faces(piece, lying) for piece in rules.zone.cards}
    awaited = any(faces.values())
    verdicts = [
        (piece, decks[piece].among(some) if some else decks[piece])
        for piece, some in faces.items()
        if piece in decks and (some or not awaited)
    ]
    read = [(piece, one.read(picture, corners)) for piece, one in verdicts]
    sure = [(piece, one) for piece, one in read if isinstance(one, SureCard)]
    if awaited and not sure:
        read = [
            (piece, one.read(picture, frame_anew(one, picture, corners)))
            for piece, one in verdicts
        ]
        sure = [(piece, one) for piece, one in read if isinstance(one, SureCard)]
    if sure:
        piece, best = max(sure, key=lambda one: one[1].confidence)
        return Known((piece, _as_awaited(rules, lying, piece, best.face)))
    entered = rules.missing([*lying, *gone])
    return _unsure(read, rules, lying, entered, awaited=awaited)


def read_on_pile(
    decks: Mapping[Piece, CardReader], picture: Picture, below: Floats, rules: ZoneRules
) -> tuple[Card, Floats] | None:
    """Return the card that a move has laid on a pile, and where, if that is sure.

    On a pile of cards with pale rims nobody finds its outline: it is tried all about
    that of the card *below*, ``(4, 2)``, px.
    """
    best, found = 0.0, None
    for piece in rules.zone.cards:
        legal = (face for own, face, _ in rules.legal if own == piece and face)
        faces = frozenset(map(rules.zone.printed, legal))
        if piece not in decks or not faces:
            continue
        deck = decks[piece].among(faces)
        frame = frame_anew(deck, picture, below, ON_PILE)
        verdict = deck.read(picture, frame)
        if isinstance(verdict, SureCard) and verdict.confidence > best:
            best = verdict.confidence
            found = (piece, _as_awaited(rules, [], piece, verdict.face)), frame
    return found


def _unsure(
    read: Sequence[tuple[Piece, CardVerdict]],
    rules: ZoneRules,
    lying: Sequence[Card],
    entered: Mapping[Card, int],
    *,
    awaited: bool,
) -> Known | UnsureCard:
    """Return what a card may be that no reader is sure of."""
    choices = [
        (piece, _as_awaited(rules, lying, piece, face), chance)
        for piece, one in read
        if isinstance(one, CardQuestion)
        for face, chance in one.choices
    ]
    owed = [choice for choice in choices if choice[:2] in entered]
    if len(owed) == 1:
        # People have said that it lies there.
        return Known(owed[0][:2], is_entered=True)
    if not choices and len(entered) == 1:
        # A card of which nothing is known lies where people have said that one lies.
        return Known(next(iter(entered)), is_entered=True)
    if not choices and not awaited:
        return Known(None)
    return UnsureCard(tuple(sorted(choices, key=lambda choice: -choice[2])[:3]))


def _as_awaited(
    rules: ZoneRules, lying: Sequence[Card], piece: Piece, face: Face
) -> Face:
    """Return a printed face as the record or a legal move has it: upright or across."""
    awaited = [*rules.missing(lying), *((one[0], one[1]) for one in rules.legal)]
    ways = [
        own
        for kind, own in awaited
        if kind == piece and own and rules.zone.printed(own) == face
    ]
    return ways[0] if ways else face
