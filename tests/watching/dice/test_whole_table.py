"""The eye over a whole table, or a tapped board, throws no dice of its own either."""

import cv2
import pytest

from companion.running.snapshot import Setup
from companion.story.log import Asked
from companion.table import Claim, UnsurePiece
from tests.running.table_setup import SETUP, running
from tests.watching.dice.film import HIGH, WIDE, ground
from tests.watching.scene import Scene, at, lying
from vision.tabletop.seen import TableReading

IS_IT = "core.ask.was_it_thrown"
SIDE = 20


def die(face, left=100, top=100, side=SIDE):
    return at("d6", "tray", face, (left, top, left + side, top + side))


@pytest.fixture
def table(tmp_path):
    with running(tmp_path) as table:
        table.open_game(SETUP)
        yield table


@pytest.fixture
def scene(table):
    return Scene(table)


def told(scene, *moves):
    for move in moves:
        seq = scene.story.seq
        scene.table.act(Claim(move, None, seq, f"{move}/{seq}"))
        assert scene.story.seq > seq, f"{move} was refused"


def by_camera(scene):
    story = scene.story
    made = [step.made for step in story.steps if step.made.source == "camera"]
    return [story.game.notate(story.state, one.move) for one in made]


def asked(scene):
    bodies = [entry.body for entry in scene.story.entries]
    return [body.why.line for body in bodies if isinstance(body, Asked)]


def see(scene, *dice):
    """Show the table in order, with some dice in the tray."""
    return scene.show(lying(scene.story, *dice))


@pytest.fixture
def lies(scene):
    """Ana threw a three, and moved: Bo's throw is awaited."""
    see(scene, die("3"))
    told(scene, "advance green")
    see(scene, die("3"))
    assert (by_camera(scene), asked(scene)) == (["throw 3"], [])
    return scene


def test_a_die_that_lay_there_before_the_game_began(table):
    scene = Scene(table, before=(die("3"),))
    see(scene, die("3"))

    assert (by_camera(scene), asked(scene)) == ([], [])
    see(scene, die("6", 200))
    assert by_camera(scene) == ["throw 6"]


def in_doubt(left, top, *choices):
    """Return a die that nobody is sure of, as the camera reads it."""
    box = (left, top, left + SIDE, top + SIDE)
    return UnsurePiece("tray", tuple(("d6", *one) for one in choices), box)


def see_in_doubt(scene, *doubts):
    return scene.show(TableReading(lying(scene.story).found, doubts))


def test_a_die_that_lies_untouched_is_as_it_was_though_its_side_is_seen(lies):
    """One 5 px beside is of the same die: 3 lies on top, the 6 is a side of it."""
    see_in_doubt(lies, in_doubt(100, 100, ("3", 0.9)), in_doubt(105, 106, ("6", 0.8)))

    assert (by_camera(lies), asked(lies)) == (["throw 3"], [])
    see(lies, die("6", 200))
    assert by_camera(lies) == ["throw 3", "throw 6"]


def test_a_die_that_lies_elsewhere_is_asked_about_though_it_may_show_the_same(lies):
    see_in_doubt(lies, in_doubt(160, 100, ("3", 0.9)))

    assert by_camera(lies) == ["throw 3"]
    assert asked(lies) == ["core.ask.table_unsure"]


def test_a_die_that_a_hand_took_up_is_asked_about_where_it_is_not_sure(lies):
    see(lies)
    see_in_doubt(lies, in_doubt(100, 100, ("3", 0.9)))

    assert by_camera(lies) == ["throw 3"]
    assert asked(lies)


def test_a_die_that_was_put_elsewhere_between_two_games(lies):
    lies.table.leave()
    lies.table.open_game(SETUP)
    see(lies, die("6", 200))

    assert (by_camera(lies), asked(lies)) == ([], [])


def test_a_throw_and_a_move_told_by_phone_before_the_die_was_seen(lies):
    told(lies, "throw 6", "advance red")
    see(lies, die("6", 200))

    assert (by_camera(lies), asked(lies)) == (["throw 3"], [])


def test_another_face_than_was_told_is_asked_about(lies):
    told(lies, "throw 4", "advance red")
    see(lies, die("6", 200))

    assert (by_camera(lies), asked(lies)) == (["throw 3"], [IS_IT])
    assert lies.story.asked.options[0] == "throw 6"


def test_a_throw_told_by_phone_while_the_camera_was_lost(lies):
    lies.eye.miss()
    told(lies, "throw 6", "advance red")
    see(lies, die("6", 200))

    assert (by_camera(lies), asked(lies)) == (["throw 3"], [])


