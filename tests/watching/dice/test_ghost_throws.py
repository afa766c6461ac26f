"""A die that nobody threw is no throw, whatever else befalls it or the camera.

Every row is a film of a table where no board was tapped. `0 accepted` is the bar; where
a die lies as a throw might have ended, people are asked, and only there.
"""

import pytest
from msgspec.structs import replace

from companion.running.snapshot import Setup
from companion.table import Reading, Shown
from tests.running.table_setup import SETUP, running
from tests.watching.dice.film import SIDE, Film, Told

pytestmark = pytest.mark.slow  # half a second a film

IS_IT = "core.ask.was_it_thrown"
TWICE = "core.ask.thrown_twice"


@pytest.fixture
def table(tmp_path):
    with running(tmp_path) as table:
        yield table


@pytest.fixture
def film(table):
    table.open_game(SETUP)
    film = Film(table)
    film.rest()
    return film


def thrown_and_told(film, face="3", x=300, y=200):
    """Return the die after a throw that was read and a move that was told."""
    die = film.throw(face, x, y)
    assert film.by_camera() == [f"throw {face}"]
    film.tell("advance green")
    return die


class _Board:
    """Who looks at a board, and finds nothing new there."""

    def see(self, frame):
        """Hand nothing over."""
        return False


class TestNobodyThrew:
    """Nothing is accepted, and nobody is asked."""

    def test_a_die_that_lies_there_when_the_program_starts_again(self, film):
        thrown_and_told(film)
        film.begin_to_watch()
        film.rest()
        film.wave()

        assert (film.by_camera(), film.asked()) == (["throw 3"], [])

    def test_a_die_that_lay_there_before_the_game_began(self, table):
        film = Film(table)
        film.rest()
        film.throw("3", 300, 200)
        table.open_game(SETUP)
        film.rest()
        film.wave()

        assert (film.by_camera(), film.asked()) == ([], [])

    def test_a_die_that_lay_there_before_the_next_game_began(self, film, table):
        thrown_and_told(film)
        film.throw("6", 420, 150, film.dice[0])
        assert film.story.state.pips == 6
        table.open_game(SETUP)
        film.rest()
        film.wave()

        assert (film.by_camera(), film.asked()) == ([], [])

    def test_a_die_that_was_moved_while_a_tapped_board_was_watched(self, film):
        """Somebody else saw how it came there; the taps were then made anew."""
        die = thrown_and_told(film)
        film.board = _Board()
        film.rest(4)
        die.x, die.y, die.face = 420, 120, "6"
        film.rest(4)
        film.board = None
        film.rest()
        film.wave()

        assert (film.by_camera(), film.asked()) == (["throw 3"], [])

    def test_a_throw_told_by_phone_while_the_die_still_rolls(self, film):
        film.throw("3", 300, 200, rest=0)
        film.tell("throw 3")
        film.rest()
        film.tell("advance green")
        film.rest()
        film.wave()

        assert (film.by_camera(), film.asked()) == ([], [])

    def test_a_throw_and_a_move_told_by_phone_while_the_die_still_rolls(self, film):
        """Bo's throw is awaited when Ana's die comes to rest."""
        film.throw("3", 300, 200, rest=0)
        film.tell("throw 3", "advance green")
        film.rest()
        film.wave()

        assert (film.by_camera(), film.asked()) == ([], [])

    def test_a_throw_told_by_phone_while_the_picture_is_read(self, film):
        """What was read is for an older state, and is not told again as Bo's."""
        read = film.eye._read

        def slowly(frame):
            reading = read(frame)
            if reading.glimpses and not film.story.steps:
                film.tell("throw 3", "advance green")
            return reading

        film.eye._read = slowly
        film.throw("3", 300, 200)
        film.wave()

        assert (film.by_camera(), film.asked()) == ([], [])

    def test_a_throw_told_by_phone_while_the_camera_was_lost(self, film):
        die = thrown_and_told(film)
        film.lose()
        die.x, die.face = 420, "6"
        film.tell("throw 6", "advance red")
        film.rest(1)  # it comes and goes
        film.lose()
        film.rest()
        film.wave()

        assert (film.by_camera(), film.asked()) == (["throw 3"], [])

    @pytest.mark.parametrize("turn", [0, 30])
    @pytest.mark.parametrize("dx", [0.0, 0.15])
    def test_a_die_that_a_sleeve_moves_while_a_throw_is_awaited(self, film, dx, turn):
        die = thrown_and_told(film)
        film.push(die, dx * SIDE, 0, turn)
        film.wave()

        assert (film.by_camera(), film.asked()) == (["throw 3"], [])

    @pytest.mark.parametrize(("dx", "turn"), [(0.15, 0), (0.15, 30), (0.5, 20)])
    def test_a_die_that_was_moved_before_the_owed_move_was_told(self, film, dx, turn):
        die = film.throw("3", 300, 200)
        film.push(die, dx * SIDE, 0, turn)
        film.rest(40)
        film.tell("advance green")
        film.rest()
        film.wave()

        assert (film.by_camera(), film.asked()) == (["throw 3"], [])

    def test_a_die_that_was_put_back_beside_itself_while_none_was_awaited(self, film):
        die = film.throw("3", 300, 200)
        film.rest(40)
        film.carry(die, 300 + SIDE / 2, 200)
        film.tell("advance green")
        film.rest()

        assert (film.by_camera(), film.asked()) == (["throw 3"], [])

    def test_a_die_that_a_hand_rests_upon(self, film):
        """It is not seen for a second, and lies there as before."""
        die = thrown_and_told(film)
        film._reach(die)
        film.rest(15)
        film.hand = None
        film.rest()

        assert (film.by_camera(), film.asked()) == (["throw 3"], [])

    def test_a_die_that_is_read_as_another_face_once(self, film):
        """Its picture is as before."""
        die = thrown_and_told(film)
        read = film.eye._read

        def wrongly(frame):
            (glimpse,) = read(frame).glimpses
            return Reading((replace(glimpse, sight=Shown("d6", "6", "tray")),))

        film.eye._read = wrongly
        film.hand = (die.x, die.y + 60)
        film.rest(6)
        film.hand = None
        film.rest()

        assert (film.by_camera(), film.asked()) == (["throw 3"], [])

    def test_a_die_that_the_eye_misses_for_a_while(self, film):
        die = thrown_and_told(film)
        face, die.face = die.face, None
        film.wave()
        film.push(film.throw("6", 100, 100, rest=0), 0, 0)
        film.dice.pop()
        film.rest()
        die.face = face
        film.wave()

        assert set(film.by_camera()) <= {"throw 3", "throw 6"}

    def test_a_die_that_lies_in_a_pause(self, film, table):
        thrown_and_told(film)
        table.rest(pause=True)
        film.throw("6", 420, 150, film.dice[0])
        film.carry(film.dice[0], 200, 100, face="4")
        table.rest(pause=False)
        film.rest()
        film.wave()

        assert (film.by_camera(), film.asked()) == (["throw 3"], [])

    def test_the_other_one_of_two_equal_dice(self, film):
        """A second die of the house lies in view all evening."""
        other = film.throw("3", 200, 100, rest=0)
        film.begin_to_watch()
        film.rest()
        die = film.throw("3", 420, 220)
        film.tell("advance green")
        film.push(other, 0.15 * SIDE)
        film.rest()
        film.throw("6", 300, 150, die)

        assert (film.by_camera(), film.asked()) == (["throw 3", "throw 6"], [])


