"""What cards and powers do, effect by effect, and the choices that some ask for.

Source: rulebook l. 136-163.
"""

from collections.abc import Callable

from msgspec.structs import replace

from companion.games.core import NotNow, with_value
from companion.games.dragon_run import hands
from companion.games.dragon_run.box import Effect
from companion.games.dragon_run.events import (
    AppliedByHand,
    BonusGained,
    Consulted,
    CryingBarred,
    Discarded,
    Event,
    Healed,
    NoEffect,
    Peeked,
    Skipped,
    Stolen,
    Swapped,
)
from companion.games.dragon_run.flow import calm, hand_on, sleep
from companion.games.dragon_run.pieces import FIT, WOUNDED, Kind
from companion.games.dragon_run.state import (
    EFFECT,
    Phase,
    State,
)
from companion.table import Seat

Events = list[Event]

DISCARD, SWAP, SKIP = Kind.DISCARD, Kind.SWAP, Kind.SKIP
"""Short names; in Python 3.11 looking one up is what costs time."""


def run(
    state: State, effects: tuple[Effect, ...], back: Phase | None, events: Events
) -> State:
    """Carry out *effects* in order, up to one that asks for a choice.

    Args:
        state: The position, any card that caused the effects already laid down.
        effects: What is left to do.
        back: What the table waits for after that, None for the end of the turn.
        events: Where events are added.

    Source: rulebook l. 136, 150, 158, 169; ruling RN31.
    """
    for place, effect in enumerate(effects):
        carry_out = AT_ONCE.get(effect.kind)
        if carry_out is not None:
            state = carry_out(state, effect.n, events)
            if not state.anger:
                return sleep(state, events)
        elif effect.kind is SKIP:
            events.append(Skipped(state.seat))
            return hand_on(state)
        elif can_choose(state, effect.kind):
            return replace(state, phase=EFFECT, todo=effects[place:], back=back)
        else:
            events.append(NoEffect(state.seat))
    if back is None:
        return hand_on(state)
    return replace(state, phase=back, todo=(), back=None)


def can_choose(state: State, kind: Kind) -> bool:
    """Tell whether there is anything that an effect could take."""
    if kind is DISCARD:
        return state.hands[state.seat] > 0
    return bool(targets(state, kind))


def targets(state: State, kind: Kind) -> tuple[Seat, ...]:
    """Return whom the acting seat may choose for stealing or swapping a card."""
    if kind is SWAP and not state.hands[state.seat]:
        return ()
    held = enumerate(state.hands)
    return tuple([s for s, cards in held if cards and s != state.seat])


def discard(state: State, kind: int, events: Events) -> State:
    """Discard the card that the seat chose for an effect."""
    if state.todo[0].kind is not DISCARD:
        raise NotNow("the effect asks for another adventurer, not for a treasure")
    after = hands.lose(state, state.seat, kind)
    after = replace(after, discard=(*state.discard, kind))
    events.append(Discarded(state.seat, state.setting.box.treasure_name(kind)))
    return _next(after, events)


def take_unseen(state: State, victim: Seat, events: Events) -> State:
    """Take a card unseen from the adventurer that the seat chose, or exchange one."""
    kind = state.todo[0].kind
    if kind is DISCARD or victim not in targets(state, kind):
        raise NotNow(f"seat {victim} has nothing that this effect could take")
    seat = state.seat
    if kind is SWAP:
        events.append(Swapped(seat, victim))
        return _next(hands.forget(state, seat, victim), events)
    events.append(Stolen(seat, victim))
    held = with_value(state.hands, victim, state.hands[victim] - 1)
    held = with_value(held, seat, held[seat] + 1)
    return _next(replace(hands.forget(state, victim), hands=held), events)


def _next(state: State, events: Events) -> State:
    """Go on with the effect if it asks for more, else with the next."""
    effect, *rest = state.todo
    again = (Effect(effect.kind, effect.n - 1),) if effect.n > 1 else ()
    return run(state, (*again, *rest), state.back, events)


def _draw(state: State, count: int, events: Events) -> State:
    return hands.draw(state, state.seat, count, events)


def _peek(state: State, count: int, events: Events) -> State:
    # Only the player looks; the table must never learn what lies in a pile (RN25).
    events.append(Peeked(state.seat, count))
    return state


def _consult(state: State, count: int, events: Events) -> State:
    events.append(Consulted(state.seat, count))
    return state


def _heal(state: State, _count: int, events: Events) -> State:
    if state.health[state.seat] is not WOUNDED:
        events.append(NoEffect(state.seat))
        return state
    events.append(Healed(state.seat))
    return replace(state, health=with_value(state.health, state.seat, FIT))


def _attack(state: State, points: int, events: Events) -> State:
    return calm(state, points, events)


def _bar_crying(state: State, _count: int, events: Events) -> State:
    events.append(CryingBarred())
    return state


def _bonus(state: State, points: int, events: Events) -> State:
    events.append(BonusGained(state.seat, points))
    return replace(state, bonus=state.bonus + points)


def _by_hand(state: State, _count: int, events: Events) -> State:
    events.append(AppliedByHand(state.seat))
    return state


AT_ONCE: dict[Kind, Callable[[State, int, Events], State]] = {
    Kind.DRAW: _draw,
    Kind.PEEK: _peek,
    Kind.CONSULT: _consult,
    Kind.HEAL: _heal,
    Kind.ATTACK: _attack,
    Kind.NO_CRYING: _bar_crying,
    Kind.BONUS: _bonus,
    Kind.BY_HAND: _by_hand,
}
