"""A command that is given a device says so, and does not read for ever."""

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import commands

ZERO = "/dev/zero"
READS = (
    ("see", ZERO),
    ("see", "photo.jpg", "--kit", ZERO),
    ("calibrate", ZERO),
    ("enrol", "kit", "die:move/+2", ZERO),
    ("enrol", "kit", "die:move/+2", f"{ZERO}@1,2,30,40"),
    ("enrol", "kit", "--import", ZERO),
    ("play", "drachenhort", "--players", "Ana,Bo", "--kit", ZERO),
    ("play", "drachenhort", "--players", "Ana,Bo", "--options", ZERO),
    ("score", "drachenhort", "--json", ZERO),
    ("score", "drachenhort", "--json", "sheet.json", "--kit", ZERO),
    ("replay", ZERO),
)


@pytest.fixture(autouse=True)
def never_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Fail where it is opened: it would take all memory before anything is said."""
    monkeypatch.chdir(tmp_path)
    real = os.open

    def opened(path, *rest, **more):
        assert str(path) != ZERO
        return real(path, *rest, **more)

    def read(path, *rest, **more):
        assert str(path) != ZERO, "it would be read for ever"
        return real_open(path, *rest, **more)

    real_open = Path.open
    monkeypatch.setattr(os, "open", opened)
    monkeypatch.setattr(Path, "open", read)


@pytest.mark.parametrize("command", READS, ids=" ".join)
def test_a_device_is_refused_in_one_line(command: tuple[str, ...]):
    told = CliRunner().invoke(commands, command)

    assert told.exit_code == 2
    assert f"{ZERO} is a device, which has no end; give a file" in told.output


def test_a_pipe_may_be_read(tmp_path: Path):
    """As a shell gives it for ``<(zcat game.json.gz)``: it comes to an end."""
    reading, writing = os.pipe()
    os.write(writing, b"game drachenhort\nseats 3\n")
    os.close(writing)

    told = CliRunner().invoke(commands, ["replay", f"/dev/fd/{reading}"])

    os.close(reading)
    assert told.exit_code == 0, told.output