KNOCKS = [(0.01, 0), (0.02, 0), (0, 3), (-0.02, 3)]


class TestAKnockedCamera:
    @pytest.mark.parametrize(("share", "degrees"), KNOCKS)
    def test_over_a_printed_table_one_throw_stays_one(self, film, share, degrees):
        thrown_and_told(film)
        film.bump(share, degrees)
        film.bump()
        film.bump(share, degrees)
        film.wave()

        assert (film.by_camera(), film.asked()) == (["throw 3"], [])

        film.throw("6", 420, 150, film.dice[0])
        assert (film.by_camera(), film.asked()) == (["throw 3", "throw 6"], [])

    @pytest.mark.parametrize(("share", "degrees"), KNOCKS)
    def test_over_plain_cloth_nothing_is_accepted(self, table, share, degrees):
        """Nobody can tell a die that was put aside from a picture that has slid."""
        table.open_game(SETUP)
        film = Film(table, "plain")
        film.rest()
        thrown_and_told(film, x=560, y=80)
        film.bump(share, degrees)
        film.wave()

        assert film.by_camera() == ["throw 3"]
        assert set(film.asked()) <= {IS_IT}

    def test_a_knock_and_a_throw_at_once_are_one_throw(self, film):
        die = thrown_and_told(film)
        film._reach(die)
        film.knock = None
        film.bump(0.02)
        film.throw("6", 420, 150, die)

        assert (film.by_camera(), film.asked()) == (["throw 3", "throw 6"], [])


