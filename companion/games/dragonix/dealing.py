"""From the box to the first turn: armies opened, camps dealt, the draw for who begins.

Source: rulebook l. 23-30, 100; rulings DX2, DX8, DX32, DX35.
"""

from msgspec.structs import replace

from companion.games.core import (
    BadSetup,
    Config,
    NotNow,
    with_value,
)
from companion.games.dragonix import hands
from companion.games.dragonix.cards import A_HERO, ALL_TROOPS, DECK, Cards
from companion.games.dragonix.events import (
    Began,
    Event,
    Revealed,
    SoloBegan,
    Tied,
    TurnedUp,
)
from companion.games.dragonix.moves import Begin, Reveal, TurnUp
from companion.games.dragonix.options import resolve
from companion.games.dragonix.pieces import (
    ARMIES,
    HAND,
    HERO,
    HERO_AT_START,
    HEROES,
    ROWS,
    SOLO_TOKENS,
    TOKENS,
    TROOPS,
    VALUE,
    Card,
    Row,
    Token,
)
from companion.games.dragonix.stacks import place
from companion.games.dragonix.state import (
    BEGIN,
    DEAL,
    EMPTY,
    NEW_TURN,
    NOWHERE,
    PLAY,
    REVEAL,
    Setting,
    Side,
    State,
)
from companion.games.hidden import (
    Hidden,
)
from companion.table import Seat

Events = list[Event]

SEATS = range(1, 5)
"""How many may play. Source: rulebook l. 40."""

DEALT = TROOPS + HEROES - len(ARMIES)
"""Cards that become camps."""

FIRST_UNDEAD = 3
"""The army that the undead dragon begins on in the variant. Source: rulebook l. 118."""


def setup(config: Config) -> State:
    """Return the position before the first card is turned up.

    Who begins is drawn (l. 30), so what *config* says of it is only looked at for
    being a seat.

    Raises:
        BadSetup: The seats, the first seat or an option cannot be.

    Source: rulebook l. 23-30, 100, 117-118.
    """
    if config.seats not in SEATS:
        raise BadSetup(f"{config.seats} cannot play Dragonix; 1 to 4 can")
    if config.first not in range(config.seats):
        raise BadSetup(
            f"seat {config.first} cannot begin; choose one of 0 to {config.seats - 1}"
        )
    setting = Setting(config.seats, config.box, resolve(config))
    return State(
        setting=setting,
        phase=DEAL,
        seat=0,
        turn=NEW_TURN,
        rows=(EMPTY,) * len(ROWS),
        red=0,
        undead=FIRST_UNDEAD if setting.both_fly else NOWHERE,
        undead_by=None,
        prison_by=None,
        red_off=False,
        undead_off=False,
        sides=tuple(_side(seat, config.seats) for seat in range(config.seats)),
        unseen=ALL_TROOPS,
        heroes=HEROES,
        tokens=_tokens(config.seats),
        boxed=(),
        deserters=(),
        spent=(),
    )


def _side(seat: Seat, seats: int) -> Side:
    """Return what a seat is dealt: 48, 24, 16 or 12 cards, and its tokens."""
    open_tokens = {1: SOLO_TOKENS, 2: (Token.UNDEAD,)}.get(seats, ())
    return Side(
        hand=0,
        shown=(),
        noted=Hidden((), (seat,)),
        camp=DEALT // seats,
        under=(),
        mixed=(),
        tokens={1: 5, 2: 3}.get(seats, 2),
        open_tokens=open_tokens,
        noted_tokens=Hidden((), (seat,)),
    )


def _tokens(seats: int) -> tuple[Token, ...]:
    """Return the tokens that are dealt face down. Source: rulebook l. 27-28, 100."""
    if seats == 1:
        return ()
    if seats == 2:  # each has an undead dragon, open to all
        return tuple(token for token in Token if token is not Token.UNDEAD)
    return TOKENS


def next_army(state: State) -> Row:
    """Return the army that the next card turned up opens."""
    return next(row for row in ARMIES if not state.rows[row].cards)


def next_to_reveal(state: State) -> Seat:
    """Return the seat that shows its next first card."""
    return next(n for n, side in enumerate(state.sides) if side.hand < HAND)


def turn_up(state: State, move: TurnUp, events: Events) -> State:
    """Open an army; the heroes are not in the pile yet. Source: rulebook l. 24-25."""
    card, row = move.card, move.row
    if card == HERO:
        raise NotNow("the heroes were put aside before the armies were opened")
    after = hands.show_card(state, state.sides, card)
    events.append(TurnedUp(card, row))
    rows = with_value(after.rows, row, place(row, EMPTY, card))
    if row != ARMIES[-1]:
        return replace(after, rows=rows)
    if not state.setting.solo:
        return replace(after, rows=rows, phase=REVEAL)
    events.append(SoloBegan(0))
    side = replace(after.side, hand=HAND, camp=after.side.camp - HAND)
    return replace(after, rows=rows, phase=PLAY, sides=(side,))


def reveal(state: State, move: Reveal, events: Events) -> State:
    """Show a first card; with the last of them it is clear who begins.

    Source: rulebook l. 30; rulings DX2, DX32.
    """
    seat, card = move.seat, move.card
    if card not in DECK or not may_reveal(state) >> card & 1:
        raise NotNow(f"card {card} cannot be among the first cards")
    after = hands.show_card(state, state.sides, card)
    side = after.sides[seat]
    side = replace(
        side,
        hand=side.hand + 1,
        camp=side.camp - 1,
        shown=tuple(sorted((*side.shown, card))),
    )
    after = replace(after, sides=with_value(after.sides, seat, side))
    events.append(Revealed(seat, card, draw_value(card)))
    if after.sides[-1].hand < HAND:
        return after
    first = leaders(after)
    if len(first) == 1:
        return _began(after, first[0], events)
    events.append(Tied(len(first)))
    return replace(after, phase=BEGIN)


def begin(state: State, move: Begin, events: Events) -> State:
    """Let one of those with the highest sum begin. Source: l. 30; ruling DX2."""
    return _began(state, move.seat, events)


def _began(state: State, seat: Seat, events: Events) -> State:
    events.append(Began(seat, draw_sum(state.sides[seat])))
    return replace(state, phase=PLAY, seat=seat)


def draw_value(card: Card) -> int:
    """Return what a card counts in the draw. Source: rulebook l. 30."""
    return VALUE[card] or HERO_AT_START


def draw_sum(side: Side) -> int:
    """Return the sum of the cards that a seat has shown for the draw."""
    return sum(draw_value(card) for card in side.shown)


def leaders(state: State) -> tuple[Seat, ...]:
    """Return who has the highest sum. Source: rulebook l. 30; ruling DX2."""
    sums = [draw_sum(side) for side in state.sides]
    return tuple(seat for seat, mine in enumerate(sums) if mine == max(sums))


def may_reveal(state: State) -> Cards:
    """Return what the next first card may be."""
    return state.unseen | A_HERO if may_show_hero(state) else state.unseen


def may_show_hero(state: State) -> bool:
    """Tell whether a hero may be left for the next one to show.

    With three players the fourth hero may be with anybody, but with one only.

    Source: rulebook l. 24-26.
    """
    share, spare = divmod(HEROES, state.setting.seats)
    shown = [side.shown.count(HERO) for side in state.sides]
    mine = shown[next_to_reveal(state)]
    return mine < share or (mine == share and spare > 0 and max(shown) == share)
