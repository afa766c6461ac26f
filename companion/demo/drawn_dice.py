"""Players of the drawn table: they throw drawn dice, choose legal moves, press buttons.

The referee learns of it only through vision and firmware. In this version dice are
drawn and seen; where figures stand is entered by button, as a family without a marked
board would.
"""

import random
import threading
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from companion.demo.hands import press
from companion.games.hidden import is_private
from companion.referee.referee import awaited_moves
from companion.running.snapshot import RunningTable
from companion.story.log import Asked, Made, Story
from companion.table import TRAY, Claim, Face, Meaning, Piece, Seat, Shown
from vision.camera.port import Frame
from vision.drawn.dice import draw_roll

WAIT_S = 0.5
"""How long the players wait for news before they check whether they should stop."""

MOST_PRESSES = 12
"""Players take their phone where they would have to press more often than this."""


class DrawnDice:
    """A recorded camera whose pictures are drawn: a throw for each that is asked for.

    The same seed throws the same dice, so that a restart goes on where it was.

    Args:
        seed: Any whole number.
        faces: The faces that an ordinary die has.
        clock: Seconds that only ever grow.
        draw: Draws a throw; an argument so that tests need no pictures.
    """

    def __init__(
        self,
        seed: int,
        clock: Callable[[], float],
        faces: tuple[Face, ...] = ("1", "2", "3", "4", "5", "6"),
        draw: Callable[[tuple[Face, ...], int], Any] = draw_roll,
    ) -> None:
        self._seed = seed
        self._clock = clock
        self._faces = faces
        self._draw = draw
        self.position = 0

    def shows(self, position: int) -> Face:
        """Return what truly lies in the tray in one picture."""
        return random.Random(f"{self._seed}/throw/{position}").choice(self._faces)

    def read(self) -> Frame:
        """Return the next throw."""
        number = self.position
        self.position += 1
        picture = self._draw((self.shows(number),), self._seed * 10_007 + number)
        return Frame(picture, self._clock(), number, f"throw-{number}")

    def close(self) -> None:
        """Do nothing: there is nothing to let go of."""


class ThrowCount(Struct, frozen=True):
    """What came of a demo game, as far as its players can tell."""

    readings: int = 0
    asked: int = 0
    wrong_accepted: int = 0


class DicePlayers:
    """Play one game to its end with buttons, and with private notes on their phones.

    Args:
        table: The running table.
        dice: What truly lies in the tray.
        meanings: What an ordinary die's faces stand for.
        seed: Any whole number; the same one plays the same game.
        pause_s: How long people think between two acts.
        most_acts: Stop after so many acts; None plays to the end.
    """

    def __init__(
        self,
        table: RunningTable,
        dice: DrawnDice,
        meanings: tuple[Meaning, ...],
        seed: int,
        pause_s: float,
        most_acts: int | None = None,
    ) -> None:
        self._table = table
        self._dice = dice
        self._meanings = {meaning.seen[1]: meaning.means for meaning in meanings}
        self._seed = seed
        self._pause_s = pause_s
        self._most_acts = most_acts
        self.acts = 0
        self._stop = threading.Event()

    def stop(self) -> None:
        """Leave the table at the next chance."""
        self._stop.set()

    def play(self) -> None:
        """Act until the game is over, the acts are used up or somebody says stop."""
        version = -1
        while not self._stop.is_set():
            shown = self._table.wait(version, WAIT_S)
            if shown.version == version or shown.story is None:
                version = shown.version
                continue
            version = shown.version
            if self._is_over(shown.story):
                return
            wanted = self.chooses(shown.story)
            if wanted is None:
                continue
            if self._stop.wait(self._pause_s):
                return
            self.acts += 1
            self._do(wanted)
            version = -1

    def _is_over(self, story: Story) -> bool:
        if self._most_acts is not None and self.acts >= self._most_acts:
            return True
        return story.game.outcome(story.state) is not None

    def chooses(self, story: Story) -> Any | None:
        """Return the move that somebody makes now, None while others are awaited."""
        game, state = story.game, story.state
        if story.paused:
            return None
        if story.asked is not None:
            return self._truth(story)
        notes = self._note(story)
        if notes is not None:
            return notes
        if awaited_moves(story):
            return None
        moves = [move for move in game.legal(state) if not is_private(move)]
        return random.Random(f"{self._seed}/move/{story.seq}").choice(moves)

    def _note(self, story: Story) -> Any | None:
        """Return a private note that a player has not made yet, one card each."""
        if any(is_private(step.made.move) for step in story.steps[-1:]):
            noted = sum(is_private(step.made.move) for step in story.steps)
        else:
            noted = 0 if not story.steps else len(story.header.players)
        if noted >= len(story.header.players):
            return None
        own = [
            move
            for move in story.game.legal(story.state)
            if is_private(move) and story.game.actor(story.state, move) == noted
        ]
        # Cards are dealt without putting any back: each player takes another one.
        return own[(self._seed + noted) % len(own)] if own else None

    def _truth(self, story: Story) -> Any:
        """Return the move that the tray truly shows, for a question about it."""
        assert story.asked is not None
        position = story.asked.reading.position
        moves = awaited_moves(story)
        if position is None:
            return moves[0]
        seen = self._dice.shows(position)
        piece, face = self._meanings.get(seen, ("d6", seen))
        true = Shown(piece, face, TRAY)
        evidence = story.game.evidence
        return next(
            (move for move in moves if true in evidence(story.state, move)), moves[0]
        )

    def _do(self, wanted: Any) -> None:
        shown = self._table.snapshot
        story = shown.story
        assert story is not None
        notation = story.game.notate(story.state, wanted)
        if notation not in shown.offers:
            seat = story.game.actor(story.state, wanted)
            self._tap(story, notation, seat)
            return
        steps = (shown.offers.index(notation) - shown.cursor) % len(shown.offers)
        if steps > MOST_PRESSES:
            self._tap(story, notation, story.game.actor(story.state, wanted))
            return
        for _ in range(
            steps if shown.cursor >= 0 else shown.offers.index(notation) + 1
        ):
            shown = press(self._table, "next", shown, WAIT_S)
        if shown.offers and shown.offers[shown.cursor] == notation:
            press(self._table, "confirm", shown, WAIT_S)

    def _tap(self, story: Story, notation: str, seat: Seat | None) -> None:
        self._table.act(Claim(notation, seat, story.seq, f"demo/{story.seq}"))


def tally(story: Story, dice: DrawnDice) -> ThrowCount:
    """Return how well a game was read, against what truly lay in the tray."""
    means = {meaning.seen[1]: meaning.means for meaning in story.header.meanings}
    states = (story.start, *(step.state for step in story.steps))
    read = [
        (state, step.made)
        for state, step in zip(states, story.steps, strict=False)
        if step.made.position is not None
    ]
    asked = sum(isinstance(entry.body, Asked) for entry in story.entries)
    wrong = sum(_differs(story, state, made, dice, means) for state, made in read)
    return ThrowCount(len(read) + asked, asked, wrong)


def _differs(
    story: Story,
    state: Any,
    made: Made[Any],
    dice: DrawnDice,
    means: dict[Face, tuple[Piece, Face]],
) -> bool:
    """Tell whether an accepted throw is not what the picture was drawn to show."""
    assert made.position is not None
    piece, face = means[dice.shows(made.position)]
    return Shown(piece, face, TRAY) not in story.game.evidence(state, made.move)
