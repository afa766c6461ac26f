"""A filmed table: dice that roll, hands, a camera that is knocked, and who watches it.

Pictures are drawn as plainly as a watching eye needs; what the dice show is told to it,
so that these films prove what is believed of a throw and not how dice are read.
"""

from functools import cache

import cv2
import numpy as np

from companion.story.log import Asked
from companion.table import Claim, Glimpse, Reading, Shown
from companion.watching.live_tray_watcher import LiveTrayWatcher
from vision.camera.port import Frame
from vision.camera.stillness import StillnessLimits

HIGH, WIDE = 360, 640
SIDE = 24
"""Of a die: 16 mm where 43 cm of the table are in view."""

PER_S = 15


@cache
def ground(kind):
    """Return a table that is printed all over, or plain cloth."""
    picture = np.full((HIGH, WIDE, 3), (60, 95, 70), np.uint8)
    if kind == "plain":
        return picture
    chance = np.random.default_rng(7)
    for _ in range(150):
        at = tuple(int(v) for v in chance.integers(0, (WIDE, HIGH)))
        axes = tuple(int(v) for v in chance.integers(4, 22, 2))
        colour = tuple(int(v) for v in chance.integers(20, 190, 3))
        cv2.ellipse(picture, at, axes, int(chance.integers(180)), 0, 360, colour, -1)
    return picture


@cache
def noises():
    """Return the noise of a sensor, as five pictures have it."""
    chance = np.random.default_rng(3)
    return [
        chance.normal(0, 1.5, (HIGH, WIDE, 3)).round().astype(np.int16)
        for _ in range(5)
    ]


class Die:
    """A die in the picture; *turn* is in degrees."""

    def __init__(self, face, x, y, turn=0, piece="d6"):
        self.face, self.x, self.y, self.turn, self.piece = face, x, y, turn, piece

    def corners(self):
        return cv2.boxPoints(((self.x, self.y), (SIDE, SIDE), self.turn))


class Told:
    """A table that has heard all that it was told before anybody goes on."""

    def __init__(self, table):
        self._table = table

    def __getattr__(self, name):
        return getattr(self._table, name)

    def hear(self, reading, seq=None):
        self._table.hear(reading, seq)
        self._until_heard()

    def notice_camera(self, eye):
        self._table.notice_camera(eye)
        self._until_heard()

    def _until_heard(self):
        self._table.act(Claim("", None, -1, "an answer comes after what came before"))


