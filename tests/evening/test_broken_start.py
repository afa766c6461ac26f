"""The real program comes up though everything around it is broken at once."""

import json

import pytest

from tests.evening.real_process import Program
from tests.ports import free_port

pytestmark = pytest.mark.slow


def test_a_table_with_nothing_right_around_it_plays_a_move(tmp_path):
    kits = tmp_path / "kits"
    for name, content in {"empty": "", "deep": "x = " + "[" * 5_000}.items():
        (kits / name).mkdir(parents=True)
        (kits / name / "kit.toml").write_text(content)
    for name in ("rig.json", "wifi.json"):
        (tmp_path / name).write_text("")
    play = ("play", "drachenhort", "--players", "Ana,Bo", "--camera", "/dev/video97")

    with Program(*play, data=tmp_path, port=free_port()) as program:
        phone = program.phone("Ana")
        status, _ = phone.act("throw 4", phone.state()["seq"])
        state = phone.state()

        assert status == 200
        assert state["seq"] == 1
        causes = json.dumps(state["status"])
        for part in ("empty/kit.toml", "deep/kit.toml", "rig.json", "wifi.json"):
            assert part in causes
        assert "video97 is not plugged in" in causes
        assert program.process.poll() is None
