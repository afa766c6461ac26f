"""A player's turn: rush, sneak or cry, pay, roll, go on or pass, powers and potions.

Source: rulebook l. 58-163.
"""

from msgspec.structs import replace

from companion.games.core import NotNow, with_value
from companion.games.dragon_run import effects, flow, hands
from companion.games.dragon_run.box import worth
from companion.games.dragon_run.events import (
    Annulled,
    CryBegun,
    Event,
    Overpaid,
    Paid,
    Passed,
    PlaceTurned,
    PotionLet,
    PotionPlayed,
    PotionSpared,
    PowerUsed,
    Rolled,
    SneakBegun,
    StealthFailed,
    StealthPassed,
    TalismanPlayed,
)
from companion.games.dragon_run.pieces import (
    CRY_COST,
    FACES,
    FAILURE,
    GOLD,
    SNEAK_COST,
    Then,
)
from companion.games.dragon_run.state import (
    ACT,
    AGAIN,
    ANSWER,
    CHOICE,
    CRIED,
    FORCED,
    NOBODY,
    PAY,
    ROLL,
    SNEAKED,
    Annul,
    Cry,
    LetPass,
    Pass,
    Phase,
    Play,
    Roll,
    Sneak,
    State,
    Turn,
    UsePower,
    places_left,
)
from companion.table import Seat

Events = list[Event]

STOP, REPLAY, CHOOSE = Then


def turn(state: State, move: Turn, events: Events) -> State:
    """Rush: turn the next place card and do what it says.

    Source: rulebook l. 68-70, 107-144; ruling RN32.
    """
    place = move.place
    if not 0 <= place < len(state.pile) or not state.pile[place]:
        raise NotNow(f"no place card of kind {place} is left to turn")
    card = state.setting.box.places[place]
    pile = with_value(state.pile, place, state.pile[place] - 1)
    events.append(PlaceTurned(state.seat, card.name, sum(pile)))
    after = replace(state, pile=pile, turned=(*state.turned, place))
    if place == state.setting.dragon:
        return flow.breathe(after, events)
    return effects.run(after, card.effects, _follows(state, card.then), events)


def _follows(state: State, sign: Then) -> Phase | None:
    """Return what the sign at the foot of a card demands.

    Source: rulebook l. 124-144; ruling RN10.
    """
    if sign is CHOOSE:
        return CHOICE
    if sign is STOP:
        return None
    return AGAIN if state.setting.options.replay_rushes else ACT


def sneak(state: State, _move: Sneak, events: Events) -> State:
    """Begin to sneak, which has to be paid first. Source: rulebook l. 76."""
    _need_a_choice_of_act(state)
    events.append(SneakBegun(state.seat))
    return _ask_payment(state, SNEAK_COST)


def cry(state: State, _move: Cry, events: Events) -> State:
    """Begin to cry, which has to be paid. Source: rulebook l. 97-99."""
    _need_a_choice_of_act(state)
    events.append(CryBegun(state.seat))
    return _ask_payment(state, CRY_COST)


def may_act(state: State) -> bool:
    """Tell whether the seat has the choice of its act.

    Source: rulebook l. 60-64, 127; ruling RN9.
    """
    phase = state.phase
    return phase is ACT or (phase is CHOICE and state.setting.options.room_gives_action)


def _need_a_choice_of_act(state: State) -> None:
    if not may_act(state):
        raise NotNow(f"seat {state.seat} has no choice of its act now")


def _ask_payment(state: State, need: int) -> State:
    after = _able_to_pay(state, need)
    if after is None:
        raise NotNow(f"seat {state.seat} cannot pay {need}")
    return replace(after, phase=PAY, need=need, paid=0)


def _able_to_pay(state: State, points: int) -> State | None:
    """Return *state* if the seat may hold *points*, None if nobody can think so.

    Who pays has what it takes: notes that say otherwise were wrong and are dropped.
    """
    if hands.can_pay(state, state.seat, points):
        return state
    unknown = hands.forget(state, state.seat)
    return unknown if hands.can_pay(unknown, state.seat, points) else None


def pay(state: State, kind: int, events: Events) -> State:
    """Discard a treasure as payment; what is too much is lost.

    Source: rulebook l. 76, 99, 103; rulings RN22, RN27.
    """
    points = worth(kind)
    if not points:
        raise NotNow("a treasure worth nothing pays for nothing")
    events.append(Paid(state.seat, state.setting.box.treasure_name(kind)))
    paid = state.paid + points
    rest = state.need - paid
    if rest < 0:
        events.append(Overpaid(state.seat, min(points, -rest)))
    phase = state.phase
    if phase is PAY and rest <= 0:
        phase = ROLL if state.need == SNEAK_COST else CRIED
    after = hands.lose(state, state.seat, kind)
    discard = (*state.discard, kind)
    after = replace(after, phase=phase, paid=paid, discard=discard)
    able = after if rest <= 0 else _able_to_pay(after, rest)
    if able is None:
        raise NotNow(f"seat {state.seat} could not pay the rest")
    return able


