"""A camera that is knocked between two looks at a board whose spaces were tapped."""

import numpy as np
import pytest

from companion.demo.setup import drawn_table
from companion.demo.tables import find as find_stand_in
from companion.running.snapshot import Setup
from companion.table import TRAY, Claim, Glimpse, Reading, Shown
from companion.watching.spaces_reader import SpacesReader
from tests.running.table_setup import running
from tests.watching.spaces.tapped import tapped
from vision.ground.knock import move_box, move_picture

SET_UP, PLAYING = (), ("note 0 1", "note 1 2", "throw 4")


class Die:
    """An ordinary die that is read as a four wherever it lies."""

    def __init__(self, box):
        self.box = box

    def __call__(self, picture, below):
        return Reading((Glimpse(Shown("die", "4", TRAY), 0.99, self.box),))


def lying(story, stand_in):
    """Return a drawn picture of the table as it is recorded."""
    drawn, _ = drawn_table(stand_in, story.game.stand_in, 5, "good")
    drawn.lay(story.game.layout(story.state), stand_in.ground(story.state))
    while drawn._script:
        frame = drawn.read()
    return frame.picture


@pytest.mark.slow
@pytest.mark.parametrize("moves", [SET_UP, PLAYING], ids=["set up", "playing"])
def test_the_tray_and_the_board_lie_where_a_knock_has_put_them(tmp_path, moves):
    """By 3 % to the right; a die 10 pixels from the tray's edge is beyond it now."""
    spaces, stand_in = tapped("drachenhort", 5), find_stand_in("drachenhort")
    with running(tmp_path) as table:
        table.open_game(Setup("drachenhort", ("Ana", "Bo")))
        for number, move in enumerate(moves):
            seq = table.snapshot.story.seq
            table.act(Claim(move, None, seq, f"move/{number}"))
        picture = lying(table.snapshot.story, stand_in)
        high, wide = picture.shape[:2]
        right, middle = spaces.tray[2] * wide, (spaces.tray[1] + spaces.tray[3]) / 2
        at = round(right) - 40, round(middle * high) - 15
        die = Die((*at, at[0] + 30, at[1] + 30))
        reader = SpacesReader(spaces, die, lambda: table.snapshot.story)
        before = reader.read(picture)

        by_px = round(0.03 * wide)
        shift = np.array([(1, 0, by_px), (0, 1, 0), (0, 0, 1)], np.float32)
        die.box = move_box(die.box, shift)
        after = reader.read(move_picture(picture, shift))

    assert after.obstacle is None
    was, now = ({(one.piece, one.place): one for one in seen.found}
                for seen in (before, after))  # fmt: skip
    assert now["die", TRAY].face == "4"
    dragon = was["dragon", "hall"].box_px
    assert now["dragon", "hall"].box_px == pytest.approx(move_box(dragon, shift), abs=3)
