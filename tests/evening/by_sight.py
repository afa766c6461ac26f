"""A table without pixels: hands move things, an imperfect eye tells the referee of it.

The players know the rules and the true state; the referee learns of it only through
readings, and through taps where no camera could know. Hands slip, and the eye errs.
"""

import random
from dataclasses import dataclass

from companion.games import find
from companion.games.core import (
    Config,
)
from companion.games.hidden import (
    is_private,
    redact,
)
from companion.referee.changes import (
    apply_changes,
    changes_between,
    plain_changes,
    under_way,
)
from companion.referee.decisions import Thresholds
from companion.running.commands import Adopt, Heard, TakeBack
from companion.running.reducer import carry_out, with_story
from companion.running.snapshot import Done, Snapshot
from companion.story.log import Header, begin
from companion.table import (
    TRAY,
    Claim,
    Glimpse,
    Placed,
    Reading,
    Removed,
    Shown,
    UnsureSight,
)

SURE = Thresholds()

MISREAD = 0.03
"""So many things of a look are read with a false face."""

ILLEGAL = 0.02
"""So many acts are ones that no rule allows."""

TWO_AT_ONCE = 0.2
"""So often hands do two things before the table lies still."""

LATE = 0.2
"""So often what follows from a move is carried out only after a look at it."""

MISREAD_SURE = 0.05
"""So many misreadings are as sure as right ones. Of the dice that the eye reads wrong
in photographs, 2 of 166 were that sure (`python -m vision.measure.accuracy`);
taken higher."""


PILE = "deserters"
"""Nothing is put here by mistake: it would cover what lies there."""


@dataclass
class Told:
    """What one game told about the referee."""

    acts: int = 0
    readings: int = 0
    asked: int = 0
    taps: int = 0
    misread: int = 0
    missed: int = 0
    silently_wrong: int = 0
    illegal: int = 0
    flagged: int = 0
    with_ruling: int = 0
    taken_over: int = 0
    right: bool = False


