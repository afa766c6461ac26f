"""What happened, in the past tense and in the order it happened.

Cards and characters are told by the name that the box gives them, which may itself be
the id of a line.
"""

from typing import TypeAlias

from msgspec import Struct

from companion.games.hidden import (
    Hidden,
)
from companion.table import Seat, Text


class Dealt(Struct, frozen=True, gc=False, tag="dealt"):
    """A seat got a character."""

    seat: Seat
    hero: Text


class PlaceTurned(Struct, frozen=True, gc=False, tag="place_turned"):
    """A place card was turned; *n* are left face down."""

    seat: Seat
    card: Text
    n: int


class Drawn(Struct, frozen=True, gc=False, tag="drawn"):
    """A seat took a treasure from the pile; nobody else saw which."""

    seat: Seat


class NothingToDraw(Struct, frozen=True, gc=False, tag="nothing_to_draw"):
    """There was no treasure to take, in the pile or on the discard."""

    seat: Seat


class TreasuresShuffled(Struct, frozen=True, gc=False, tag="treasures_shuffled"):
    """The discarded treasures became the new pile of *n*."""

    n: int


class SneakBegun(Struct, frozen=True, gc=False, tag="sneak_begun"):
    """A seat chose to sneak."""

    seat: Seat


class CryBegun(Struct, frozen=True, gc=False, tag="cry_begun"):
    """A seat chose to cry."""

    seat: Seat


class Paid(Struct, frozen=True, gc=False, tag="paid"):
    """A seat discarded a treasure as payment."""

    seat: Seat
    card: Text


class Overpaid(Struct, frozen=True, gc=False, tag="overpaid"):
    """A payment was *n* points too much, which are lost."""

    seat: Seat
    n: int


class Discarded(Struct, frozen=True, gc=False, tag="discarded"):
    """A seat discarded a treasure because a card said so."""

    seat: Seat
    card: Text


class Rolled(Struct, frozen=True, gc=False, tag="rolled"):
    """The die showed a number against *left* place cards; *bonus* was added."""

    seat: Seat
    pips: int
    bonus: int
    left: int


class StealthPassed(Struct, frozen=True, gc=False, tag="stealth_passed"):
    """A stealth test succeeded."""

    seat: Seat


class StealthFailed(Struct, frozen=True, gc=False, tag="stealth_failed"):
    """A stealth test failed."""

    seat: Seat


class Calmed(Struct, frozen=True, gc=False, tag="calmed"):
    """The dragon's anger sank to *n*."""

    n: int


class PlacesShuffled(Struct, frozen=True, gc=False, tag="places_shuffled"):
    """All place cards became the face-down pile again."""


class TalismanSpent(Struct, frozen=True, gc=False, tag="talisman_spent"):
    """A talisman was discarded, as its time was over."""

    seat: Seat
    card: Text


class Straightened(Struct, frozen=True, gc=False, tag="straightened"):
    """Every character's power was ready again."""


class Breathed(Struct, frozen=True, gc=False, tag="breathed"):
    """The dragon breathed fire at a seat."""

    seat: Seat


class Redirected(Struct, frozen=True, gc=False, tag="redirected"):
    """A talisman turned the breath on another seat."""

    seat: Seat
    other_seat: Seat


class Missed(Struct, frozen=True, gc=False, tag="missed"):
    """A talisman hid a seat from the breath."""

    seat: Seat


class Wounded(Struct, frozen=True, gc=False, tag="wounded"):
    """A character was turned to its wounded side."""

    seat: Seat


class Burned(Struct, frozen=True, gc=False, tag="burned"):
    """An adventurer was burned to ashes and lost all treasures."""

    seat: Seat


class Passed(Struct, frozen=True, gc=False, tag="passed"):
    """A seat handed the turn on."""

    seat: Seat


class PowerUsed(Struct, frozen=True, gc=False, tag="power_used"):
    """A seat used the power of its character."""

    seat: Seat
    hero: Text


class PotionPlayed(Struct, frozen=True, gc=False, tag="potion_played"):
    """A seat played a potion."""

    seat: Seat
    card: Text


