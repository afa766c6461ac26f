"""What the two contacts of a knob mean: clicks told apart from bounces and noise.

Pure: every time is an argument, in seconds on a monotonic clock. A knob that rests has
both contacts open. Turned right, contact A closes, then B, then A opens, then B; turned
left, B goes first. One click is that whole round, or half of it: such a knob rests with
both contacts closed as well.

Source: Alps EC11 data sheet: output wave of 20 clicks a turn, bounces up to 2 ms.
"""

from msgspec import Struct
from msgspec.structs import replace

from firmware.edges import CHATTER_EDGES, CHATTER_S, ContactEvent, EventKind

CLICK_S = 0.004
"""A quicker round is noise that both wires picked up: the fastest flick of a knob, five
turns in a second, takes 10 ms a click. Half of it for half a round, whose second edge
comes 5 ms after the first, which may bounce for 2 ms."""

STUCK_S = 20.0
"""Nobody holds a knob between two clicks so long: a wire is touching ground."""

_ROUND = ((False, False), (True, False), (True, True), (False, True))
"""Contacts (A, B) closed, quarter by quarter of a click to the right."""

_ROUND_QUARTERS = 4


class KnobState(Struct, frozen=True, gc=False):
    """All that is known of one knob.

    *a* and *b* are the raw contacts, *quarters* how far it was turned since it rested,
    to the right counted up, and *left_s* when it left its rest; *since_s* is the last
    edge. It makes 1 or 2 *clicks* in a round. *glitches* are rounds too quick for a
    hand, *slips* those that came to rest without being a click. *edges* are counted
    since *window_s* or the last click.
    """

    a: bool
    b: bool
    since_s: float
    left_s: float
    clicks: int = 1
    quarters: int = 0
    window_s: float = 0.0
    edges: int = 0
    glitches: int = 0
    slips: int = 0
    stuck: bool = False
    chattering: bool = False


KnobStep = tuple[KnobState, tuple[ContactEvent, ...]]


def start(a: bool, b: bool, at_s: float, clicks: int = 1) -> KnobState:
    """Return a knob as it is found; between two clicks it counts from where it is."""
    return KnobState(a, b, at_s, at_s, clicks, window_s=at_s)


def hear(turning: KnobState, a: bool, b: bool, at_s: float) -> KnobStep:
    """Return the knob after an edge, and what became certain up to then.

    Both contacts may have changed where an edge was lost: the knob then went on as it
    had begun, and one that had not begun went nowhere.
    """
    turning, events = wait(turning, at_s)
    # Edges of two pins come from one thread, but a stamp may be rounded.
    at_s = max(at_s, turning.since_s)
    was, now = _ROUND.index((turning.a, turning.b)), _ROUND.index((a, b))
    turned = (
        now - was + 1
    ) % _ROUND_QUARTERS - 1  # -1, 0 or 1; 2 where an edge was lost
    if turned == 2:
        turned *= (turning.quarters > 0) - (turning.quarters < 0)
    left_s = turning.left_s if is_between(turning) else at_s
    turning = _count_edge(
        replace(
            turning, a=a, b=b, since_s=at_s, left_s=left_s,
            quarters=turning.quarters + turned,
        ),
        at_s,
    )  # fmt: skip
    if turning.edges >= CHATTER_EDGES and not turning.chattering:
        turning = replace(turning, chattering=True)
        events = (*events, ContactEvent(EventKind.CHATTERING, at_s))
    if not is_between(turning):
        turning, news = _rest(turning, at_s)
        events += news
    return turning, events


def wait(turning: KnobState, now_s: float) -> KnobStep:
    """Return the knob after time has passed without an edge, and what came of it."""
    events: tuple[ContactEvent, ...] = ()
    stuck_s, calm_s = turning.since_s + STUCK_S, turning.since_s + CHATTER_S
    if turning.chattering and calm_s <= now_s:
        turning = replace(turning, chattering=False, edges=0)
        events = (ContactEvent(EventKind.CALM, calm_s),)
    if is_between(turning) and not turning.stuck and stuck_s <= now_s:
        turning = replace(turning, stuck=True)
        events = (*events, ContactEvent(EventKind.STUCK, stuck_s))
    return turning, events


def deadline(turning: KnobState) -> float | None:
    """Return when :func:`wait` will next have something to do, None for never."""
    if turning.chattering:
        return turning.since_s + CHATTER_S
    if is_between(turning) and not turning.stuck:
        return turning.since_s + STUCK_S
    return None


def is_between(turning: KnobState) -> bool:
    """Return whether a knob stands between two clicks."""
    if turning.clicks == 2:
        return turning.a != turning.b
    return turning.a or turning.b


def _count_edge(turning: KnobState, at_s: float) -> KnobState:
    if at_s - turning.window_s < CHATTER_S:
        return replace(turning, edges=turning.edges + 1)
    return replace(turning, window_s=at_s, edges=1)


def _rest(turning: KnobState, at_s: float) -> KnobStep:
    """Return the knob at rest, and how many clicks it made on the way."""
    news: tuple[ContactEvent, ...] = (
        (ContactEvent(EventKind.FREED, at_s),) if turning.stuck else ()
    )
    quarters = turning.quarters
    turning = replace(turning, quarters=0, stuck=False)
    # Three quarters of four are a click: the first may have passed before the start. Of
    # two both are needed, as one alone may go either way.
    whole = turning.clicks == 1
    clicks = (abs(quarters) + 1) // _ROUND_QUARTERS if whole else abs(quarters) // 2
    if not clicks:
        return replace(turning, slips=turning.slips + (quarters != 0)), news
    if at_s - turning.left_s < CLICK_S / turning.clicks:
        return replace(turning, glitches=turning.glitches + 1), news
    what = EventKind.RIGHT if quarters > 0 else EventKind.LEFT
    news += (ContactEvent(what, at_s),) * clicks
    return replace(turning, edges=0, window_s=at_s), news
