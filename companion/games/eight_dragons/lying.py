"""What lies face down, and which turns and tokens it allows.

Where nobody has looked, a place may show any card that is left, which makes hundreds of
turns: by far the longest part of all that is legal. A move changes few of them. So what
was counted last is kept, and counted anew only at the places where a state differs.
"""

from itertools import compress
from operator import is_not, itemgetter

from msgspec.structs import replace

from companion.games.eight_dragons import census
from companion.games.eight_dragons.pieces import CARDS, ORDER, PLACES, Card
from companion.games.eight_dragons.state import (
    FACE_DOWN,
    LYING,
    Move,
    PlaceToken,
    Spot,
    State,
    Turn,
)
from companion.games.hidden import (
    Hidden,
)
from companion.table import Seat

NUMBERS = range(len(CARDS))
TURNS = tuple({card: Turn(place, LYING[card]) for card in CARDS} for place in PLACES)
TURNS_TO = tuple(tuple(turns[card] for turns in TURNS) for card in CARDS)
TOKENS = tuple(map(PlaceToken, PLACES))

FEW = 8
"""Where more places differ, one begins anew: to list all turns then takes no longer."""


class Lying:
    """What lies face down in the rectangle of a state.

    Attributes:
        state: The state.
        faces: The card at each place; None where none lies or nobody has looked.
        off: How many of each card are neither in a hand, as far as known, nor laid.
        left: How many of each card may lie where nobody has looked.
        cards: The cards of which some are left, by their numbers in `CARDS`.
        unseen: The free places where nobody has looked.
        may_show: The turns of all *unseen*, card by card.
        shows: For each place the turn of a free card that is known, else None.
        tokens: For each place the token that a free card may get, else None.
        under: The places under a token, and whose token it is.
        recounted: The cards of which more or fewer are left than when they were listed.
    """

    __slots__ = (
        "cards",
        "faces",
        "left",
        "may_show",
        "off",
        "recounted",
        "shows",
        "state",
        "tokens",
        "under",
        "unseen",
    )

    def __init__(self, state: State) -> None:
        """Begin with the rectangle of *state* as if nobody had looked anywhere."""
        size = len(state.grid)
        self.state = replace(state, grid=(FACE_DOWN,) * size, blocked=())
        self.off = census.off_the_grid(state)
        self.left = [*self.off]
        self.faces: list[Card | None] = [None] * size
        self.shows: list[Turn | None] = [None] * size
        self.tokens: list[PlaceToken | None] = [*TOKENS[:size]]
        self.under: dict[int, Seat] = {}
        self.unseen = [*PLACES[:size]]
        self._list_all()

    def follow(self, state: State, changed: list[int]) -> None:
        """Look again at the places that differ in *state*."""
        before, self.state = self.state, state
        if (
            state.hands is not before.hands
            or state.laid is not before.laid
            or state.blocked is not before.blocked
        ):
            self._look_around()
        anew = len(changed) > FEW
        for place in changed:
            if self._look(place, state.grid[place]) and place not in self.unseen:
                self.unseen.append(place)
                anew = True
        if anew:
            self.unseen.sort()
            self._list_all()
        else:
            self._list_recounted()

    def keep_up(self, state: State, place: int) -> None:
        """Look again where one card was turned over, which is all that differs."""
        self.state = state
        self._look(place, state.grid[place])
        self._list_recounted()

    def _look_around(self) -> None:
        """Count what hands hold and what was laid, and see where tokens lie."""
        self.under = dict(self.state.blocked)
        before, self.off = self.off, census.off_the_grid(self.state)
        for number in NUMBERS:
            if self.off[number] != before[number]:
                self._count(number, self.off[number] - before[number])

    def _look(self, place: int, spot: Spot) -> bool:
        """Look at a place; tell whether a free card lies there that nobody has seen.

        A place where none lies any more is taken out of those that may show anything.
        """
        card, down = None, False
        # Not isinstance, as a Struct is slow to tell that something is none of it.
        if type(spot) is Hidden:
            card, down = spot.value, True
        elif type(spot) is Card:
            card = spot
        before = self.faces[place]
        if card is not before:
            self.faces[place] = card
            if before is not None:
                self._count(ORDER[before], 1)
            if card is not None:
                self._count(ORDER[card], -1)
        free = down and place not in self.under
        self.tokens[place] = TOKENS[place] if free else None
        self.shows[place] = TURNS[place][card] if free and card else None
        if free and card is None:
            return True
        if place in self.unseen:
            index = self.unseen.index(place)
            del self.may_show[index :: len(self.unseen)]
            del self.unseen[index]
        return False

    def _count(self, number: int, more: int) -> None:
        self.left[number] += more
        self.recounted.append(number)

    def _list_recounted(self) -> None:
        """Take out the turns to cards of which none is left any more."""
        width = len(self.unseen)
        for number in self.recounted:
            listed = number in self.cards
            if listed and self.left[number] <= 0:
                row = self.cards.index(number) * width
                del self.may_show[row : row + width]
                self.cards.remove(number)
            elif self.left[number] > 0 and not listed:
                self._list_all()
                return
        self.recounted.clear()

    def _list_all(self) -> None:
        """List the turn of each unseen place, card by card of those that are left."""
        places = self.unseen
        # Fewer than none are left where two hands say that they hold the same card.
        some = [count > 0 for count in self.left]
        self.cards = [*compress(NUMBERS, some)]
        self.may_show: list[Turn] = []
        self.recounted: list[int] = []
        rows = compress(TURNS_TO, some)
        if len(places) < 2:
            self.may_show += [row[place] for row in rows for place in places]
            return
        pick = itemgetter(*places)
        for row in rows:
            self.may_show += row if len(places) == len(row) else pick(row)


