"""What speaks against a card, a choice of another adventurer, or a note.

The half of the judge that looks into hands, as far as it may: a hand is what its owner
has noted, and anything that nobody has shown where that is not everything.
"""

from typing import assert_never

from companion.games.core import (
    LEGAL,
    Cite,
    Refused,
    Unknown,
    Verdict,
)
from companion.games.dragon_run import effects, hands, turns
from companion.games.dragon_run.allowed import may_forget, may_play
from companion.games.dragon_run.options import BOOK
from companion.games.dragon_run.pieces import GOLD, OUT, Kind
from companion.games.dragon_run.state import (
    ANSWER,
    CORRECTING,
    CRIED,
    EFFECT,
    FORCED,
    OPEN,
    OVER,
    PAY,
    REDIRECT,
    ROLL,
    SHOW,
    Annul,
    ForgetNotes,
    LetPass,
    NoteCard,
    Phase,
    Point,
    State,
)
from companion.games.hidden import (
    Hidden,
)
from companion.table import Params, Seat

NO = "dragon_run.no"
Lines = tuple[int, int]

WAITING: dict[Phase, Lines] = {
    Phase.DEAL: (46, 46),
    Phase.ACT: (60, 64),
    Phase.PAY: (76, 99),
    Phase.ROLL: (80, 82),
    Phase.FORCED: (91, 91),
    Phase.AGAIN: (144, 144),
    Phase.CHOICE: (124, 127),
    Phase.SNEAKED: (86, 89),
    Phase.CRIED: (97, 99),
    Phase.ANSWER: (150, 150),
    Phase.EFFECT: (136, 136),
    Phase.REDIRECT: (152, 152),
    Phase.SHOW: (171, 171),
    Phase.OVER: (167, 175),
}
"""What the rulebook says of each thing that the table may wait for."""


def refuse(name: str, lines: Lines, ruling: str = BOOK, params: Params = ()) -> Refused:
    """Return a refusal by its short name."""
    return Refused(ruling, f"{NO}.{name}", Cite(BOOK, *lines), params)


def waits(state: State) -> Refused:
    """Return the refusal that says what has to be done first."""
    phase = state.phase
    return refuse(f"waits_{phase}", WAITING[phase], params=(("seat", state.seat),))


def _no_such_card(state: State, kind: int) -> Refused | None:
    if kind in state.setting.box.kinds:
        return None
    return refuse("no_such_treasure", (29, 29))


def _not_held(state: State, seat: Seat, kind: int) -> Refused | None:
    """Return why a hand cannot hold a card of *kind*, or nothing."""
    if hands.may_hold(state, seat, kind):
        return None
    params: Params = (
        ("seat", seat),
        ("card", state.setting.box.treasure_name(kind)),
    )
    if not state.hands[seat]:
        return refuse("empty_hand", (54, 54), params=(("seat", seat),))
    if not state.unseen[kind]:
        return refuse("all_seen", (29, 29), params=params[1:])
    return refuse("noted_otherwise", (54, 54), "RN21", params)


def to_discard(state: State, kind: int) -> Verdict:
    """Judge a treasure laid on the discard."""
    phase = state.phase
    if fault := _no_such_card(state, kind):
        return fault
    if phase is EFFECT and state.todo[0].kind is Kind.DISCARD:
        return _not_held(state, state.seat, kind) or LEGAL
    if phase not in (PAY, ROLL, CRIED):
        return waits(state)
    if kind in hands.payables(state):
        return LEGAL
    card = ("card", state.setting.box.treasure_name(kind))
    if kind >= GOLD:
        return refuse("worth_nothing", (29, 29), "RN27", (card,))
    rest = state.need - state.paid - (kind + 1)
    params: Params = (("seat", state.seat), card, ("n", rest))
    return _not_held(state, state.seat, kind) or refuse(
        "rest_unpaid", (99, 99), "RN3", params
    )


def to_play(state: State, kind: int) -> Verdict:
    """Judge a potion or talisman that is played."""
    if fault := _no_such_card(state, kind):
        return fault
    card: Params = (("card", state.setting.box.treasure_name(kind)),)
    if kind < GOLD:
        return refuse("not_to_be_played", (148, 148), params=card)
    if kind == state.setting.annulment:
        return refuse("only_counters", (150, 150), "RN14", card)
    if state.phase is OVER:
        return waits(state)
    if not may_play(state):
        ruling = "RN8" if state.phase is FORCED else "RN29"
        return refuse("no_potion_now", (148, 148), ruling, (("seat", state.seat),))
    return _not_held(state, state.seat, kind) or LEGAL


