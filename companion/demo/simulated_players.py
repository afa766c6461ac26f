"""People who play on the drawn table: they move its pieces and press its buttons.

The referee learns of it only through vision and firmware. They know what they did, so
that what was believed can be held against it.
"""

import random
import threading
from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from companion.demo.drawn_table import DrawnTable
from companion.demo.hands import layout_after_move, press, slip
from companion.games.hidden import is_private
from companion.running.snapshot import RunningTable
from companion.story.log import Asked, Story
from companion.table import (
    TRAY,
    Claim,
    Face,
    Layout,
    Meaning,
    Piece,
    Shown,
    Sight,
)

SEEN_S = 30.0
"""Longest time that reading an act may take before somebody presses a button."""

MOST_CHANGES = 8
"""One act changes the record a few times: a question, a move, what is put back."""

LOOK_S = 0.5
"""How often players look in a pause whether they should leave."""


class PlayCounts(Struct, frozen=True):
    """What came of a game, as its players can tell.

    Attributes:
        acts: What players did, on the table, by button or phone.
        shown: Acts that a camera could see.
        asked: Of those, the ones that needed a tap.
        wrong_accepted: Moves that were believed and had not been made.
        illegal: Pieces that were put where no rule allows it.
        illegal_flagged: Of those, the ones that were reported at once.
    """

    acts: int = 0
    shown: int = 0
    asked: int = 0
    wrong_accepted: int = 0
    illegal: int = 0
    illegal_flagged: int = 0


class SimulatedPlayers:
    """Play one game on a drawn table.

    Args:
        table: The running table.
        drawn: The pieces.
        ground: Names the ground that lies under a state.
        meanings: What an ordinary die's faces stand for.
        seed: Any whole number; the same one plays the same game.
        most_acts: Stop after so many acts; None plays to the end.
        pause: Called before each act: people think.
        slips: Share of acts, 0 to 1, before which somebody moves a piece wrongly.
    """

    def __init__(
        self,
        table: RunningTable,
        drawn: DrawnTable,
        ground: Callable[[Any], str],
        meanings: tuple[Meaning, ...],
        seed: int,
        most_acts: int | None = None,
        pause: Callable[[], None] = lambda: None,
        slips: float = 0.0,
    ) -> None:
        self._table = table
        self._drawn = drawn
        self._ground = ground
        self._meanings = meanings
        self._seed = seed
        self._most_acts = most_acts
        self._pause = pause
        self._slips = slips
        self._stop = threading.Event()
        self._lies: Layout = frozenset()
        self.counts = PlayCounts()

    def stop(self) -> None:
        """Leave the table at the next chance."""
        self._stop.set()

    def play(self) -> None:
        """Set the table up, then act until the game is over or the acts are used up."""
        story = self._story()
        self._lay(story.game.layout(story.state), self._ground(story.state))
        while not self._stop.is_set() and not self._is_over(story := self._story()):
            shown = self._table.snapshot
            if story.paused:
                # Nobody touches a piece till the host goes on.
                self._table.wait(shown.version, LOOK_S)
                continue
            self._pause()
            if self._random("slip", story).random() < self._slips:
                self._slip(story)
            self._act(self._story())

    def _is_over(self, story: Story) -> bool:
        if self._most_acts is not None and self.counts.acts >= self._most_acts:
            return True
        return story.game.outcome(story.state) is not None

    def _story(self) -> Story:
        story = self._table.sync().story
        assert story is not None
        return story

    def _count(self, **more: int) -> None:
        self.counts = PlayCounts(
            *(
                getattr(self.counts, name) + more.get(name, 0)
                for name in PlayCounts.__struct_fields__
            )
        )

    def _random(self, why: str, story: Story) -> random.Random:
        return _seeded(self._seed, why, story)

    def _slip(self, story: Story) -> None:
        """Put a piece where no rule allows it, see what is said, and put it back."""
        layout = story.game.layout(story.state)
        wrong = slip(story, layout, self._drawn.movable(), self._random("put", story))
        if wrong is None:
            return
        self._lay(wrong, self._ground(story.state))
        now = self._story()
        flagged = isinstance(now.entries[-1].body, Asked) and now.seq > story.seq
        moved = len(now.steps) > len(story.steps)
        self._count(illegal=1, illegal_flagged=flagged, wrong_accepted=moved)
        if moved:
            self._table.undo(None, now.seq, f"undo/{now.seq}")
        self._lay(layout, self._ground(story.state))

    def _act(self, story: Story) -> None:
        """Do the next thing, and see that the referee knows of it."""
        game, state = story.game, story.state
        move = self.chooses(story)
        if is_private(move) or not game.evidence(state, move):
            self._count(acts=1)
            self._say(move)
        else:
            self._count(acts=1, shown=1)
            after, _ = game.apply(state, move)
            layout = layout_after_move(game, state, move)
            there = after if layout == game.layout(after) else state
            self._lay(layout, self._ground(there), self._thrown(story, move))
            self._settle(story, move)
        self._tidy()

    def _tidy(self) -> None:
        """Do what was only entered so far, or what follows from what was shown."""
        story = self._story()
        layout = story.game.layout(story.state)
        # Dice are thrown, never tidied.
        if any(place != TRAY for _, _, place in layout ^ self._lies):
            self._lay(layout, self._ground(story.state))

    def _lay(
        self, layout: Layout, ground: str, dice: dict[Piece, Face] | None = None
    ) -> None:
        """Make the table lie as *layout* says, and let the camera see it."""
        self._lies = layout
        self._drawn.lay(layout, ground, dice)
        self._let_see()

    def _let_see(self) -> None:
        """Return once the camera has compared the table with the newest record.

        A real camera never stops: what it has reported is taken by its next picture. A
        drawn one waits for the table, however busy the computer is.
        """
        self._drawn.wait_until_seen(SEEN_S)
        for _ in range(MOST_CHANGES):
            version = self._table.sync().version
            self._drawn.linger()
            self._drawn.wait_until_seen(SEEN_S)
            if self._table.sync().version == version:
                return

    def _settle(self, before: Story, move: Any) -> None:
        """Press what has to be pressed until *move* stands in the record."""
        now = self._story()
        if any(isinstance(e.body, Asked) for e in now.entries[before.seq + 1 :]):
            self._count(asked=1)
        elif now.seq == before.seq:
            # Nobody asks and nothing moves: people help with a button.
            self._count(asked=1)
        # Two ways to say the same are both true: "threw both again" where one die shows
        # the face of before, and "threw the other again".
        after, _ = before.game.apply(before.state, move)
        for step in reversed(now.steps[len(before.steps) :]):
            if step.state != after or len(now.steps) > len(before.steps) + 1:
                self._count(wrong_accepted=1)
                self._table.undo(None, self._story().seq, f"undo/{step.seq}")
        if len(self._story().steps) == len(before.steps):
            self._say(move)
            self._let_see()

    def chooses(self, story: Story) -> Any:
        """Return the move that somebody makes now."""
        return choose_move(story, self._seed)

    @staticmethod
    def thrown_faces(shown: Iterable[Sight]) -> tuple[tuple[Piece, Face], ...]:
        """Return the faces of dice among what a move shows, in the game's words.

        In one order: a set has another one in each process, and who throws which die
        first decides where both come to lie.
        """
        return tuple(
            sorted(
                (sight.piece, sight.face)
                for sight in shown
                if isinstance(sight, Shown) and sight.place == TRAY
            )
        )

    def _thrown(self, story: Story, move: Any) -> dict[Piece, Face]:
        """Return what the dice show that are thrown for a move, on their own faces."""
        seeded = self._random("die", story)
        dice: dict[Piece, Face] = {}
        shown = story.game.evidence(story.state, move)
        for piece, face in self.thrown_faces(shown):
            own = [m.seen[1] for m in self._meanings if m.means == (piece, face)]
            pips = own and self._drawn.has_pips(piece)
            dice[piece] = seeded.choice(own) if pips else face
        return dice

    # Buttons and phones.

    def _say(self, move: Any) -> None:
        """Tell the referee a move: by buttons if they offer it, else by phone."""
        shown = self._table.snapshot
        story = shown.story
        assert story is not None
        notation = story.game.notate(story.state, move)
        if notation not in shown.offers:
            seat = story.game.actor(story.state, move)
            self._table.act(Claim(notation, seat, story.seq, f"demo/{story.seq}"))
            return
        for _ in range(len(shown.offers) + 1):
            if self._stop.is_set():
                return
            if shown.cursor >= 0 and shown.offers[shown.cursor] == notation:
                break
            shown = press(self._table, "next", shown, SEEN_S)
        press(self._table, "confirm", shown, SEEN_S)