class Film:
    """Shows a table to an eye, picture by picture, on a clock of its own.

    Args:
        table: The running table.
        kind: Its ground, "printed" or "plain".
    """

    def __init__(self, table, kind="printed"):
        self.table, self.ground = table, ground(kind)
        self.dice, self.hand, self.knock = [], None, None
        self.number, self.shown, self.reads = 0, {}, 0
        self.noises = noises()
        self.begin_to_watch()

    def begin_to_watch(self):
        """Start the program's eye anew: it has seen nothing yet."""
        self.board = None
        self.eye = LiveTrayWatcher(
            Told(self.table), "webcam", self._read, _NoCamera(), StillnessLimits(),
            lambda: self.board,
        )  # fmt: skip

    # What happens at the table.

    def rest(self, pictures=8):
        for _ in range(pictures):
            self._show()

    def wave(self):
        """A hand comes and goes, away from the dice."""
        for y in (300, 250, 210, 250, 300):
            self.hand = (40, y)
            self._show()
        self.hand = None
        self.rest()

    def carry(self, die, x, y, turn=None, face=None):
        """A hand takes a die and lays it down elsewhere."""
        self._reach(die)
        self.dice.remove(die)
        self._show()
        moved = Die(face or die.face, x, y, die.turn if turn is None else turn)
        moved.piece = die.piece
        self.hand = (x, y)
        self._show()
        self.dice.append(moved)
        self._show()
        self.hand = None
        self.rest()
        return moved

    def push(self, die, dx=0, dy=0, turn=0):
        """A sleeve moves a die a little; it stays in view."""
        for part in (0.4, 1.0):
            die.x, die.y = die.x + part * dx / 1.4, die.y + part * dy / 1.4
            die.turn += part * turn / 1.4
            self._show()
        self.rest()

    def throw(self, face, x, y, die=None, rest=8, turn=20, piece="d6"):
        """A hand takes *die*, or brings one, and it rolls in and comes to lie."""
        if die is not None:
            self._reach(die)
            self.dice.remove(die)
        self.hand = None
        thrown = Die(face, x, y, piece=piece)
        self.dice.append(thrown)
        for step in range(7):
            left = 0.6**step
            thrown.x, thrown.y = x - 150 * left, y + 60 * left
            thrown.turn = turn + 400 * left
            thrown.face = None
            self._show()
        thrown.x, thrown.y, thrown.turn, thrown.face = x, y, turn, face
        self.rest(rest)
        return thrown

    def bump(self, share=0.0, degrees=0.0):
        """Knock the camera: by a share of the picture's width, and a turn."""
        turn = cv2.getRotationMatrix2D((WIDE / 2, HIGH / 2), degrees, 1.0)
        turn[0, 2] += share * WIDE
        self.knock = turn
        self.rest()

    def lose(self, times=5):
        """The camera gives no picture for a while."""
        for _ in range(times):
            self.number += 1
            self.eye.miss(Frame(None, self.number / PER_S, None, "webcam", "gone"))

    def tell(self, *moves):
        """Somebody tells moves by phone; they are right."""
        for move in moves:
            seq, state, game = self.story.seq, self.story.state, self.story.game
            # A private note is taken from its owner's phone alone.
            seat = game.actor(state, game.parse(state, move))
            self.table.act(Claim(move, seat, seq, f"{move}/{seq}/{self.number}"))
            assert self.story.seq > seq, f"{move} was refused"

    # What came of it.

    @property
    def story(self):
        return self.table.snapshot.story

    def by_camera(self):
        """Return the throws that were believed by sight, in notation."""
        story = self.story
        made = [step.made for step in story.steps if step.made.source == "camera"]
        return [story.game.notate(story.state, one.move) for one in made]

    def asked(self):
        """Return why people were asked, each time."""
        bodies = [entry.body for entry in self.story.entries]
        return [body.why.line for body in bodies if isinstance(body, Asked)]

    def said(self):
        """Return what is said of the camera now."""
        trouble = self.table.snapshot.camera.trouble
        return None if trouble is None else trouble.line

    # How it looks.

    def _reach(self, die):
        for away in (90, 50, 0):
            self.hand = (die.x, die.y + away)
            self._show()

    def _show(self):
        self.number += 1
        picture = self.ground.copy()
        for die in self.dice:
            self._draw(picture, die)
        if self.hand is not None:
            x, y = (int(v) for v in self.hand)
            cv2.rectangle(
                picture, (x - 35, y - 20), (x + 35, HIGH), (120, 150, 205), -1
            )
        if self.knock is not None:
            picture = cv2.warpAffine(
                picture, self.knock, (WIDE, HIGH), borderMode=cv2.BORDER_REPLICATE
            )
        noisy = cv2.add(picture, self.noises[self.number % 5], dtype=cv2.CV_8U)
        name = f"picture-{self.number}"
        self.shown[name] = self._seen()
        self.eye.see(Frame(noisy, self.number / PER_S, None, name))

    def _draw(self, picture, die):
        corners = np.rint(die.corners()).astype(np.int32)
        cv2.fillConvexPoly(picture, corners, (235, 235, 235), cv2.LINE_AA)
        pips = int(die.face) if die.face in {*"123456"} else 1
        for n in range(pips):
            angle = np.radians(die.turn + 360 * n / pips)
            spot = die.x + 7 * np.cos(angle), die.y + 7 * np.sin(angle)
            cv2.circle(picture, tuple(round(v) for v in spot), 2, (30, 30, 30), -1)

    def _seen(self):
        """Return what can be read of this picture: dice that no hand covers."""
        glimpses = []
        for die in self.dice:
            if die.face is None or self._is_covered(die):
                continue
            corners = die.corners()
            if self.knock is not None:
                corners = corners @ self.knock[:, :2].T + self.knock[:, 2]
            low, high = np.rint(corners.min(0)), np.rint(corners.max(0))
            box = tuple(int(v) for v in (*low, *high))
            sight = Shown(die.piece, die.face, "tray")
            glimpses.append(Glimpse(sight, 0.99, box))
        return Reading(tuple(glimpses))

    def _is_covered(self, die):
        if self.hand is None:
            return False
        x, y = self.hand
        return abs(die.x - x) < 35 + SIDE / 2 and die.y > y - 20 - SIDE / 2

    def _read(self, frame):
        self.reads += 1
        return self.shown[frame.name]


class _NoCamera:
    def read(self):
        return None

    def close(self):
        """Nothing to let go of."""