class TestNobodyCanTell:
    """Nothing is accepted, but people are asked."""

    def test_a_die_that_was_put_back_beside_itself_while_a_throw_is_awaited(self, film):
        """A throw may end like that: the same face, half a die away."""
        die = thrown_and_told(film)
        film.carry(die, 300 + SIDE / 2, 200)

        assert (film.by_camera(), film.asked()) == (["throw 3"], [IS_IT])

    def test_a_die_that_lies_just_where_it_lay_and_shows_another_face(self, film):
        """Thrown, tipped over by a finger or read wrongly: only its picture differs."""
        die = thrown_and_told(film)
        film.throw("6", 300, 200, die)

        assert (film.by_camera(), film.asked()) == (["throw 3"], [IS_IT])

    def test_a_throw_that_nobody_told_while_the_camera_was_lost(self, film):
        die = thrown_and_told(film)
        film.lose()
        die.x, die.face = 420, "6"
        film.rest()

        assert (film.by_camera(), film.asked()) == (["throw 3"], [IS_IT])
        assert film.story.asked.options[0] == "throw 6"

    def test_a_die_that_was_thrown_before_the_move_was_told(self, film):
        """Bo is quick: Ana's move is told when his die lies there."""
        die = film.throw("3", 300, 200)
        film.rest(40)
        film.throw("6", 420, 150, die)
        assert film.asked() == []
        film.tell("advance green")
        film.rest(1)

        assert (film.by_camera(), film.asked()) == (["throw 3"], [IS_IT])
        assert film.story.asked.options[0] == "throw 6"

    def test_another_face_than_was_told_while_it_rolled(self, film):
        film.throw("6", 300, 200, rest=0)
        film.tell("throw 3", "advance green")
        film.rest()

        assert (film.by_camera(), film.asked()) == ([], [IS_IT])

    def test_whoever_throws_then_has_answered(self, film):
        die = thrown_and_told(film)
        beside = film.carry(die, 300 + SIDE / 2, 200)
        film.throw("6", 420, 150, beside)

        assert film.by_camera() == ["throw 3", "throw 6"]
        assert film.story.asked is None


class TestTwoThrowsInARow:
    def test_the_first_that_lay_too_short_to_be_read_is_asked_about(self, film):
        """At rest for three pictures, 0.2 s, before a hand takes it again."""
        die = film.throw("3", 300, 200, rest=3)
        film.throw("6", 420, 150, die)

        assert (film.by_camera(), film.asked()) == ([], [TWICE])
        assert film.story.asked.options[0] == "throw 6"

    def test_where_the_first_was_read_it_counts_and_that_is_said(self, film):
        """At rest for 0.3 s and more: it was read and is Ana's throw."""
        die = film.throw("3", 300, 200, rest=6)
        assert film.by_camera() == ["throw 3"]
        film.throw("6", 420, 150, die)

        assert film.said() == "core.eye.moved_again"
        film.tell("advance green")
        film.rest(1)
        assert (film.by_camera(), film.asked()) == (["throw 3"], [IS_IT])
        film.rest(1)
        assert film.said() is None

    def test_a_hand_that_stops_on_its_way_is_no_throw(self, film):
        die = thrown_and_told(film)
        film.hand = (die.x, die.y + 60)
        film.rest(3)
        film.throw("6", 420, 150, die)

        assert (film.by_camera(), film.asked()) == (["throw 3", "throw 6"], [])


