"""How people play 8 Dragons, where chance alone would lead nowhere.

Nobody ever lays a dragon who turns cards blindly: it takes four cards of one colour.
People remember what they saw, take what brings a dragon nearer, and give back what does
not.
"""

from collections.abc import Sequence
from typing import Any

from companion.games.core import (
    Chance,
)
from companion.games.eight_dragons.census import match, unaccounted
from companion.games.eight_dragons.pieces import (
    COLOUR,
    HAND_LIMIT,
    ORDER,
    PART,
    Card,
    Colour,
)
from companion.games.eight_dragons.state import (
    Draw,
    EndTurn,
    FreeToken,
    Grab,
    Lay,
    PlaceToken,
    Return,
    State,
    Take,
    Turn,
)
from companion.games.hidden import (
    Hidden,
)

TOKEN = 0.1
"""Share of acts in which somebody who may place or free a token does."""


def sensible(state: State, moves: Sequence[Any], chance: Chance) -> Sequence[Any]:
    """Return those of *moves* that people would make here, at least one."""
    tokens = [move for move in moves if isinstance(move, PlaceToken | FreeToken)]
    if tokens and chance.random() < TOKEN:
        return tokens
    moves = [move for move in moves if move not in tokens] or moves
    for likes in (_laying, _taking, _giving_back, _turning, _gaining):
        liked = likes(state, moves, chance)
        if liked:
            return liked
    return moves


def _laying(_state: State, moves: Sequence[Any], _chance: Chance) -> list[Any]:
    return [move for move in moves if isinstance(move, Lay)]


def _taking(state: State, moves: Sequence[Any], _chance: Chance) -> list[Any]:
    """Take what brings a dragon nearer and leave the rest."""
    takes = [move for move in moves if isinstance(move, Take)]
    if not takes:
        return []
    held = _cards(state)
    good = [m for m in takes if _gain(held, _open(state, m.place)) > 0]
    return good or [move for move in moves if move not in takes]


def _giving_back(state: State, moves: Sequence[Any], _chance: Chance) -> list[Any]:
    """Give back what one can best do without; where to does not matter."""
    returns = [move for move in moves if isinstance(move, Return)]
    if not returns:
        return []
    held = _cards(state)
    kept = {move: _promise(_without(held, move.card.value)) for move in returns}
    best = max(kept.values())
    return [move for move in returns if kept[move] == best]


def _turning(state: State, moves: Sequence[Any], chance: Chance) -> list[Any]:
    """Turn a card that is known to make a pair one can use, else an unknown one."""
    turns = [move for move in moves if isinstance(move, Turn)]
    if not turns:
        return []
    lying = {n for n, spot in enumerate(state.grid)
             if isinstance(spot, Hidden) and spot.value is not None}  # fmt: skip
    known = [move for move in turns if move.place in lying]
    mates = _open_cards(state) or [_card(move) for move in known]
    held = _cards(state)
    useful = [
        move
        for move in known
        if any(
            _pairs(_card(move), mate)
            and _gain(held, _card(move)) + _gain(held, mate) > 0
            for mate in mates
        )
    ]
    if useful:
        return useful
    # A card that nobody has seen is one of those that are left, as often as they are.
    blind = [move for move in turns if move.place not in lying] or turns
    left = unaccounted(state)
    return chance.choices(blind, [max(1, left[ORDER[_card(m)]]) for m in blind])[:1]


def _gaining(_state: State, moves: Sequence[Any], _chance: Chance) -> list[Any]:
    gains = [move for move in moves if isinstance(move, Draw | Grab)]
    return gains or [move for move in moves if not isinstance(move, EndTurn)]


def _promise(cards: Sequence[Card]) -> int:
    """Return how near *cards* are to a dragon: squares count a third part for more."""
    best = 0
    for colour in Colour:
        parts = {PART[card] for card in cards if COLOUR[card] is colour}
        silver = {PART[card] for card in cards if COLOUR[card] is Colour.SILVER}
        helps = colour not in (Colour.MULTI, Colour.SILVER) and bool(silver - parts)
        best = max(best, (len(parts) + helps) ** 2)
    return best


def _gain(held: list[Card], card: Card) -> int:
    """Return how much nearer *card* brings a hand that keeps four at most."""
    if card not in PART:
        return 0
    more = [*held, card]
    if len(more) > HAND_LIMIT:
        more = max((_without(more, one) for one in more), key=_promise)
    return _promise(more) - _promise(held)


def _pairs(one: Card, other: Card) -> bool:
    return one is not other and match(one, other, twins_are_colour=False) is not None


def _without(cards: Sequence[Card], gone: Card | None) -> list[Card]:
    rest = list(cards)
    if gone in rest:
        rest.remove(gone)
    return rest


def _cards(state: State) -> list[Card]:
    return [held.value for held in state.hands[state.seat] if held.value is not None]


def _open(state: State, place: int) -> Card:
    card = state.grid[place]
    assert isinstance(card, Card)
    return card


def _open_cards(state: State) -> list[Card]:
    return [_open(state, place) for place in state.up]


def _card(turn: Turn) -> Card:
    assert turn.card.value is not None
    return turn.card.value
