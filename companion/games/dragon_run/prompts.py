"""Who does what next, in words that a page can translate, and what people forget.

What is asked of everybody never depends on what a seat has noted in private.
"""

from collections.abc import Iterator

from companion.games.core import Prompt
from companion.games.dragon_run import flow, hands, turns
from companion.games.dragon_run.allowed import crying_barred
from companion.games.dragon_run.pieces import FACES, WOUNDED
from companion.games.dragon_run.state import (
    ACT,
    ANSWER,
    DEAL,
    EFFECT,
    NOBODY,
    OPEN,
    OVER,
    PAY,
    ROLL,
    SHOW,
    TURNING,
    State,
    alive,
    places_left,
)
from companion.table import Params

DO = "dragon_run.do"


def expects(state: State) -> tuple[Prompt, ...]:
    """Return who does what next; first what must be done, then what is forgotten."""
    return (*_duties(state), *_reminders(state))


def _duties(state: State) -> Iterator[Prompt]:
    phase, seat = state.phase, state.seat
    who: Params = (("seat", seat),)
    if phase is PAY:
        need = state.need - state.paid
        yield Prompt(seat, f"{DO}.pay", (*who, ("n", need)))
    elif phase is EFFECT:
        effect = state.todo[0]
        yield Prompt(seat, f"{DO}.{effect.kind}", (*who, ("n", effect.n)))
    elif phase in (DEAL, SHOW, ANSWER):
        yield from _duties_of_others(state)
    elif phase is ROLL:
        yield _roll(state)
    elif phase is not OVER:
        yield Prompt(seat, f"{DO}.{phase}", (*who, ("n", places_left(state))))


def _roll(state: State) -> Prompt:
    """Ask for the throw: what the die itself has to show, bonus and all.

    Source: rulebook l. 82, 91-93.
    """
    who: Params = (("seat", state.seat), ("n", places_left(state)))
    lowest = _lowest(state)
    if lowest is None:
        return Prompt(state.seat, f"{DO}.roll_in_vain", who)
    needs: Params = (*who, ("pips", lowest))
    if bonus := flow.bonus(state):
        return Prompt(state.seat, f"{DO}.roll_with", (*needs, ("bonus", bonus)))
    return Prompt(state.seat, f"{DO}.roll", needs)


def _lowest(state: State) -> int | None:
    """Return the lowest face that passes a stealth test, None where none does."""
    return next((pips for pips in FACES if turns.succeeds(state, pips)), None)


def _duties_of_others(state: State) -> Iterator[Prompt]:
    if state.phase is DEAL:
        dealt: Params = (("seat", state.heroes.index(NOBODY)),)
        yield Prompt(None, f"{DO}.deal", dealt)
    elif state.phase is ANSWER:
        for seat in turns.yet_to_answer(state):
            yield Prompt(seat, f"{DO}.answer", (("seat", seat),))
    else:
        for seat, cards in enumerate(state.hands):
            if cards:
                yield Prompt(seat, f"{DO}.show", (("seat", seat), ("n", cards)))


def _reminders(state: State) -> Iterator[Prompt]:
    if state.phase is PAY:
        yield Prompt(state.seat, f"{DO}.no_change", reminder=True)
    if state.phase in OPEN:
        yield from _about_the_test(state)
        yield from _about_the_turn(state)
        yield from _about_notes(state)


def _about_the_test(state: State) -> Iterator[Prompt]:
    if not turns.may_act(state) and state.phase is not ROLL:
        return
    lowest = _lowest(state)
    if lowest is None:
        yield Prompt(state.seat, f"{DO}.no_chance", reminder=True)
        return
    percent = 10 * turns.hopeful(state)
    chance: Params = (("pips", lowest), ("percent", percent))
    yield Prompt(state.seat, f"{DO}.chance", chance, reminder=True)


def _about_the_turn(state: State) -> Iterator[Prompt]:
    seat = state.seat
    who: Params = (("seat", seat),)
    if state.phase is ACT and not state.tilted[seat]:
        hero = state.setting.box.heroes[state.heroes[seat]]
        power: Params = (("hero", hero.name),)
        yield Prompt(seat, f"{DO}.power", power, reminder=True)
    if turns.may_act(state) and crying_barred(state):
        yield Prompt(seat, f"{DO}.no_crying", reminder=True)
    if state.phase in TURNING and state.health[seat] is WOUNDED:
        yield Prompt(seat, f"{DO}.wounded", who, reminder=True)
    if len(alive(state)) == 1:
        yield Prompt(seat, f"{DO}.alone", who, reminder=True)


def _about_notes(state: State) -> Iterator[Prompt]:
    seat = state.seat
    left = hands.unknown_count(state, seat)
    if left:
        n: Params = (("n", left),)
        yield Prompt(seat, f"{DO}.note", n, reminder=True, only_for=seat)