class Evening:
    """One game: what truly lies on the table, and the referee who has to find out.

    *illegal* is how many acts are slips, *adopts* how often people then say that the
    table is right. Its *way* are the true states so far, each with the move made in it.
    """

    def __init__(
        self, game_id: str, seed: int, illegal: float = ILLEGAL, adopts: float = 0.0
    ) -> None:
        self.game = find(game_id)
        self.illegal, self.adopts = illegal, adopts
        self.dice = random.Random(f"{game_id}/by sight/{seed}")
        seats = self.game.seats[seed % len(self.game.seats)]
        names = tuple(f"Player {n}" for n in range(seats))
        header = Header(game_id, names, self.game.stand_in)
        self.shown = with_story(Snapshot(game_id="g"), begin(self.game, header, 0.0))
        self.truth = self.game.setup(Config(seats, self.game.stand_in))
        self.way = []
        self.lying = self.game.layout(self.truth)
        self.told = Told()
        self.places = {place for _, _, place in self.lying}

    # What the referee knows.

    @property
    def record(self):
        return self.shown.story.state

    def order(self, order):
        result = carry_out(self.shown, order, 0.0, SURE)
        self.shown = result.shown
        return result.answer

    def tap(self, text):
        """Tell a move on its owner's phone; it must lead on, or the table is stuck."""
        seq = self.shown.story.seq
        seat = self.game.actor(self.record, self.game.parse(self.record, text))
        key = f"{seq}/{self.told.taps}"
        self.told.taps += 1
        answer = self.order(Claim(text, seat, seq, key))
        assert isinstance(answer, Done), (text, answer)

    def look(self, thrown=()):
        """Let the eye compare the whole table with the record."""
        record = self.game.layout(self.record)
        sights = [
            sight
            for sight in sorted(changes_between(record, self.lying), key=repr)
            if sight.place != TRAY
        ]
        glimpses, choices = [], []
        for sight in [*sights, *thrown]:
            glimpse = self._glimpse(sight)
            if isinstance(glimpse, UnsureSight):
                choices.append(glimpse)
            else:
                glimpses.append(glimpse)
        self.told.readings += 1
        before = self.shown.story
        reading = Reading(tuple(glimpses), tuple(choices), whole=True)
        self.order(Heard(reading, before.seq))
        asked = self.shown.story.asked is not None and before.asked is None
        self.told.asked += asked
        return asked

    def _glimpse(self, sight):
        faces = [
            face
            for kind in self.game.pieces
            if kind.piece == sight.piece
            for face in kind.faces
            if face != getattr(sight, "face", None)
        ]
        face = getattr(sight, "face", None)
        if face is None or not faces or self.dice.random() >= MISREAD:
            return Glimpse(sight, 0.99)
        self.told.misread += 1
        false = self.dice.choice(faces)
        if self.dice.random() < MISREAD_SURE:
            return Glimpse(type(sight)(sight.piece, false, sight.place), 0.95)
        return UnsureSight(sight.piece, sight.place, ((false, 0.5), (face, 0.4)))

    # What hands do.

    def play(self):
        """Play the game to its end and say how it went."""
        while moves := list(self.game.legal(self.truth)):
            if self.dice.random() < self.illegal:
                self.slip()
                moves = list(self.game.legal(self.truth))
            self.act(self.dice.choice(moves))
        self.told.right = self.game.scores(self.record) == self.game.scores(
            self.truth
        ) and (self.game.outcome(self.record) == self.game.outcome(self.truth))
        return self.told

    def act(self, move):
        """Make a move with one's hands, and see to it that the referee knows it."""
        moves = [move]
        evidence = self.game.evidence(self.truth, move)
        if not evidence or is_private(move):
            self.told.acts += 1
            self.tap(self.game.notate(self.record, move))
            self._carry_out(moves)
            self.look()
            self._settle(moves)
            return
        if self.dice.random() < TWO_AT_ONCE:
            after, _ = self.game.apply(self.truth, move)
            seen = [
                m
                for m in self.game.legal(after)
                if self.game.evidence(after, m)
                and not is_private(m)
                # Nobody throws again before the first throw lay still.
                and not (_in_tray(evidence) and _in_tray(self.game.evidence(after, m)))
            ]
            if seen:
                moves.append(self.dice.choice(seen))
        self._by_sight(moves)

    def _by_sight(self, moves):
        self.told.acts += len(moves)
        thrown, state = {}, self.truth
        for move in moves:
            for sight in self.game.evidence(state, move):
                if isinstance(sight, Shown) and sight.place == TRAY:
                    thrown[sight.piece] = sight
            state, _ = self.game.apply(state, move)
        if len(moves) == 1 and self.dice.random() < LATE:
            change = plain_changes(self.game.evidence(self.truth, moves[0]))
            self.lying = apply_changes(self.lying, change)
            self.look(thrown.values())
            thrown = {}
        before = self.truth
        self._carry_out(moves)
        self.look(thrown.values())
        self._settle(moves, before)

    def _carry_out(self, moves):
        for move in moves:
            self.way.append((self.truth, move))
            self.truth, _ = self.game.apply(self.truth, move)
        self.lying = self.game.layout(self.truth)
        self.places |= {place for _, _, place in self.lying}

    def _settle(self, moves, before=None):
        """Answer what was asked, and mend what the page shows wrong."""
        if self.record == self.truth:
            return
        silent = self.shown.story.asked is None
        if before is not None:
            missed = self.record in self._truly(before, moves)
            self.told.missed += silent and missed
            self.told.silently_wrong += silent and not missed
            self._mend()
        self.look()
        assert self.record == self.truth, (moves, self.shown.story.asked)

    def _mend(self):
        """Undo until the record is a state that truly was, and enter what followed.

        One undo may lead back before the moves that were just made: in a game of memory
        a card that was turned back is not shown again.
        """
        true = [state for state, _ in self.way] + [self.truth]
        while self.record not in true:
            seq = self.shown.story.seq
            answer = self.order(TakeBack(None, seq, f"undo/{seq}"))
            assert isinstance(answer, Done), answer
        last = max(n for n, state in enumerate(true) if state == self.record)
        for state, move in self.way[last:]:
            assert self.record == state
            self.tap(self.game.notate(state, move))

    def _truly(self, state, moves):
        """Return every state that truly was while *moves* were made."""
        true = [state]
        for move in moves:
            state, _ = self.game.apply(state, move)
            true.append(state)
        return true

    def slip(self):
        """Do what no rule allows: something goes where it may not, or comes or goes."""
        act = self._false_act()
        if act is None:
            return
        self.told.illegal += 1
        true, record = self.lying, self.record
        self.lying = apply_changes(self.lying, plain_changes(act))
        flagged = self.look()
        self.told.flagged += flagged and self.record == record
        asked = self.shown.story.asked
        self.told.with_ruling += asked is not None and asked.verdict is not None
        if self.adopts and self.dice.random() < self.adopts and self._adopt():
            return
        self.lying = true
        self.look()
        assert self.shown.story.asked is None, "put back, and the question is over"
        assert self.record == record

    def _adopt(self):
        """Say that the table is right; tell whether the record could be set so."""
        seq = self.shown.story.seq
        if not isinstance(self.order(Adopt(None, seq, f"adopt/{seq}")), Done):
            return False
        self.told.taken_over += 1
        self.truth, self.way = self.record, []
        assert self._bare(self.truth) == frozenset(
            thing for thing in self.lying if thing[2] != TRAY
        )
        assert not self.game.check(self.truth)
        assert not self.look(), "nothing is left to ask"
        return True

    def _false_act(self):
        """Return changes that no moves in a row would make, None if none.

        None that all may think legal: nobody is told that a secret hand forbids it.
        """
        known = redact(self.truth, None)
        movable = sorted(
            ((p, f, place) for p, f, place in self.lying if place != TRAY), key=repr
        )
        if not movable:
            return None
        for _ in range(20):
            piece, face, here = self.dice.choice(movable)
            act = (Removed(piece, here),)
            others = sorted(self.places - {TRAY, here, PILE})
            if others and self.dice.random() < 0.7:
                act = (*act, Placed(piece, face, self.dice.choice(others)))
            after = apply_changes(self.lying, frozenset(act))
            if self._is_reached(known, after) or after == self.lying:
                continue
            # Nor may it look like the beginning of a move: that is waited for.
            if not under_way(self.game, known, changes_between(self.lying, after)):
                return act
        return None

    def _is_reached(self, state, layout):
        """Tell whether legal moves, two at most, make the table look like this.

        What a move brings about beside what it is known by may still have to be done:
        whoever takes a card back draws up afterwards.
        """
        wanted = frozenset(thing for thing in layout if thing[2] != TRAY)
        start = self._bare(state)
        for move, once in self._after(state):
            begun = self._with(start, state, move)
            if not (start ^ begun) - (start ^ wanted) and any(
                self._with(begun, once, next_move) == wanted
                for next_move in self.game.legal(once)
            ):
                return True
            bare = self._bare(once)
            if bare == wanted:
                return True
            # What the first of two moves does must still be seen after the second.
            if (start ^ bare) - (start ^ wanted):
                continue
            if any(self._bare(twice) == wanted for _, twice in self._after(once)):
                return True
        return False

    def _with(self, lying, state, move):
        told = plain_changes(self.game.evidence(state, move))
        return frozenset(t for t in apply_changes(lying, told) if t[2] != TRAY)

    def _after(self, state):
        for move in self.game.legal(state):
            yield move, self.game.apply(state, move)[0]

    def _bare(self, state):
        return frozenset(t for t in self.game.layout(state) if t[2] != TRAY)


def _in_tray(evidence):
    return any(isinstance(sight, Shown) and sight.place == TRAY for sight in evidence)
