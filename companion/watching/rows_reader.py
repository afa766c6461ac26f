"""Reads cards that lie in rows on a real table, by the four corner cards tapped once.

Cell by cell the rows are held against how they looked when they were last believed;
only what has changed is read. What nobody can tell is a doubt, never left out.
"""

from collections.abc import Callable, Mapping

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from companion.kits.spaces import Spaces
from companion.referee.changes import plain_changes
from companion.story.log import Story
from companion.table import (
    BACK,
    BoxPx,
    Face,
    Layout,
    Piece,
    Place,
    Placed,
    Reading,
    SurePiece,
    UnsurePiece,
)
from companion.watching.layouts import Things, by_place
from vision.arrays import Floats, Mask, Picture
from vision.board.flat import DARK
from vision.board.obstacle import Obstacle
from vision.cards.laid import OTHER_GROUND, points_in_cells
from vision.cards.looks import SAME, look_at, look_difference
from vision.cards.outlines import CardSize
from vision.cards.quads import Quad, find_cards, usual_size
from vision.cards.reader import CardQuestion, CardReader, CardVerdict, SureCard
from vision.cards.rows import (
    card_in_cell,
    cell_of,
    changed_cells,
    flatten_rows,
    ground_tone,
    is_bare,
    lies_on,
    middle_tone,
)
from vision.cards.zones import Cell, Grid, cards_in_cells, cells, grid_between
from vision.ground.clear_table import HAND_PART, ClearTable
from vision.ground.knock import find_knock, find_landmarks, move_points
from vision.tabletop.seen import TableReading

MOST_MOVED = 3
"""Where more cells than these change, it may be the camera that has moved."""

MOST_CHANGED = 6
"""More cells than these change by a hand, a knock or a new set-up, but by no move."""

FAINT = 0.05
"""Chance below which a cell shows no card: the cells under a hand have 0.0
on traced tables."""

MOST_STRANGE = 2
"""Where more cells than these show nothing that is known, a hand lies over them: a move
changes two at most."""

CUT = 0.1
"""Part of a cell's side that may lie beyond the picture: cards fill less of it."""

LIKELY = 0.7
"""Chance that something small and round on a card is a token, where one may be laid."""

CONFIDENCE = 0.95
"""Of what a cell is known to hold without being read: it looks as when it was."""


class _CellReading(Struct, frozen=True):
    """What a changed cell shows for sure, or else what it may be."""

    things: Things | None = None
    choices: tuple[tuple[Piece, Face | None, float], ...] = ()


_UNKNOWN = _CellReading()


