"""Reads where the pieces of a real board stand, by its tapped spaces and by the rules.

Nobody has to show a figure for that: a space has changed or it has not, and the rules
say which move would change just those. Where two pieces may have come to a space, the
colours in which they were seen before tell them apart, or the table is asked.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from companion.kits.between import Point
from companion.kits.spaces import Spaces, standing_points
from companion.story.log import Story
from companion.table import (
    TRAY,
    BoxPx,
    Face,
    Layout,
    Piece,
    Place,
    Reading,
    SurePiece,
    UnsurePiece,
)
from companion.watching.beside_board import BesideBoard, BesideLayout
from companion.watching.layouts import (
    BoardLook,
    Fit,
    by_place,
    changed_places,
    differing_places,
    fitting_layouts,
    has_all_changed,
    is_being_set_up,
    is_by_people,
    is_like_a_move,
    known_layouts,
    layouts_ahead,
    partly_done,
    rooms,
)
from companion.watching.tray_dice import SeenDice, Tray, in_words
from vision.arrays import Picture
from vision.board.corners import to_board, to_picture
from vision.board.flat import box_about_space, point_below_board
from vision.board.memory import BoardMemory, SeenBoard
from vision.board.obstacle import Obstacle
from vision.ground.clear_table import ClearTable
from vision.ground.upper_side import PointBelow
from vision.tabletop.seen import TableReading
from vision.taught_dice.rounds import TokenModel

CONFIDENCE = 0.95
"""Of a move that alone explains what has changed: its figure was never shown."""

MOST_CHANGED = 6
"""More spaces than this change by a hand, a knock or a new set-up, but by no move."""

NEAR_BOARD = 0.02
"""Part of its sides up to which what lies beside a board is taken to stand on it:
figures lean over its rim. First guess."""

OTHER_LIGHT = (Obstacle.LAMP, Obstacle.COLOURED)
"""In another light it is looked at anew once people have said what lies there."""

NO_HAND = (*OTHER_LIGHT, Obstacle.HAND, Obstacle.THING)
"""What is in the way is light where nobody can have moved anything."""

_CHANGED = (Obstacle.HAND, Obstacle.THING)
"""Obstacles that are seen as large changes: a new set-up is one too."""

BoardComparison: TypeAlias = tuple[SeenBoard, Obstacle | None]
"""A look at a board, and what is in the way."""

Comers: TypeAlias = dict[Place, tuple[tuple[Piece, Face | None, float], ...]]
"""What may have come to which space, each with its chance, if anybody knows."""


class SeenLayout(NamedTuple):
    """What lies on a board, what is unsure there, and why nobody could tell."""

    layout: Layout
    unsure: Comers
    obstacle: Obstacle | None = None


class SpacesReader:
    """The reader of a board whose spaces were tapped.

    It remembers how each space looked when it was last believed. What lies there when
    a game begins is taken to be what the record says.

    Args:
        spaces: Where they are; all four corners of the board.
        read_dice: Reads the dice of a picture, given the point below the camera.
        story: Gives the game that runs.
        rounds: Round pieces that lie beside the board and were shown.
    """

    def __init__(
        self,
        spaces: Spaces,
        read_dice: Callable[[Picture, PointBelow], Reading],
        story: Callable[[], Story | None],
        rounds: Mapping[Piece, TokenModel] | None = None,
    ) -> None:
        self._corners = spaces.corners
        self._points = standing_points(spaces)
        self._whole = rooms(self._points)
        self._on = frozenset((*self._points, *self._whole))
        self._seen_corners = spaces.corners
        self._tray = Tray(spaces.tray)
        self._read_dice = read_dice
        self._story = story
        self._game: object = None
        self._last_layout: Layout = frozenset()
        self._since = 0
        self._known: BoardMemory | None = None
        self._lost_at: int | None = None
        self._seen_clear: Layout | None = None
        self._clear = ClearTable()
        # Where nobody said where dice fall, they may fall anywhere beside the board.
        self._beside_at: object = None
        self._beside = BesideBoard((rounds or {}) if spaces.tray else {}, self._on)

    def read(self, picture: Picture, *, untouched: bool = False) -> TableReading:
        """Return what lies on the board, and in the tray of a picture.

        Dice are read whatever stands in the way of reading the board: then it is said
        to lie as it was last believed to.
        """
        below = point_below_board(self._seen_corners, picture.shape)
        reading = self._read_dice(picture, below)
        if reading.trouble is not None:
            return TableReading(trouble=reading.trouble)
        story = self._story()
        if story is None:
            return TableReading(*self._dice(reading, picture.shape))
        look = self._look(story, picture)
        # Only now is it known where a knock has put the tray.
        dice, doubts = self._dice(reading, picture.shape)
        shown = {die.piece: die.face for die in dice if die.face is not None}
        lies = self._lying(story, picture, look, in_words(story, shown), untouched)
        self._seen_clear = None
        if lies.obstacle is None and not lies.unsure:
            # Where something is strange it may be a hand that does not look like one.
            self._clear.keep(picture)
            self._seen_clear = lies.layout
        box = self._boxes(picture.shape)
        beside = self._look_beside(story, picture, lies.obstacle, untouched)
        layout = lies.layout
        if beside is not None:
            layout = frozenset([t for t in layout if t[2] in self._on])
            layout |= beside.layout
            doubts += beside.unsure
        found = [
            SurePiece(piece, face, place, CONFIDENCE, box.get(place, (0, 0, 1, 1)))
            for piece, face, place in sorted(layout, key=repr)
            if place != TRAY
        ]
        doubts += tuple(
            UnsurePiece(place, some, box[place]) for place, some in lies.unsure.items()
        )
        return TableReading((*found, *dice), doubts, obstacle=lies.obstacle)

    def _look_beside(
        self, story: Story, picture: Picture, obstacle: Obstacle | None, untouched: bool
    ) -> BesideLayout | None:
        """Return what lies beside the board, None where nobody can tell now."""
        at = self._game, self._known and self._known.corners
        if at != self._beside_at:
            self._beside_at = at
            self._beside.forget()
        if obstacle is not None:
            self._beside.lose_sight()
            return None
        shape = picture.shape
        return self._beside.look(
            picture, story, lambda box: self._is_beside(box, shape), untouched=untouched
        )

    def _is_beside(self, box: BoxPx, shape: tuple[int, ...]) -> bool:
        """Tell whether a box lies neither on the board nor where dice fall."""
        high, wide = shape[:2]
        at = (box[0] + box[2]) / 2 / wide, (box[1] + box[3]) / 2 / high
        on_board = to_board(self._seen_corners, at)
        is_on = all(-NEAR_BOARD < part < 1 + NEAR_BOARD for part in on_board)
        return not is_on and not self._tray.holds(box, shape, self._as_tapped)

    def _lying(
        self,
        story: Story,
        picture: Picture,
        look: BoardComparison | None,
        dice: Mapping[Piece, Face],
        untouched: bool,
    ) -> SeenLayout:
        """Return what lies on the board as far as anybody can tell."""
        record = story.game.layout(story.state)
        if self._known is None or look is None:
            self._game, self._since = story.header, len(story.steps)
            return self._trust(picture, self._seen_corners, record)
        seen, obstacle = look
        if obstacle in NO_HAND and untouched and self._lay_in_order(record):
            # A lamp was lit, and all lies as it lay: its glare may look like a hand.
            return self._trust(picture, seen.corners, record, obstacle)
        board = BoardLook(
            self._known.layout.places,
            self._last_layout,
            seen.changes.changes,
            self._whole,
            self._known.layout.neighbours(),
        )
        known = [*known_layouts(story, self._since), self._last_layout]
        if obstacle is None and (fits := fitting_layouts(board, known, ahead=False)):
            if fits[0].layout == record:
                self._since = len(story.steps)
                self._remember(seen, self._known, board, fits[0])
            self._lost_at = None
            return SeenLayout(self._on_board(fits[0].layout, record), {})
        many = obstacle in _CHANGED or len(changed_places(board)) > MOST_CHANGED
        if many and len(differing_places(board, record)) > MOST_CHANGED:
            # A new round was set up, the board turned over perhaps.
            return self._trust(picture, seen.corners, record)
        lies = SeenLayout(self._on_board(self._last_layout, record), {}, obstacle)
        if obstacle is None:
            lies = self._moved(story, seen, board, known, dice)
        if lies.obstacle and self._was_entered_since(story, lies.obstacle, board):
            return self._trust(picture, seen.corners, record, lies.obstacle)
        return lies

    def _was_entered_since(
        self, story: Story, obstacle: Obstacle, board: BoardLook
    ) -> bool:
        """Tell whether people have said what lies there since nobody could tell.

        What they said must have been done: it is seen among all that has changed.
        """
        if obstacle is Obstacle.THING:
            record = story.game.layout(story.state)
            if not has_all_changed(board, differing_places(board, record)):
                return False
        elif obstacle not in OTHER_LIGHT:
            return False
        if self._lost_at is None:
            self._lost_at = story.seq
        since = self._lost_at
        return any(
            entry.seq > since and is_by_people(entry.body) for entry in story.entries
        )

    def _look(self, story: Story, picture: Picture) -> BoardComparison | None:
        """Return what has changed on the board, and what is in the way.

        None where what lies there is to be taken as the record says. Of a hand that
        rests at the rim of the board little more than of a figure lies on it: beside
        the board it is seen to reach in.
        """
        known = self._known
        if known is None or not known.is_of(picture):
            self._seen_corners = self._corners
            return None
        if self._game != story.header or is_being_set_up(story):
            self._seen_corners = known.follow(picture)
            return None
        seen = known.look(picture)
        self._seen_corners = seen.corners
        obstacle, tips = seen.changes.obstacle, seen.may_be_hands()
        # Once the camera was knocked all edges differ.
        is_as_before = seen.corners == known.corners
        if obstacle is None and is_as_before and tips:
            has_hand = self._clear.has_hand(picture, tips)
            obstacle = Obstacle.HAND if has_hand else None
        return seen, obstacle

    def _moved(
        self,
        story: Story,
        seen: SeenBoard,
        board: BoardLook,
        known: list[Layout],
        dice: Mapping[Piece, Face],
    ) -> SeenLayout:
        """Return what lies there by a move that nobody has entered yet."""
        record = known[0]
        ahead = list(layouts_ahead(story, dice, self._on))
        fits = fitting_layouts(board, ahead, ahead=True)
        fits = self._by_colour(seen, record, fits)
        if len(fits) == 1:
            return SeenLayout(fits[0].layout, {})
        last = self._on_board(self._last_layout, record)
        if fits:
            return SeenLayout(last, self._comers(record, fits))
        if parts := partly_done(board, known):
            return SeenLayout(self._on_board(parts[0], record), {})
        parts = partly_done(board, ahead)
        fits = [Fit(part, frozenset()) for part in parts]
        fits = self._by_colour(seen, record, fits)
        came = self._comers(record, fits)
        if len(fits) == 1 and has_all_changed(board, came):
            return SeenLayout(self._on_board(fits[0].layout, record), {})
        if came:
            # Hardly anything is seen of it, or nobody knows which piece it is.
            return SeenLayout(last, came)
        places = changed_places(board)
        if not parts and not is_like_a_move(board):
            # A finger, a glass: people are warned once it has rested a while.
            return SeenLayout(last, {}, Obstacle.THING)
        left = frozenset(thing for thing in self._last_layout if thing[2] not in places)
        return SeenLayout(self._on_board(left, record), dict.fromkeys(places, ()))

    def _lay_in_order(self, record: Layout) -> bool:
        """Tell whether the board was last seen to lie as the record says."""
        seen = self._seen_clear
        return seen is not None and not any(
            place in self._on for _, _, place in seen ^ record
        )

    def _on_board(self, layout: Layout, record: Layout) -> Layout:
        """Return a layout with what lies beside the board as the record says."""
        here = [thing for thing in layout if thing[2] in self._on]
        beside = [thing for thing in record if thing[2] not in self._on]
        return frozenset([*here, *beside])

    def _trust(
        self,
        picture: Picture,
        corners: Sequence[Point],
        record: Layout,
        obstacle: Obstacle | None = None,
    ) -> SeenLayout:
        """Take the board to lie as the record says, whatever was in the way.

        In a coloured lamp figures have other colours than before.
        """
        known, is_same = self._known, obstacle is not Obstacle.COLOURED
        colours = known.colours if known and is_same else {}
        self._known = BoardMemory(picture, corners, self._points, colours)
        self._last_layout, self._lost_at = record, None
        there = by_place(record)
        bare = (place for place in self._known.layout.places if place not in there)
        self._known.keep_bare(bare)
        return SeenLayout(record, {})

    def _remember(
        self, seen: SeenBoard, known: BoardMemory, board: BoardLook, fit: Fit
    ) -> None:
        """Keep how the board looks now that it lies as the record says."""
        there = by_place(fit.layout)
        for place in fit.touched:
            things = there.get(place, ())
            if len(things) == 1 and things[0][1] is None:
                known.learn_colour(seen.flat, place, things[0][0])
        known.keep(seen)
        known.keep_bare(place for place in board.spaces if place not in there)
        self._last_layout = fit.layout

    def _by_colour(self, seen: SeenBoard, record: Layout, fits: list[Fit]) -> list[Fit]:
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
        piece = self._known.recognise_by_colour(seen.flat, places.pop(), pieces)
        return fits if piece is None else [fits[pieces.index(piece)]]

    def _comers(self, record: Layout, fits: list[Fit]) -> Comers:
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
            p: box_about_space(self._seen_corners, at, shape)
            for p, at in self._points.items()
        }
        for room, halves in self._whole.items():
            boxes.setdefault(room, boxes[halves[0]])
        return boxes

    def _dice(self, reading: Reading, shape: tuple[int, ...]) -> SeenDice:
        return self._tray.dice(reading, shape, self._as_tapped)

    def _as_tapped(self, at: Point) -> Point:
        """Return where a point lay in the picture in which tray and board were tapped.

        As far as the last look at the board tells.
        """
        return to_picture(self._corners, [to_board(self._seen_corners, at)])[0]
