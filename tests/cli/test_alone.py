"""A second start ends with one line and leaves the first table as it is."""

import errno
import socket
from pathlib import Path

import pytest

from companion.cli import main
from companion.cli.alone import LOCK_NAME, hold_folder
from companion.cli.device import own_language
from companion.cli.ending import SWITCH_OFF_NAME, wait_for_end
from companion.cli.errors import BadInput
from companion.table import Glimpse, Pressed, Reading
from tests.running.table_setup import running


def test_a_second_start_says_where_the_first_one_runs(tmp_path, capsys):
    with hold_folder(tmp_path, 0):
        (tmp_path / LOCK_NAME).write_text("4711 8000\n")

        with pytest.raises(SystemExit) as ended:
            main(("serve", "--data", str(tmp_path), "--port", "0"))

    error = capsys.readouterr().err
    assert ended.value.code == 2
    assert len(error.strip().splitlines()) == 1
    assert "is already running at http://127.0.0.1:8000 (process 4711)" in error
    # It opened neither store nor pins.
    assert [path.name for path in tmp_path.iterdir()] == [LOCK_NAME]


def test_after_the_first_one_has_ended_the_next_may_start(tmp_path):
    with hold_folder(tmp_path, 0):
        pass
    with hold_folder(tmp_path, 0):
        pass


def test_a_port_in_use_is_said_before_anything_is_opened(tmp_path):
    with socket.socket() as other:
        other.bind(("0.0.0.0", 0))
        other.listen()
        port = other.getsockname()[1]

        with pytest.raises(BadInput, match=f"port {port} cannot be used"):
            hold_folder(tmp_path, port).__enter__()


def test_a_folder_that_cannot_be_made_does_not_end_the_start(tmp_path):
    (tmp_path / "file").touch()

    with hold_folder(tmp_path / "file" / "data", 0):
        pass


def test_the_folder_is_held_also_where_no_file_can_be_written(tmp_path, monkeypatch):
    def full(path, *_, **__):
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(Path, "write_text", full)
    again = hold_folder(tmp_path, 0)
    with hold_folder(tmp_path, 0), pytest.raises(BadInput, match="already running"):
        again.__enter__()


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "de_DE.UTF-8"}, "de"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_the_display_speaks_the_systems_language(environ, language):
    assert own_language(environ) == language


def test_the_help_button_leaves_a_wish_for_the_service(tmp_path, monkeypatch):
    monkeypatch.setattr("companion.cli.ending.LOOK_S", 0.001)
    monkeypatch.setattr("companion.cli.ending.READ_S", 0.0)
    held = Reading((Glimpse(Pressed("help.long", None), 1.0),), source="button")
    with running(tmp_path) as table:
        table.hear(held)
        wait_for_end(table, None, tmp_path / SWITCH_OFF_NAME)

    assert (tmp_path / SWITCH_OFF_NAME).exists()
