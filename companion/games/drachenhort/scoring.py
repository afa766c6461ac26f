"""The groups, who knows them, and the points that they are worth.

What a seat has noted stays `Hidden` until the second round is over.
"""

from msgspec.structs import replace

from companion.games.core import (
    Cite,
    NotNow,
    Outcome,
    Score,
    with_value,
)
from companion.games.drachenhort.box import Group
from companion.games.drachenhort.events import (
    Event,
    GameWon,
    GroupNoted,
    GroupsClashed,
    GroupShown,
)
from companion.games.drachenhort.options import BOOK
from companion.games.drachenhort.state import (
    OVER,
    SHOW,
    State,
)
from companion.games.hidden import (
    Hidden,
)
from companion.table import LinePart, Seat, Word


def note(state: State, seat: Seat, group: Hidden[int], events: list[Event]) -> State:
    """Keep what a seat says of its own group, for that seat's eyes only.

    Source: rulebook l. 97; ruling DH25.
    """
    cards = (None, *range(len(state.setting.box.groups)))
    if (
        state.phase in (SHOW, OVER)
        or seat not in range(state.setting.seats)
        or group.value not in cards
    ):
        raise NotNow(f"seat {seat} has no such group to note now")
    events.append(GroupNoted(seat, group))
    return replace(state, noted=with_value(state.noted, seat, group))


def lay_open(state: State, events: list[Event]) -> State:
    """Lay open, after the second round, every group that is known for sure.

    A group that two seats have noted is one seat's mistake. Nobody could be told so
    before without betraying the other's card; both are now asked to show theirs.

    Source: rulebook l. 199-203.
    """
    values = [noted.value for noted in state.noted]
    after = replace(state, phase=SHOW)
    for seat, group in enumerate(values):
        if group is None:
            continue
        if values.count(group) > 1:
            events.append(GroupsClashed(seat))
        else:
            after = _lay_down(after, seat, group, events)
    return _finish(after, events)


def show(state: State, seat: Seat, group: int, events: list[Event]) -> State:
    """Lay open the group that a seat shows, and end the game with the last one.

    Source: rulebook l. 203.
    """
    if seat not in seats_to_show(state) or group not in groups_left(state):
        raise NotNow(f"seat {seat} has no group {group} to show now")
    return _finish(_lay_down(state, seat, group, events), events)


def seats_to_show(state: State) -> tuple[Seat, ...]:
    """Return the seats that still have to show their group."""
    if state.phase is not SHOW:
        return ()
    return tuple(seat for seat, group in enumerate(state.shown) if group is None)


def groups_left(state: State) -> tuple[int, ...]:
    """Return the numbers of the groups that nobody has shown."""
    groups = range(len(state.setting.box.groups))
    return tuple(group for group in groups if group not in state.shown)


def _lay_down(state: State, seat: Seat, group: int, events: list[Event]) -> State:
    events.append(GroupShown(seat, group, state.setting.box.groups[group]))
    return replace(state, shown=with_value(state.shown, seat, group))


def _finish(state: State, events: list[Event]) -> State:
    if None in state.shown:
        return state
    over = replace(state, phase=OVER)
    points = tuple(score.low for score in scores(over))
    events.extend(GameWon(seat, points[seat]) for seat in _best(points))
    return over


def _best(points: tuple[int, ...]) -> tuple[Seat, ...]:
    most = max(points)
    return tuple(seat for seat, mine in enumerate(points) if mine == most)


def scores(state: State) -> tuple[Score, ...]:
    """Return the points of each seat as they stand.

    Exact for a group that is known here, else between the poorest and the richest
    group that nobody has laid open.

    Source: rulebook l. 203-213.
    """
    return tuple(_score(state, seat) for seat in range(state.setting.seats))


def _score(state: State, seat: Seat) -> Score:
    jewels = state.won[seat]
    jewel_part = (LinePart("drachenhort.part.jewels", (("n", jewels),)), jewels)
    group = known_group(state, seat)
    if group is None:
        worth = [
            sum(points for _, points in _parts(state, state.setting.box.groups[left]))
            for left in groups_left(state)
        ]
        return Score(seat, min(worth) + jewels, max(worth) + jewels, (jewel_part,))
    parts = (*_parts(state, state.setting.box.groups[group]), jewel_part)
    exact = sum(points for _, points in parts)
    return Score(seat, exact, exact, parts)


def known_group(state: State, seat: Seat) -> int | None:
    """Return the group of a seat as far as this state tells it."""
    shown = state.shown[seat]
    if shown is not None or state.phase is SHOW:
        return shown
    return state.noted[seat].value


def _parts(state: State, group: Group) -> tuple[tuple[LinePart, int], ...]:
    silver, gold = state.medals
    parts = []
    for hero in group:
        index = state.setting.box.adventurers.index(hero)
        params = (
            ("adventurer", Word(f"drachenhort.{hero}")),
            ("silver", silver[index]),
            ("gold", gold[index]),
        )
        line = LinePart("drachenhort.part.medals", params)
        parts.append((line, silver[index] + gold[index]))
    return tuple(parts)


def outcome(state: State) -> Outcome | None:
    """Return who won once all groups are open; several may.

    Source: rulebook l. 199-203; ruling DH22.
    """
    if state.phase is not OVER:
        return None
    winners = _best(tuple(score.low for score in scores(state)))
    alone = len(winners) == 1
    reason = "drachenhort.end.most" if alone else "drachenhort.end.shared"
    return Outcome(winners, reason, Cite(BOOK, 199, 203))
