"""Whoever starts the program twice is told so, and the running game never notices."""

import subprocess
import sys

import pytest

from tests.evening.real_process import ROOT, Program
from tests.ports import free_port

pytestmark = pytest.mark.slow


def test_a_second_start_ends_with_one_line_and_the_first_plays_on(tmp_path):
    port = free_port()
    play = ("play", "drachenhort", "--players", "Ana,Bo", "--camera", "drawn")
    with Program(*play, data=tmp_path, port=port) as first:
        phone = first.phone("Ana")
        seq = phone.state()["seq"]

        # The same once more, and once with another port: it is the same game.
        for number in (port, free_port()):
            second = subprocess.run(
                [sys.executable, "-m", "companion.cli", *play,
                 "--data", str(tmp_path), "--port", str(number)],
                cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
            )  # fmt: skip
            assert second.returncode == 2
            assert second.stdout == ""
            assert len(second.stderr.strip().splitlines()) == 1
            assert "already running" in second.stderr

        assert phone.state()["seq"] >= seq
        assert first.process.poll() is None
