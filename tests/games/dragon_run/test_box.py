"""The facts of a copy: sums that the rulebook counts, and a stand-in of our own."""

import msgspec
import pytest
from msgspec.structs import replace

from companion.games.dragon_run.box import (
    STAND_IN,
    Box,
    Effect,
    Hero,
    PlaceCard,
    Special,
    check_box,
)
from companion.games.dragon_run.pieces import AT_ONCE, STANDING, Kind, Then


def codes(box):
    return [violation.code for violation in check_box(box)]


def with_first(field, **changes):
    first, *rest = getattr(STAND_IN, field)
    return replace(STAND_IN, **{field: (replace(first, **changes), *rest)})


def special(name, **changes):
    return replace(
        STAND_IN,
        specials=tuple(
            replace(one, **changes) if one.id == name else one
            for one in STAND_IN.specials
        ),
    )


def test_the_stand_in_has_all_that_the_rulebook_counts():
    assert check_box(STAND_IN) == ()
    assert sum(STAND_IN.copies) == 38


def test_the_stand_in_uses_every_effect_and_every_sign():
    rows = [thing.effects for thing in STAND_IN.places]
    rows += [thing.effects for thing in STAND_IN.specials]
    rows += [thing.effects for thing in STAND_IN.heroes]

    assert {effect.kind for row in rows for effect in row} == set(Kind)
    assert {card.then for card in STAND_IN.places} == set(Then)


def test_every_effect_either_stands_or_happens_once():
    assert STANDING | AT_ONCE | {Kind.NO_CRYING, Kind.CANCEL} == set(Kind)


def test_a_copy_is_typed_as_plain_text():
    text = """{
      "gold": [9, 8, 6, 4, 2],
      "specials": [{"id": "annulment", "name": "Potion", "effects": []}],
      "places": [{"id": "dragon", "name": "Dragon"}],
      "heroes": [{"id": "elf", "name": "Elfe", "effects": [{"kind": "peek", "n": 3}]}]
    }"""

    box = msgspec.json.decode(text, type=Box)
    assert box.heroes == (Hero("elf", "Elfe", (Effect(Kind.PEEK, 3),)),)
    assert box.places == (PlaceCard("dragon", "Dragon"),)
    assert box.specials == (Special("annulment", "Potion", ()),)


@pytest.mark.parametrize(
    ("box", "code"),
    [
        (replace(STAND_IN, gold=(9, 8, 6, 4, 3)), "number_of_valuables"),
        (replace(STAND_IN, gold=(10, 8, 6, 5, 0)), "kind_without_a_card"),
        (replace(STAND_IN, heroes=STAND_IN.heroes[1:]), "number_of_heroes"),
        (replace(STAND_IN, places=STAND_IN.places[1:]), "number_of_places"),
        (replace(STAND_IN, places=STAND_IN.places[1:]), "treasure_room_missing"),
        (replace(STAND_IN, places=STAND_IN.places[:-1]), "number_of_dragons"),
        (replace(STAND_IN, specials=STAND_IN.specials[:-1]), "number_of_specials"),
        (
            replace(STAND_IN, specials=STAND_IN.specials[1:]),
            "treasure_of_the_rulebook_missing",
        ),
        (with_first("heroes", id="elf"), "id_twice"),
        (with_first("heroes", id="nain gris"), "id_not_plain"),
        (with_first("heroes", id="élan"), "id_not_plain"),
        (with_first("heroes", id=""), "id_not_plain"),
        (with_first("heroes", name=" "), "name_missing"),
        (special("light", id="gold-9"), "id_of_gold"),
        (special("redirection", talisman=False), "potion_and_talisman_mixed_up"),
        (special("annulment", talisman=True), "potion_and_talisman_mixed_up"),
        (special("light", effects=(Effect(Kind.CANCEL),)), "one_annulment_only"),
        (special("annulment", effects=()), "one_annulment_only"),
        (special("annulment", count=2), "number_of_specials"),
        (special("languor", effects=(Effect(Kind.DRAW),)), "effect_on_the_wrong_card"),
        (
            special("light", effects=(Effect(Kind.INVISIBLE),)),
            "effect_on_the_wrong_card",
        ),
        (
            with_first("places", effects=(Effect(Kind.REDIRECT),)),
            "effect_on_the_wrong_card",
        ),
        (
            with_first("heroes", effects=(Effect(Kind.NO_CRYING),)),
            "effect_on_the_wrong_card",
        ),
        (with_first("heroes", effects=(Effect(Kind.DRAW, 0),)), "number_of_an_effect"),
        (with_first("heroes", effects=(Effect(Kind.DRAW, 11),)), "number_of_an_effect"),
        (
            replace(
                STAND_IN,
                places=(
                    *STAND_IN.places[:-1],
                    replace(STAND_IN.places[-1], effects=(Effect(Kind.DRAW),)),
                ),
            ),
            "dragon_with_an_effect",
        ),
    ],
)
def test_a_fault_is_told(box, code):
    assert code in codes(box)


def test_the_wanted_and_the_found_number_are_told():
    box = replace(STAND_IN, gold=(9, 8, 6, 4, 3))

    assert check_box(box)[0].params == (("wanted", 29), ("found", 30))