def test_nobody_is_asked_while_the_hand_that_throws_still_rests_there(table):
    scene = Scene(table, unsure_s=1.0)
    see(scene, die("3"))
    told(scene, "advance green")
    near = die("3", 100 + SIDE // 2)

    see(scene, near)  # eight pictures, half a second
    assert asked(scene) == []
    see(scene, die("6", 200))
    assert (by_camera(scene), asked(scene)) == (["throw 3", "throw 6"], [])


def test_a_die_that_stays_as_if_pushed_is_asked_about_after_a_second(table):
    scene = Scene(table, unsure_s=1.0)
    see(scene, die("3"))
    told(scene, "advance green")

    scene.show(lying(scene.story, die("3", 100 + SIDE // 2)), times=20)
    assert (by_camera(scene), asked(scene)) == (["throw 3"], [IS_IT])


def test_a_throw_that_nobody_told_while_the_camera_was_lost_is_asked_about(lies):
    lies.eye.miss()
    see(lies, die("6", 200))

    assert (by_camera(lies), asked(lies)) == (["throw 3"], [IS_IT])
    see(lies, die("4", 50))
    assert by_camera(lies) == ["throw 3", "throw 4"]


# By 0.15 of its side; turned by 30 degrees, in a box 20 (sin 30 + cos 30) = 27 wide.
PUSHED = [die("3", 103), die("3", 97, 97, 27)]


@pytest.mark.parametrize("pushed", PUSHED)
def test_a_die_that_a_sleeve_moves_while_a_throw_is_awaited(lies, pushed):
    see(lies, pushed)

    assert (by_camera(lies), asked(lies)) == (["throw 3"], [])


@pytest.mark.parametrize("pushed", [*PUSHED, die("3", 110)])
def test_a_die_that_was_moved_before_the_owed_move_was_told(scene, pushed):
    see(scene, die("3"))
    see(scene, pushed)
    told(scene, "advance green")
    see(scene, pushed)

    assert (by_camera(scene), asked(scene)) == (["throw 3"], [])


def test_a_die_that_was_put_back_beside_itself_while_a_throw_is_awaited(lies):
    """Half its side away, 10 pixels: a throw may end like that."""
    see(lies, die("3", 110))

    assert (by_camera(lies), asked(lies)) == (["throw 3"], [IS_IT])
    see(lies, die("3", 200))
    assert by_camera(lies) == ["throw 3", "throw 3"]


def test_a_die_that_something_hid_is_asked_about_at_most(lies):
    see(lies)
    see(lies, die("3"))

    assert by_camera(lies) == ["throw 3"]
    assert asked(lies) == [IS_IT]


def test_a_die_that_was_put_elsewhere_in_a_pause(lies):
    lies.table.rest(pause=True)
    see(lies, die("6", 200))
    lies.table.rest(pause=False)
    see(lies, die("6", 200))

    assert (by_camera(lies), asked(lies)) == (["throw 3"], [])


def test_a_die_that_was_put_elsewhere_while_the_game_was_put_away(lies):
    game = lies.table.snapshot.game_id
    lies.table.leave()
    lies.table.resume(game)
    see(lies, die("6", 200))

    assert by_camera(lies) == ["throw 3"]
    assert asked(lies) == [IS_IT]


@pytest.mark.parametrize(
    ("share", "degrees"), [(0.01, 0), (0.02, 0), (0, 3), (-0.02, 3)]
)
def test_a_knocked_camera(table, share, degrees):
    """The board is put back by its own spaces; boxes of dice are not."""
    scene = Scene(table)
    turn = cv2.getRotationMatrix2D((WIDE / 2, HIGH / 2), degrees, 1.0)
    turn[0, 2] += share * WIDE
    plain = ground("printed")
    knocked = cv2.warpAffine(plain, turn, (WIDE, HIGH), borderMode=cv2.BORDER_REPLICATE)

    def look(picture, seen):
        scene.reader.seen = seen
        scene.eye.look(picture, first=True)
        scene.eye.hand_over(scene.table.snapshot, 1.0)
        return scene.story

    x, y = turn[:, :2] @ (510, 90) + turn[:, 2]
    look(plain, lying(scene.story, die("3", 500, 80)))
    told(scene, "advance green")
    look(plain, lying(scene.story, die("3", 500, 80)))
    look(knocked, lying(scene.story, die("3", round(x) - 10, round(y) - 10)))

    assert (by_camera(scene), asked(scene)) == (["throw 3"], [])
    look(knocked, lying(scene.story, die("6", 200, 200)))
    assert by_camera(scene) == ["throw 3", "throw 6"]


def test_both_dice_told_by_phone_are_not_one_of_them_thrown_again(tmp_path):
    """Dragorun awaits a second throw of either when the first was told."""
    with running(tmp_path) as table:
        table.open_game(Setup("dragorun", ("Ana", "Bo")))
        scene = Scene(table)
        told(scene, "place red 1", "place green 2", "place blue 3", "place yellow 4",
             "place violet 5", "deal 0 red", "deal 1 green")  # fmt: skip
        colour = at("colour", "tray", "green", (0, 0, 20, 20))
        step = at("move", "tray", "+1", (50, 0, 70, 20))
        see(scene, colour, step)
        assert by_camera(scene) == ["throw green +1"]
        told(scene, "move green 6")
        see(scene, colour, step)

        told(scene, "throw blue +2")
        colour = at("colour", "tray", "blue", (0, 100, 20, 120))
        step = at("move", "tray", "+2", (50, 100, 70, 120))
        see(scene, colour, step)

        assert (by_camera(scene), asked(scene)) == (["throw green +1"], [])
