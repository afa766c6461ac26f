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
from companion.words.said import Part, say
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
    values = {"version": platform.python_version(), "machine": platform.machine()}
    return Finding("python", Level.OK, say("doctor.python", **values))


def _packages() -> Finding:
    found, missing = [], []
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    if missing:
        return Finding(
            "packages",
            Level.WARN,
            say("doctor.packages.missing", names=", ".join(missing)),
            say("doctor.packages.missing_do"),
        )
    return Finding("packages", Level.OK, f"{', '.join(found)}.")


def _disk(data: Path) -> Finding:
    folder = next(
        parent for parent in (data, *data.absolute().parents) if parent.exists()
    )
    free_mb = shutil.disk_usage(folder).free // 1_000_000
    said = say("doctor.disk", free=free_mb, data=str(data))
    if free_mb < LEAST_FREE_MB:
        return Finding("disk", Level.WARN, said, say("doctor.disk_do"))
    return Finding("disk", Level.OK, said)


def _store(path: Path) -> Finding:
    if not path.exists():
        return Finding("store", Level.OK, say("doctor.store.none", path=str(path)))
    shelf = StoredGames(path)
    try:
        games = shelf.games()
    except Unreadable as error:
        return Finding(
            "store",
            Level.FAIL,
            f"{error}.",
            say("doctor.store.unreadable_do"),
        )
    if shelf.mishaps:
        what = tuple(shelf.mishaps)
        return Finding(
            "store",
            Level.FAIL,
            say("doctor.store.damaged", path=str(path)),
            say("doctor.store.damaged_do", what=what),
        )
    kept: dict[str, Part] = {"n": len(games), "path": str(path)}
    hurt = [game.id for game in games if game.trouble is not None]
    if hurt:
        return Finding(
            "store",
            Level.WARN,
            say("doctor.store.hurt", **kept, games=", ".join(hurt)),
            say("doctor.store.hurt_do"),
        )
    aside = kept_aside(path)
    if aside:
        return Finding(
            "store",
            Level.WARN,
            say("doctor.store.aside", **kept, files=", ".join(aside)),
            say("doctor.store.aside_do"),
        )
    return Finding("store", Level.OK, say("doctor.store.games", **kept))


def kept_files(data: Path) -> Iterator[Finding]:
    """Yield which of the owner's files cannot be read; the table does without them."""
    for path, kit in kits_in(data / "kits"):
        if isinstance(kit, BadKit):
            yield Finding(
                "kit",
                Level.WARN,
                say("doctor.kit", name=path.name, why=str(kit)),
                say("doctor.kit_do"),
            )
    rig = data / "rig.json"
    try:
        if rig.exists():
            load_rig(rig)
    except OSError as error:
        yield Finding(
            "rig",
            Level.WARN,
            say("doctor.rig", why=str(error)),
            say("doctor.rig_do", path=str(rig)),
        )
    try:
        WifiFiles(data / "wifi.json").check()
    except OSError as error:
        yield Finding("wifi", Level.WARN, f"{error}.", say("doctor.wifi_do"))


def _port(port: int, *, runs: bool) -> Finding:
    if runs:
        return Finding("port", Level.OK, say("doctor.port.runs", port=port))
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.settimeout(1.0)
        taken = probe.connect_ex(("127.0.0.1", port)) == 0
    if taken:
        return Finding(
            "port",
            Level.FAIL,
            say("doctor.port.taken", port=port),
            say("doctor.port.taken_do"),
        )
    return Finding("port", Level.OK, say("doctor.port.free", port=port))


def _network(address: str) -> Finding:
    if "//127." in address:
        return Finding(
            "network",
            Level.WARN,
            say("doctor.network.none"),
            say("doctor.network.none_do"),
        )
    return Finding("network", Level.OK, say("doctor.network", address=address))


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
    names = ", ".join(f"video{number}" for number in numbers)
    what = say("doctor.camera.webcams", names=names)
    try:
        modules = camera_modules(load())
    except LibraryMissing as error:
        if error.installed:
            level = Level.WARN if numbers else Level.FAIL
            also = f" {what}" if numbers else ""
            remedy = f"{error.remedy[0].upper()}{error.remedy[1:]}."
            return Finding("camera", level, f"{error.evidence}.{also}", remedy)
    else:
        if modules:
            said = say("doctor.camera.pi", names=", ".join(modules))
            return Finding("camera", Level.OK, said)
        if not numbers:
            return Finding(
                "camera",
                Level.WARN,
                say("doctor.camera.unseen"),
                say("doctor.camera.unseen_do"),
            )
    if numbers:
        return Finding("camera", Level.OK, what)
    return Finding(
        "camera",
        Level.WARN,
        say("doctor.camera.none"),
        say("doctor.camera.none_do"),
    )
