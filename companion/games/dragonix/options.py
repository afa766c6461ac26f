"""Where the rulebook leaves something open: every ruling, and what a table may choose.

The default of each choice stands first. `Options` is what the rules ask while playing.
"""

from msgspec import Struct

from companion.games.core import Cite, Config, Ruling, choices_of, sections

BOOK = "dragonix"


def _ruling(name: str, first: int, last: int, *choices: str) -> Ruling:
    return Ruling(name, Cite(BOOK, first, last), f"dragonix.ruling.{name}", choices)


SECTIONS = sections(
    BOOK,
    "15 goal 21 setting_up 38 turn 42 tactics 74 token 82 flight 88 recruiting "
    "96 solo 113 variant 120 events",
)
"""Where each section of the rulebook begins; its name is in the words."""

RULINGS = (
    _ruling("DX1", 17, 17, "at_once", "after_flight"),
    _ruling("DX2", 30, 30, "random", "youngest"),
    _ruling("DX3", 62, 64),
    _ruling("DX4", 62, 62),
    _ruling("DX5", 62, 62),
    _ruling("DX6", 46, 47),
    _ruling("DX7", 61, 61),
    _ruling("DX8", 25, 25),
    _ruling("DX9", 66, 66, "tower_counts", "armies_only"),
    _ruling("DX10", 66, 70),
    _ruling("DX11", 66, 66),
    _ruling("DX12", 66, 66),
    _ruling("DX13", 66, 66),
    _ruling("DX14", 64, 64, "with_a_card", "alone"),
    _ruling("DX15", 64, 64, "between", "same_value"),
    _ruling("DX16", 64, 64),
    _ruling("DX17", 64, 64),
    _ruling("DX18", 64, 64),
    _ruling("DX19", 76, 78),
    _ruling("DX20", 154, 154, "this_turn", "while_there"),
    _ruling("DX21", 140, 140),
    _ruling("DX22", 132, 132, "allowed", "refused"),
    _ruling("DX23", 150, 150, "extra", "counts"),
    _ruling("DX24", 136, 136),
    _ruling("DX25", 126, 144),
    _ruling("DX26", 84, 84),
    _ruling("DX27", 84, 84),
    _ruling("DX28", 90, 90),
    _ruling("DX29", 106, 111, "failure", "fair"),
    _ruling("DX30", 104, 104, "troops", "all_cards"),
    _ruling("DX31", 100, 104),
    _ruling("DX32", 30, 30),
    _ruling("DX33", 66, 66),
    _ruling("DX34", 66, 66),
    _ruling("DX35", 100, 100),
    _ruling("DX36", 64, 104, "under_camp", "beside"),
    _ruling("DX37", 64, 78),
    _ruling("DX38", 148, 150),
    _ruling("DX39", 140, 140),
    _ruling("DX40", 62, 62),
    _ruling("DX41", 76, 76),
    _ruling("DX42", 144, 144),
    _ruling("DX43", 66, 80),
    _ruling("DX44", 126, 126),
    _ruling("DX45", 64, 64),
    _ruling("SOLO", 113, 118, "usual", "variant"),
)
"""All of them; ``SOLO`` is the variant of the one-player game."""


class Options(Struct, frozen=True, gc=False):
    """The choices of one table as the rules ask for them.

    Attributes:
        win_at_once: The last card wins, the dragon need not fly (DX1).
        tie_by_lot: Lots decide who begins among equals (DX2).
        tower_counts: Who can place on the tower may take nothing back (DX9).
        swap_alone: An exchange is enough for step A (DX14).
        swap_same: The card must have the value that the hero stood for (DX15).
        flight_lasts: The dragon stays without effect while it is there (DX20).
        plague_anywhere: A dragon does not keep the plague off (DX22).
        insert_counts: A volunteer is enough for step A (DX23).
        nine_is_fair: Nine deserters are graded like eight (DX29).
        heroes_desert: Heroes count as deserters too (DX30).
        hero_beside: In solo an exchanged hero goes beside the board (DX36).
        variant: The undead dragon flies in the solo game too (SOLO).
    """

    win_at_once: bool = True
    tie_by_lot: bool = True
    tower_counts: bool = True
    swap_alone: bool = False
    swap_same: bool = False
    flight_lasts: bool = False
    plague_anywhere: bool = True
    insert_counts: bool = False
    nine_is_fair: bool = False
    heroes_desert: bool = False
    hero_beside: bool = False
    variant: bool = False


def resolve(config: Config) -> Options:
    """Return what *config* chooses, the defaults filled in.

    Raises:
        BadSetup: A ruling is not known or has no such choice.
    """
    choice = choices_of(RULINGS, config)
    return Options(
        win_at_once=choice["DX1"] == "at_once",
        tie_by_lot=choice["DX2"] == "random",
        tower_counts=choice["DX9"] == "tower_counts",
        swap_alone=choice["DX14"] == "alone",
        swap_same=choice["DX15"] == "same_value",
        flight_lasts=choice["DX20"] == "while_there",
        plague_anywhere=choice["DX22"] == "allowed",
        insert_counts=choice["DX23"] == "counts",
        nine_is_fair=choice["DX29"] == "fair",
        heroes_desert=choice["DX30"] == "all_cards",
        hero_beside=choice["DX36"] == "beside",
        variant=choice["SOLO"] == "variant",
    )
