"""What a button's raw contact means: presses told apart from bounces and noise.

Pure: every time is an argument, in seconds on a monotonic clock. gpiozero's own
debounce is not used, as its simulated pins ignore it and no test could reach it.
"""

from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace


class PressTimes(Struct, frozen=True, gc=False):
    """How long a contact must hold to count, in seconds.

    *press_s*: a closed contact counts from here on. Pulses that long cables pick up
    (a light switch, three metres) last 1 to 9 ms; the quickest finger stays 30 ms.
    *release_s*: an open contact counts from here on. Worn arcade buttons bounce for
    up to 30 ms, and the gap of a quick double press is 50 ms and more.
    *long_s*: a longer press is a long one, reported at once instead of a short one.
    *double_s*: a second press that starts so soon after the first makes it a double
    one; None waits for no second press and reports a short one as soon as it ends.
    *stuck_s*: nobody holds a button so long; it is jammed or wired wrong.
    """

    press_s: float = 0.010
    release_s: float = 0.035
    long_s: float = 0.8
    double_s: float | None = None
    stuck_s: float = 20.0


CHATTER_S = 1.0
"""Length of the window in which edges and presses are counted."""

CHATTER_EDGES = 1200
"""Edges in a window that no finger makes: five bad presses bounce 600 times at most."""

CHATTER_PRESSES = 12
"""Presses in a window that no finger makes: records for tapping lie at ten a second."""


class EventKind(StrEnum):
    """What a contact did: a gesture of a finger, or a fault that began or ended.

    *RIGHT* and *LEFT* are clicks of a knob, whose contacts `firmware.turning` hears.
    """

    SHORT = "short"
    LONG = "long"
    DOUBLE = "double"
    RIGHT = "right"
    LEFT = "left"
    STUCK = "stuck"
    FREED = "freed"
    CHATTERING = "chattering"
    CALM = "calm"


GESTURES = frozenset({EventKind.SHORT, EventKind.LONG, EventKind.DOUBLE})


class ContactEvent(Struct, frozen=True, gc=False):
    """One gesture or fault of a contact and when it was certain, s."""

    kind: EventKind
    at_s: float


class PressState(StrEnum):
    """Where a press stands."""

    UP = "up"
    BOOT = "boot"  # held since the program started: meant for nobody
    DOWN = "down"
    SPENT = "spent"  # reported already, or beyond what a finger can do


class ContactState(Struct, frozen=True, gc=False):
    """All that is known of one button.

    *closed* is the raw contact and *since_s* the time of its last edge; *hold* is the
    settled button and *pressed_s* when it went down. *first_s* is when a press ended
    that may be the first half of a double one. *pulses* are closures too short to
    count that were not yet found to be bounces or glitches; *bounces* and *glitches*
    are the totals for the test page. A button that presses itself faster than a finger
    is *muted* until it has been at rest for a window; one with a noisy cable is not.
    """

    closed: bool
    since_s: float
    hold: PressState
    pressed_s: float = 0.0
    first_s: float | None = None
    stuck: bool = False
    pulses: int = 0
    bounces: int = 0
    glitches: int = 0
    window_s: float = 0.0
    edges: int = 0
    presses: int = 0
    chattering: bool = False
    muted: bool = False


class _Due(StrEnum):
    SETTLE = "settle"
    LONG = "long"
    STUCK = "stuck"
    SINGLE = "single"
    QUIET = "quiet"
    CALM = "calm"


ContactStep: TypeAlias = tuple[ContactState, tuple[ContactEvent, ...]]


def start(closed: bool, at_s: float) -> ContactState:
    """Return a button as it is found when the program starts.

    One that is held down then is ignored until it has been let go.
    """
    hold = PressState.BOOT if closed else PressState.UP
    return ContactState(closed, at_s, hold, pressed_s=at_s, window_s=at_s)


def hear(
    contact: ContactState, times: PressTimes, closed: bool, at_s: float
) -> ContactStep:
    """Return the button after an edge, and what became certain up to then.

    An edge that repeats the level stands for others that were lost: the contact was
    not at rest until now.
    """
    contact, events = wait(contact, times, at_s)
    contact = _count_edge(contact, at_s)
    if contact.edges >= CHATTER_EDGES and not contact.chattering:
        contact = replace(contact, chattering=True)
        events = (*events, ContactEvent(EventKind.CHATTERING, at_s))
    up = contact.hold is PressState.UP
    if contact.closed and not closed and up:
        contact = replace(contact, pulses=contact.pulses + 1)
    elif closed and not contact.closed and not up:
        contact = replace(contact, bounces=contact.bounces + 1)
    # Edges of one pin come in order; a stamp from before the last one is a clock's
    # rounding and must not turn time back.
    at_s = max(at_s, contact.since_s)
    return replace(contact, closed=closed, since_s=at_s), events


