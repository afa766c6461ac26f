"""Leads an owner through teaching a copy: what phones ask for, and the lesson's camera.

Everything that was shown is on disk before the next is asked, so that a lesson goes on
after a restart where it was.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

from msgspec.structs import replace

from companion.files import write_whole
from companion.games import UnknownGame, find
from companion.kits import next_step
from companion.kits.curriculum import RollStep
from companion.kits.from_answers import reference
from companion.kits.kit import (
    BadKit,
    Kit,
    keep_shots,
    kept_shots,
    load,
    stand_in_kit,
)
from companion.kits.kit_files import (
    BARE,
    SPACES,
    TAPPED,
    UNTOLD,
    begin_kit,
    free_name,
    keep,
    keep_draft,
    kept_draft,
    pack,
    plain_name,
    unpack,
    write_facts,
)
from companion.kits.next_step import RollVerdict
from companion.kits.shots import shot_of_answer
from companion.kits.spaces import (
    CORNERS,
    WHOLE_PICTURE,
    Spaces,
    after_tap,
    fill_spaces,
    is_convex,
    known_areas,
    next_space,
    seen_spaces,
    use_picture_corners,
    without_last_tap,
)
from companion.story.log import Story
from companion.table import Face, Piece, Place
from companion.teaching.book import Book, refuse_disk_errors
from companion.teaching.camera import LessonCamera
from companion.teaching.page import CannotTeach, Lesson, Message, message_of_roll
from vision.arrays import Picture
from vision.board.corners import draw_areas, draw_dots, to_board
from vision.camera.evidence import encode_jpeg
from vision.camera.files import encode_png
from vision.camera.port import Frame
from vision.camera.stillness import StillnessLimits
from vision.camera.stills import Stills
from vision.ground.knock import shrink_to_know
from vision.lesson import draw_frame, find_shown_thing

LEAST_TRAY = 0.04
"""Side of a tray in parts of the picture, below which a tap was a slip."""


class KitTeacher:
    """Implements `companion.teaching.page.Teacher`.

    Args:
        kits: Folder of the owner's kits.
        knows: Called with a kit that is new or has changed, for the lobby.
        rules: When the table lies still.
        beside: Other kits by name, as one that the command line was given.
        looked: Called with each kit that was looked at, or why it cannot be read.
        picture_of: Gives the picture of a reading by when it was taken, as long as
            the watcher keeps it.
        stills: Gives pictures in full resolution, where the camera takes some.
    """

    def __init__(
        self,
        kits: Path,
        knows: Callable[[str, Kit], object],
        rules: StillnessLimits | None = None,
        beside: Mapping[str, Path] | None = None,
        looked: Callable[[str, Kit | BadKit], object] = lambda _, __: None,
        picture_of: Callable[[float], Picture | None] = lambda _: None,
        stills: Stills | None = None,
    ) -> None:
        self._book = Book(kits, knows, beside or {}, looked)
        rules, stills = rules or StillnessLimits(), stills or Stills()
        self._camera = LessonCamera(self._book, rules, stills)
        self._picture_of = picture_of

    def see(self, frame: Frame) -> None:
        """Take one frame of the camera into account."""
        self._camera.see(frame)

    @property
    def lesson(self) -> Lesson | None:
        """Return the lesson that is open."""
        return self._book.lesson

    @property
    def sees(self) -> bool:
        """Tell whether the camera has given a picture."""
        return self._camera.latest is not None

    def kits(self) -> tuple[tuple[str, str], ...]:
        """Return the kits of this table: name and game."""
        return self._book.kits()

    def begin(self, game: str, name: str) -> None:
        """Make a new kit and open its lesson."""
        try:
            found = find(game)
        except UnknownGame as error:
            raise CannotTeach("teach.no.game") from error
        with self._book.lock, refuse_disk_errors():
            made = self._make(stand_in_kit(found), name)
            (self._book.home / made / UNTOLD).touch()
            self._book.open(made)

    def _make(self, kit: Kit, name: str) -> str:
        """Make a new kit; return the name that it got."""
        plain = plain_name(name) or find(kit.game).title
        folder = free_name(self._book.home, plain)
        named = replace(kit, name=folder.name)
        begin_kit(folder, named)
        self._book.knows(folder.name, named)
        return folder.name

    def draft(self, game: str) -> dict[str, str]:
        """Return what was told so far of a box that is not a kit yet, by lines."""
        with self._book.lock:
            return kept_draft(self._book.home, game)

    def keep_draft(self, game: str, form: dict[str, str]) -> None:
        """Keep what was told of a box so far."""
        with self._book.lock, refuse_disk_errors():
            keep_draft(self._book.home, game, form)

    def finish_draft(self, game: str, box: Any) -> str:
        """Let the kit that was begun, or a new one, have this box; return its name."""
        with self._book.lock, refuse_disk_errors():
            begun = self.untold(game)
            if begun:
                name = begun[0]
                self._tell_box(self._book.folder(name), box)
            else:
                name = self._make(replace(stand_in_kit(find(game)), box=box), "")
            keep_draft(self._book.home, game, None)
            return name

    def correct_box(self, name: str, box: Any) -> None:
        """Let a kit have another box; what was shown and tapped of it stays."""
        with self._book.lock, refuse_disk_errors():
            kit = load(self._book.folder(name))
            self._tell_box(self._book.folder(name), box)
            keep_draft(self._book.home, kit.game, None)

    def untold(self, game: str) -> tuple[str, ...]:
        """Return the kits of a game that still have our own board."""
        names = (name for name, its in self.kits() if its == game)
        return tuple(
            name for name in names if (self._book.folder(name) / UNTOLD).exists()
        )

    def _tell_box(self, folder: Path, box: Any) -> None:
        kit = load(folder)
        write_facts(folder, replace(kit, box=box), ordinary_die=bool(kit.meanings))
        (folder / UNTOLD).unlink(missing_ok=True)
        self._book.knows(folder.name, load(folder))

    def open(self, name: str) -> None:
        """Open the lesson of a kit where it was left."""
        with self._book.lock, refuse_disk_errors():
            self._book.open(name)

    def close(self) -> None:
        """Close the lesson; what was shown is kept."""
        with self._book.lock:
            self._book.open_now = None

    def take_bare_table(self) -> None:
        """Take the table as it lies for the bare one."""
        with self._book.lock, refuse_disk_errors():
            now = self._book.now()
            if self._camera.latest is None:
                raise CannotTeach("teach.no.picture")
            bare = self._camera.latest
            high = bare.shape[0] / bare.shape[1]
            write_whole(now.folder / BARE, encode_png(bare))
            self._book.open_now = replace(now, bare=bare, last=None)
            self._book.update(
                Message("teach.told.bare"), bare=True, hint="nothing", high=high
            )

    def tap(self, x: float, y: float) -> None:
        """Take a point of the picture for the next corner that is asked for."""
        with self._book.lock, refuse_disk_errors():
            now = self._book.now()
            at = min(max(x, 0.0), 1.0), min(max(y, 0.0), 1.0)
            if now.corner is None:
                self._book.open_now = replace(now, corner=at)
                self._book.update(None, tapped=1, tray=False)
                return
            tray = _box_of(now.corner, at)
            if min(tray[2] - tray[0], tray[3] - tray[1]) < LEAST_TRAY:
                self._book.open_now = replace(now, corner=None)
                self._book.update(Message("teach.no.tray", bad=True), tapped=0)
                return
            spaces = replace(now.spaces, tray=tray)
            keep(now.folder, SPACES, spaces)
            self._book.open_now = replace(now, corner=None, spaces=spaces)
            self._book.update(None, tapped=0, tray=True)

    def retap(self) -> None:
        """Ask anew where dice fall; until it is tapped, the old place counts."""
        with self._book.lock, refuse_disk_errors():
            self._book.open_now = replace(self._book.now(), corner=None)
            self._book.update(None, tapped=0, tray=False)

    def go(self, where: Literal["back", "next"]) -> None:
        """Go one step back or on."""
        with self._book.lock, refuse_disk_errors():
            now = self._book.now()
            lesson = now.lesson
            if where == "back":
                progress = next_step.one_step_back(lesson.progress)
            else:
                progress = next_step.skip(lesson.course, lesson.progress)
            self._book.keep(progress)
            self._book.update(None, hint="")

    def retake(self, piece: Piece, face: Face) -> None:
        """Forget the shots of a face and ask for it anew."""
        with self._book.lock, refuse_disk_errors():
            now = self._book.now()
            try:
                progress = next_step.start_over(
                    now.lesson.course, now.lesson.progress, piece, face
                )
            except LookupError as error:
                raise CannotTeach("teach.no.face") from error
            self._book.drop(lambda shot: (shot.piece, shot.face) == (piece, face))
            self._book.keep(progress)
            self._book.update(None, hint="")

    def enter_roll(self, face: Face) -> None:
        """Say what a test roll truly shows; people say it before they hear it."""
        with self._book.lock, refuse_disk_errors():
            now = self._book.now()
            step, lesson = now.lesson.step, now.lesson
            if not isinstance(step, RollStep) or not now.rolled:
                raise CannotTeach("teach.no.roll")
            read = now.rolled[0]
            progress, verdict = next_step.judge_roll(
                lesson.course, lesson.progress, step.piece, read, face
            )
            left = step.piece in progress.left
            if verdict is RollVerdict.WRONG and not left:
                # One of the two was shown wrongly; both are shown again.
                gone = {(step.piece, face), (step.piece, read)}
                self._book.drop(lambda shot: (shot.piece, shot.face) in gone)
            self._book.keep(progress)
            self._book.update(message_of_roll(progress, step.piece, verdict), hint="")
            if step.piece in progress.passed:
                self._book.use_own_die()

    def spaces(self) -> Spaces:
        """Return where the places of the open kit's table lie."""
        now = self._book.now()
        return use_picture_corners(now.spaces, now.kit.game, now.kit.box)

    def tap_space(self, x: float, y: float, place: Place | None = None) -> None:
        """Take a point of the picture for the corner or space that is asked next.

        The tap means *place* where somebody has chosen one.
        """
        with self._book.lock, refuse_disk_errors():
            now = self._book.now()
            at = min(max(x, 0.0), 1.0), min(max(y, 0.0), 1.0)
            before, corners = self.spaces(), self.spaces().corners
            if len(corners) == CORNERS:
                at = to_board(corners, at)
            game, box = now.kit.game, now.kit.box
            spaces = after_tap(before, game, box, at, place)
            if next_space(spaces, game, box) is None:
                # Each room was tapped: only their halves are left.
                spaces = fill_spaces(spaces, game, box, self._camera.latest)
            fresh = len(spaces.corners) == CORNERS > len(corners)
            if fresh and not is_convex(spaces.corners):
                self._keep_spaces(replace(now.spaces, corners=()))
                raise CannotTeach("teach.no.corners")
            self._keep_spaces(spaces)
            if self._camera.latest is not None:
                # Whether the camera stands elsewhere one day is told by this picture.
                small = shrink_to_know(self._camera.latest)
                write_whole(now.folder / TAPPED, encode_png(small))

    def change_spaces(self, how: Literal["back", "corners", "fill"]) -> None:
        """Take a tap back, ask for the corners anew, or take what is proposed."""
        with self._book.lock, refuse_disk_errors():
            now = self._book.now()
            before, game, box = self.spaces(), now.kit.game, now.kit.box
            if how == "back":
                self._keep_spaces(without_last_tap(before))
            elif how == "fill":
                self._keep_spaces(fill_spaces(before, game, box, self._camera.latest))
            else:
                self._keep_spaces(replace(before, corners=()))

    def _keep_spaces(self, spaces: Spaces) -> None:
        now = self._book.now()
        keep(now.folder, SPACES, spaces)
        self._book.open_now = replace(now, spaces=spaces)

    def map(self) -> bytes | None:
        """Return what the camera sees, with a dot on each space, as JPEG."""
        picture, spaces = self._camera.latest, self.spaces()
        if picture is None:
            return None
        now = self._book.now()
        game, box = now.kit.game, now.kit.box
        drawn = draw_areas(picture, known_areas(spaces, game, box))
        if len(spaces.corners) < CORNERS:
            return encode_jpeg(draw_dots(drawn, spaces.corners))
        corners = () if spaces.corners == WHOLE_PICTURE else spaces.corners
        dots, rings, halves = seen_spaces(spaces, game, box, picture)
        return encode_jpeg(draw_dots(drawn, (*corners, *dots), rings, halves))

    def box(self) -> Any:
        """Return the facts of the open kit's box."""
        return self._book.now().kit.box

    def enter_box(self, box: Any) -> None:
        """Keep the facts of the open kit's box, which were checked."""
        with self._book.lock, refuse_disk_errors():
            now = self._book.now()
            self._tell_box(now.folder, box)
            # Another fifth dragon is another face of a die.
            self._book.open(now.lesson.kit)
            self._book.update(Message("teach.told.facts"))

    def remember(self, story: Story) -> None:
        """Keep the die of the newest answered question as a shot of its face."""
        with self._book.lock, refuse_disk_errors():
            folder = self._book.folder(story.header.kit)
            answer = reference(story)
            picture = self._picture_of(answer.taken_at) if answer is not None else None
            if answer is None or picture is None:
                raise CannotTeach("teach.no.memory")
            game, box = story.game.id, story.header.box
            shot = shot_of_answer(answer, picture, game, box, kept_shots(folder))
            if shot is None:
                raise CannotTeach("teach.no.face")
            keep_shots(folder, (shot,))

    def picture(self) -> bytes | None:
        """Return what the camera sees, with what was found marked, as JPEG."""
        picture, now = self._camera.latest, self._book.open_now
        if picture is None:
            return None
        if now is None or now.bare is None:
            return encode_jpeg(picture)
        return encode_jpeg(draw_frame(picture, find_shown_thing(now.bare, picture)))

    def pack(self, name: str) -> bytes:
        """Return a kit as the content of one file."""
        with refuse_disk_errors():
            return pack(self._book.folder(name))

    def unpack(self, content: bytes) -> str:
        """Take a kit in from the content of a file; return its name."""
        with refuse_disk_errors():
            folder = unpack(content, self._book.home)
            self._book.knows(folder.name, load(folder))
            return folder.name


def _box_of(
    one: tuple[float, float], other: tuple[float, float]
) -> tuple[float, float, float, float]:
    """Return left, top, right, bottom of two corners that lie across."""
    left, right = sorted((one[0], other[0]))
    top, bottom = sorted((one[1], other[1]))
    return left, top, right, bottom
