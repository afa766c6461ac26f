"""When a table that runs is to end: asked to, switched off, or to get its camera back.

A driver that hangs inside a process lets go of the camera only when that process ends.
People can play on without a camera, so it is done where it helps and costs nothing.
"""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue

from companion.cli.errors import CheckFailed, StartAgain
from companion.cli.first_start import default_data
from companion.running.service import Table
from companion.running.snapshot import Snapshot
from companion.watching.watcher import Watcher
from companion.words.said import say

LOOK_S = 0.5
"""How often the main thread looks whether the table still runs."""

READ_S = 2.0
"""How long the display says that the box goes off before it does."""

SWITCH_OFF_NAME = "switch-off"
"""File in the data folder that asks the service to switch the Pi off."""

LEAST_UP_S = 600.0
"""A program that ran for less does not end for this: six starts in five minutes would
have systemd give the table up, and no page is worse than no camera."""

TASKS = Path("/proc/self/task")


def switch_off_file(data: Path | None) -> Path | None:
    """Return where the wish to switch the Pi off is left, None unless systemd asks."""
    if not os.environ.get("NOTIFY_SOCKET"):
        return None
    return (data or default_data()) / SWITCH_OFF_NAME


def wait_for_end(
    table: Table, watcher: Watcher | None = None, switch_off: Path | None = None
) -> None:
    """Return when the process is asked to end, by a signal, Ctrl-C or the help button.

    Args:
        table: The running table.
        watcher: What watches it.
        switch_off: A file that is made when somebody held the help button: the service
            then switches the Pi off. None where the program only ends.

    Raises:
        CheckFailed: The table met a fault of its own; the log has the trace.
        StartAgain: Only a new process gets the camera back, and systemd starts one.
    """
    # A put may come in the middle of another: `timeout` sends two signals at once. An
    # Event waited for its own lock then, for ever.
    asked, began_s = SimpleQueue[int](), time.monotonic()
    restarts = bool(os.environ.get("NOTIFY_SOCKET"))
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _: asked.put(number))
    while not _comes_within(LOOK_S, asked):
        if table.failed.is_set():
            raise CheckFailed(say("terminal.fault"))
        up_s = time.monotonic() - began_s
        stuck = restarts and watcher is not None and watcher.is_stuck
        if should_start_again(stuck, up_s, table.snapshot):
            raise StartAgain(say("terminal.stuck"))
        if table.snapshot.off:
            if switch_off is not None:
                switch_off.touch()
            # Long enough to read on the display that it was heard.
            _comes_within(READ_S, asked)
            return


def _comes_within(seconds: float, asked: SimpleQueue[int]) -> bool:
    """Wait until somebody asks for the end, at most some seconds; tell whether."""
    with suppress(Empty):
        asked.get(timeout=seconds)
        return True
    return False


def should_start_again(
    stuck: bool, up_s: float, shown: Snapshot, tasks: Path = TASKS
) -> bool:
    """Tell whether to end now.

    Args:
        stuck: Only the end of the program gives the camera back.
        up_s: How long the program has run.
        shown: The table: no move may be missing on disk, and nobody in the middle of
            looking back with the buttons, which is kept nowhere.
        tasks: Where the kernel tells of this program's threads.
    """
    if not stuck or up_s < LEAST_UP_S or not shown.stored or shown.back is not None:
        return False
    return not _hangs_in_the_kernel(tasks)


def _hangs_in_the_kernel(tasks: Path) -> bool:
    """Tell whether a thread cannot be ended now, and would keep port and camera."""
    for stat in tasks.glob("*/stat"):
        try:
            # The name in brackets may hold anything; the state comes after it.
            state = stat.read_text(errors="replace").rpartition(")")[2].split()[0]
        except (OSError, IndexError):
            continue  # it has just ended
        if state == "D":
            return True
    return False
