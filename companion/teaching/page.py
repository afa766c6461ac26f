"""A lesson as its page shows it, and what the page may ask of whoever leads it."""

from typing import Any, Literal, Protocol

from msgspec import Struct

from companion.kits.curriculum import Course, LessonStep
from companion.kits.next_step import Progress, RollVerdict, rolls_wanted, step_of
from companion.kits.spaces import Spaces
from companion.story.log import Story
from companion.table import Face, Params, Piece, Place, Value


class Message(Struct, frozen=True):
    """What came of a wish, as a line; *bad* when it went wrong."""

    line: str
    params: Params = ()
    bad: bool = False


def message_of_roll(progress: Progress, piece: Piece, verdict: RollVerdict) -> Message:
    """Return what to say of a test roll."""
    if piece in progress.left:
        return Message("teach.test.left", bad=True)
    if verdict is RollVerdict.RIGHT and piece not in progress.passed:
        more = rolls_wanted(progress, piece)
        return Message("teach.test.more", (("n", more),))
    return Message(f"teach.test.{verdict}", bad=verdict is not RollVerdict.RIGHT)


class Lesson(Struct, frozen=True):
    """A lesson as the page shows it.

    Attributes:
        kit: Name of the kit.
        course: What it leads through.
        progress: How far it has come.
        counts: Shots that are kept of each face.
        bare: Whether the camera has seen the table without pieces.
        tray: Whether it was shown where dice fall; a course without dice has none.
        tapped: Corners of the tray that were tapped so far.
        high: Height of the camera's pictures over their width.
        hint: What the camera makes of the table: ``shot``, ``moving``, ``nothing``,
            ``several``, ``hand``, ``moved``, ``same``, ``learning``, ``rolled``,
            ``unread`` or ``""``.
        message: What came of the last wish.
        version: Grows with every change.
    """

    kit: str
    course: Course
    progress: Progress = Progress()
    counts: dict[tuple[str, Piece, Face], int] = {}
    bare: bool = False
    hint: str = ""
    message: Message | None = None
    version: int = 0
    tray: bool = False
    tapped: int = 0
    high: float = 0.5625

    @property
    def wants_tray(self) -> bool:
        """Tell whether it is still to be shown where dice fall."""
        return self.bare and not self.tray and bool(self.course.dice)

    @property
    def step(self) -> LessonStep | None:
        """Return the step that is asked now, None at the end."""
        return step_of(self.course, self.progress)


class CannotTeach(ValueError):
    """A wish cannot be carried out; *line* says why, *values* fill it."""

    def __init__(self, line: str, **values: Value) -> None:
        super().__init__(line)
        self.line = line
        self.values = values


class Teacher(Protocol):
    """What the pages of teaching may ask; every call is safe in any thread.

    All but the questions raise CannotTeach where a wish cannot be carried out.
    """

    @property
    def lesson(self) -> Lesson | None:
        """Return the lesson that is open."""

    @property
    def sees(self) -> bool:
        """Tell whether the camera has given a picture."""

    def kits(self) -> tuple[tuple[str, str], ...]:
        """Return the kits of this table: name and game."""

    def begin(self, game: str, name: str) -> None:
        """Make a new kit and open its lesson."""

    def draft(self, game: str) -> dict[str, str]:
        """Return what was told so far of a box that is not a kit yet, by lines."""

    def keep_draft(self, game: str, form: dict[str, str]) -> None:
        """Keep what was told of a box so far."""

    def finish_draft(self, game: str, box: Any) -> str:
        """Let a kit have a box that was described, and checked; return its name.

        One that was begun to be shown, and had our own board so far, or a new one.
        """

    def correct_box(self, name: str, box: Any) -> None:
        """Let a kit have another box, checked; what was shown and tapped stays."""

    def untold(self, game: str) -> tuple[str, ...]:
        """Return the kits of a game that still have our own board."""

    def open(self, name: str) -> None:
        """Open the lesson of a kit where it was left."""

    def close(self) -> None:
        """Close the lesson; what was shown is kept."""

    def take_bare_table(self) -> None:
        """Take the table as it lies for the bare one."""

    def tap(self, x: float, y: float) -> None:
        """Take a point of the picture for the next corner that is asked for.

        *x* and *y* are parts of the picture's width and height.
        """

    def retap(self) -> None:
        """Ask anew where dice fall."""

    def go(self, where: Literal["back", "next"]) -> None:
        """Go one step back or on."""

    def retake(self, piece: Piece, face: Face) -> None:
        """Forget the shots of a face and ask for it anew."""

    def enter_roll(self, face: Face) -> None:
        """Say what a test roll truly shows."""

    def spaces(self) -> Spaces:
        """Return where the places of the open kit's table lie."""

    def tap_space(self, x: float, y: float, place: Place | None = None) -> None:
        """Take a point of the picture for the corner or space that is asked next.

        The tap means *place* where somebody has chosen one.
        """

    def change_spaces(self, how: Literal["back", "corners", "fill"]) -> None:
        """Take a tap back, ask for the corners anew, or take what is proposed."""

    def map(self) -> bytes | None:
        """Return what the camera sees, with a dot on each space, as JPEG."""

    def box(self) -> Any:
        """Return the facts of the open kit's box."""

    def enter_box(self, box: Any) -> None:
        """Keep the facts of the open kit's box, which were checked."""

    def remember(self, story: Story) -> None:
        """Keep the die of the newest answered question as a shot of its face."""

    def picture(self) -> bytes | None:
        """Return what the camera sees, with what was found marked, as JPEG."""

    def pack(self, name: str) -> bytes:
        """Return a kit as the content of one file."""

    def unpack(self, content: bytes) -> str:
        """Take a kit in from the content of a file; return its name."""
