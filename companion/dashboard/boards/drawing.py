"""The values that a drawing of a board is made of; a template prints them as SVG."""

from msgspec import Struct


class Icon(Struct, frozen=True, gc=False):
    """A small picture: *shape* names it, *colour* tints it, *text* stands on it."""

    shape: str
    colour: str = ""
    text: str = ""


class Spot(Struct, frozen=True, gc=False):
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


class MedalColumn(Struct, frozen=True, gc=False):
    """What one figure has on the score board, None for no medal yet."""

    hero: str
    icon: Icon
    name: str
    silver: int | None
    gold: int | None


class Drawing(Struct, frozen=True):
    """A drawn board. *kind* names its template; *twin* says the same in sentences.

    *extras* is what each seat holds, in words. *mine* are the figures that the viewer
    alone knows to be theirs, *shown* those that each seat has laid open.
    """

    kind: str
    summary: str
    twin: tuple[str, ...]
    width: float = 0.0
    height: float = 0.0
    way: str = ""
    spots: tuple[Spot, ...] = ()
    pawns: tuple[Pawn, ...] = ()
    dragon: tuple[float, float] | None = None
    dragon_from: tuple[float, float] | None = None
    labels: tuple[tuple[str, float, float], ...] = ()
    medals: tuple[MedalColumn, ...] = ()
    extras: tuple[str | None, ...] = ()
    mine: tuple[MedalColumn, ...] = ()
    shown: tuple[tuple[str, tuple[MedalColumn, ...]], ...] = ()
    die: str | None = None
    stage: str | None = None