def to_others(state: State, move: Annul | LetPass | Point) -> Verdict:
    """Judge a counter, none, or the choice of another adventurer."""
    match move:
        case LetPass():
            return _to_let(state, move.seat)
        case Annul():
            return _to_annul(state, move.seat)
        case Point():
            return _to_point(state, move.seat)
        case _:
            assert_never(move)


def _nothing_to_annul() -> Refused:
    return refuse("nothing_to_annul", (150, 150), "RN14")


def _to_let(state: State, seat: Seat) -> Verdict:
    """Judge who lets a potion pass: each for itself, and not who played it."""
    if state.phase is not ANSWER:
        return _nothing_to_annul()
    if seat not in range(state.setting.seats):
        return refuse("no_such_seat", (41, 45), params=(("n", seat + 1),))
    who: Params = (("seat", seat),)
    if seat == state.seat:
        return refuse("others_answer", (150, 150), "RN30", who)
    if seat not in turns.annullers(state):
        return refuse("empty_hand", (54, 54), params=who)
    if seat in state.let:
        return refuse("let_already", (150, 150), params=who)
    return LEGAL


def _to_annul(state: State, seat: Seat) -> Verdict:
    if state.phase is not ANSWER:
        return _nothing_to_annul()
    if seat not in range(state.setting.seats):
        return refuse("no_such_seat", (41, 45), params=(("n", seat + 1),))
    if seat == state.seat:
        return refuse("own_potion", (150, 150), "RN30", (("seat", seat),))
    if seat not in turns.annullers(state):
        return refuse("empty_hand", (54, 54), params=(("seat", seat),))
    return _not_held(state, seat, state.setting.annulment) or LEGAL


def _to_point(state: State, seat: Seat) -> Verdict:
    phase = state.phase
    taking = phase is EFFECT and state.todo[0].kind is not Kind.DISCARD
    if not taking and phase is not REDIRECT:
        return waits(state)
    if seat not in range(state.setting.seats):
        return refuse("no_such_seat", (41, 45), params=(("n", seat + 1),))
    who: Params = (("seat", seat),)
    if seat == state.seat:
        return refuse("another_one", (150, 152), params=who)
    if state.health[seat] is OUT:
        return refuse("burned_already", (113, 113), params=who)
    if taking and seat not in effects.targets(state, state.todo[0].kind):
        return refuse("empty_hand", (54, 54), params=who)
    return LEGAL


def to_notes(state: State, move: NoteCard | ForgetNotes) -> Verdict:
    """Judge what a seat tells of its own hand."""
    seat = move.seat
    if seat not in range(state.setting.seats):
        return refuse("no_such_seat", (41, 45), params=(("n", seat + 1),))
    who: Params = (("seat", seat),)
    if isinstance(move, ForgetNotes):
        return _to_forget(state, seat)
    if move.treasure.value is None:
        return Unknown(f"{NO}.card_not_told", who)
    if state.phase not in OPEN or seat != state.seat:
        return refuse("note_in_own_turn", (54, 54), "RN21", who)
    return _to_note(state, seat, move.treasure, move.treasure.value)


def _to_note(state: State, seat: Seat, card: Hidden[int], kind: int) -> Verdict:
    who: Params = (("seat", seat),)
    if fault := _no_such_card(state, kind):
        return fault
    if card.seen_by != (seat,):
        return refuse("note_not_secret", (54, 54), "RN21", who)
    if not hands.unknown_count(state, seat):
        n: Params = (*who, ("n", state.hands[seat]))
        return refuse("all_noted", (54, 54), "RN21", n)
    if not hands.may_note(state, seat, kind):
        params: Params = (("card", state.setting.box.treasure_name(kind)),)
        return refuse("all_seen", (29, 29), params=params)
    return LEGAL


def _to_forget(state: State, seat: Seat) -> Verdict:
    who: Params = (("seat", seat),)
    if state.phase not in CORRECTING or seat != state.seat:
        return refuse("note_in_own_turn", (54, 54), "RN21", who)
    if not may_forget(state):
        return refuse("nothing_to_forget", (54, 54), "RN21", who)
    return LEGAL


def to_show(state: State, seat: Seat, kind: int) -> Verdict:
    """Judge a treasure laid open at the end."""
    if state.phase is OVER:
        return waits(state)
    if seat not in range(state.setting.seats):
        return refuse("no_such_seat", (41, 45), params=(("n", seat + 1),))
    who: Params = (("seat", seat),)
    if state.phase is not SHOW:
        return refuse("too_early_to_show", (171, 171), "RN21", who)
    if fault := _no_such_card(state, kind):
        return fault
    if not state.hands[seat]:
        return refuse("empty_hand", (54, 54), params=who)
    if kind not in state.loose:
        card: Params = (("card", state.setting.box.treasure_name(kind)),)
        return refuse("all_seen", (29, 29), params=card)
    return LEGAL