def wait(contact: ContactState, times: PressTimes, now_s: float) -> ContactStep:
    """Return the button after time has passed without an edge, and what came of it."""
    events: tuple[ContactEvent, ...] = ()
    while (due := _next(contact, times)) is not None and due[0] <= now_s:
        contact, news = _apply_due(contact, times, *due)
        events += news
    return contact, events


def deadline(contact: ContactState, times: PressTimes) -> float | None:
    """Return when :func:`wait` will next have something to do, None for never."""
    due = _next(contact, times)
    return None if due is None else due[0]


def is_down(contact: ContactState) -> bool:
    """Return whether the button, bounces aside, is held down."""
    return contact.hold is not PressState.UP


def _next(contact: ContactState, times: PressTimes) -> tuple[float, _Due] | None:
    dues = (
        _dues_up(contact, times)
        if contact.hold is PressState.UP
        else _dues_down(contact, times)
    )
    if contact.chattering:
        dues.append((contact.since_s + CHATTER_S, _Due.CALM))
    return min(dues, default=None)


def _dues_up(contact: ContactState, times: PressTimes) -> list[tuple[float, _Due]]:
    if contact.closed:
        return [(contact.since_s + times.press_s, _Due.SETTLE)]
    dues = []
    if contact.pulses:
        dues.append((contact.since_s + times.release_s, _Due.QUIET))
    if contact.first_s is not None and times.double_s is not None:
        dues.append((contact.first_s + times.double_s, _Due.SINGLE))
    return dues


def _dues_down(contact: ContactState, times: PressTimes) -> list[tuple[float, _Due]]:
    if not contact.closed:
        return [(contact.since_s + times.release_s, _Due.SETTLE)]
    # A bounce of the release must not look like the last of a long press, so these
    # too want a contact that holds.
    settled_s = contact.since_s + times.press_s
    dues = []
    if contact.hold is PressState.DOWN:
        dues.append((max(contact.pressed_s + times.long_s, settled_s), _Due.LONG))
    if not contact.stuck:
        dues.append((max(contact.pressed_s + times.stuck_s, settled_s), _Due.STUCK))
    return dues


def _apply_due(
    contact: ContactState, times: PressTimes, at_s: float, due: _Due
) -> ContactStep:
    match due:
        case _Due.SETTLE if contact.closed:
            return _press(contact, at_s)
        case _Due.SETTLE:
            return _release(contact, times, at_s)
        case _Due.LONG:
            return _long(contact, at_s)
        case _Due.STUCK:
            return replace(contact, stuck=True), (ContactEvent(EventKind.STUCK, at_s),)
        case _Due.SINGLE:
            return replace(contact, first_s=None), (
                ContactEvent(EventKind.SHORT, at_s),
            )
        case _Due.QUIET:
            glitches = contact.glitches + contact.pulses
            return replace(contact, pulses=0, glitches=glitches), ()
        case _Due.CALM:
            calm = replace(contact, chattering=False, muted=False, edges=0, presses=0)
            return calm, (ContactEvent(EventKind.CALM, at_s),)


def _press(contact: ContactState, at_s: float) -> ContactStep:
    presses = contact.presses + 1
    muted = contact.muted or presses > CHATTER_PRESSES
    news = (
        (ContactEvent(EventKind.CHATTERING, at_s),)
        if muted and not contact.chattering
        else ()
    )
    pressed = replace(
        contact,
        hold=PressState.SPENT if muted else PressState.DOWN,
        pressed_s=contact.since_s,
        pulses=0,
        bounces=contact.bounces + contact.pulses,
        presses=presses,
        chattering=contact.chattering or muted,
        muted=muted,
    )
    return pressed, news


def _long(contact: ContactState, at_s: float) -> ContactStep:
    # Two presses of which the second is held: both are reported.
    first = () if contact.first_s is None else (ContactEvent(EventKind.SHORT, at_s),)
    spent = replace(contact, hold=PressState.SPENT, first_s=None)
    return spent, (*first, ContactEvent(EventKind.LONG, at_s))


def _release(contact: ContactState, times: PressTimes, at_s: float) -> ContactStep:
    news: tuple[ContactEvent, ...] = (
        (ContactEvent(EventKind.FREED, at_s),) if contact.stuck else ()
    )
    first_s = contact.first_s
    if contact.hold is PressState.DOWN and first_s is not None:
        news, first_s = (*news, ContactEvent(EventKind.DOUBLE, at_s)), None
    elif contact.hold is PressState.DOWN and times.double_s is not None:
        first_s = contact.since_s
    elif contact.hold is PressState.DOWN:
        news = (*news, ContactEvent(EventKind.SHORT, at_s))
    return replace(contact, hold=PressState.UP, stuck=False, first_s=first_s), news


def _count_edge(contact: ContactState, at_s: float) -> ContactState:
    if at_s - contact.window_s < CHATTER_S:
        return replace(contact, edges=contact.edges + 1)
    return replace(contact, window_s=at_s, edges=1, presses=0)
