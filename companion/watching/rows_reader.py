"""Reads cards that lie in rows on a real table, by the four corner cards tapped once.

Cell by cell the rows are held against how they looked when they were last believed;
only what has changed is read. What nobody can tell is a doubt, never left out.
"""

from collections.abc import Callable, Mapping

import numpy as np
from msgspec import Struct

from companion.kits.own_dice import PieceLooks
from companion.kits.spaces import Spaces
from companion.referee.changes import plain_changes
from companion.story.log import Story
from companion.table import (
    BACK,
    Face,
    Layout,
    Piece,
    Place,
    Placed,
    Reading,
    SurePiece,
    UnsurePiece,
)
from companion.watching.known_rows import KnownRows
from companion.watching.layouts import Things, by_place
from vision.arrays import Floats, Mask, Picture
from vision.board.flat import DARK
from vision.board.obstacle import Obstacle
from vision.cards.area_look import points_in_cells
from vision.cards.quads import Quad
from vision.cards.reader import CardQuestion, CardVerdict, SureCard
from vision.cards.zones import Cell, Grid, grid_between
from vision.ground.clear_table import HAND_PART, ClearTable
from vision.tabletop.seen import TableReading

MOST_CHANGED = 6
"""More cells than these change by a hand, a knock or a new set-up, but by no move."""

FAINT = 0.05
"""Chance below which a cell shows no card: the cells under a hand have 0.0
on traced tables."""

