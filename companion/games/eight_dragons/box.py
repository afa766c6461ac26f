"""The facts of one copy: here none, as the rulebook counts and names every card.

An owner only shows what the cards look like, which is the camera's business.
"""

from msgspec import Struct

from companion.games.core import Violation


class Box(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One copy of the game. Source: rulebook l. 55-66, which leaves nothing open."""


STAND_IN = Box()


def check_box(_box: Box) -> tuple[Violation, ...]:
    """Return what cannot be: nothing, as there is nothing to tell."""
    return ()
