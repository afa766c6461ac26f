"""The end: hands are laid open, and the richest who got out wins.

What a seat has noted stays `Hidden` until then.

Source: rulebook l. 167-175.
"""

from msgspec.structs import replace

from companion.games.core import Cite, NotNow, Outcome, Score, with_value
from companion.games.dragon_run import hands
from companion.games.dragon_run.box import worth
from companion.games.dragon_run.events import (
    CardShown,
    Event,
    GameWon,
    NotesClashed,
)
from companion.games.dragon_run.options import BOOK
from companion.games.dragon_run.pieces import OUT
from companion.games.dragon_run.state import (
    OVER,
    SHOW,
    ShowCard,
    State,
    alive,
)
from companion.table import LinePart, Seat

Riches = tuple[int, ...]


def lay_open(state: State, events: list[Event]) -> State:
    """Lay open what the survivors have noted; the rest is asked for.

    A card that is noted more often than it can be is somebody's mistake. Nobody could
    be told so before without betraying the others' cards; all of them now show it.

    Source: rulebook l. 169-171; ruling RN21.
    """
    notes = [hands.noted_kinds(state, seat) for seat in range(state.setting.seats)]
    clashes = {
        kind
        for kind in set().union(*notes)
        if sum(known.count(kind) for known in notes) > state.unseen[kind]
    }
    everybody = range(state.setting.seats)
    after = replace(hands.forget(state, *everybody), phase=SHOW)
    for seat, known in enumerate(notes):
        if clashes.intersection(known):
            events.append(NotesClashed(seat))
        for kind in known:
            if kind not in clashes:
                after = _lay_down(after, seat, kind, events)
    return _finish(after, events)


def show(state: State, move: ShowCard, events: list[Event]) -> State:
    """Lay a card open, and end the game with the last one."""
    if not 0 <= move.seat < state.setting.seats:
        raise NotNow(f"there is no seat {move.seat}")
    return _finish(_lay_down(state, move.seat, move.treasure, events), events)


def _lay_down(state: State, seat: Seat, kind: int, events: list[Event]) -> State:
    shown = with_value(state.shown, seat, (*state.shown[seat], kind))
    after = replace(hands.lose(state, seat, kind), shown=shown)
    events.append(CardShown(seat, state.setting.box.treasure_name(kind)))
    return after


def _finish(state: State, events: list[Event]) -> State:
    if any(state.hands):
        return state
    over = replace(state, phase=OVER)
    events.extend(GameWon(seat, sum(_riches(over, seat))) for seat in _richest(over))
    return over


def _riches(state: State, seat: Seat) -> Riches:
    """Return the points of each shown card that has any, the dearest first."""
    points = map(worth, state.shown[seat])
    return tuple(sorted(filter(None, points), reverse=True))


def _richest(state: State) -> tuple[Seat, ...]:
    """Return the winning survivors: by wealth, then by the dearest card.

    Source: rulebook l. 171; rulings RN18, RN19, RN34.
    """
    deep = None if state.setting.options.next_card_breaks_tie else 1
    ranks: dict[Seat, tuple[int, Riches]] = {}
    for seat in alive(state):
        riches = _riches(state, seat)
        ranks[seat] = (sum(riches), riches[:deep])
    best = max(ranks.values())
    return tuple(seat for seat, rank in ranks.items() if rank == best)


def scores(state: State) -> tuple[Score, ...]:
    """Return the wealth of each seat: between bounds while cards are not known.

    Source: rulebook l. 171; ruling RN2.
    """
    return tuple(_score(state, seat) for seat in range(state.setting.seats))


def _score(state: State, seat: Seat) -> Score:
    if state.health[seat] is OUT:
        return Score(seat, 0, 0)
    parts = tuple(
        (LinePart("dragon_run.part.card", (("n", worth(kind)),)), worth(kind))
        for kind in (*state.shown[seat], *hands.noted_kinds(state, seat))
        if worth(kind)
    )
    shown = sum(worth(kind) for kind in state.shown[seat])
    low = shown + hands.least(state, seat)
    return Score(seat, low, shown + hands.most(state, seat), parts)


def outcome(state: State) -> Outcome | None:
    """Return who won and how; nobody where the dragon has burned all.

    Source: rulebook l. 167-175; rulings RN17, RN19.
    """
    if state.phase is not OVER:
        return None
    survivors = alive(state)
    if not survivors:
        if state.setting.options.last_wins and not state.anger:
            last = (("seat", state.seat),)
            reason = "dragon_run.end.last_breath"
            return Outcome((state.seat,), reason, Cite(BOOK, 169, 175), last)
        return Outcome((), "dragon_run.end.dragon", Cite(BOOK, 175, 175))
    winners = _richest(state)
    wealth = sum(_riches(state, winners[0]))
    n = (("n", wealth),)
    if len(survivors) == 1:
        return Outcome(winners, "dragon_run.end.lone", Cite(BOOK, 173, 173), n)
    tied = [seat for seat in survivors if sum(_riches(state, seat)) == wealth]
    how = "shared" if len(winners) > 1 else "dearest" if len(tied) > 1 else "richest"
    return Outcome(winners, f"dragon_run.end.{how}", Cite(BOOK, 169, 171), n)
