"""What happened, in the past tense and in the order it happened."""

from typing import TypeAlias

from msgspec import Struct

from companion.games.drachenhort.box import Group
from companion.games.drachenhort.pieces import Adventurer, Metal
from companion.games.hidden import (
    Hidden,
)
from companion.table import Seat


class Thrown(Struct, frozen=True, gc=False, tag="thrown"):
    """The die showed a number."""

    seat: Seat
    n: int


class Advanced(Struct, frozen=True, gc=False, tag="advanced"):
    """An adventurer was moved to a cell, which may be a trap."""

    seat: Seat
    adventurer: Adventurer
    cell: int


class Trapped(Struct, frozen=True, gc=False, tag="trapped"):
    """An adventurer fell into the trap of a cell."""

    adventurer: Adventurer
    cell: int


class PutAhead(Struct, frozen=True, gc=False, tag="put_ahead"):
    """A trap put an adventurer on a cell ahead of the dragon."""

    adventurer: Adventurer
    cell: int


class Escaped(Struct, frozen=True, gc=False, tag="escaped"):
    """An adventurer left the labyrinth."""

    seat: Seat
    adventurer: Adventurer


class JewelWon(Struct, frozen=True, gc=False, tag="jewel_won"):
    """A seat took the jewel of a cell."""

    seat: Seat
    cell: int


class Passed(Struct, frozen=True, gc=False, tag="passed"):
    """A seat left its throw unused."""

    seat: Seat


class Stuck(Struct, frozen=True, gc=False, tag="stuck"):
    """No adventurer could use the throw; the turn was over."""

    seat: Seat
    n: int


class StuckAgain(Struct, frozen=True, gc=False, tag="stuck_again"):
    """No adventurer could use the throw; the same seat throws again."""

    seat: Seat
    n: int


class DragonWoken(Struct, frozen=True, gc=False, tag="dragon_woken"):
    """Everybody stood in shadow."""


class DragonLeftHall(Struct, frozen=True, gc=False, tag="dragon_left_hall"):
    """The dragon made its first step of a round, into the start room."""


class DragonMoved(Struct, frozen=True, gc=False, tag="dragon_moved"):
    """The dragon went to a cell."""

    cell: int


class Captured(Struct, frozen=True, gc=False, tag="captured"):
    """The dragon caught an adventurer."""

    adventurer: Adventurer


class MedalGiven(Struct, frozen=True, gc=False, tag="medal_given"):
    """An adventurer got a medal of this round."""

    adventurer: Adventurer
    metal: Metal
    value: int


class RoundEnded(Struct, frozen=True, gc=False, tag="round_ended"):
    """A round was over and all its medals were given."""

    number: int


class BoardFlipped(Struct, frozen=True, gc=False, tag="board_flipped"):
    """The second side was set up; a seat begins."""

    seat: Seat


class GroupNoted(Struct, frozen=True, gc=False, tag="group_noted"):
    """A seat entered its group; only that seat may see which."""

    seat: Seat
    group: Hidden[int]


class GroupShown(Struct, frozen=True, gc=False, tag="group_shown"):
    """A seat's group was laid open."""

    seat: Seat
    group: int
    heroes: Group


class GroupsClashed(Struct, frozen=True, gc=False, tag="groups_clashed"):
    """A seat had noted a group that another seat had noted too."""

    seat: Seat


class GameWon(Struct, frozen=True, gc=False, tag="game_won"):
    """A seat had the most points, perhaps with others."""

    seat: Seat
    n: int


Event: TypeAlias = (
    Thrown
    | Advanced
    | Trapped
    | PutAhead
    | Escaped
    | JewelWon
    | Passed
    | Stuck
    | StuckAgain
    | DragonWoken
    | DragonLeftHall
    | DragonMoved
    | Captured
    | MedalGiven
    | RoundEnded
    | BoardFlipped
    | GroupNoted
    | GroupShown
    | GroupsClashed
    | GameWon
)