class RowsReader:
    """The reader of cards that lie in rows.

    What lies there when a game begins is taken to be what the record says.

    Args:
        spaces: Where the four cards at the corners lie.
        rows: The places, row by row; a game may use fewer.
        decks: What reads the cards, by their pieces: one deck lies in rows.
        read_dice: Tells whether a picture can be read at all.
        story: Gives the game that runs.
    """

    def __init__(
        self,
        spaces: Spaces,
        rows: tuple[tuple[Place, ...], ...],
        decks: Mapping[Piece, CardReader],
        read_dice: Callable[[Picture], Reading],
        story: Callable[[], Story | None],
    ) -> None:
        ((self._piece, self._cards),) = decks.items()
        self._corners = spaces.corners
        self._all = rows
        self._read_dice = read_dice
        self._story = story
        self._game: object = None
        self._places: dict[Place, Cell] = {}
        self._known: _KnownRows | None = None
        self._clear = ClearTable()

    def read(self, picture: Picture, **_: bool) -> TableReading:
        """Return what lies in the rows; cards are known again in any light."""
        reading = self._read_dice(picture)
        if reading.trouble is not None:
            return TableReading(trouble=reading.trouble)
        story = self._story()
        if story is None:
            return TableReading()
        if np.percentile(picture[::8, ::8].max(-1), 99) < DARK:
            return TableReading(trouble=Obstacle.DARK)
        record = story.game.table(story.state)
        known = self._known
        if known is None or self._game != story.header:
            self._game = story.header
            return self._trust(picture, self._lay_out(story, picture), record)
        before = known.grid
        flat, changed = known.compare(picture)
        # The clear table was not seen from where a knock has put the camera.
        if (
            story.steps
            and known.grid == before
            and self._is_hand(picture, flat, changed)
        ):
            return self._reading(known, {}, Obstacle.HAND)
        seen = sum(not known.is_cut((int(r), int(c))) for r, c in np.argwhere(changed))
        if seen <= MOST_CHANGED:
            return self._read_changed(story, known, flat, changed, picture)
        if not story.steps:
            # Nothing was done yet: hands are still laying the cards.
            return self._trust(picture, known.grid, record)
        return self._reading(known, {}, Obstacle.HAND)

    def _is_hand(self, picture: Picture, flat: Floats, changed: Mask) -> bool:
        """Tell whether a hand reaches in over cells that have changed.

        A card at the rim of the picture does too: but it is seen whole, or the ground
        where it lay, or it is never read.
        """
        known, under = self._known, changed.copy()
        assert known is not None
        for at in self._places.values():
            under[at] &= not known.is_cut(at)
        if not self._has_hand(picture, under):
            return False
        for at in self._places.values():
            clear = under[at] and (
                known.find_card(picture, at) is not None or known.is_ground(at, flat)
            )
            under[at] = under[at] and not clear
        return self._has_hand(picture, under)

    def _has_hand(self, picture: Picture, cells: Mask) -> bool:
        assert self._known is not None
        at = points_in_cells(cells, self._known.grid, picture.shape)
        return self._clear.has_hand(picture, at, HAND_PART)

    def _lay_out(self, story: Story, picture: Picture) -> Grid:
        """Return where cards lie in the rows that a game begins with."""
        used = {place for _, _, place in story.game.table(story.start)}
        rows = [[place for place in row if place in used] for row in self._all]
        rows = [row for row in rows if row]
        self._places = {
            place: (r, c) for r, row in enumerate(rows) for c, place in enumerate(row)
        }
        high, wide = picture.shape[:2]
        middles = [(x * wide, y * high) for x, y in self._corners]
        return grid_between(middles, len(rows), max(map(len, rows)))

    def _trust(self, picture: Picture, grid: Grid, record: Layout) -> TableReading:
        """Take the rows to lie as the record says."""
        there = by_place(record)
        self._clear.keep(picture)
        lying = {at: there.get(place, ()) for place, at in self._places.items()}
        self._known = _KnownRows(picture, grid, lying)
        return self._reading(self._known, {})

    def _read_changed(
        self,
        story: Story,
        known: "_KnownRows",
        flat: Floats,
        changed: Mask,
        picture: Picture,
    ) -> TableReading:
        """Return what lies there, with the cells read that have changed."""
        doubts: dict[Place, _CellReading] = {}
        for place, at in self._places.items():
            if not changed[at] or known.is_cut(at):
                # What the rim of the picture cuts is taken to lie as it did.
                continue
            card = known.find_card(picture, at)
            seen = self._read_cell(story, place, known, flat, picture, card)
            if seen.things is None:
                doubts[place] = seen
            else:
                known.believe(at, seen.things, flat, picture, card)
        strange = sum(
            all(chance < FAINT for _, _, chance in seen.choices)
            for seen in doubts.values()
        )
        if strange > MOST_STRANGE:
            return self._reading(known, {}, Obstacle.HAND)
        if not doubts:
            self._clear.keep(picture)
        return self._reading(known, doubts)

    def _read_cell(
        self,
        story: Story,
        place: Place,
        known: "_KnownRows",
        flat: Floats,
        picture: Picture,
        card: Quad | None,
    ) -> _CellReading:
        """Return what a changed cell shows."""
        at = self._places[place]
        now = flat[cell_of(*at)]
        if card is not None and (things := known.recognise(picture, at, card)):
            return _CellReading(things)
        if is_bare(now):
            return _CellReading(())
        may_come = _may_come(story, place)
        seen = _UNKNOWN
        if card is not None:
            faces = {face for piece, face in may_come if face and piece == self._piece}
            # Where no rule lets a card be laid or turned, it may show anything.
            cards = self._cards.among({*faces, BACK}) if faces else self._cards
            seen = self._as_reading(cards.read(picture, card.array()))
        if seen.things is not None or not lies_on(now, known.flat[cell_of(*at)]):
            return seen
        # A token hides a part of the card, which nobody reads for sure then.
        on_it = tuple(sorted(thing for thing in may_come if thing[1] is None))
        if len(on_it) != 1:
            return seen
        # A fingertip looks like a token too, and so may a sign of another card.
        return _CellReading(choices=((*on_it[0], LIKELY), *seen.choices))

    def _as_reading(self, verdict: CardVerdict) -> _CellReading:
        """Return what a cell shows by what its card was read as."""
        match verdict:
            case SureCard(face):
                return _CellReading(((self._piece, face),))
            case CardQuestion(choices):
                some = tuple((self._piece, face, odds) for face, odds in choices)
                return _CellReading(choices=some)
            case _:
                return _UNKNOWN

    def _reading(
        self,
        known: "_KnownRows",
        doubts: dict[Place, _CellReading],
        obstacle: Obstacle | None = None,
    ) -> TableReading:
        boxes = {place: known.box(at) for place, at in self._places.items()}
        found = [
            SurePiece(piece, face, place, CONFIDENCE, boxes[place])
            for place, at in self._places.items()
            if place not in doubts
            for piece, face in known.lying[at]
        ]
        unclear = [
            UnsurePiece(place, seen.choices, boxes[place])
            for place, seen in doubts.items()
        ]
        return TableReading(tuple(found), tuple(unclear), obstacle=obstacle)


