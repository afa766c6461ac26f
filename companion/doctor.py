"""Says what was found of Python, store, camera and pins, with one remedy for each.

Looks and changes nothing; a running table is asked rather than fought for its camera.
"""

import platform
import shutil
import socket
import sqlite3
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from companion.board import examine_board
from companion.visit import examine_eye, fetch_from, is_table
from firmware.finding import Finding, Level

LEAST_FREE_MB = 200
"""A whole game is 0.1 MB, its pictures some tens; below this the card fills in play."""

PACKAGES = ("opencv-python-headless", "numpy", "flask", "gpiozero")


def examine(data: Path, port: int, address: str) -> Iterator[Finding]:
    """Yield all findings, the ones that everything else rests on first.

    Args:
        data: Folder of games.
        port: Where a running table would serve its page.
        address: What phones would open.
    """
    yield _python()
    yield _packages()
    yield from examine_board()
    yield _disk(data)
    yield _store(data / "table.sqlite3")
    fetch = fetch_from(port)
    status = is_table(fetch)
    yield _port(port, runs=status is not None)
    yield _network(address)
    if status is None:
        yield _camera(Path("/dev"))
    else:
        yield from examine_eye(fetch, status)


def _python() -> Finding:
    # Older than 3.11 does not get this far: pip refuses to install us there.
    found = f"Python {platform.python_version()} on {platform.machine()}"
    return Finding("python", Level.OK, f"{found}.")


def _packages() -> Finding:
    found, missing = [], []
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    if missing:
        return Finding(
            "packages", Level.WARN, f"Not installed by pip: {', '.join(missing)}.",
            "Fine where apt brought them; else run `pip install dragon-table`.",
        )  # fmt: skip
    return Finding("packages", Level.OK, f"{', '.join(found)}.")


def _disk(data: Path) -> Finding:
    folder = next(
        parent for parent in (data, *data.absolute().parents) if parent.exists()
    )
    free_mb = shutil.disk_usage(folder).free // 1_000_000
    said = f"{free_mb} MB free for {data}."
    if free_mb < LEAST_FREE_MB:
        return Finding(
            "disk", Level.WARN, said, "Free some space or use a larger card."
        )
    return Finding("disk", Level.OK, said)


def _store(path: Path) -> Finding:
    if not path.exists():
        return Finding("store", Level.OK, f"No games stored yet in {path}.")
    try:
        # immutable: a look must not make a write-ahead log beside a running table's.
        db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        try:
            (verdict,) = db.execute("PRAGMA quick_check").fetchone()
            (games,) = db.execute("SELECT count(*) FROM games").fetchone()
        finally:
            db.close()
    except sqlite3.Error as error:
        return Finding(
            "store", Level.FAIL, f"{path} cannot be read: {error}.",
            "Start the table once: it puts a damaged file aside and begins a new one.",
        )  # fmt: skip
    if verdict != "ok":
        return Finding(
            "store", Level.FAIL, f"{path} is damaged: {verdict}.",
            "Start the table once: it puts the file aside and begins a new one.",
        )  # fmt: skip
    return Finding("store", Level.OK, f"{games} games in {path}.")


def _port(port: int, *, runs: bool) -> Finding:
    if runs:
        return Finding("port", Level.OK, f"Dragon Table answers on port {port}.")
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.settimeout(1.0)
        taken = probe.connect_ex(("127.0.0.1", port)) == 0
    if taken:
        return Finding(
            "port", Level.FAIL, f"Another program answers on port {port}.",
            "End it, or start the table with another --port.",
        )  # fmt: skip
    return Finding("port", Level.OK, f"Port {port} is free.")


def _network(address: str) -> Finding:
    if "//127." in address:
        return Finding(
            "network", Level.WARN, "This computer is in no network.",
            "Join a WLAN, or make one: `sudo /opt/dragon-table/hotspot.sh on`.",
        )  # fmt: skip
    return Finding("network", Level.OK, f"Phones open {address}")


def _camera(devices: Path) -> Finding:
    """Say which cameras there are, without opening one: a table may be using it."""
    if find_spec("picamera2") is not None:
        return Finding("camera", Level.OK, "picamera2 is installed; use --camera pi.")
    webcams = sorted(path.name for path in devices.glob("video*"))
    if webcams:
        return Finding("camera", Level.OK, f"Webcams: {', '.join(webcams)}.")
    return Finding(
        "camera", Level.WARN, "No camera was found.",
        "Plug in a webcam, on a Pi install python3-picamera2, or use --camera drawn.",
    )  # fmt: skip