def succeeds(state: State, pips: int) -> bool:
    """Tell whether a stealth test succeeds with a throw.

    Source: rulebook l. 82, 91-93; rulings RN5, RN6.
    """
    return pips != FAILURE and pips + flow.bonus(state) > places_left(state)


def hopeful(state: State) -> int:
    """Return with how many of the ten faces a stealth test would succeed."""
    return sum(succeeds(state, pips) for pips in FACES)


def roll(state: State, move: Roll, events: Events) -> State:
    """Test the seat's stealth.

    Source: rulebook l. 78-93; rulings RN7, RN13, RN15.
    """
    seat, pips = state.seat, move.pips
    if pips not in FACES:
        raise NotNow(f"the die has no {pips}")
    events.append(Rolled(seat, pips, flow.bonus(state), places_left(state)))
    passed = succeeds(state, pips)
    state = replace(state, need=0, paid=0, rolled=pips)
    if not passed:
        events.append(StealthFailed(seat))
        return replace(state, phase=FORCED)
    events.append(StealthPassed(seat))
    state = flow.calm(state, 1, events)
    if not state.anger:
        return flow.sleep(state, events)
    state = flow.shuffle_places(state, events)
    if state.setting.options.test_straightens:
        state = flow.straighten(state, events)
    return replace(state, phase=SNEAKED)


def leave(state: State, _move: Pass, events: Events) -> State:
    """Hand the turn on. Source: rulebook l. 89, 97, 126."""
    events.append(Passed(state.seat))
    return flow.hand_on(state)


def use_power(state: State, _move: UsePower, events: Events) -> State:
    """Tilt the seat's character and use its power.

    Source: rulebook l. 158-162; ruling RN12.
    """
    hero = state.setting.box.heroes[state.heroes[state.seat]]
    events.append(PowerUsed(state.seat, hero.name))
    tilted = replace(state, tilted=with_value(state.tilted, state.seat, True))
    return effects.run(tilted, hero.effects, ACT, events)


def play(state: State, move: Play, events: Events) -> State:
    """Play a potion, which others may annul, or lay a talisman down.

    Source: rulebook l. 148-152; rulings RN14, RN29.
    """
    kind = move.treasure
    if kind not in state.loose or kind < GOLD or kind == state.setting.annulment:
        raise NotNow("only a potion or a talisman is played, and no Annulment so")
    box, seat = state.setting.box, state.seat
    special = box.specials[kind - GOLD]
    if special.talisman:
        events.append(TalismanPlayed(seat, special.name))
        fronts = with_value(state.fronts, seat, (*state.fronts[seat], kind))
        return replace(hands.lose(state, seat, kind), fronts=fronts)
    events.append(PotionPlayed(seat, special.name))
    after = hands.lose(state, seat, kind)
    after = replace(after, discard=(*state.discard, kind))
    if annullers(after):
        return replace(after, phase=ANSWER, todo=special.effects, back=state.phase)
    return effects.run(after, special.effects, state.phase, events)


def annullers(state: State) -> tuple[Seat, ...]:
    """Return who might hold the Annulment against a potion of the acting seat.

    Asked of what everybody knows, so that being asked betrays nobody's cards.

    Source: rulebook l. 150; ruling RN30.
    """
    if not state.unseen[state.setting.annulment]:
        return ()
    return tuple(
        [seat for seat, cards in enumerate(state.hands) if cards and seat != state.seat]
    )


def yet_to_answer(state: State) -> tuple[Seat, ...]:
    """Return who has not said yet whether the potion is countered."""
    return tuple(seat for seat in annullers(state) if seat not in state.let)


def annul(state: State, move: Annul, events: Events) -> State:
    """Counter the potion; both potions are discarded.

    Source: rulebook l. 150; rulings RN14, RN30.
    """
    seat = move.seat
    if seat not in annullers(state):
        raise NotNow(f"seat {seat} cannot annul this potion")
    events.append(Annulled(seat))
    card = state.setting.annulment
    discard = (*state.discard, card)
    after = hands.lose(state, seat, card)
    return replace(after, phase=state.back, discard=discard, todo=(), back=None, let=())


def let_pass(state: State, move: LetPass, events: Events) -> State:
    """Let a potion pass; it takes effect once all who might counter it do so.

    Source: rulebook l. 150; ruling RN14.
    """
    if move.seat != NOBODY:
        if move.seat not in annullers(state):
            raise NotNow(f"seat {move.seat} has no say about this potion")
        let = tuple(sorted({*state.let, move.seat}))
        state = replace(state, let=let)
        if yet_to_answer(state):
            events.append(PotionSpared(move.seat))
            return state
    events.append(PotionLet())
    return effects.run(replace(state, let=()), state.todo, state.back, events)
