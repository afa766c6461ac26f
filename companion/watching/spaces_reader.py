"""Reads where the pieces of a real board stand, by its tapped spaces and by the rules.

Nobody has to show a figure for that: a space has changed or it has not, and the rules
say which move would change just those. Where two pieces may have come to a space, the
colours in which they were seen before tell them apart, or the table is asked.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from companion.kits.spaces import Spaces, tapped_points
from companion.story.log import Story
from companion.table import (
    TRAY,
    BoxPx,
    Face,
    Layout,
    Piece,
    Place,
    Reading,
    Shown,
    SurePiece,
    UnsurePiece,
)
from companion.watching.layouts import (
    BoardLook,
    Fit,
    by_place,
    changed_places,
    differing_places,
    fitting_layouts,
    is_being_set_up,
    is_like_a_move,
    known_layouts,
    layouts_ahead,
    partly_done,
)
from vision.arrays import Floats, Picture
from vision.board.changes import BoardChanges
from vision.board.flat import (
    BoardLayout,
    box_about_space,
    estimate_knock,
    is_dark,
    lay_out_spaces,
    rectify_board,
    undo_knock,
)
from vision.board.memory import BoardMemory
from vision.tabletop.seen import TableReading

CONFIDENCE = 0.95
"""Of a move that alone explains what has changed: its figure was never shown."""

MOST_CHANGED = 6
"""More spaces than this change by a hand, a knock or a new set-up, but by no move."""

MOST_MOVED = 3
"""Where more spaces than this change, it may be the camera that has moved."""

KNOCKED = 0.5
"""Share of what has changed that is left where it was the camera that had moved."""

Unsure: TypeAlias = dict[Place, tuple[tuple[Piece, Face | None, float], ...]]
"""What may have come to which space, each with its chance, if anybody knows."""


class SpacesReader:
    """The reader of a board whose spaces were tapped.

    It remembers how each space looked when it was last believed. What lies there when
    a game begins is taken to be what the record says.

    Args:
        spaces: Where they are; all four corners of the board.
        read_dice: Reads the dice of a picture.
        story: Gives the game that runs.
    """

    def __init__(
        self,
        spaces: Spaces,
        read_dice: Callable[[Picture], Reading],
        story: Callable[[], Story | None],
    ) -> None:
        self._corners = spaces.corners
        self._points = tapped_points(spaces)
        self._whole = rooms(self._points)
        self._on = frozenset((*self._points, *self._whole))
        self._tray = spaces.tray
        self._read_dice = read_dice
        self._story = story
        self._game: object = None
        self._last_layout: Layout = frozenset()
        self._since = 0
        self._knock: Floats | None = None
        self._lay: BoardLayout | None = None
        self._known: BoardMemory | None = None

    def read(self, picture: Picture) -> TableReading:
        """Return what lies on the board, and in the tray of a picture."""
        reading = self._read_dice(picture)
        if reading.trouble is not None:
            return TableReading(trouble=reading.trouble)
        dice, doubts = self._dice(reading, picture.shape)
        flat = rectify_board(picture, self._corners)
        if is_dark(flat):
            return TableReading(trouble="core.ask.dark")
        story = self._story()
        if story is None:
            return TableReading(dice, doubts)
        shown = {die.piece: die.face for die in dice if die.face is not None}
        lies = self._lying(story, flat, picture.shape, _in_words(story, shown))
        if lies is None:
            return TableReading(hand=True)
        layout, unsure = lies
        box = self._boxes(picture.shape)
        found = [
            SurePiece(piece, face, place, CONFIDENCE, box.get(place, (0, 0, 1, 1)))
            for piece, face, place in sorted(layout, key=repr)
            if place != TRAY
        ]
        doubts += tuple(
            UnsurePiece(place, some, box[place]) for place, some in unsure.items()
        )
        return TableReading((*found, *dice), doubts)

    def _lying(
        self,
        story: Story,
        flat: Floats,
        picture: tuple[int, ...],
        dice: Mapping[Piece, Face],
    ) -> tuple[Layout, Unsure] | None:
        """Return what lies on the board and what is unsure there; None under a hand."""
        record = story.game.table(story.state)
        if self._known is None or self._lay is None or self._is_new(story, flat):
            self._game, self._since = story.header, len(story.steps)
            self._knock = None
            self._lay = lay_out_spaces(self._points, self._corners, picture, flat.shape)
            return self._trust(flat, self._lay, record)
        flat, looked = self._look(flat, self._known)
        board = BoardLook(
            self._lay.places,
            self._last_layout,
            looked.changes,
            self._whole,
            self._lay.neighbours(),
        )
        known = [*known_layouts(story, self._since), self._last_layout]
        fits = [] if looked.hand else fitting_layouts(board, known, ahead=False)
        if not fits:
            many = looked.hand or len(changed_places(board)) > MOST_CHANGED
            if many and len(differing_places(board, record)) > MOST_CHANGED:
                # A new round was set up, the board turned over perhaps.
                return self._trust(flat, self._lay, record)
            return None if looked.hand else self._moved(story, flat, board, known, dice)
        if fits[0].layout == record:
            self._since = len(story.steps)
            self._remember(flat, self._known, board, fits[0])
        return self._on_board(fits[0].layout, record), {}

    def _look(self, flat: Floats, known: BoardMemory) -> tuple[Floats, BoardChanges]:
        """Return the board, put back where the camera was knocked, and its changes."""
        straight = flat if self._knock is None else undo_knock(flat, self._knock)
        looked = known.find_changes(straight)
        if sum(change.feet > 0 for change in looked.changes.values()) > MOST_MOVED:
            moved = estimate_knock(flat, known.board)
            other = straight if moved is None else undo_knock(flat, moved)
            again = known.find_changes(other)
            if again.area < KNOCKED * looked.area:
                self._knock = moved
                return other, again
        return straight, looked

    def _is_new(self, story: Story, flat: Floats) -> bool:
        """Tell whether what lies there is to be taken as the record says."""
        assert self._known is not None
        other = self._game != story.header or self._known.board.shape != flat.shape
        return other or is_being_set_up(story)

    def _moved(
        self,
        story: Story,
        flat: Floats,
        board: BoardLook,
        known: list[Layout],
        dice: Mapping[Piece, Face],
    ) -> tuple[Layout, Unsure] | None:
        """Return what lies there by a move that nobody has entered yet."""
        record = known[0]
        ahead = list(layouts_ahead(story, dice, self._on))
        fits = fitting_layouts(board, ahead, ahead=True)
        fits = self._by_colour(flat, record, fits)
        if len(fits) == 1:
            return fits[0].layout, {}
        if fits:
            return self._on_board(self._last_layout, record), self._comers(record, fits)
        partly = partly_done(board, [*known, *ahead])
        if partly is not None:
            return self._on_board(partly, record), {}
        places = changed_places(board)
        if not is_like_a_move(board):
            # A finger, a sleeve, a glass: people are warned once it has rested a while.
            return None
        left = frozenset(thing for thing in self._last_layout if thing[2] not in places)
        return self._on_board(left, record), dict.fromkeys(places, ())

    def _on_board(self, layout: Layout, record: Layout) -> Layout:
        """Return a layout with what lies beside the board as the record says."""
        here = [thing for thing in layout if thing[2] in self._on]
        beside = [thing for thing in record if thing[2] not in self._on]
        return frozenset([*here, *beside])

    def _trust(
        self, flat: Floats, lay: BoardLayout, record: Layout
    ) -> tuple[Layout, Unsure]:
        """Take the board to lie as the record says."""
        colours = {} if self._known is None else self._known.colours
        self._known = BoardMemory(flat, lay, colours)
        self._last_layout = record
        there = by_place(record)
        self._known.keep_bare(place for place in lay.places if place not in there)
        return record, {}

    def _remember(
        self, flat: Floats, known: BoardMemory, board: BoardLook, fit: Fit
    ) -> None:
        """Keep how the board looks now that it lies as the record says."""
        there = by_place(fit.layout)
        for place in fit.touched:
            things = there.get(place, ())
            if len(things) == 1 and things[0][1] is None:
                known.learn_colour(flat, place, things[0][0])
        known.keep(flat)
        known.keep_bare(place for place in board.spaces if place not in there)
        self._last_layout = fit.layout

    def _by_colour(self, flat: Floats, record: Layout, fits: list[Fit]) -> list[Fit]:
        """Return the fit whose piece has the colour that is seen, else all of them."""
        came = [
            [(piece, place) for piece, _, place in fit.layout - record
             if place in self._points]
            for fit in fits
        ]  # fmt: skip
        places = {place for some in came for _, place in some}
        if len(fits) < 2 or len(places) != 1 or any(len(some) != 1 for some in came):
            return fits
        assert self._known is not None
        pieces = [some[0][0] for some in came]
        piece = self._known.recognise_by_colour(flat, places.pop(), pieces)
        return fits if piece is None else [fits[pieces.index(piece)]]

    def _comers(self, record: Layout, fits: list[Fit]) -> Unsure:
        """Return which pieces may have come to which space."""
        unsure: dict[Place, list[tuple[Piece, Face | None, float]]] = {}
        for fit in fits:
            for piece, face, place in sorted(fit.layout - record, key=repr):
                if place in self._points:
                    unsure.setdefault(place, []).append((piece, face, 1 / len(fits)))
        return {place: tuple(some) for place, some in unsure.items()}

    def _boxes(self, shape: tuple[int, ...]) -> dict[Place, BoxPx]:
        """Return where each space is in the picture."""
        boxes = {
            p: box_about_space(self._corners, at, shape)
            for p, at in self._points.items()
        }
        for room, halves in self._whole.items():
            boxes.setdefault(room, boxes[halves[0]])
        return boxes

    def _dice(
        self, reading: Reading, shape: tuple[int, ...]
    ) -> tuple[tuple[SurePiece, ...], tuple[UnsurePiece, ...]]:
        """Return the dice that lie in the tray."""
        found = tuple(
            SurePiece(sight.piece, sight.face, TRAY, glimpse.confidence, glimpse.box_px)
            for glimpse in reading.glimpses
            if isinstance(sight := glimpse.sight, Shown)
            and glimpse.box_px is not None
            and self._is_in_tray(glimpse.box_px, shape)
        )
        doubts = tuple(
            UnsurePiece(
                TRAY,
                tuple((choice.piece or "", face, odds) for face, odds in choice.faces),
                choice.box_px,
            )
            for choice in reading.choices
            if choice.box_px is not None and self._is_in_tray(choice.box_px, shape)
        )
        return found, doubts

    def _is_in_tray(self, box: BoxPx, shape: tuple[int, ...]) -> bool:
        if self._tray is None:
            return True
        high, wide = shape[:2]
        x, y = (box[0] + box[2]) / 2 / wide, (box[1] + box[3]) / 2 / high
        left, top, right, bottom = self._tray
        return left <= x <= right and top <= y <= bottom


def rooms(spaces: Iterable[Place]) -> dict[Place, tuple[Place, ...]]:
    """Return the spaces that are parts of one room: ``cell/3`` of its two halves."""
    parts: dict[Place, tuple[Place, ...]] = {}
    for place in spaces:
        room, _, part = place.rpartition("/")
        if "/" in room and part:
            parts[room] = (*parts.get(room, ()), place)
    return parts


def _in_words(story: Story, dice: Mapping[Piece, Face]) -> dict[Piece, Face]:
    """Return faces of dice in the game's words: a five may be the second two."""
    words = {meaning.seen: meaning.means for meaning in story.header.meanings}
    return dict(words.get(die, die) for die in dice.items())
