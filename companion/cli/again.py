"""When the program ends so that systemd starts it anew, for its camera's sake.

A driver that hangs inside a process lets go of the camera only when that process ends.
People can play on without a camera, so it is done where it helps and costs nothing.
"""

from pathlib import Path

from companion.running.snapshot import Snapshot

EXIT_CODE = 75
"""EX_TEMPFAIL of sysexits.h: try again. systemd restarts the unit on any failure."""

LEAST_UP_S = 600.0
"""A program that ran for less does not end for this: six starts in five minutes would
have systemd give the table up, and no page is worse than no camera."""

TASKS = Path("/proc/self/task")


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
