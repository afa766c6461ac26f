"""What may happen next: every act, throw, card and note that the rules allow.

Moves are made once, here, and yielded again and again. Why something is not among them
is said by `refusals`.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache, lru_cache

from companion.games.dragon_run import effects, hands, turns
from companion.games.dragon_run.pieces import (
    CRY_COST,
    FACES,
    GOLD,
    HEROES,
    PLACES,
    SEATS,
    SNEAK_COST,
    SPECIALS,
    Kind,
)
from companion.games.dragon_run.state import (
    ACT,
    ANSWER,
    CHOICE,
    CRIED,
    DEAL,
    EFFECT,
    FORCED,
    OPEN,
    OVER,
    PAY,
    REDIRECT,
    ROLL,
    SHOW,
    SNEAKED,
    TURNING,
    Annul,
    Cry,
    Deal,
    Discard,
    ForgetNotes,
    LetPass,
    Move,
    NoteCard,
    Pass,
    Phase,
    Play,
    Point,
    Roll,
    ShowCard,
    Sneak,
    State,
    Turn,
    UsePower,
    alive,
    places_left,
)
from companion.games.hidden import (
    Hidden,
)
from companion.table import Seat

KINDS = range(GOLD + SPECIALS)
DEALS = tuple(Deal(hero) for hero in range(HEROES))
TURNS = tuple(Turn(place) for place in range(PLACES))
ROLLS = tuple(Roll(pips) for pips in FACES)
ROLL_ODDS = tuple((move, Fraction(1, len(FACES))) for move in ROLLS)
DISCARDS = tuple(Discard(kind) for kind in KINDS)
PLAYS = tuple(Play(kind) for kind in KINDS)
ANNULS = tuple(Annul(seat) for seat in range(SEATS.stop))
POINTS = tuple(Point(seat) for seat in range(SEATS.stop))
NOTES = tuple(
    tuple(NoteCard(seat, Hidden(kind, (seat,))) for kind in KINDS)
    for seat in range(SEATS.stop)
)
FORGETS = tuple(ForgetNotes(seat) for seat in range(SEATS.stop))
SHOWS = tuple(tuple(ShowCard(s, kind) for kind in KINDS) for s in range(SEATS.stop))
SNEAK, CRY, PASS, POWER = Sneak(), Cry(), Pass(), UsePower()
LETS = tuple(LetPass(seat) for seat in range(SEATS.stop))


def legal(state: State) -> Iterator[Move]:
    """Return every move that the rules allow here.

    A hand that is wholly noted offers what it holds, another one whatever nobody has
    shown. Only the acting seat notes cards, so that what may be noted stays few.
    """
    phase = state.phase
    if phase in TURNING:
        moves = [*_turns(state.pile)]
        _add_acts(state, moves)
    elif phase is ROLL:
        moves = [*ROLLS, *_payments(state)]
    else:
        return BETWEEN[phase](state)
    _add_hand(state, moves)
    return iter(moves)


@cache
def _turns(pile: tuple[int, ...]) -> tuple[Move, ...]:
    """Return one move for each kind of card in a pile; there are few piles."""
    return tuple(TURNS[place] for place, count in enumerate(pile) if count)


def _add_acts(state: State, moves: list[Move]) -> None:
    """Add what the seat may do with its turn but turn a card.

    Source: rulebook l. 60-64, 76, 89, 99, 126, 158.
    """
    phase = state.phase
    if phase is ACT:
        if not state.tilted[state.seat]:
            moves.append(POWER)
    elif phase is CHOICE or phase is SNEAKED:
        moves.append(PASS)
    if phase is ACT or turns.may_act(state):
        may_cry = hands.can_pay(state, state.seat, CRY_COST)
        if may_cry or hands.can_pay(state, state.seat, SNEAK_COST):
            if sneaking_helps(state):
                moves.append(SNEAK)
            if may_cry and not crying_barred(state) and has_cover(state):
                moves.append(CRY)


def sneaking_helps(state: State) -> bool:
    """Tell whether a throw can succeed, where the table asks for that.

    Source: rulebook l. 82, 91; ruling RN4.
    """
    return state.setting.options.hopeless_sneak or turns.hopeful(state) > 0


def has_cover(state: State) -> bool:
    """Tell whether there is somebody to hide behind, where the table asks for that.

    Source: rulebook l. 97; ruling RN28.
    """
    return state.setting.options.lone_may_cry or len(alive(state)) > 1


def crying_barred(state: State) -> bool:
    """Tell whether a place card forbids crying now. Source: ruling RN11."""
    silent = state.setting.no_crying
    if not state.turned or not silent:
        return False
    match state.setting.options.no_crying:
        case "on_top":
            return state.turned[-1] in silent
        case "this_turn":
            cards = state.turned[state.since :]
        case _:
            cards = state.turned
    return any(card in silent for card in cards)


def _payments(state: State) -> list[Move]:
    """Return the treasures to pay with. Source: rulebook l. 76, 99."""
    return list(map(DISCARDS.__getitem__, hands.payables(state)))


def _add_hand(state: State, moves: list[Move]) -> None:
    """Add the notes, and the potions and talismans that may be played.

    Source: rulebook l. 148; rulings RN8, RN29.
    """
    seat, unseen = state.seat, state.unseen
    known = state.noted[seat].value or ()
    if state.hands[seat] == len(known):
        plays = _playable(known, state.setting.annulment)
    else:
        notes, plays = _any_card(seat, state.loose, state.setting.annulment)
        moves += notes
        for kind in known:
            if known.count(kind) == unseen[kind] and NOTES[seat][kind] in moves:
                moves.remove(NOTES[seat][kind])  # all there are are noted
    if state.phase is not FORCED or may_play(state):
        moves += plays
    if known and not state.forgot:
        moves.append(FORGETS[seat])


@lru_cache(maxsize=4096)
def _any_card(
    seat: Seat, kinds: tuple[int, ...], annulment: int
) -> tuple[tuple[Move, ...], tuple[Move, ...]]:
    """Return the notes and the plays of a hand that may hold any of *kinds*."""
    notes: tuple[Move, ...] = tuple(NOTES[seat][kind] for kind in kinds)
    return notes, _playable(kinds, annulment)


@lru_cache(maxsize=4096)
def _playable(kinds: tuple[int, ...], annulment: int) -> tuple[Move, ...]:
    playable = (kind for kind in kinds if kind >= GOLD and kind != annulment)
    return tuple(PLAYS[kind] for kind in dict.fromkeys(playable))


def may_play(state: State) -> bool:
    """Tell whether potions may be played now. Source: rulings RN8, RN29."""
    phase = state.phase
    if phase is FORCED:
        return state.setting.options.potions_when_forced
    return phase in OPEN


def _deals(state: State) -> Iterator[Move]:
    for hero in range(len(state.setting.box.heroes)):
        if hero not in state.heroes:
            yield DEALS[hero]


def _while_paying(state: State) -> Iterator[Move]:
    yield from _payments(state)
    if may_forget(state):
        yield FORGETS[state.seat]


def _after_crying(state: State) -> Iterator[Move]:
    yield from _payments(state)
    yield PASS


def _answers(state: State) -> Iterator[Move]:
    yield from (LETS[seat] for seat in turns.yet_to_answer(state))
    for seat in turns.annullers(state):
        if hands.may_hold(state, seat, state.setting.annulment):
            yield ANNULS[seat]


def _shows(state: State) -> Iterator[Move]:
    for seat in range(state.setting.seats):
        if state.hands[seat]:
            yield from map(SHOWS[seat].__getitem__, state.loose)


def may_forget(state: State) -> bool:
    """Tell whether the seat may take its notes back, once a turn."""
    return bool(hands.noted_kinds(state, state.seat)) and not state.forgot


def _victims(state: State) -> Iterator[Move]:
    yield from (POINTS[seat] for seat in alive(state) if seat != state.seat)


def _takings(state: State) -> Iterator[Move]:
    kind = state.todo[0].kind
    if kind is not Kind.DISCARD:
        yield from (POINTS[seat] for seat in effects.targets(state, kind))
    else:
        for card in state.setting.box.kinds:
            if hands.may_hold(state, state.seat, card):
                yield DISCARDS[card]
    if may_forget(state):
        yield FORGETS[state.seat]


def _nothing(_state: State) -> Iterator[Move]:
    return iter(())


BETWEEN: dict[Phase, Callable[[State], Iterator[Move]]] = {
    DEAL: _deals,
    PAY: _while_paying,
    CRIED: _after_crying,
    ANSWER: _answers,
    EFFECT: _takings,
    REDIRECT: _victims,
    SHOW: _shows,
    OVER: _nothing,
}
"""What is allowed while no card can be turned and no die thrown."""


def chance(state: State) -> tuple[tuple[Move, Fraction], ...]:
    """Return how likely each face of the die is, or each next place card.

    Where a hand may also do something else than throw or turn, these are the odds if
    it does throw or turn.

    Source: rulebook l. 30, 48, 68.
    """
    if state.phase is ROLL:
        return ROLL_ODDS
    if state.phase in TURNING:
        left = places_left(state)
        return tuple(
            (TURNS[place], Fraction(count, left))
            for place, count in enumerate(state.pile)
            if count
        )
    if state.phase is DEAL:
        free = [
            h for h in range(len(state.setting.box.heroes)) if h not in state.heroes
        ]
        return tuple((DEALS[hero], Fraction(1, len(free))) for hero in free)
    return ()
