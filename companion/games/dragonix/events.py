"""What happened, in the past tense and in the order it happened."""

from typing import TypeAlias

from msgspec import Struct

from companion.games.dragonix.pieces import Card, Dragon, People, Row, Token
from companion.games.hidden import (
    Hidden,
)
from companion.table import Seat


class TurnedUp(Struct, frozen=True, gc=False, tag="turned_up"):
    """A card opened an army."""

    card: Card
    row: Row


class Revealed(Struct, frozen=True, gc=False, tag="revealed"):
    """A seat showed a first card, which counts *n* in the draw."""

    seat: Seat
    card: Card
    n: int


class Tied(Struct, frozen=True, gc=False, tag="tied"):
    """Several seats had the highest sum."""

    n: int


class Began(Struct, frozen=True, gc=False, tag="began"):
    """A seat was the first to play, with *n* in the draw."""

    seat: Seat
    n: int


class SoloBegan(Struct, frozen=True, gc=False, tag="solo_began"):
    """The one who plays alone took the first cards."""

    seat: Seat


class Placed(Struct, frozen=True, gc=False, tag="placed"):
    """A troop was placed at the end of a row."""

    seat: Seat
    card: Card
    row: Row


class HeroPlaced(Struct, frozen=True, gc=False, tag="hero_placed"):
    """A hero was placed at the end of an army, or inserted, and counts a value."""

    seat: Seat
    row: Row
    value: int


class Inserted(Struct, frozen=True, gc=False, tag="inserted"):
    """A troop was put between two cards of an army."""

    seat: Seat
    card: Card
    row: Row


class Boxed(Struct, frozen=True, gc=False, tag="boxed"):
    """A row had six cards, which went into the box."""

    row: Row


class Swapped(Struct, frozen=True, gc=False, tag="swapped"):
    """A card took the place of a hero, which went under the camp."""

    seat: Seat
    card: Card
    row: Row


class SwappedBeside(Struct, frozen=True, gc=False, tag="swapped_beside"):
    """A card took the place of a hero, which went beside the board."""

    seat: Seat
    card: Card
    row: Row


class TakenBack(Struct, frozen=True, gc=False, tag="taken_back"):
    """A card of an army went under the camp."""

    seat: Seat
    card: Card
    row: Row


class Deserted(Struct, frozen=True, gc=False, tag="deserted"):
    """A card of an army went beside the board; there are *n* deserters now."""

    card: Card
    row: Row
    n: int


class TokenPlayed(Struct, frozen=True, gc=False, tag="token_played"):
    """A seat laid a token open."""

    seat: Seat
    token: Token


class TowerClosed(Struct, frozen=True, gc=False, tag="tower_closed"):
    """Nobody could place on the tower until the next turn of the seat."""

    seat: Seat


class TowerOpened(Struct, frozen=True, gc=False, tag="tower_opened"):
    """The tower was open again."""

    seat: Seat


class Struck(Struct, frozen=True, gc=False, tag="struck"):
    """The plague sent a card of an army into the box."""

    card: Card
    row: Row


class Reinforced(Struct, frozen=True, gc=False, tag="reinforced"):
    """A seat took one card of its choice and shuffled its camp."""

    seat: Seat


class Recoloured(Struct, frozen=True, gc=False, tag="recoloured"):
    """A row asked for another people."""

    row: Row
    people: People


class Summoned(Struct, frozen=True, gc=False, tag="summoned"):
    """The undead dragon came to an army."""

    seat: Seat
    row: Row


class UndeadLeft(Struct, frozen=True, gc=False, tag="undead_left"):
    """The undead dragon left, as the turn of who brought it began."""

    seat: Seat


class Soared(Struct, frozen=True, gc=False, tag="soared"):
    """A dragon had no effect."""

    dragon: Dragon


class Flown(Struct, frozen=True, gc=False, tag="flown"):
    """A dragon moved to an army."""

    dragon: Dragon
    row: Row


class Recruited(Struct, frozen=True, gc=False, tag="recruited"):
    """A seat drew cards; its turn was over."""

    seat: Seat
    n: int


class TurnBegan(Struct, frozen=True, gc=False, tag="turn_began"):
    """The turn of a seat began."""

    seat: Seat


class CardNoted(Struct, frozen=True, gc=False, tag="card_noted"):
    """A seat entered a card; only that seat may see which."""

    seat: Seat
    card: Hidden[Card]


class TokenNoted(Struct, frozen=True, gc=False, tag="token_noted"):
    """A seat entered a token; only that seat may see which."""

    seat: Seat
    token: Hidden[Token]


class GameWon(Struct, frozen=True, gc=False, tag="game_won"):
    """A seat had no card left."""

    seat: Seat


class SoloEnded(Struct, frozen=True, gc=False, tag="solo_ended"):
    """All cards were played alone, with *n* deserters."""

    n: int


Event: TypeAlias = (
    TurnedUp
    | Revealed
    | Tied
    | Began
    | SoloBegan
    | Placed
    | HeroPlaced
    | Inserted
    | Boxed
    | Swapped
    | SwappedBeside
    | TakenBack
    | Deserted
    | TokenPlayed
    | TowerClosed
    | TowerOpened
    | Struck
    | Reinforced
    | Recoloured
    | Summoned
    | UndeadLeft
    | Soared
    | Flown
    | Recruited
    | TurnBegan
    | CardNoted
    | TokenNoted
    | GameWon
    | SoloEnded
)