class TestTrueThrows:
    """What somebody threw is read."""

    def test_one_after_the_other(self, film):
        die, faces = None, ["3", "6", "1", "1", "4", "2"]
        places = [(300, 200), (420, 150), (200, 90), (350, 230), (500, 120), (150, 200)]
        for number, (face, (x, y)) in enumerate(zip(faces, places, strict=True)):
            die = film.throw(face, x, y, die)
            assert len(film.by_camera()) == number + 1
            story = film.story
            notes = [story.game.notate(story.state, m)
                     for m in story.game.legal(story.state)]  # fmt: skip
            film.tell(notes[0])

        assert film.by_camera() == [f"throw {face}" for face in faces]
        assert film.asked() == []

    def test_one_that_shows_the_same_again_two_dice_away(self, film):
        die = thrown_and_told(film)
        film.throw("3", 300 + 2 * SIDE, 200, die)

        assert (film.by_camera(), film.asked()) == (["throw 3", "throw 3"], [])

    def test_one_that_lies_nearly_there_and_shows_another_face(self, film):
        die = thrown_and_told(film)
        film.throw("6", 300 + SIDE / 2, 200, die)

        assert (film.by_camera(), film.asked()) == (["throw 3", "throw 6"], [])

    def test_one_out_of_a_hand_that_had_held_the_die_for_long(self, film):
        """Bo holds it while Ana's move is told; the tray lay bare meanwhile."""
        die = film.throw("3", 300, 200)
        film.rest(40)
        film._reach(die)
        film.dice.remove(die)
        film.hand = None
        film.rest()
        film.tell("advance green")
        film.throw("6", 420, 150)

        assert (film.by_camera(), film.asked()) == (["throw 3", "throw 6"], [])

    def test_one_while_the_phones_tell_something_else(self, film):
        """A private note is one state more, and no throw."""
        die = thrown_and_told(film)
        film._reach(die)
        story = film.story
        notes = [
            story.game.notate(story.state, move)
            for move in story.game.legal(story.state)
        ]
        film.tell(next(note for note in notes if "note" in note or "group" in note))
        film.throw("6", 420, 150, die)

        assert (film.by_camera(), film.asked()) == (["throw 3", "throw 6"], [])

    def test_one_that_was_told_of_for_an_older_state_is_told_again(self, film):
        """While it was read somebody has noted a card: the first telling is dropped."""
        dropped = []

        class Late(Told):
            def hear(self, reading, seq=None):
                if not dropped:
                    dropped.append(seq)
                    self._note()
                super().hear(reading, seq)

            def _note(self):
                story = film.story
                notes = [story.game.notate(story.state, move)
                         for move in story.game.legal(story.state)]  # fmt: skip
                film.tell(next(note for note in notes if not note.startswith("throw")))

        film.eye._table = Late(film.table)
        film.throw("3", 300, 200)

        assert dropped == [0]
        assert film.by_camera() == ["throw 3"]


def test_two_dice_of_which_one_is_thrown_again(table):
    """Dragorun: its colour die is thrown once more, and the other one lies."""
    table.open_game(Setup("dragorun", ("Ana", "Bo")))
    film = Film(table)
    film.tell("place red 1", "place green 2", "place blue 3", "place yellow 4",
              "place violet 5", "deal 0 red", "deal 1 green")  # fmt: skip
    film.rest()
    film.throw("+2", 400, 220, rest=0, piece="move")
    colour = film.throw("blue", 300, 200, piece="colour")
    assert film.by_camera() == ["throw blue +2"]

    film.throw("red", 200, 100, colour, piece="colour")

    assert (film.by_camera(), film.asked()) == (["throw blue +2", "colour red"], [])


def test_both_dice_told_by_phone_are_not_one_of_them_thrown_again(table):
    """Dragorun awaits a second throw when the first was told."""
    table.open_game(Setup("dragorun", ("Ana", "Bo")))
    film = Film(table)
    film.tell("place red 1", "place green 2", "place blue 3", "place yellow 4",
              "place violet 5", "deal 0 red", "deal 1 green")  # fmt: skip
    film.rest()
    film.throw("+2", 400, 220, rest=0, piece="move")
    film.throw("blue", 300, 200, rest=0, piece="colour")
    film.tell("throw blue +2")
    film.rest()
    film.wave()

    assert (film.by_camera(), film.asked()) == ([], [])
