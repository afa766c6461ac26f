"""How a turn passes on, how the dragon calms down and breathes, how the game ends.

Source: rulebook l. 82-86, 113-118, 152, 163, 167-175.
"""

from msgspec.structs import replace

from companion.games.core import NotNow, with_value
from companion.games.dragon_run import scoring
from companion.games.dragon_run.events import (
    Breathed,
    Burned,
    Calmed,
    DragonAsleep,
    DragonWon,
    Event,
    GameWon,
    Missed,
    PlacesShuffled,
    Redirected,
    Straightened,
    TalismanSpent,
    Wounded,
)
from companion.games.dragon_run.pieces import FIT, GOLD, OUT, WOUNDED, Kind
from companion.games.dragon_run.state import (
    ACT,
    OVER,
    REDIRECT,
    State,
    alive,
)
from companion.games.hidden import (
    Hidden,
)
from companion.table import Seat


def hand_on(state: State) -> State:
    """Begin the turn of the next adventurer, clockwise.

    Source: rulebook l. 56, 118.
    """
    seats = state.setting.seats
    seat = (state.seat + 1) % seats
    while state.health[seat] is OUT:
        seat = (seat + 1) % seats
    return replace(
        state,
        phase=ACT,
        seat=seat,
        since=len(state.turned),
        need=0,
        paid=0,
        todo=(),
        back=None,
        forgot=False,
        bonus=0,
    )


def bonus(state: State) -> int:
    """Return what the acting seat adds to the die of a stealth test.

    Its talismans count as long as they lie there, potions and powers for the turn.

    Source: rulebook l. 150-152, 158.
    """
    return state.bonus + standing(state, state.seat, Kind.BONUS)


def standing(state: State, seat: Seat, kind: Kind) -> int:
    """Return the strength of what the talismans before a seat do, 0 for nothing."""
    if not state.fronts[seat]:
        return 0
    specials = state.setting.box.specials
    effects = [e for card in state.fronts[seat] for e in specials[card - GOLD].effects]
    return sum(effect.n for effect in effects if effect.kind is kind)


def calm(state: State, points: int, events: list[Event]) -> State:
    """Lower the dragon's anger; at 0 it sleeps, which the caller has to see.

    Source: rulebook l. 82, 115, 169.
    """
    anger = max(0, state.anger - points)
    events.append(Calmed(anger))
    return replace(state, anger=anger)


def shuffle_places(state: State, events: list[Event]) -> State:
    """Make a pile of all place cards; talismans have had their time.

    Source: rulebook l. 86, 117, 152; ruling RN15.
    """
    events.append(PlacesShuffled())
    whole = state.setting.whole_pile
    shuffled = replace(state, pile=whole, turned=(), since=0)
    return _spend_talismans(shuffled, events) if any(state.fronts) else shuffled


def _spend_talismans(state: State, events: list[Event]) -> State:
    box = state.setting.box
    for seat, cards in enumerate(state.fronts):
        events.extend(TalismanSpent(seat, box.treasure_name(card)) for card in cards)
    spent = tuple(card for cards in state.fronts for card in cards)
    fronts = ((),) * state.setting.seats
    return replace(state, discard=state.discard + spent, fronts=fronts)


def straighten(state: State, events: list[Event]) -> State:
    """Ready the power of every character. Source: rulebook l. 163; ruling RN13."""
    if True not in state.tilted:
        return state
    events.append(Straightened())
    return replace(state, tilted=(False,) * state.setting.seats)


def breathe(state: State, events: list[Event]) -> State:
    """Let the dragon breathe on the acting seat, unless a talisman turns it away.

    Source: rulebook l. 109-118.
    """
    events.append(Breathed(state.seat))
    if standing(state, state.seat, Kind.REDIRECT) and len(alive(state)) > 1:
        return replace(state, phase=REDIRECT)
    return _burn(state, state.seat, events)


def redirect(state: State, victim: Seat, events: list[Event]) -> State:
    """Turn the breath on another adventurer."""
    if victim not in alive(state) or victim == state.seat:
        raise NotNow(f"the breath cannot be turned on seat {victim}")
    events.append(Redirected(state.seat, victim))
    return _burn(state, victim, events)


def _burn(state: State, victim: Seat, events: list[Event]) -> State:
    """Wound, calm, shuffle, straighten, hand on: in this order.

    Source: rulebook l. 113-118, 163, 169-175; rulings RN16, RN17, RN18.
    """
    state = calm(_hurt(state, victim, events), 1, events)
    if FIT not in state.health and WOUNDED not in state.health:
        return _all_burned(state, events)
    if not state.anger:
        return sleep(state, events)
    return hand_on(straighten(shuffle_places(state, events), events))


def _hurt(state: State, victim: Seat, events: list[Event]) -> State:
    if standing(state, victim, Kind.INVISIBLE):
        events.append(Missed(victim))
        return state
    if state.health[victim] is FIT:
        events.append(Wounded(victim))
        return replace(state, health=with_value(state.health, victim, WOUNDED))
    events.append(Burned(victim))
    return _lose_all(state, victim)


def _lose_all(state: State, victim: Seat) -> State:
    """Discard all that a burned adventurer had, the hand face down.

    Source: rulebook l. 113; ruling RN24.
    """
    lost: tuple[int | None, ...] = (None,) * state.hands[victim]
    return replace(
        state,
        health=with_value(state.health, victim, OUT),
        hands=with_value(state.hands, victim, 0),
        noted=with_value(state.noted, victim, Hidden((), (victim,))),
        discard=state.discard + lost + state.fronts[victim],
        fronts=with_value(state.fronts, victim, ()),
    )


def _all_burned(state: State, events: list[Event]) -> State:
    if state.setting.options.last_wins and not state.anger:
        events.append(GameWon(state.seat, 0))
    else:
        events.append(DragonWon())
    return replace(state, phase=OVER)


def sleep(state: State, events: list[Event]) -> State:
    """End the game as the dragon falls asleep; the survivors show their treasures.

    Source: rulebook l. 84, 169-171; ruling RN31.
    """
    events.append(DragonAsleep())
    asleep = replace(state, need=0, paid=0, todo=(), back=None, forgot=False, bonus=0)
    return scoring.lay_open(asleep, events)
