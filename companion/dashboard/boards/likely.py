"""The likeliest move first: what is asked for now, before what is merely allowed.

`expects` asks for something in a line of words; each game says which kinds of move
carry that line out. A button's place must tell nobody a secret, as phones lie on the
table: among moves of one kind only what everybody may see decides.
"""

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from msgspec import Struct

from companion.games.core import Prompt

AskedLines: TypeAlias = tuple[tuple[str, tuple[type[Any], ...]], ...]
"""Lines of `expects`, and the kinds of move that carry each out.

Where several lines are asked at once, the order here is the order of the buttons; kinds
stand in the order in which the line's sentence names them.
"""


def alike(_state: Any, _move: Any) -> int:
    """Rank all moves of a kind the same."""
    return 0


class Likely(Struct, frozen=True):
    """What a game asks for, and which of two moves of one kind people rather make.

    *worth* reads nothing that only some seats may see; the greater number comes first.
    """

    asked: AskedLines = ()
    worth: Callable[[Any, Any], int] = alike


def in_order(
    likely: Likely, state: Any, prompts: Iterable[Prompt], moves: tuple[Any, ...]
) -> tuple[Any, ...]:
    """Return *moves* with the likeliest first; else they stay as the rules list them.

    What no line asks for comes last.
    """
    lines = {prompt.line for prompt in prompts}
    kinds = [kind for line, kinds in likely.asked if line in lines for kind in kinds]
    places = {kind: place for place, kind in reversed([*enumerate(kinds)])}
    last = len(kinds)
    return tuple(
        sorted(
            moves,
            key=lambda move: (
                places.get(type(move), last),
                -likely.worth(state, move),
            ),
        )
    )
