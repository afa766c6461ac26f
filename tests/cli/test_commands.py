"""Every command ends with an answer or with one clear line."""

import json

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.cli import commands, main

SHEET = {
    "medals": {
        "silver": {"green": 2, "red": 3, "white": 8},
        "gold": {"green": 4, "red": 2, "white": 1},
    },
    "players": [{"name": "Ana", "group": ["green", "red", "white"], "jewels": 6}],
}


def silver(**medals) -> dict:
    """Return the sheet's medals with other silver ones."""
    return {
        "medals": {**SHEET["medals"], "silver": {**SHEET["medals"]["silver"], **medals}}
    }


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    """Return exit code, output and errors of a command, as a shell would see them."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    told = capsys.readouterr()
    code = ended.value.code
    return (code if isinstance(code, int) else 0), told.out, told.err


class TestScore:
    def test_the_rulebooks_own_example_gives_26(self, tmp_path, capsys):
        path = tmp_path / "sheet.json"
        path.write_text(json.dumps(SHEET))

        code, out, _ = run(capsys, "score", "drachenhort", "--json", str(path))

        assert code == 0
        # 2 + 4 green, 3 + 2 red, 8 + 1 white, 6 jewels
        assert json.loads(out) == {
            "scores": {"Ana": 26},
            "winners": ["Ana"],
            "breakdown": {
                "Ana": {
                    "medals": {"green": [2, 4], "red": [3, 2], "white": [8, 1]},
                    "jewels": 6,
                }
            },
        }

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            (silver(green=9), "9"),
            (silver(green=2, red=2), "2"),
            (silver(pink=2), "pink"),
            (silver(green=True), "silver"),
            ({"players": [{"name": "A", "group": ["green"], "jewels": 0}]}, "group"),
            (
                {"players": [{"name": "A", "group": ["green", "red", "white"],
                              "jewels": 25}]},
                "25",
            ),
        ],
    )  # fmt: skip
    def test_a_fault_in_the_sheet_is_named_in_one_line(
        self, tmp_path, capsys, change, words
    ):
        path = tmp_path / "sheet.json"
        path.write_text(json.dumps({**SHEET, **change}))

        code, out, err = run(capsys, "score", "drachenhort", "--json", str(path))

        assert (code, out) == (2, "")
        assert words in err
        assert len(err.strip().splitlines()) == 1

    @pytest.mark.parametrize("content", ["", "{", "[]", "null", "\0", '{"medals": 3}'])
    def test_what_is_no_sheet_is_said_in_one_line(self, tmp_path, capsys, content):
        path = tmp_path / "sheet.json"
        path.write_text(content)

        code, _, err = run(capsys, "score", "drachenhort", "--json", str(path))

        assert code == 2
        assert len(err.strip().splitlines()) == 1

    def test_a_missing_file_a_folder_and_a_picture_are_said(self, tmp_path, capsys):
        picture = tmp_path / "picture.json"
        picture.write_bytes(b"\xff\xd8\xff\xe0")
        for path in (tmp_path / "gone.json", tmp_path, picture):
            code, _, err = run(capsys, "score", "drachenhort", "--json", str(path))
            assert code == 2
            assert str(path) in err
            assert len(err.strip().splitlines()) == 1

    def test_a_kit_that_is_none_is_said(self, tmp_path, capsys):
        sheet = tmp_path / "sheet.json"
        sheet.write_text(json.dumps(SHEET))

        code, _, err = run(
            capsys, "score", "drachenhort", "--json", str(sheet), "--kit", str(tmp_path)
        )

        assert code == 2
        assert "kit.toml" in err


class TestWrongCalls:
    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (("play", "chess", "--players", "A,B"), "no game 'chess'"),
            (("play", "drachenhort", "--players", "A,,B"), "empty name"),
            (("play", "drachenhort", "--players", "A,A"), "twice"),
            (("play", "drachenhort", "--players", "Ana,ana"), "twice"),
            (("play", "drachenhort", "--players", "A" * 41 + ",B"), "40 letters"),
            (("demo", "chess"), "no game 'chess'"),
            (("demo", "drachenhort", "--light", "disco"), "disco"),
            (("see", "gone.jpg"), "gone.jpg"),
        ],
    )
    def test_the_fault_is_named_in_one_line(self, tmp_path, capsys, arguments, words):
        code, _, err = run(capsys, *arguments)

        assert code == 2
        assert words in err
        assert len(err.strip().splitlines()) == 1

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (("--kit", "nowhere"), "nowhere"),
            (("--options", "nowhere"), "nowhere"),
            (("--players", "A"), "2"),
        ],
    )
    def test_a_table_that_cannot_be_set_up_is_said(
        self, tmp_path, capsys, arguments, words
    ):
        code, _, err = run(
            capsys, "play", "drachenhort", "--players", "A,B", "--data", str(tmp_path),
            "--port", "0", *arguments,
        )  # fmt: skip

        assert code == 2
        assert words in err
        assert len(err.strip().splitlines()) == 1

    def test_options_that_are_no_choices_are_said(self, tmp_path, capsys):
        for text in ("DH1 = 3", "DH1 =", '[table]\nx = "y"'):
            path = tmp_path / "options.toml"
            path.write_text(text)
            code, _, err = run(
                capsys, "play", "drachenhort", "--players", "A,B",
                "--data", str(tmp_path / "data"), "--options", str(path),
            )  # fmt: skip
            assert code == 2
            assert "options.toml" in err


class TestDoctor:
    def test_it_says_what_it_found_of_each_part(self, tmp_path, capsys):
        code, out, _ = run(capsys, "doctor", "--json", "--data", str(tmp_path))

        found = {finding["id"]: finding for finding in json.loads(out)}
        assert {"python", "store", "camera", "pins", "port", "disk"} <= set(found)
        assert all(f["level"] in ("ok", "warn", "fail") for f in found.values())
        assert all(f["remedy"] for f in found.values() if f["level"] != "ok")
        assert code == (1 if any(f["level"] == "fail" for f in found.values()) else 0)

    def test_a_damaged_store_fails_with_a_remedy(self, tmp_path, capsys):
        (tmp_path / "table.sqlite3").write_bytes(b"broken" * 1000)

        code, out, _ = run(capsys, "doctor", "--data", str(tmp_path))

        assert code == 1
        assert "FAIL" in out
        assert "Start the table once" in out


class TestTheReadersLanguage:
    @pytest.mark.parametrize(
        ("language", "port", "remedy"),
        [
            ("fr_FR.UTF-8", "est libre.", "Démarrez la table une fois ; elle dira"),
            ("de_DE.UTF-8", "ist frei.", "Starte den Tisch einmal; er wird sagen"),
            ("en_GB.UTF-8", "is free.", "Start the table once; what it will say"),
            ("ja_JP.UTF-8", "is free.", "Start the table once; what it will say"),
        ],
    )
    def test_the_doctor_says_what_was_found_and_what_to_do(
        self, language, port, remedy, tmp_path, capsys, monkeypatch
    ):
        monkeypatch.setenv("LC_ALL", language)
        (tmp_path / "table.sqlite3").write_bytes(b"broken" * 1000)

        _, out, _ = run(capsys, "doctor", "--data", str(tmp_path), "--port", "8917")

        assert f"Port 8917 {port}".casefold() in out.casefold()
        assert remedy in out.replace("\u202f", " ")

    @pytest.mark.parametrize(
        ("language", "words"),
        [
            ("fr_FR.UTF-8", "45 joyaux en tout, la boîte en a 24 : recomptez."),
            ("de_DE.UTF-8", "45 Juwelen zusammen, die Schachtel hat 24: Zählt noch"),
        ],
    )
    def test_a_sheet_that_cannot_be_is_told(
        self, language, words, tmp_path, capsys, monkeypatch
    ):
        monkeypatch.setenv("LC_ALL", language)
        group = ["green", "red", "white"]
        players = [
            {"name": "Ana", "group": group, "jewels": 20},
            {"name": "Bo", "group": group, "jewels": 25},
        ]
        path = tmp_path / "sheet.json"
        path.write_text(json.dumps({**SHEET, "players": players}))

        code, _, err = run(capsys, "score", "drachenhort", "--json", str(path))

        assert code == 2
        assert words in err.replace("\u202f", " ")

    def test_a_picture_without_anything_is_said(self, tmp_path, capsys, monkeypatch):
        monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
        photo = tmp_path / "empty.png"
        cv2.imwrite(str(photo), np.full((400, 600, 3), 128, np.uint8))

        code, out, _ = run(capsys, "see", str(photo))

        assert code == 0
        assert ": nichts  (" in out

    def test_scripts_get_english(self, tmp_path, capsys, monkeypatch):
        monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")

        _, out, _ = run(capsys, "doctor", "--json", "--data", str(tmp_path))

        found = {finding["id"]: finding for finding in json.loads(out)}
        assert found["store"]["evidence"].startswith("No games stored yet in")

    @pytest.mark.parametrize(
        ("language", "words"),
        [
            ("fr_FR.UTF-8", "contient deux fois un nom ; donnez des noms différents"),
            ("de_DE.UTF-8", "enthält einen Namen zweimal; nimm verschiedene"),
            ("C", "has a name twice; make the names different"),
        ],
    )
    def test_an_error_names_the_fault_and_what_to_do(
        self, language, words, capsys, monkeypatch
    ):
        monkeypatch.setenv("LC_ALL", language)

        code, _, err = run(capsys, "play", "drachenhort", "--players", "Ana,ana")

        assert code == 2
        assert words in err.replace("\u202f", " ")
        assert len(err.strip().splitlines()) == 1


def test_help_names_every_command():
    told = CliRunner().invoke(commands, ["--help"]).output

    for name in ("serve", "demo", "play", "score", "see", "doctor"):
        assert name in told


class TestAFolderAsALiveCamera:
    """Wherever --camera is taken, it may be told how fast a folder's pictures go by."""

    PLAY = ("play", "drachenhort", "--players", "Ana,Bo")

    @pytest.mark.parametrize("command", [("serve",), PLAY, ("doctor",), ("calibrate",)])
    @pytest.mark.parametrize("pace", ["0", "-1", "nan", "inf", "1000", "many"])
    def test_has_a_pace_that_can_be_shown(self, command, pace, tmp_path, capsys):
        code, out, err = run(
            capsys, *command, "--camera", str(tmp_path), "--pictures-a-second", pace
        )

        assert (code, out) == (2, "")
        assert pace in err
        assert len(err.strip().splitlines()) == 1

    @pytest.mark.parametrize(
        "camera", ["pi", "0", "drawn", "none", "/dev/video0", None]
    )
    def test_is_a_folder(self, camera, capsys):
        named = () if camera is None else ("--camera", camera)

        code, out, err = run(capsys, "serve", *named, "--pictures-a-second", "2")

        assert (code, out) == (2, "")
        assert "--pictures-a-second is for --camera FOLDER" in err
        assert len(err.strip().splitlines()) == 1
