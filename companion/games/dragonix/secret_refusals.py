"""Why a private note cannot be: judged like any other move, shown to its owner.

Source: rulebook l. 26-30.
"""

from companion.games.core import LEGAL, Unknown, Verdict
from companion.games.dragonix import hands
from companion.games.dragonix.moves import NoteCard, NoteToken
from companion.games.dragonix.offers import SETTING_UP, may_note
from companion.games.dragonix.reasons import NO, is_card, refuse, waits
from companion.games.dragonix.state import OVER, State


def judge_secret(state: State, move: NoteCard | NoteToken) -> Verdict:
    """Return whether a seat may note this card or token as its own."""
    if (wrong := _refused_note(state, move)) is not None:
        return wrong
    if isinstance(move, NoteCard):
        return _judge_note(state, move)
    return _judge_note_token(state, move)


def _judge_note(state: State, move: NoteCard) -> Verdict:
    """Return whether a seat may note this card of its hand."""
    card, seat = move.card.value, move.seat
    if card is None:
        return Unknown(f"{NO}.note_not_told", (("seat", seat),))
    side = state.sides[seat]
    if side.closed < 1:
        return refuse("nothing_to_note", (30, 30), params=(("seat", seat),))
    if not may_note(state, seat):
        return refuse("finish_first", (66, 76), params=(("seat", seat),))
    if not is_card(card) or not hands.pool_of(state, seat) >> card & 1:
        return refuse("not_your_card", (26, 30), params=(("seat", seat),))
    return LEGAL


def _judge_note_token(state: State, move: NoteToken) -> Verdict:
    """Return whether a seat may note this token as its own."""
    token, seat = move.token.value, move.seat
    if token is None:
        return Unknown(f"{NO}.note_not_told", (("seat", seat),))
    side = state.sides[seat]
    if side.closed_tokens < 1:
        return refuse("nothing_to_note", (27, 28), params=(("seat", seat),))
    if token not in hands.token_pool(state, side):
        return refuse("not_your_token", (27, 28), params=(("seat", seat),))
    return LEGAL


def _refused_note(state: State, move: NoteCard | NoteToken) -> Verdict | None:
    if state.phase in SETTING_UP or state.phase is OVER:
        return waits(state)
    if move.seat not in range(state.setting.seats):
        return refuse("no_such_seat", (40, 40), params=(("n", move.seat + 1),))
    secret = move.card if isinstance(move, NoteCard) else move.token
    if secret.seen_by != (move.seat,):
        return refuse("note_not_secret", (27, 27), params=(("seat", move.seat),))
    return None
