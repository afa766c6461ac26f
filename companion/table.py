"""The words that every side of the product shares: what a table can show and say.

A camera, a button and a phone report in these types, the rules speak of the table in
them, and lamps and loudspeakers take their cues from them. Nothing here knows a game,
a picture or a pin.
"""

from typing import TypeAlias

from msgspec import Struct

Seat: TypeAlias = int
"""Number of a seat at the table, 0 for the one that the set-up names first."""

Piece: TypeAlias = str
"""What a game calls a thing on the table: ``"die"``, ``"green"``, ``"jewel"``."""

Face: TypeAlias = str
"""What a piece shows: ``"3"``, ``"snail"``, ``"back"``."""

BACK: Face = "back"
"""The face of whatever lies face down, in every game."""

Place: TypeAlias = str
"""A spot that a game declares: ``"tray"``, ``"cell/14/dark"``, ``"score/blue"``."""

TRAY: Place = "tray"
"""Where dice fall, in every game."""

BoxPx: TypeAlias = tuple[int, int, int, int]
"""Left, top, right, bottom of a thing in a picture: pixels after EXIF rotation."""


class Word(Struct, frozen=True, gc=False):
    """A line of words by its id alone: what a thing is called, in no language yet.

    A type of its own and no sign within a text: what somebody typed is only a text,
    whatever it looks like.
    """

    line: str


Text: TypeAlias = str | Word
"""What a thing is called: as somebody typed it, or in words of ours."""

Value: TypeAlias = str | int | Word
Params: TypeAlias = tuple[tuple[str, Value], ...]
"""Names and values that fill a line of words; a tuple so that a value stays frozen."""


class Shown(Struct, frozen=True, gc=False, tag="shown"):
    """A piece shows a face at a place."""

    piece: Piece
    face: Face
    place: Place


class Placed(Struct, frozen=True, gc=False, tag="placed"):
    """A piece has come to a place."""

    piece: Piece
    face: Face | None
    place: Place


class Removed(Struct, frozen=True, gc=False, tag="removed"):
    """A piece has gone from a place; *face* is what it showed there, where known."""

    piece: Piece
    place: Place
    face: Face | None = None


class Moved(Struct, frozen=True, gc=False, tag="moved"):
    """A piece has gone from one place to another."""

    piece: Piece
    here: Place
    there: Place


class Flipped(Struct, frozen=True, gc=False, tag="flipped"):
    """A piece was turned over and now shows a face."""

    piece: Piece
    face: Face
    place: Place


class Turned(Struct, frozen=True, gc=False, tag="turned"):
    """A piece was turned on the spot by some quarter turns, counted clockwise."""

    piece: Piece
    place: Place
    quarter: int


class Pressed(Struct, frozen=True, gc=False, tag="pressed"):
    """A button was pressed; *seat* is None for the buttons that everybody shares."""

    button: str
    seat: Seat | None


Sight: TypeAlias = Shown | Placed | Removed | Moved | Flipped | Turned | Pressed

Change: TypeAlias = Placed | Removed | Turned
"""A sight in its plainest words: a move from here to there is one of each."""

Changes: TypeAlias = frozenset[Change]


class Glimpse(Struct, frozen=True, gc=False):
    """One sight in one picture.

    *confidence* is calibrated, 0 to 1: of a hundred glimpses at 0.99, one is wrong.
    *evidence_id* names the picture that was kept, if one was.
    """

    sight: Sight
    confidence: float
    box_px: BoxPx | None = None
    evidence_id: str | None = None


class UnsureSight(Struct, frozen=True, gc=False):
    """A thing that was seen but not read for sure, with the best faces first.

    *faces* holds (face, confidence) pairs; *piece* is None when even that is open.
    """

    piece: Piece | None
    place: Place
    faces: tuple[tuple[Face, float], ...]
    box_px: BoxPx | None = None
    evidence_id: str | None = None


class SurePiece(Struct, frozen=True, gc=False):
    """A piece that the camera sees at a place.

    *face* is None for a piece that has none; *confidence* is 0 to 1.
    """

    piece: Piece
    face: Face | None
    place: Place
    confidence: float
    box_px: BoxPx | None = None


class UnsurePiece(Struct, frozen=True, gc=False):
    """Something that the camera sees at a place and cannot name, or perhaps nothing.

    *choices* are (piece, face, chance), the best first; a piece of ``""`` is nothing.
    An empty tuple is a thing that was never shown.
    """

    place: Place
    choices: tuple[tuple[Piece, Face | None, float], ...]
    box_px: BoxPx | None = None


class Reading(Struct, frozen=True, gc=False):
    """What one stillness of the table, or one press, gave.

    *taken_at* is in seconds on the clock of the running service; it orders readings
    and is never a time of day. *source* is ``"camera"``, ``"button"`` or a name that a
    test gives. *position* counts the pictures of a recorded camera, so that a restart
    goes on where it was; None elsewhere. *trouble* is a line id when the camera cannot
    read at all (too dark, out of focus, no more pictures), or cannot tell whether what
    it read was thrown. *whole* says that the whole
    table was compared with what should lie there, and that nothing else differs; else
    only the tray was looked at.
    """

    glimpses: tuple[Glimpse, ...]
    choices: tuple[UnsureSight, ...] = ()
    taken_at: float = 0.0
    source: str = "camera"
    position: int | None = None
    trouble: str | None = None
    whole: bool = False


class Claim(Struct, frozen=True, gc=False):
    """What somebody says happened: the notation of a move, from a phone or a button.

    *seat* is the one who says it, None for the host. *seq* is the number of the state
    that the page was made for; *key* makes a double tap one act.
    """

    move: str
    seat: Seat | None
    seq: int
    key: str


class Meaning(Struct, frozen=True, gc=False):
    """What a face that the camera reads stands for: a five for a second two."""

    seen: tuple[Piece, Face]
    means: tuple[Piece, Face]


class LinePart(Struct, frozen=True, gc=False):
    """A line of words by its id and the values that fill it, in no language yet."""

    line: str
    params: Params = ()


Filling: TypeAlias = Value | LinePart | tuple[LinePart, ...]
"""What fills a sentence that knows its line: a value, or lines of their own."""


class Said(str):
    """An English sentence that knows its line and what fills it.

    Scripts and logs have it as it is; a terminal or a page says it in any language.
    """

    __slots__ = ("line", "values")

    line: str
    values: dict[str, Filling]


class Cue(Struct, frozen=True, gc=False):
    """What lamps, buzzer and voice should do about an event, None for nothing."""

    light: str | None = None
    sound: str | None = None
    spoken: LinePart | None = None


LaidPiece: TypeAlias = tuple[Piece, Face | None, Place]
"""A piece that lies or stands somewhere, and the face that it shows."""

Layout: TypeAlias = frozenset[LaidPiece]
"""What should lie on the table; a face of None is not known to anybody."""
