"""The facts of one copy that the rulebook leaves to its cards, and a copy of our own.

Nothing here is guessed about the real box: an owner tells once what each card does, as
a row of effects, and `check_box` compares it with what the rulebook counts.
"""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import force_setattr

from companion.games.core import Violation
from companion.games.dragon_run.pieces import (
    AT_ONCE,
    GOLD,
    HEROES,
    PLACES,
    SPECIALS,
    STANDING,
    VALUABLES,
    Kind,
    Then,
)
from companion.table import Text, Word

DRAGON_CARD = "dragon"
REDIRECTION, INVISIBILITY = "redirection", "invisibility"
ANNULMENT = "annulment"
NAMED = (REDIRECTION, INVISIBILITY, ANNULMENT)
"""The special treasures that the rulebook names. Source: rulebook l. 54, 150."""


class Effect(
    Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True
):
    """One thing that a card does, *n* times, to *n* cards or by *n* points."""

    kind: Kind
    n: int = 1


class PlaceCard(
    Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True
):
    """A kind of place card; *id* is what the log writes, *name* what people read."""

    id: str
    name: Text
    effects: tuple[Effect, ...] = ()
    then: Then = Then.STOP
    count: int = 1

    def __post_init__(self) -> None:
        _in_our_words(self, "place")


class Special(
    Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True
):
    """A potion, or a talisman that stays before its owner (ruling RN15)."""

    id: str
    name: Text
    effects: tuple[Effect, ...]
    talisman: bool = False
    count: int = 1

    def __post_init__(self) -> None:
        _in_our_words(self, "potion", "talisman")


class Hero(
    Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True
):
    """A character and the power on its tile."""

    id: str
    name: Text
    effects: tuple[Effect, ...]

    def __post_init__(self) -> None:
        _in_our_words(self, "hero")


def _in_our_words(thing: PlaceCard | Special | Hero, *kinds: str) -> None:
    """Make a word of a name of our own copy, as games and kits of before have it.

    They have its line's id behind an ``@``. Any other text is a name that was typed.
    """
    for kind in kinds:
        line = f"dragon_run.{kind}.{thing.id}"
        if thing.name == f"@{line}":
            force_setattr(thing, "name", Word(line))


