"""The values that a drawing of a board is made of; a template prints them as SVG."""

from msgspec import Struct

from companion.dashboard.boards.tapping import Target


class Icon(Struct, frozen=True, gc=False):
    """A small picture: *shape* names it, *colour* tints it, *text* stands on it.

    *mark* is a second picture on the first, such as the sign of a people on a card.
    """

    shape: str
    colour: str = ""
    text: str = ""
    mark: str = ""


class SpotDrawn(Struct, frozen=True, gc=False):
    """A rectangle of the board: the middle, the size, and what kind of spot it is.

    *light* is ``halves``, ``dark`` or ``lit``; *mark* is ``here`` where the last move
    ended, ``there`` where it began, and empty elsewhere.
    """

    number: int
    x: float
    y: float
    light: str
    trap: bool = False
    jewel: bool = False
    mark: str = ""


class Pawn(Struct, frozen=True, gc=False):
    """A figure and where its middle is; a *ghost* shows where it could go."""

    icon: Icon
    name: str
    x: float
    y: float
    ghost: bool = False
    moved: bool = False
    scale: float = 0.88


FIGURE = 32.0
"""Side of the square that a figure of scale 1 fits in."""


def packed(
    count: int, width: float, height: float, largest: float
) -> tuple[float, tuple[tuple[float, float], ...]]:
    """Return how large *count* figures are that fit in a rectangle, and where they lie.

    The places are distances from its middle; as few rows as leave the figures large.
    """
    rows = range(1, count + 1)
    scale, rows_taken = max(
        (min(largest, width / (-(-count // n) * FIGURE), height / (n * FIGURE)), -n)
        for n in rows
    )
    columns, pitch = -(-count // -rows_taken), scale * FIGURE
    places = []
    for nth in range(count):
        row, column = divmod(nth, columns)
        in_row = min(columns, count - row * columns)
        x = (column - (in_row - 1) / 2) * pitch
        places.append((x, (row - (-(-count // columns) - 1) / 2) * pitch))
    return scale, tuple(places)


class Held(Struct, frozen=True, gc=False):
    """A thing that somebody holds: its picture, and its name for whoever hears it."""

    icon: Icon
    name: str


class Drawing(Struct, frozen=True, tag_field="kind", tag="list"):
    """A board in words; each game's drawing is a kind of its own with more fields.

    *summary* names it, *twin* says all of it in sentences.

    *extras* is what each seat holds, in words. *mine* is what the viewer alone knows to
    be theirs. *dice* are the faces of the present throw, *die* the same where one plain
    die says it all. *targets* are the places that can be tapped now.
    """

    summary: str
    twin: tuple[str, ...]
    width: float = 0.0
    height: float = 0.0
    extras: tuple[str | None, ...] = ()
    mine: tuple[Held, ...] = ()
    die: str | None = None
    dice: tuple[Held, ...] = ()
    stage: str | None = None
    targets: tuple[Target, ...] = ()

    @property
    def kind(self) -> str:
        """Return the name of the template that prints this drawing."""
        return str(self.__struct_config__.tag)
