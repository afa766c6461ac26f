import pytest

from vision.measure.accuracy import (
    BEGIN,
    END,
    DiceFigures,
    TrueDie,
    count_dice,
    dice_table,
    write_table,
)
from vision.measure.counts import OBLIQUE, true_dice
from vision.pips.reader import DetectedDie

SIZE = (100, 200)


def _seen(face, box=(0, 0, 20, 20), sure=True):
    return DetectedDie(((face, 0.99 if sure else 0.5),), sure, box, 20.0)


class TestCountingByFaces:
    truth = (TrueDie(3), TrueDie(5), TrueDie(5))

    def test_all_right(self):
        tally = count_dice(self.truth, (_seen(5), _seen(3), _seen(5)), SIZE)

        assert (tally.right, tally.asked, tally.missed, tally.wrong) == (3, 0, 0, 0)

    def test_a_face_too_many_is_wrong(self):
        tally = count_dice(self.truth, (_seen(5), _seen(3), _seen(5), _seen(5)), SIZE)

        assert (tally.right, tally.wrong, tally.missed) == (3, 1, 0)

    def test_a_wrong_face_takes_the_place_of_a_die(self):
        tally = count_dice(self.truth, (_seen(5), _seen(3), _seen(2)), SIZE)

        assert (tally.right, tally.wrong, tally.missed) == (2, 1, 0)

    def test_unsure_dice_are_asked_and_the_rest_is_missed(self):
        tally = count_dice(self.truth, (_seen(5), _seen(3, sure=False)), SIZE)

        assert (tally.right, tally.asked, tally.missed) == (1, 1, 1)

    def test_a_question_where_all_dice_are_read_is_in_vain(self):
        tally = count_dice(self.truth[:1], (_seen(3), _seen(5, sure=False)), SIZE)

        assert (tally.right, tally.asked, tally.vain) == (1, 0, 1)


class TestCountingByBoxes:
    truth = (TrueDie(3, (0.0, 0.0, 0.1, 0.2)), TrueDie(5, (0.5, 0.5, 0.6, 0.7)))

    def test_a_die_is_right_where_it_lies(self):
        tally = count_dice(self.truth, (_seen(3), _seen(5, (100, 50, 120, 70))), SIZE)

        assert (tally.right, tally.wrong, tally.missed) == (2, 0, 0)

    def test_a_face_at_the_wrong_place_is_wrong(self):
        tally = count_dice(self.truth, (_seen(3, (60, 60, 80, 80)),), SIZE)

        assert (tally.right, tally.wrong, tally.missed) == (0, 1, 2)

    def test_an_unsure_thing_where_nothing_is_costs_nothing(self):
        tally = count_dice(self.truth, (_seen(3, (60, 60, 80, 80), sure=False),), SIZE)

        assert (tally.asked, tally.wrong, tally.missed) == (0, 0, 2)
        assert tally.vain == 1


def test_the_table_of_a_readme_is_replaced_between_its_markers(tmp_path):
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")

    write_table(readme, dice_table([DiceFigures("a_set", 2, 10, 9, 1, 0, 0, 3, 80.0)]))

    words = readme.read_text()
    assert "old" not in words
    assert "| a_set | 2 | 10 | 9 (90.0%) | 1 | 0 | 0 (0.00%) | 3 | 80 |" in words
    assert words.startswith("before\n")
    assert words.endswith("\nafter\n")


def test_a_readme_without_markers_is_left_alone(tmp_path):
    readme = tmp_path / "README.md"
    readme.write_text("nothing here")

    with pytest.raises(ValueError, match="lacks the lines"):
        write_table(readme, "table")


def test_photographs_from_far_off_the_vertical_are_a_set_of_their_own(tmp_path):
    (tmp_path / "labels.csv").write_text(
        "photo,kind,truth,note\n"
        'home/1.jpg,d6-pips,"d6:3,5",\n'
        "home/2.jpg,d6-pips-oblique,d6:4,\n"
        "home/3.jpg,empty,d6:,\n"
    )

    assert true_dice(tmp_path, "home") == {
        "home/1.jpg": (TrueDie(3), TrueDie(5)),
        "home/3.jpg": (),
    }
    assert true_dice(tmp_path, OBLIQUE) == {"home/2.jpg": (TrueDie(4),)}