def choose_move(story: Story, seed: int) -> Any:
    """Return the move that people make now; the same seed plays the same game."""
    game, state = story.game, story.state
    note = _note(story, seed)
    if note is not None:
        return note
    seeded = _seeded(seed, "act", story)
    moves = list(game.legal(state))
    if game.sensible is not None:
        moves = list(game.sensible(state, moves, seeded))
    else:
        # They note no cards in private: what they hold is nobody's business.
        moves = [move for move in moves if not is_private(move)] or moves
    # What to do comes before with which card: hundreds may turn up, one turn ends.
    kind = seeded.choice(sorted({type(move).__name__ for move in moves}))
    moves = [move for move in moves if type(move).__name__ == kind]
    odds = {move: float(part) for move, part in game.chance(state)}
    return seeded.choices(moves, [odds.get(move, 1.0) for move in moves])[0]


def _note(story: Story, seed: int) -> Any | None:
    """Return the private note that a player makes before the first throw."""
    noted = sum(is_private(step.made.move) for step in story.steps)
    if noted < len(story.steps) or noted >= len(story.header.players):
        return None
    own = [
        move
        for move in story.game.legal(story.state)
        if is_private(move) and story.game.actor(story.state, move) == noted
    ]
    # Cards are dealt without putting any back: each player takes another one.
    return own[(seed + noted) % len(own)] if own else None


def _seeded(seed: int, why: str, story: Story) -> random.Random:
    return random.Random(f"{seed}/{why}/{len(story.steps)}")
