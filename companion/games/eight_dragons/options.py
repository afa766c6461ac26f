"""Where the rulebook leaves something open: every ruling, and what a table may choose.

The default of each choice stands first. `Options` is what the rules ask while playing.
"""

from msgspec import Struct

from companion.games.core import Cite, Config, Ruling, choices_of, sections

BOOK = "eight_dragons"


def _ruling(number: int, first: int, last: int, *choices: str) -> Ruling:
    name = f"ED{number}"
    return Ruling(name, Cite(BOOK, first, last), f"{BOOK}.ruling.{name}", choices)


SECTIONS = sections(
    BOOK,
    "49 goal 53 long 68 how 90 points 98 special 100 gains 104 traps 110 tokens "
    "116 short 120 end",
)
"""Where each section of the rulebook begins; its name is in the words."""

RULINGS = (
    _ruling(0, 53, 118, "long", "short"),
    _ruling(1, 72, 74, "shape", "colour"),
    _ruling(2, 72, 126),
    _ruling(3, 78, 78, "anywhere", "swap"),
    _ruling(4, 82, 84),
    _ruling(5, 82, 84),
    _ruling(6, 82, 82),
    _ruling(7, 98, 108, "ends", "goes_on"),
    _ruling(8, 98, 108),
    _ruling(9, 98, 124),
    _ruling(10, 98, 124, "never_spent", "spent"),
    _ruling(11, 102, 102),
    _ruling(12, 106, 106),
    _ruling(13, 82, 82),
    _ruling(14, 102, 102, "take", "exchange"),
    _ruling(15, 88, 88),
    _ruling(16, 51, 96),
    _ruling(17, 98, 102),
    _ruling(18, 112, 114, "retired", "owner", "liberator"),
    _ruling(19, 114, 114),
    _ruling(20, 114, 114),
    _ruling(21, 114, 114),
    _ruling(22, 124, 124, "at_most", "exactly"),
    _ruling(23, 126, 126),
    _ruling(24, 114, 124),
    _ruling(25, 51, 51, "shared", "dragons"),
    _ruling(26, 86, 86),
    _ruling(27, 70, 70),
    _ruling(28, 86, 86),
    _ruling(29, 122, 126, "end", "ask"),
    _ruling(30, 122, 126),
    _ruling(31, 114, 114, "one", "all"),
    _ruling(32, 86, 86),
    _ruling(33, 72, 106),
    _ruling(34, 112, 112, "yes", "no"),
    _ruling(35, 78, 78, "yes", "no"),
    _ruling(36, 82, 126),
    _ruling(37, 72, 106),
    _ruling(38, 57, 88),
)
"""ED0 is no open point but the choice between the two versions of the game."""


class Options(Struct, frozen=True, gc=False):
    """The choices of one table as the rules ask for them.

    Attributes:
        short: The short game of 36 cards is played (ED0).
        twins_are_colour: Two equal parts of one colour let nobody play again (ED1).
        only_swap: A pair that is left may only change places with itself (ED3).
        gain_goes_on: A gain turned first does not end the turn (ED7).
        twin_spent: The twin card is played only once (ED10).
        exchange: The multicolour head swaps hands (ED14).
        token_to: Who gets a freed token: ``retired`` for nobody (ED18).
        exactly: The game ends at exactly four free cards (ED22).
        more_dragons: Of equals, the one with more dragons wins (ED25).
        ask_dead_end: A dead end only lets the table be asked (ED29).
        free_all: One shape pair may free every token (ED31).
        token_between: A token may come between a shape pair and its replay (ED34).
        split_pair: One card of a pair may be kept and one left (ED35).
    """

    short: bool = False
    twins_are_colour: bool = False
    only_swap: bool = False
    gain_goes_on: bool = False
    twin_spent: bool = False
    exchange: bool = False
    token_to: str = "retired"
    exactly: bool = False
    more_dragons: bool = False
    ask_dead_end: bool = False
    free_all: bool = False
    token_between: bool = True
    split_pair: bool = True


def resolve(config: Config) -> Options:
    """Return what *config* chooses, the defaults filled in.

    Raises:
        BadSetup: A ruling is not known or has no such choice.
    """
    choice = choices_of(RULINGS, config)
    return Options(
        short=choice["ED0"] == "short",
        twins_are_colour=choice["ED1"] == "colour",
        only_swap=choice["ED3"] == "swap",
        gain_goes_on=choice["ED7"] == "goes_on",
        twin_spent=choice["ED10"] == "spent",
        exchange=choice["ED14"] == "exchange",
        token_to=choice["ED18"],
        exactly=choice["ED22"] == "exactly",
        more_dragons=choice["ED25"] == "dragons",
        ask_dead_end=choice["ED29"] == "ask",
        free_all=choice["ED31"] == "all",
        token_between=choice["ED34"] == "yes",
        split_pair=choice["ED35"] == "yes",
    )
