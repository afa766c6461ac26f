"""Where the rulebook leaves something open: every ruling, and what a table may choose.

The default of each choice stands first. `Options` is what the rules ask while playing.
"""

from msgspec import Struct

from companion.games.core import Cite, Config, Ruling, choices_of, sections

BOOK = "drachenhort"


def _ruling(number: int, first: int, last: int, *choices: str) -> Ruling:
    name = f"DH{number}"
    return Ruling(name, Cite(BOOK, first, last), f"drachenhort.ruling.{name}", choices)


SECTIONS = sections(
    BOOK,
    "28 idea 46 contents 59 preparation 81 course 87 first_round 95 preparation "
    "99 course 103 first_round 111 jewel 117 trap 143 dragon 159 round_ends "
    "177 second_round 197 end",
)
"""Where each section of the rulebook begins; its name is in the words."""

RULINGS = (
    _ruling(1, 91, 91, "compulsory", "optional"),
    _ruling(2, 91, 93, "pass", "reroll"),
    _ruling(3, 145, 151, "next_turn", "repeat"),
    _ruling(4, 109, 145),
    _ruling(5, 145, 157),
    _ruling(6, 119, 119, "if_empty", "never"),
    _ruling(7, 119, 119, "next_free", "next_cell"),
    _ruling(8, 119, 119, "allow", "never_forward"),
    _ruling(9, 109, 119),
    _ruling(10, 113, 119),
    _ruling(11, 113, 119),
    _ruling(12, 107, 107, "overshoot", "exact"),
    _ruling(13, 119, 119),
    _ruling(14, 154, 154),
    _ruling(15, 154, 154),
    _ruling(16, 148, 187),
    _ruling(17, 161, 161, "random", "exiter"),
    _ruling(18, 159, 167),
    _ruling(19, 171, 173),
    _ruling(20, 89, 89, "clockwise", "oldest"),
    _ruling(21, 147, 153),
    _ruling(22, 203, 203),
    _ruling(23, 65, 67),
    _ruling(24, 103, 105),
    _ruling(25, 97, 97),
    _ruling(26, 159, 159),
    _ruling(27, 119, 119),
    _ruling(28, 65, 99),
    _ruling(29, 107, 119),
    _ruling(30, 154, 154),
    _ruling(31, 151, 151),
)


class Options(Struct, frozen=True, gc=False):
    """The choices of one table as the rules ask for them.

    Attributes:
        may_pass: A player may leave a throw unused (DH1).
        reroll: Who can move nobody throws again (DH2).
        dragon_repeats: The dragon goes on at once while all stay in shadow (DH3).
        start_counts: A trap counts the start room when it is empty (DH6).
        next_cell: A second trap leads to the next cell even if taken (DH7).
        trap_forward: A trap may also carry its victim forward (DH8).
        exact_exit: Only the exact throw leaves the labyrinth (DH12).
        exiter_ranks: Who ended the round orders those that stand level (DH17).
        oldest_restarts: The first player begins the second round too (DH20).
    """

    may_pass: bool = False
    reroll: bool = False
    dragon_repeats: bool = False
    start_counts: bool = True
    next_cell: bool = False
    trap_forward: bool = True
    exact_exit: bool = False
    exiter_ranks: bool = False
    oldest_restarts: bool = False


def resolve(config: Config) -> Options:
    """Return what *config* chooses, the defaults filled in.

    Raises:
        BadSetup: A ruling is not known or has no such choice.
    """
    choice = choices_of(RULINGS, config)
    return Options(
        may_pass=choice["DH1"] == "optional",
        reroll=choice["DH2"] == "reroll",
        dragon_repeats=choice["DH3"] == "repeat",
        start_counts=choice["DH6"] == "if_empty",
        next_cell=choice["DH7"] == "next_cell",
        trap_forward=choice["DH8"] == "allow",
        exact_exit=choice["DH12"] == "exact",
        exiter_ranks=choice["DH17"] == "exiter",
        oldest_restarts=choice["DH20"] == "oldest",
    )