class Box(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One copy of the game.

    *gold* counts the valuables of 1, 2, 3, 4 and 5 gold. A kind of treasure is a
    number: 0 to 4 for these, then the specials in their order.
    """

    gold: tuple[int, int, int, int, int]
    specials: tuple[Special, ...]
    places: tuple[PlaceCard, ...]
    heroes: tuple[Hero, ...]

    def treasure_id(self, kind: int) -> str:
        """Return what the log writes for a kind of treasure."""
        return f"gold-{kind + 1}" if kind < GOLD else self.specials[kind - GOLD].id

    def treasure_name(self, kind: int) -> Text:
        """Return what a kind of treasure is called."""
        if kind < GOLD:
            return Word(f"dragon_run.gold-{kind + 1}")
        return self.specials[kind - GOLD].name

    def is_talisman(self, kind: int) -> bool:
        """Tell whether a kind of treasure is a talisman."""
        return kind >= GOLD and self.specials[kind - GOLD].talisman

    @property
    def kinds(self) -> range:
        """Return the numbers of the kinds of treasure."""
        return range(GOLD + len(self.specials))

    @property
    def copies(self) -> tuple[int, ...]:
        """Return how many cards there are of each kind of treasure."""
        return (*self.gold, *(special.count for special in self.specials))


def worth(kind: int) -> int:
    """Return the points of a kind of treasure; nothing but gold has any.

    Source: rulebook l. 29; ruling RN2.
    """
    return kind + 1 if kind < GOLD else 0


def check_box(box: Box) -> tuple[Violation, ...]:
    """Return everything in which *box* differs from what the rulebook counts.

    Source: rulebook l. 28-32, 54, 113-127, 150.
    """
    places = sum(card.count for card in box.places)
    return (
        *_count("places", PLACES, places),
        *_count("dragons", 1, sum(c.count for c in box.places if c.id == DRAGON_CARD)),
        *_count("valuables", VALUABLES, sum(box.gold)),
        *_count("specials", SPECIALS, sum(special.count for special in box.specials)),
        *_count("heroes", HEROES, len(box.heroes)),
        *(Violation(code) for code in (*_names(box), *_cards(box), *_effects(box))),
    )


def _count(what: str, wanted: int, found: int) -> tuple[Violation, ...]:
    if wanted == found:
        return ()
    return (Violation(f"number_of_{what}", (("wanted", wanted), ("found", found))),)


def _names(box: Box) -> Iterator[str]:
    for things in (box.places, box.specials, box.heroes):
        ids = [thing.id for thing in things]
        if len(set(ids)) < len(ids):
            yield "id_twice"
        # A notation is words of plain letters with blanks between them.
        if not all(word.isascii() and word.replace("-", "").isalnum() for word in ids):
            yield "id_not_plain"
        if not all(_is_told(thing.name) for thing in things):
            yield "name_missing"
    if any(special.id.startswith("gold-") for special in box.specials):
        yield "id_of_gold"


def _is_told(name: Text) -> bool:
    return isinstance(name, Word) or bool(name.strip())


def _cards(box: Box) -> Iterator[str]:
    counts = (*box.copies, *(card.count for card in box.places))
    if min(counts) < 1:
        yield "kind_without_a_card"
    if not any(
        card.then is Then.CHOOSE and Effect(Kind.DRAW) in card.effects
        for card in box.places
    ):
        yield "treasure_room_missing"
    if any(card.id == DRAGON_CARD and card.effects for card in box.places):
        yield "dragon_with_an_effect"
    found = {special.id: special for special in box.specials}
    if not set(NAMED) <= set(found):
        yield "treasure_of_the_rulebook_missing"
    elif [found[name].talisman for name in NAMED] != [True, True, False]:
        yield "potion_and_talisman_mixed_up"
    elif [s.id for s in box.specials if _does(s, Kind.CANCEL)] != [ANNULMENT]:
        yield "one_annulment_only"


def _does(special: Special, kind: Kind) -> bool:
    return any(effect.kind is kind for effect in special.effects)


def _effects(box: Box) -> Iterator[str]:
    rows = [card.effects for card in box.places]
    rows += [special.effects for special in box.specials]
    rows += [hero.effects for hero in box.heroes]
    if any(not 1 <= effect.n <= PLACES for row in rows for effect in row):
        yield "number_of_an_effect"
    talismans = [s.effects for s in box.specials if s.talisman]
    potions = [s.effects for s in box.specials if not s.talisman and s.id != ANNULMENT]
    allowed = (
        ([card.effects for card in box.places], AT_ONCE | {Kind.NO_CRYING}),
        (talismans, STANDING),
        (potions, AT_ONCE),
        ([hero.effects for hero in box.heroes], AT_ONCE),
    )
    for some, kinds in allowed:
        if not kinds.issuperset(effect.kind for row in some for effect in row):
            yield "effect_on_the_wrong_card"


def _place(
    word: str, *effects: Effect, then: Then = Then.STOP, count: int = 1
) -> PlaceCard:
    return PlaceCard(word, Word(f"dragon_run.place.{word}"), effects, then, count)


def _potion(word: str, *effects: Effect, count: int = 1) -> Special:
    return Special(word, Word(f"dragon_run.potion.{word}"), effects, count=count)


def _talisman(word: str, *effects: Effect) -> Special:
    return Special(word, Word(f"dragon_run.talisman.{word}"), effects, talisman=True)


def _hero(word: str, *effects: Effect) -> Hero:
    return Hero(word, Word(f"dragon_run.hero.{word}"), effects)


STAND_IN = Box(
    gold=(9, 8, 6, 4, 2),
    specials=(
        _potion(ANNULMENT, Effect(Kind.CANCEL)),
        _potion("health", Effect(Kind.HEAL)),
        _potion("vision", Effect(Kind.PEEK, 3)),
        _potion("light", Effect(Kind.CONSULT), count=2),
        _potion("fingers", Effect(Kind.STEAL)),
        _talisman(REDIRECTION, Effect(Kind.REDIRECT)),
        _talisman(INVISIBILITY, Effect(Kind.INVISIBLE)),
        _talisman("languor", Effect(Kind.BONUS, 2)),
    ),
    places=(
        _place("room", Effect(Kind.DRAW), then=Then.CHOOSE, count=5),
        _place("bridge", Effect(Kind.BY_HAND), then=Then.REPLAY),
        _place("crypt", Effect(Kind.NO_CRYING)),
        _place("chest", Effect(Kind.DRAW)),
        _place("mirror", Effect(Kind.PEEK, 3)),
        _place(DRAGON_CARD),
    ),
    heroes=(
        _hero("dwarf", Effect(Kind.DRAW), Effect(Kind.DISCARD)),
        _hero("elf", Effect(Kind.CONSULT, 2)),
        _hero("sorceress", Effect(Kind.SWAP)),
        _hero("thief", Effect(Kind.STEAL)),
        _hero("cleric", Effect(Kind.HEAL)),
        _hero("warrior", Effect(Kind.ATTACK)),
        _hero("wizard", Effect(Kind.SKIP)),
    ),
)
"""A copy of our own invention that uses every effect, so that a game needs no box."""
