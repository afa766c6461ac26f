"""Other tables that look the same to a viewer: in Dragorun there are none.

The eggs in the supply are hidden, but not their kinds: what is not in front of a player
is there (`eggs.supply`), and which of them comes next is nobody's knowledge. A marker
lying face down is known to all; it is only out of reach.
"""

from companion.games.dragorun.state import State
from companion.games.hidden import (
    Viewer,
)


def resample(state: State, _viewer: Viewer, _seed: int) -> State:
    """Return *state*: everybody may know all of it. Source: rulebook l. 121, 125."""
    return state