class _KnownRows:
    """How rows looked when they were last believed, and what then lay in each cell."""

    def __init__(
        self, picture: Picture, grid: Grid, lying: Mapping[Cell, Things]
    ) -> None:
        self.grid = grid
        self.lying = dict(lying)
        self.flat = flatten_rows(picture, grid).copy()
        self._first = grid
        self._shape = picture.shape[:2]
        self._landmarks = find_landmarks(picture, fine=True)
        self._looks: dict[Cell, dict[Things, Floats]] = {at: {} for at in lying}
        self._size: CardSize | None = None
        cards = cards_in_cells(grid, find_cards(picture))
        if cards:
            self._size = usual_size(cards.values())
            cards = cards_in_cells(grid, find_cards(picture, self._size))
            for at, look in look_at(picture, cards).items():
                self._looks[at][self.lying[at]] = look

    def box(self, at: Cell) -> BoxPx:
        """Return the box about a cell in the picture, px."""
        outline = cells(self.grid)[at]
        (left, top), (right, bottom) = outline.min(0), outline.max(0)
        high, wide = self._landmarks.shape[:2]
        return (
            max(0, round(float(left))),
            max(0, round(float(top))),
            min(wide, round(float(right))),
            min(high, round(float(bottom))),
        )

    def is_cut(self, at: Cell) -> bool:
        """Tell whether a part of a cell lies beyond the picture, as after a knock."""
        high, wide = self._shape
        outline = cells(self.grid)[at]
        beyond = np.maximum(-outline, outline - (wide, high)).max()
        return bool(beyond > CUT * np.ptp(outline, axis=0).min())

    def compare(self, picture: Picture) -> tuple[Floats, Mask]:
        """Return the cells of a picture and which have changed, after a knock too."""
        flat = flatten_rows(picture, self.grid)
        changed = changed_cells(flat, self.flat)
        if changed.sum() <= MOST_MOVED:
            return flat, changed
        knock = find_knock(self._landmarks, find_landmarks(picture, fine=True))
        if knock is None:
            return flat, changed
        corners = move_points(np.array(self._first.corners, np.float32), knock)
        moved = replace(
            self._first, corners=tuple((float(x), float(y)) for x, y in corners)
        )
        again = flatten_rows(picture, moved)
        differs = changed_cells(again, self.flat)
        if differs.sum() >= changed.sum():
            return flat, changed
        self.grid = moved
        return again, differs

    def find_card(self, picture: Picture, at: Cell) -> Quad | None:
        """Return the card that lies in a cell, None where none is found."""
        if self._size is None:
            return None
        return card_in_cell(picture, self.grid, at, self._size)

    def is_ground(self, at: Cell, flat: Floats) -> bool:
        """Tell whether a cell shows the ground that was seen around its card."""
        now, before = flat[cell_of(*at)], self.flat[cell_of(*at)]
        off = np.abs(middle_tone(now) - ground_tone(before)).max()
        return is_bare(now) and bool(off < OTHER_GROUND)

    def recognise(self, picture: Picture, at: Cell, card: Quad) -> Things | None:
        """Return what lay in a cell when its card looked as it does now."""
        look = look_at(picture, {at: card}).get(at)
        if look is None:
            # A part of it is hidden: nobody knows whether the rest is the same.
            return None
        for things, before in self._looks[at].items():
            if look_difference(before, look) < SAME:
                return things
        return None

    def believe(
        self,
        at: Cell,
        things: Things,
        flat: Floats,
        picture: Picture,
        card: Quad | None,
    ) -> None:
        """Remember what a cell shows, and how it looks so."""
        self.lying[at] = things
        self.flat[cell_of(*at)] = flat[cell_of(*at)]
        if card is not None and len(things) == 1:
            look = look_at(picture, {at: card}).get(at)
            if look is not None:
                self._looks[at][things] = look


def _may_come(story: Story, place: Place) -> frozenset[tuple[Piece, Face | None]]:
    """Return what legal moves lay or turn at a place."""
    game, state = story.game, story.state
    return frozenset(
        (sight.piece, sight.face)
        for move in game.legal(state)
        for sight in plain_changes(game.evidence(state, move))
        if isinstance(sight, Placed) and sight.place == place
    )