_KEPT: list[Lying] = []
"""What was counted last. Whoever needs it takes it out and puts it back, so that of
several threads one has it and the others count anew."""


def turns(state: State) -> list[Move]:
    """Return the turn of every free card to all that it may show."""
    lying = _take(state)
    # What is known may show one thing only.
    found: list[Move] = [*filter(None, lying.shows), *lying.may_show]
    _KEPT.append(lying)
    return found


def tokens(state: State) -> list[Move]:
    """Return the token for every free card."""
    lying = _take(state)
    found: list[Move] = [*filter(None, lying.tokens)]
    _KEPT.append(lying)
    return found


def may_turn_two(state: State) -> bool:
    """Tell whether two cards lie free, which all can see."""
    lying = _take(state)
    some = len([*filter(None, lying.tokens)]) > 1
    _KEPT.append(lying)
    return some


def is_spent(state: State, card: Card) -> bool:
    """Tell whether every card of this kind is known to be somewhere already."""
    try:
        lying = _KEPT.pop()
    except IndexError:
        return census.unaccounted(state)[ORDER[card]] <= 0
    kept = lying.state is state
    left = lying.left[ORDER[card]]
    _KEPT.append(lying)
    return (left if kept else census.unaccounted(state)[ORDER[card]]) <= 0


def note_turn(before: State, place: int, after: State) -> None:
    """Keep up with a move that turned a card over and did nothing else.

    Three of four moves are these; for all others `turns` finds out what differs.
    """
    try:
        lying = _KEPT.pop()
    except IndexError:
        return
    if lying.state is before:
        lying.keep_up(after, place)
    _KEPT.append(lying)


def _take(state: State) -> Lying:
    """Take out what is kept and bring it up to *state*; who calls puts it back."""
    try:
        lying = _KEPT.pop()
    except IndexError:
        lying = Lying(state)
    if lying.state is state:
        return lying
    changed = _differing(lying.state, state)
    if lying.state.setting is not state.setting or len(changed) > FEW:
        lying = Lying(state)
        changed = _differing(lying.state, state)
    lying.follow(state, changed)
    return lying


def _differing(before: State, state: State) -> list[int]:
    """Return the places where another card lies, and where a token came or went."""
    places = [*compress(PLACES, map(is_not, before.grid, state.grid))]
    if before.blocked is not state.blocked:
        places += {place for place, _ in (*before.blocked, *state.blocked)}
    return places
