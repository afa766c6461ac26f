"""``dragon-table enrol``, and ``see --kit`` with what it kept."""

import json

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.kits.kit import kept_shots


def run(capsys, *arguments):
    """Return exit code, output and errors of a command, as a shell would see them."""
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    told = capsys.readouterr()
    code = ended.value.code
    return (code if isinstance(code, int) else 0), told.out, told.err


def photo(path, sign, degrees=0):
    """Write a picture of one blue die with a white letter; return its path."""
    die = np.full((90, 90, 3), (150, 70, 30), np.uint8)
    cv2.putText(die, sign, (20, 68), 0, 2.0, (240, 240, 240), 9, cv2.LINE_AA)
    turn = cv2.getRotationMatrix2D((45, 45), degrees, 1.0)
    turn[:, 2] += (275, 195)
    noise = np.random.default_rng(degrees).normal(0, 3, (480, 640, 3))
    picture = np.clip(np.array((60, 90, 50)) + noise, 0, 255).astype(np.uint8)
    lain = cv2.warpAffine(die, turn, (640, 480))
    mask = cv2.warpAffine(np.full((90, 90), 255, np.uint8), turn, (640, 480))
    picture[mask > 127] = lain[mask > 127]
    assert cv2.imwrite(str(path), cv2.GaussianBlur(picture, (0, 0), 1.0))
    return path


BOX = "@270,190,370,290"


@pytest.mark.slow
class TestShowingADie:
    def test_its_faces_are_read_afterwards(self, tmp_path, capsys):
        kit = tmp_path / "my.kit"
        for sign in "AKT":
            shots = [
                f"{photo(tmp_path / f'{sign}{turn}.png', sign, turn)}{BOX}"
                for turn in (0, 80, 200)
            ]
            code, out, err = run(capsys, "enrol", kit, f"die:move/{sign}", *shots)
            assert (code, err) == (0, "")
            assert "3 pictures kept" in out

        look = photo(tmp_path / "look.png", "K", 120)
        code, out, _ = run(
            capsys, "see", look, "--kit", kit, "--expect", "die:move", "--json"
        )

        told = json.loads(out)
        assert code == 0
        assert [(s["kind"], s["piece"], s["face"]) for s in told["seen"]] == [
            ("die", "move", "K")
        ]
        assert len(told["seen"][0]["box"]) == 4

    def test_no_box_is_needed_where_it_lies_alone(self, tmp_path, capsys):
        look = photo(tmp_path / "a.png", "A")

        code, _, err = run(capsys, "enrol", tmp_path / "k", "die:move/A", look)

        assert (code, err) == (0, "")
        assert len(kept_shots(tmp_path / "k")) == 1


@pytest.mark.slow
def test_a_card_is_shown_and_read(tmp_path, capsys):
    for number, ink in enumerate(((40, 40, 200), (60, 150, 40))):
        card = np.full((240, 160, 3), 235, np.uint8)
        cv2.circle(card, (80, 120), 40 + 10 * number, ink, -1)
        assert cv2.imwrite(str(tmp_path / f"{number}.png"), card)
        code, _, err = run(
            capsys, "enrol", tmp_path / "k", f"card:place/c{number}",
            tmp_path / f"{number}.png",
        )  # fmt: skip
        assert (code, err) == (0, "")

    code, out, _ = run(
        capsys, "see", tmp_path / "1.png", "--kit", tmp_path / "k",
        "--expect", "card", "--json",
    )  # fmt: skip

    seen = json.loads(out)["seen"]
    assert [(s["kind"], s["piece"], s["face"]) for s in seen] == [
        ("card", "place", "c1")
    ]


class TestWrongCalls:
    @pytest.fixture
    def die(self, tmp_path):
        return photo(tmp_path / "a.png", "A")

    @pytest.mark.parametrize(
        ("item", "end", "words"),
        [
            ("die:move", BOX, "does not name"),
            ("cat:move/1", BOX, "does not name"),
            ("die:/1", BOX, "does not name"),
            ("die:move/A", "@600,400,700,500", "640x480"),
            ("die:move/A", "@50,50,40,60", "does not lie"),
            ("die:move/A", "@50,50,55,60", "smaller than 12"),
            ("die:move/A", "@1,2,3", "four whole numbers"),
        ],
    )
    def test_the_fault_is_named_in_one_line(
        self, tmp_path, die, capsys, item, end, words
    ):
        code, _, err = run(capsys, "enrol", tmp_path / "k", item, f"{die}{end}")

        assert code == 2
        assert words in err
        assert len(err.strip().splitlines()) == 1
        assert not (tmp_path / "k").exists()

    def test_what_is_no_photo_is_said(self, tmp_path, capsys):
        text = tmp_path / "a.txt"
        text.write_text("no picture")
        for path in (text, tmp_path, tmp_path / "gone.jpg"):
            code, _, err = run(capsys, "enrol", tmp_path / "k", "die:move/A", path)
            assert code == 2
            assert str(path) in err

    def test_a_photo_twice_is_refused(self, tmp_path, die, capsys):
        shot = f"{die}{BOX}"

        code, _, err = run(capsys, "enrol", tmp_path / "k", "die:m/A", shot, shot)

        assert (code, "twice" in err) == (2, True)

    def test_one_photo_for_two_faces_is_refused_and_nothing_is_lost(
        self, tmp_path, die, capsys
    ):
        kit, shot = tmp_path / "k", f"{die}{BOX}"
        assert run(capsys, "enrol", kit, "die:m/A", shot)[0] == 0

        code, _, err = run(capsys, "enrol", kit, "die:m/B", shot)

        assert (code, "shown as A before" in err) == (2, True)
        assert [one.face for one in kept_shots(kit)] == ["A"]

    def test_a_kit_that_is_missing_empty_or_broken_is_said(self, tmp_path, die, capsys):
        empty, broken = tmp_path / "empty", tmp_path / "broken"
        empty.mkdir()
        broken.mkdir()
        (broken / "shots.json").write_text("{")
        for kit, words in (
            (tmp_path / "gone", "there is no kit"),
            (empty, "no pictures yet"),
            (broken, "is broken"),
        ):
            code, out, err = run(capsys, "see", die, "--kit", kit)
            assert (code, out) == (2, "")
            assert words in err
            assert len(err.strip().splitlines()) == 1

    def test_a_die_that_was_never_shown_cannot_be_expected(self, tmp_path, die, capsys):
        kit = tmp_path / "k"
        assert run(capsys, "enrol", kit, "die:m/A", f"{die}{BOX}")[0] == 0

        code, _, err = run(capsys, "see", die, "--kit", kit, "--expect", "die:other")

        assert (code, "never shown die:other" in err) == (2, True)
