"""Where the rulebook leaves something open: every ruling, and what a table may choose.

The default of each choice stands first. `Options` is what the rules ask while playing.
"""

from msgspec import Struct

from companion.games.core import Cite, Config, Ruling, choices_of, sections

BOOK = "dragon_run"


def _ruling(number: int, first: int, last: int, *choices: str) -> Ruling:
    name = f"RN{number}"
    return Ruling(name, Cite(BOOK, first, last), f"dragon_run.ruling.{name}", choices)


SECTIONS = sections(
    BOOK,
    "20 introduction 26 contents 35 goal 39 preparation 58 course 66 rush "
    "72 sneak 78 test 95 cry 101 point 107 places 109 dragon 122 rooms 134 others "
    "146 potions 155 powers 165 end",
)
"""Where each section of the rulebook begins; its name is in the words."""

RULINGS = (
    _ruling(1, 54, 54),
    _ruling(2, 29, 29),
    _ruling(3, 76, 99),
    _ruling(4, 82, 91, "allow", "forbid"),
    _ruling(5, 76, 82),
    _ruling(6, 93, 93),
    _ruling(7, 82, 89),
    _ruling(8, 148, 148, "potions", "rush_only"),
    _ruling(9, 124, 127, "rush", "action"),
    _ruling(10, 136, 144, "action", "rush"),
    _ruling(11, 136, 136, "on_top", "this_turn", "until_shuffled"),
    _ruling(12, 157, 160),
    _ruling(13, 163, 163, "no", "yes"),
    _ruling(14, 150, 150),
    _ruling(15, 152, 152),
    _ruling(16, 113, 118),
    _ruling(17, 169, 175, "dragon", "last"),
    _ruling(18, 171, 171),
    _ruling(19, 171, 171, "shared", "next_card"),
    _ruling(20, 153, 153),
    _ruling(21, 54, 54),
    _ruling(22, 103, 103),
    _ruling(23, 56, 56),
    _ruling(24, 113, 113),
    _ruling(25, 48, 54),
    _ruling(26, 153, 153, "next_draw", "at_once"),
    _ruling(27, 76, 103),
    _ruling(28, 97, 99, "yes", "no"),
    _ruling(29, 148, 150),
    _ruling(30, 150, 150),
    _ruling(31, 169, 169),
    _ruling(32, 91, 127),
    _ruling(33, 41, 45),
    _ruling(34, 171, 171),
)


class Options(Struct, frozen=True, gc=False):
    """The choices of one table as the rules ask for them.

    Attributes:
        hopeless_sneak: One may sneak though no throw can succeed (RN4).
        potions_when_forced: Potions may be played after a failed test (RN8).
        room_gives_action: Whoever goes on from a treasure room may do any act (RN9).
        replay_rushes: The replay sign means to turn the next card at once (RN10).
        no_crying: How long a card forbids crying (RN11).
        test_straightens: A passed test readies the powers too (RN13).
        last_wins: Who falls last as the dragon falls asleep still wins (RN17).
        next_card_breaks_tie: Equal best cards are followed by the next (RN19).
        refill_at_once: The treasure pile is refilled as soon as it is empty (RN26).
        lone_may_cry: A lone survivor may cry (RN28).
    """

    hopeless_sneak: bool = True
    potions_when_forced: bool = True
    room_gives_action: bool = False
    replay_rushes: bool = False
    no_crying: str = "on_top"
    test_straightens: bool = False
    last_wins: bool = False
    next_card_breaks_tie: bool = False
    refill_at_once: bool = False
    lone_may_cry: bool = True


def resolve(config: Config) -> Options:
    """Return what *config* chooses, the defaults filled in.

    Raises:
        BadSetup: A ruling is not known or has no such choice.
    """
    choice = choices_of(RULINGS, config)
    return Options(
        hopeless_sneak=choice["RN4"] == "allow",
        potions_when_forced=choice["RN8"] == "potions",
        room_gives_action=choice["RN9"] == "action",
        replay_rushes=choice["RN10"] == "rush",
        no_crying=choice["RN11"],
        test_straightens=choice["RN13"] == "yes",
        last_wins=choice["RN17"] == "last",
        next_card_breaks_tie=choice["RN19"] == "next_card",
        refill_at_once=choice["RN26"] == "at_once",
        lone_may_cry=choice["RN28"] == "yes",
    )
