"""Where the rulebook leaves something open: every ruling, and what a table may choose.

The default of each choice stands first. `Options` is what the rules ask while playing.
"""

from msgspec import Struct

from companion.games.core import Cite, Config, Ruling, choices_of, sections

BOOK = "dragorun"


def _ruling(number: int, first: int, last: int, *choices: str) -> Ruling:
    name = f"DG{number}"
    return Ruling(name, Cite(BOOK, first, last), f"{BOOK}.ruling.{name}", choices)


SECTIONS = sections(
    BOOK,
    "34 contents 64 goal 68 setting_up 79 course 83 throw 119 swap 150 end",
)
"""Where each section of the rulebook begins; its name is in the words."""

RULINGS = (
    _ruling(1, 101, 101, "nearest_free", "next_cell"),
    _ruling(2, 97, 101, "share", "stay"),
    _ruling(3, 109, 109, "behind_last", "snail_cell"),
    _ruling(4, 113, 144, "all", "newest", "none"),
    _ruling(5, 139, 152, "shared", "rerun", "decide"),
    _ruling(6, 105, 152, "finish", "stay"),
    _ruling(7, 139, 152, "cross", "exact"),
    _ruling(8, 152, 152),
    _ruling(9, 121, 152, "counts", "does_not"),
    _ruling(10, 125, 135),
    _ruling(11, 121, 121, "swapper_only", "both"),
    _ruling(12, 121, 121),
    _ruling(13, 121, 121),
    _ruling(14, 135, 135),
    _ruling(15, 131, 131),
    _ruling(16, 143, 143),
    _ruling(17, 144, 144),
    _ruling(18, 144, 148),
    _ruling(19, 139, 152),
    _ruling(20, 139, 154, "rerun", "third"),
    _ruling(21, 154, 154, "anew", "keep"),
    _ruling(22, 73, 73, "dealt", "chosen"),
    _ruling(23, 91, 109, "any", "must_move"),
    _ruling(24, 85, 85),
    _ruling(25, 105, 113, "move", "stay"),
    _ruling(26, 121, 121),
    _ruling(27, 125, 139),
    _ruling(28, 74, 121),
    _ruling(29, 143, 144, "empty", "twelve_draws"),
    _ruling(30, 144, 144),
    _ruling(31, 131, 131),
    _ruling(32, 85, 91),
    _ruling(33, 72, 72),
)


class Options(Struct, frozen=True, gc=False):
    """The choices of one table as the rules ask for them.

    Attributes:
        back_skips: A step back skips taken cells, to the nearest free one (DG1).
        back_shares: A step back may join others on the snail cell (DG2).
        snail_to_end: The snail leads to the snail cell itself (DG3).
        last_on_snail: Who is last of several on the snail cell (DG4).
        tie: What becomes of a tie for second place (DG5).
        trophy_finishes: The trophy may lead onto the finish cell (DG6).
        exact_finish: Only the exact throw reaches the finish (DG7).
        hidden_counts: A marker lying face down wins too (DG9).
        both_hidden: Who is swapped with gets a face-down marker too (DG11).
        third_wins: The third dragon wins where nobody rides the second (DG20).
        rerun_keeps: Another race keeps markers and eggs (DG21).
        markers_chosen: The players choose their first markers (DG22).
        joker_must_move: The joker's dragon must be one that moves (DG23).
        trophy_parts_all: With all five level, the trophy moves a dragon (DG25).
        twelve_draws: The twelfth draw brings all eggs back, whatever is left (DG29).
    """

    back_skips: bool = True
    back_shares: bool = True
    snail_to_end: bool = False
    last_on_snail: str = "all"
    tie: str = "shared"
    trophy_finishes: bool = True
    exact_finish: bool = False
    hidden_counts: bool = True
    both_hidden: bool = False
    third_wins: bool = False
    rerun_keeps: bool = False
    markers_chosen: bool = False
    joker_must_move: bool = False
    trophy_parts_all: bool = True
    twelve_draws: bool = False


def resolve(config: Config) -> Options:
    """Return what *config* chooses, the defaults filled in.

    Raises:
        BadSetup: A ruling is not known or has no such choice.
    """
    choice = choices_of(RULINGS, config)
    return Options(
        back_skips=choice["DG1"] == "nearest_free",
        back_shares=choice["DG2"] == "share",
        snail_to_end=choice["DG3"] == "snail_cell",
        last_on_snail=choice["DG4"],
        tie=choice["DG5"],
        trophy_finishes=choice["DG6"] == "finish",
        exact_finish=choice["DG7"] == "exact",
        hidden_counts=choice["DG9"] == "counts",
        both_hidden=choice["DG11"] == "both",
        third_wins=choice["DG20"] == "third",
        rerun_keeps=choice["DG21"] == "keep",
        markers_chosen=choice["DG22"] == "chosen",
        joker_must_move=choice["DG23"] == "must_move",
        trophy_parts_all=choice["DG25"] == "move",
        twelve_draws=choice["DG29"] == "twelve_draws",
    )
