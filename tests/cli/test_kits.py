"""Kits as files on the command line, and who reads the dice of the copy that plays."""

import numpy as np
import pytest

from companion.cli import main, watchers
from companion.cli.kits import as_folder, find_kits, kit_name
from companion.games import find
from companion.kits.kit import load, stand_in_kit
from companion.kits.kit_files import begin_kit, pack
from companion.kits.spaces import Spaces
from companion.running.missing import MissingParts
from companion.running.snapshot import Setup
from companion.table import Glimpse, Reading, Shown
from tests.running.table_setup import running
from vision.camera.port import Frame
from vision.camera.stills import Stills

GAME = find("drachenhort")


@pytest.fixture
def kit(tmp_path):
    folder = tmp_path / "ours.kit"
    begin_kit(folder, stand_in_kit(GAME))
    return folder


def run(*arguments) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    return int(ended.value.code or 0)


class TestOneFile:
    def test_is_written_and_read_back(self, kit, tmp_path, capsys):
        file, again = tmp_path / "ours.zip", tmp_path / "again.kit"

        assert run("enrol", kit, "--export", file) == 0
        assert run("enrol", again, "--import", file) == 0

        assert load(again) == load(kit)
        assert run("enrol", again, "--import", file) == 2
        assert "already" in capsys.readouterr().err

    def test_that_is_broken_is_one_line(self, tmp_path, capsys):
        file = tmp_path / "ours.zip"
        file.write_bytes(b"PK no more")

        assert run("enrol", tmp_path / "again", "--import", file) == 2

        told = capsys.readouterr().err
        assert "this file is no kit, or it is broken" in told
        assert told.count("\n") == 1

    def test_is_unpacked_once_for_play(self, kit, tmp_path):
        file = tmp_path / "ours.kit.zip"
        file.write_bytes(pack(kit))

        missing = MissingParts()
        folder = as_folder(tmp_path / "data", file, missing)

        assert (folder.name, kit_name(file)) == ("ours", "ours")
        assert as_folder(tmp_path / "data", file, missing) == folder
        found = find_kits(tmp_path / "data", folder, missing)
        assert found["ours"].game == "drachenhort"
        assert missing.all == ()

    def test_that_is_no_kit_cannot_be_played_with(self, tmp_path):
        file = tmp_path / "ours.zip"
        file.write_bytes(b"PK no more")

        missing = MissingParts()
        assert as_folder(tmp_path / "data", file, missing) is None
        assert "no kit, or it is broken" in missing.all[0].why

    def test_is_not_looked_for_in_a_folder_or_its_facts(self, kit, tmp_path):
        for given in (None, kit, kit / "kit.toml"):
            assert as_folder(tmp_path, given, MissingParts()) == given


class Own:
    """An owner's dice that always show the same, and where dice fall."""

    def __init__(self, reading: Reading | None, tray=None) -> None:
        self._reading, self._tray = reading, tray

    def read(self, kit: str, picture, below=None) -> Reading | None:
        return self._reading

    def dice_px(self, kit: str) -> float | None:
        return None

    def spaces(self, kit: str) -> Spaces:
        return Spaces(tray=self._tray)


FOUR = Reading((Glimpse(Shown("die", "4", "tray"), 0.98, (1, 2, 3, 4)),))
FRAME = Frame(np.zeros((90, 160, 3), np.uint8), 7.0, 3, "f")


class TestWhoReads:
    @pytest.fixture
    def table(self, tmp_path):
        with running(tmp_path) as table:
            yield table

    def test_the_owners_die_counts_alone_where_it_was_taught(self, table):
        kit = stand_in_kit(GAME)
        table.take_kit("ours", type(kit)(kit.game, "ours", kit.box))
        table.open_game(Setup("drachenhort", ("Ana", "Bo"), kit="ours"))

        reading = watchers._reads(table, Own(FOUR), Stills())(FRAME)

        assert reading.glimpses == FOUR.glimpses
        assert (reading.taken_at, reading.position) == (7.0, None)

    def test_an_ordinary_die_may_still_lie_beside_one_that_was_taught(self, table):
        table.open_game(Setup("drachenhort", ("Ana", "Bo")))

        reading = watchers._reads(table, Own(FOUR), Stills())(FRAME)

        assert reading.glimpses == FOUR.glimpses
        assert reading.position == 3

    def test_no_die_is_looked_for_in_a_game_that_has_none(self, table, monkeypatch):
        def fail(*_):
            raise AssertionError("half of the work for nothing")

        monkeypatch.setattr(watchers.Reader, "read_frame", fail)
        table.open_game(Setup("eight_dragons", ("Ana", "Bo")))

        reading = watchers._reads(table, Own(None), Stills())(FRAME)

        assert (reading.glimpses, reading.choices, reading.trouble) == ((), (), None)
        assert (reading.taken_at, reading.position) == (7.0, 3)

    def test_an_ordinary_die_is_sought_where_dice_fall_if_that_is_known(
        self, table, monkeypatch
    ):
        looked = []

        def note(_, frame, __):
            looked.append(frame.picture.shape)
            return Reading(())

        monkeypatch.setattr(watchers.Reader, "read_frame", note)
        table.open_game(Setup("drachenhort", ("Ana", "Bo")))
        tray = (0.25, 0.2, 0.75, 0.8)

        watchers._reads(table, Own(None), Stills())(FRAME)
        watchers._reads(table, Own(None, tray), Stills())(FRAME)

        # 80 of 160 pixels and 54 of 90, with 6 more on each side (4 % of the width).
        assert looked == [(90, 160, 3), (66, 92, 3)]

    def test_without_a_taught_die_only_an_ordinary_one_is_read(self, table):
        assert watchers._reads(table, Own(None), Stills())(FRAME).glimpses == ()
        assert table.kits("drachenhort") == ()
