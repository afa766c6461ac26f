"""Says what was found of Python, store, camera and pins, with one remedy for each.

Looks and changes nothing; a running table is asked rather than fought for its camera.
"""

import platform
import shutil
import socket
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from companion.doctor.computer import examine_computer
from companion.doctor.running_table import (
    examine_eye,
    examine_missing,
    fetch_from,
    is_table,
)
from companion.kits.kit import BadKit, kits_in
from companion.running.storage.archive import StoredGames, Unreadable
from companion.running.storage.salvage import kept_aside
from companion.running.wifi import WifiFiles
from companion.words import Words
from firmware.finding import Finding, Level
from vision.camera.library import LibraryMissing, camera_modules, load_picamera2
from vision.camera.usb import list_webcams
from vision.mat.rig_file import load_rig

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
    fetch = fetch_from(port)
    status = is_table(fetch)
    yield _python()
    yield _packages()
    yield from examine_computer(past=_power_past(status))
    yield _disk(data)
    yield _store(data / "table.sqlite3")
    yield from kept_files(data)
    yield _port(port, runs=status is not None)
    yield _network(address)
    if status is None:
        yield examine_camera()
    else:
        yield from examine_eye(fetch, status)
        yield from examine_missing(status)


def _power_past(status: dict[str, Any] | None) -> int:
    past = (status or {}).get("power_past", 0)
    return past if isinstance(past, int) else 0


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
    shelf = StoredGames(path)
    try:
        games = shelf.games()
    except Unreadable as error:
        return Finding(
            "store", Level.FAIL, f"{error}.",
            "Check the card; a copy of the file can be put back while no table runs.",
        )  # fmt: skip
    if shelf.mishaps:
        what = " ".join(Words("en").part(line) for line in shelf.mishaps)
        return Finding(
            "store", Level.FAIL, f"{path} is damaged.",
            f"Start the table once; what it will say: {what}",
        )  # fmt: skip
    said = f"{len(games)} games in {path}"
    hurt = [game.id for game in games if game.trouble is not None]
    if hurt:
        return Finding(
            "store", Level.WARN, f"{said}; not whole: {', '.join(hurt)}.",
            "The page of past games says what is the matter with each.",
        )  # fmt: skip
    aside = kept_aside(path)
    if aside:
        return Finding(
            "store", Level.WARN, f"{said}; damaged files kept: {', '.join(aside)}.",
            "Once nothing is missed, delete them.",
        )  # fmt: skip
    return Finding("store", Level.OK, f"{said}.")


def kept_files(data: Path) -> Iterator[Finding]:
    """Yield which of the owner's files cannot be read; the table does without them."""
    for path, kit in kits_in(data / "kits"):
        if isinstance(kit, BadKit):
            yield Finding(
                "kit", Level.WARN, f"The kit {path.name} cannot be read: {kit}.",
                "Mend the file, or bring the kit anew on the page of teaching.",
            )  # fmt: skip
    rig = data / "rig.json"
    try:
        if rig.exists():
            load_rig(rig)
    except OSError as error:
        what = "What the camera's place was measured by cannot be read"
        yield Finding(
            "rig", Level.WARN, f"{what}: {error}.",
            f"Delete {rig}, or make a new one as the line says.",
        )  # fmt: skip
    try:
        WifiFiles(data / "wifi.json").check()
    except OSError as error:
        yield Finding(
            "wifi", Level.WARN, f"{error}.", "Tell the network on the host's page."
        )


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


def examine_camera(
    load: Callable[[], Any] = load_picamera2,
    plugged_in: Callable[[], tuple[str, ...]] = list_webcams,
) -> Finding:
    """Say which cameras there are, without opening one.

    Args:
        load: Loads picamera2: that it is installed is not enough.
        plugged_in: Gives the numbers of webcams.
    """
    numbers = plugged_in()
    what = f"Webcams: {', '.join(f'video{number}' for number in numbers)}."
    try:
        names = camera_modules(load())
    except LibraryMissing as error:
        if error.installed:
            level = Level.WARN if numbers else Level.FAIL
            also = f" {what}" if numbers else ""
            remedy = f"{error.remedy[0].upper()}{error.remedy[1:]}."
            return Finding("camera", level, f"{error.evidence}.{also}", remedy)
    else:
        if names:
            return Finding(
                "camera", Level.OK, f"picamera2 finds {', '.join(names)}; use "
                "--camera pi.",
            )  # fmt: skip
        if not numbers:
            return Finding(
                "camera", Level.WARN, "picamera2 loads, but finds no camera.",
                "Check both ends of its ribbon cable with the Pi switched off, then "
                "run `rpicam-hello --list-cameras`.",
            )  # fmt: skip
    if numbers:
        return Finding("camera", Level.OK, what)
    return Finding(
        "camera", Level.WARN, "No camera was found.",
        "Plug in a webcam, on a Pi install python3-picamera2, or use --camera drawn.",
    )  # fmt: skip