class TalismanPlayed(Struct, frozen=True, gc=False, tag="talisman_played"):
    """A seat laid a talisman before it."""

    seat: Seat
    card: Text


class Annulled(Struct, frozen=True, gc=False, tag="annulled"):
    """A seat countered the potion."""

    seat: Seat


class PotionSpared(Struct, frozen=True, gc=False, tag="potion_spared"):
    """A seat does not counter the potion; others have still to say."""

    seat: Seat


class PotionLet(Struct, frozen=True, gc=False, tag="potion_let"):
    """Nobody countered the potion."""


class Peeked(Struct, frozen=True, gc=False, tag="peeked"):
    """A seat looked at the top *n* treasures; the table learns nothing of them."""

    seat: Seat
    n: int


class Consulted(Struct, frozen=True, gc=False, tag="consulted"):
    """A seat looked at the top *n* place cards; the table learns nothing of them."""

    seat: Seat
    n: int


class Healed(Struct, frozen=True, gc=False, tag="healed"):
    """A character was turned to its fit side."""

    seat: Seat


class Skipped(Struct, frozen=True, gc=False, tag="skipped"):
    """A seat's turn was over at once."""

    seat: Seat


class CryingBarred(Struct, frozen=True, gc=False, tag="crying_barred"):
    """A card forbade crying."""


class BonusGained(Struct, frozen=True, gc=False, tag="bonus_gained"):
    """A seat adds *n* to the die of its stealth tests in this turn."""

    seat: Seat
    n: int


class AppliedByHand(Struct, frozen=True, gc=False, tag="applied_by_hand"):
    """A card has an effect that the table carries out on its own."""

    seat: Seat


class NoEffect(Struct, frozen=True, gc=False, tag="no_effect"):
    """There was nothing that an effect could have done."""

    seat: Seat


class Stolen(Struct, frozen=True, gc=False, tag="stolen"):
    """A seat took a card from another, face down."""

    seat: Seat
    other_seat: Seat


class Swapped(Struct, frozen=True, gc=False, tag="swapped"):
    """Two seats exchanged a card, face down."""

    seat: Seat
    other_seat: Seat


class CardNoted(Struct, frozen=True, gc=False, tag="card_noted"):
    """A seat entered one of its cards; only that seat may see which."""

    seat: Seat
    treasure: Hidden[int]


class NotesForgotten(Struct, frozen=True, gc=False, tag="notes_forgotten"):
    """A seat took its notes back."""

    seat: Seat


class DragonAsleep(Struct, frozen=True, gc=False, tag="dragon_asleep"):
    """The dragon fell asleep; those who live leave the dungeon."""


class CardShown(Struct, frozen=True, gc=False, tag="card_shown"):
    """A seat laid a treasure open."""

    seat: Seat
    card: Text


class NotesClashed(Struct, frozen=True, gc=False, tag="notes_clashed"):
    """A seat had noted a card that others had noted too, more often than it exists."""

    seat: Seat


class GameWon(Struct, frozen=True, gc=False, tag="game_won"):
    """A seat got out the richest, perhaps with others."""

    seat: Seat
    n: int


class DragonWon(Struct, frozen=True, gc=False, tag="dragon_won"):
    """Nobody got out."""


Event: TypeAlias = (
    Dealt
    | PlaceTurned
    | Drawn
    | NothingToDraw
    | TreasuresShuffled
    | SneakBegun
    | CryBegun
    | Paid
    | Overpaid
    | Discarded
    | Rolled
    | StealthPassed
    | StealthFailed
    | Calmed
    | PlacesShuffled
    | TalismanSpent
    | Straightened
    | Breathed
    | Redirected
    | Missed
    | Wounded
    | Burned
    | Passed
    | PowerUsed
    | PotionPlayed
    | TalismanPlayed
    | Annulled
    | PotionSpared
    | PotionLet
    | Peeked
    | Consulted
    | Healed
    | Skipped
    | CryingBarred
    | BonusGained
    | AppliedByHand
    | NoEffect
    | Stolen
    | Swapped
    | CardNoted
    | NotesForgotten
    | DragonAsleep
    | CardShown
    | NotesClashed
    | GameWon
    | DragonWon
)
