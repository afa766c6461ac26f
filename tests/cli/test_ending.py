"""The program ends for its camera only where that helps and nobody loses anything."""

import os
import signal
import subprocess
import sys
import threading
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from companion.cli.ending import LEAST_UP_S, should_start_again
from companion.cli.errors import StartAgain
from companion.corrections.look_back import LookBack
from companion.running.snapshot import Snapshot

ENDING = import_module("companion.cli.ending")

KEPT = Snapshot(stored=True)


@pytest.fixture
def tasks(tmp_path):
    """Return a folder like /proc/self/task with a thread that sleeps."""
    return told(tmp_path, "S")


def told(folder, state):
    stat = folder / "4711" / "stat"
    stat.parent.mkdir(exist_ok=True)
    stat.write_text(f"4711 (camera (D) x) {state} 1 4711")
    return folder


def test_a_stuck_camera_of_a_table_that_ran_ten_minutes_is_worth_it(tasks):
    assert should_start_again(True, LEAST_UP_S, KEPT, tasks)


@pytest.mark.parametrize(
    ("stuck", "up_s", "shown"),
    [
        (False, 1e6, KEPT),
        # Six starts in five minutes, and systemd gives the table up.
        (True, LEAST_UP_S - 1, KEPT),
        # A move is on no disk yet.
        (True, 1e6, replace(KEPT, stored=False)),
        (True, 1e6, replace(KEPT, back=LookBack(0))),
    ],
)  # fmt: skip
def test_else_people_play_on_without_a_camera(tasks, stuck, up_s, shown):
    assert not should_start_again(stuck, up_s, shown, tasks)


def test_a_thread_that_the_kernel_holds_would_keep_port_and_camera(tmp_path):
    assert not should_start_again(True, 1e6, KEPT, told(tmp_path, "D"))


@pytest.mark.parametrize("socket", [None, "/run/systemd/notify"])
def test_only_systemd_is_left_to_start_it_again(monkeypatch, socket):
    if socket is None:
        monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    else:
        monkeypatch.setenv("NOTIFY_SOCKET", socket)
    monkeypatch.setattr(ENDING.signal, "signal", lambda *_: None)
    monkeypatch.setattr(ENDING, "LOOK_S", 0.001)
    monkeypatch.setattr(ENDING, "READ_S", 0.0)
    monkeypatch.setattr(ENDING, "should_start_again", lambda stuck, *_: stuck)
    table = SimpleNamespace(failed=threading.Event(), snapshot=Snapshot(off=True))
    eye = SimpleNamespace(is_stuck=True)

    if socket is None:
        ENDING.wait_for_end(table, eye)  # only the help button ends it
    else:
        with pytest.raises(StartAgain, match="every move is kept") as ended:
            ENDING.wait_for_end(table, eye)
        assert ended.value.exit_code == 75


WAITS = """
import signal
import threading
from types import SimpleNamespace
from companion.cli.ending import wait_for_end
from companion.running.snapshot import Snapshot

wake = threading.Condition.notify_all

def wake_as_another_comes(condition):
    signal.raise_signal(signal.SIGTERM)
    wake(condition)

threading.Condition.notify_all = wake_as_another_comes
print("waits", flush=True)
wait_for_end(SimpleNamespace(failed=threading.Event(), snapshot=Snapshot()))
"""


def test_a_signal_that_comes_while_another_wakes_the_program_ends_it_too():
    """`timeout` sends two at once: the second one waited for the lock of the first."""
    with subprocess.Popen(
        [sys.executable, "-c", WAITS], stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout.readline() == "waits\n"
        # The handlers are there a moment after the line.
        handled = Path(f"/proc/{program.pid}/status")
        while not _catches_sigterm(handled):
            assert program.poll() is None
        os.kill(program.pid, signal.SIGTERM)
        try:
            assert program.wait(10) == 0
        finally:
            program.kill()


def _catches_sigterm(status):
    """Tell by the kernel's file of a process whether it has a handler for SIGTERM."""
    line = next(x for x in status.read_text().splitlines() if x.startswith("SigCgt"))
    return bool(int(line.split()[1], 16) & (1 << (signal.SIGTERM - 1)))