MOST_STRANGE = 2
"""Where more cells than these show nothing that is known, a hand lies over them: a move
changes two at most."""

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
        looks: What reads cards and tokens: one deck lies in rows.
        read_dice: Tells whether a picture can be read at all.
        story: Gives the game that runs.
    """

    def __init__(
        self,
        spaces: Spaces,
        rows: tuple[tuple[Place, ...], ...],
        looks: PieceLooks,
        read_dice: Callable[[Picture], Reading],
        story: Callable[[], Story | None],
    ) -> None:
        ((self._piece, self._cards),) = looks.decks.items()
        self._rounds = looks.rounds
        self._corners = spaces.corners
        self._all = rows
        self._read_dice = read_dice
        self._story = story
        self._game: object = None
        self._places: dict[Place, Cell] = {}
        self._known: KnownRows | None = None
        self._clear = ClearTable()
        self._known_moves: _Moves | None = None

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
        record = story.game.layout(story.state)
        known = self._known
        if known is None or self._game != story.header:
            self._game = story.header
            return self._trust(picture, self._lay_out(story, picture), record)
        before = known.grid
        flat, changed = known.compare(picture)
        self._note_tokens(story, flat, changed)
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

    def _note_tokens(self, story: Story, flat: Floats, changed: Mask) -> None:
        """Note cells as changed where a token may lie: beside its card it is little."""
        known, there = self._known, self._moves(story).there
        assert known is not None
        for place, at in self._places.items():
            if changed[at]:
                continue
            is_entered = len(there.get(place, ())) > len(known.lying[at])
            if is_entered or self._tokens(story, place):
                changed[at] = known.has_more(at, flat)

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
        used = {place for _, _, place in story.game.layout(story.start)}
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
        self._known = KnownRows(picture, grid, lying)
        return self._reading(self._known, {})

    def _read_changed(
        self,
        story: Story,
        known: KnownRows,
        flat: Floats,
        changed: Mask,
        picture: Picture,
    ) -> TableReading:
        """Return what lies there, with the cells read that have changed."""
        doubts: dict[Place, _CellReading] = {}
        there = self._moves(story).there
        for place, at in self._places.items():
            if known.is_hidden(at):
                # Of what lies beyond the picture the record alone tells.
                known.lying[at] = there.get(place, ())
                continue
            if not changed[at]:
                continue
            # Where the picture cuts a card its rim is not seen whole.
            is_cut = known.is_cut(at)
            card = None if is_cut else known.find_card(picture, at)
            seen = self._read_cell(story, place, known, flat, picture, card)
            if seen.things is None:
                doubts[place] = seen
            else:
                known.believe(at, seen.things, flat, picture, card)
        strange = sum(
            all(chance < FAINT for _, _, chance in seen.choices)
            for place, seen in doubts.items()
            if not known.is_cut(self._places[place])
        )
        if strange > MOST_STRANGE:
            return self._reading(known, {}, Obstacle.HAND)
        if not doubts:
            self._clear.keep(picture)
            known.keep_light(flat, changed)
        doubts |= dict.fromkeys(self._unseen(story, known, doubts), _UNKNOWN)
        return self._reading(known, doubts)

    def _unseen(
        self, story: Story, known: KnownRows, doubts: Mapping[Place, _CellReading]
    ) -> set[Place]:
        """Return the places beyond the picture that a move seen elsewhere may change.

        A card that is gone was taken, or moved to where nobody sees it.
        """
        hidden = {place for place, at in self._places.items() if known.is_hidden(at)}
        if not hidden:
            return set()
        there = self._moves(story).there
        news = {
            place
            for place, at in self._places.items()
            if place in doubts or known.lying[at] != there.get(place, ())
        }
        moves = (
            {sight.place for sight in changes} for changes in self._moves(story).changes
        )
        return {place for some in moves if some & news for place in some & hidden}

    def _read_cell(
        self,
        story: Story,
        place: Place,
        known: KnownRows,
        flat: Floats,
        picture: Picture,
        card: Quad | None,
    ) -> _CellReading:
        """Return what a changed cell shows."""
        at = self._places[place]
        there = self._moves(story).there.get(place, ())
        token = None
        if known.has_more(at, flat):
            if set(known.lying[at]) < set(there):
                # People have said that it is a token.
                return _CellReading(there)
            token = self._read_token(story, place, known, picture)
        if token is not None and token.things is not None:
            return token
        if card is not None and (things := known.recognise(picture, at, card)):
            # It may lie beside the card that it blocks: all of that is as it was.
            may_be_token = token is not None and things == known.lying[at]
            return token if token and may_be_token else _CellReading(things)
        if known.is_bare(at, picture):
            return _CellReading(())
        seen = self._read_card(story, place, picture, card)
        is_seen = card is not None or known.is_cut(at)
        if is_seen and there != known.lying[at] and _may_be(seen, there):
            # People have said what it is, and nothing speaks against it.
            return _CellReading(there)
        if seen.things is None and token is not None:
            return _CellReading(choices=(*token.choices, *seen.choices))
        return seen

    def _read_card(
        self, story: Story, place: Place, picture: Picture, card: Quad | None
    ) -> _CellReading:
        """Return what the print of a card says, if one was found."""
        if card is None:
            return _UNKNOWN
        may_come = self._moves(story).may_come(place)
        faces = {face for piece, face in may_come if face and piece == self._piece}
        # Where no rule lets a card be laid or turned, it may show anything.
        cards = self._cards.among({*faces, BACK}) if faces else self._cards
        return self._as_reading(cards.read(picture, card.array()))

    def _read_token(
        self, story: Story, place: Place, known: KnownRows, picture: Picture
    ) -> _CellReading | None:
        """Return what lies in a cell if that may be a token, None if it cannot.

        One that was shown is known by its print, which a lamp's glare has not. Else
        fingertips look like one too, and so may a sign of another card.
        """
        tokens = self._tokens(story, place)
        if len(tokens) != 1:
            return None
        at, (piece, _) = self._places[place], tokens[0]
        if piece in self._rounds:
            seen = known.rounds_on(picture, at, self._rounds[piece])
            if any(one.sure for one in seen):
                there = (*known.lying[at], tokens[0])
                return _CellReading(tuple(sorted(there, key=repr)))
            if not seen:
                return None
        return _CellReading(choices=((*tokens[0], LIKELY),))

    def _tokens(self, story: Story, place: Place) -> list[tuple[Piece, Face | None]]:
        """Return what else than cards legal moves lay at a place."""
        comers = self._moves(story).may_come(place)
        return [one for one in comers if one[0] != self._piece]

    def _moves(self, story: Story) -> "_Moves":
        if self._known_moves is None or self._known_moves.story is not story:
            self._known_moves = _Moves(story)
        return self._known_moves

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
        known: KnownRows,
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
        cut = any(things and known.is_cut(at) for at, things in known.lying.items())
        return TableReading(
            tuple(found),
            tuple(unclear),
            obstacle=obstacle,
            warning=Obstacle.CUT if cut else None,
        )


def _may_be(seen: _CellReading, there: Things) -> bool:
    """Tell whether what nobody could read for sure may be what the record has there."""
    faces = [(piece, face) for piece, face, _ in seen.choices]
    unread = seen.things is None
    return unread and bool(there) and (not faces or any(one in faces for one in there))


class _Moves:
    """What the legal moves of a game do to the table: reckoned once, not by cell."""

    def __init__(self, story: Story) -> None:
        game, state = story.game, story.state
        self.story = story
        self.changes = [
            plain_changes(game.evidence(state, move)) for move in game.legal(state)
        ]
        self.there = by_place(game.layout(state))
        self._comes: dict[Place, set[tuple[Piece, Face | None]]] = {}
        for changes in self.changes:
            for sight in changes:
                if isinstance(sight, Placed):
                    came = self._comes.setdefault(sight.place, set())
                    came.add((sight.piece, sight.face))

    def may_come(self, place: Place) -> set[tuple[Piece, Face | None]]:
        """Return what moves lay or turn at a place."""
        return self._comes.get(place, set())
