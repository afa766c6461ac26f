"""Says how the computer under the table is: board, system, power, heat, clock, sound.

Reads what the kernel tells in files, and changes nothing. The root of those files is an
argument, so that tests can show any Raspberry Pi.
"""

import platform
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from companion.running.power import HOT, LOW, Power, after_bits
from companion.words.said import say
from firmware.finding import Finding, Level
from firmware.loudspeaker import usb_output

ROOT = Path("/")

WARM_C, HOT_C = 70.0, 80.0
"""A Pi slows down at 80 degrees. Source: Raspberry Pi documentation, frequency
management and thermal control."""

SYSTEMS = ("bookworm", "trixie")
"""Releases of Raspberry Pi OS that `make pi-install` is made for."""

THROTTLED = "sys/devices/platform/soc/soc:firmware/get_throttled"
"""What `vcgencmd get_throttled` says, without its program and without a right to it."""

_THROTTLED = "sys/devices/platform/soc*/*:firmware/get_throttled"
"""The same, whatever address a model's folders carry in their names."""

_SENSORS = "sys/class/hwmon/hwmon*/name"
_SUPPLY = "rpi_volt"
"""The kernel's sensor of too little voltage. Source: Linux, raspberrypi-hwmon."""


def power_bits(root: Path = ROOT) -> int | None:
    """Return the bits of `companion.running.power`, None where there are none."""
    bits = None
    for path in sorted(root.glob(_THROTTLED)):
        with suppress(ValueError):
            bits = int(_text(path).strip(), 16)
    for name in root.glob(_SENSORS):
        if _text(name).strip() == _SUPPLY:
            alarm = _text(name.parent / "in0_lcrit_alarm").strip()
            bits = (bits or 0) | (LOW if alarm == "1" else 0)
    return bits


def examine_computer(root: Path = ROOT, past: int = 0) -> Iterator[Finding]:
    """Yield what there is to say of the computer.

    Args:
        root: Where the kernel's files are.
        past: Bits of `companion.running.power` that a running table has met since it
            started.
    """
    model = _text(root / "proc/device-tree/model").strip("\0\n ")
    on_a_pi = "Raspberry Pi" in model
    yield _board(model)
    yield _system(root, on_a_pi)
    yield _power(power_bits(root), past)
    yield _temperature(root)
    yield _clock(root)
    yield _sound(root)


def _board(model: str) -> Finding:
    if not model:
        values = {"machine": platform.machine(), "system": platform.system()}
        what = say("doctor.board.none", **values)
        return Finding("board", Level.OK, what)
    if any(f"Raspberry Pi {old}" in model for old in ("Model", "2", "Zero")):
        return Finding(
            "board",
            Level.WARN,
            f"{model}.",
            say("doctor.board.slow"),
        )
    return Finding("board", Level.OK, f"{model}.")


def _system(root: Path, on_a_pi: bool) -> Finding:
    lines = (
        line.partition("=") for line in _text(root / "etc/os-release").splitlines()
    )
    facts = {name: value.strip('"') for name, _, value in lines}
    name = facts.get("PRETTY_NAME") or platform.platform()
    if on_a_pi and sys.maxsize < 2**32:
        return Finding(
            "system",
            Level.FAIL,
            say("doctor.system.bits", name=name),
            say("doctor.system.bits_do"),
        )
    if on_a_pi and facts.get("VERSION_CODENAME") not in SYSTEMS:
        return Finding(
            "system",
            Level.WARN,
            f"{name}.",
            say("doctor.system.other", names=", ".join(SYSTEMS)),
        )
    return Finding("system", Level.OK, f"{name}.")


def _power(bits: int | None, past: int) -> Finding:
    if bits is None and not past:
        return Finding("power", Level.OK, say("doctor.power.none"))
    bits = bits or 0
    power = after_bits(Power(past=past), bits)
    supply, cooler = say("doctor.power.supply"), say("doctor.power.cooler")
    was = f"{bits:#x}"
    if power.now & LOW:
        return Finding(
            "power", Level.FAIL, say("doctor.power.low_now", bits=was), supply
        )
    if power.now:
        if power.now & HOT:
            said = say("doctor.power.hot_now", bits=was)
            return Finding("power", Level.WARN, said, cooler)
        said = say("doctor.power.slow_now", bits=was)
        return Finding("power", Level.WARN, said, say("doctor.power.cooler_supply"))
    if power.past & LOW:
        said = say("doctor.power.low_past", bits=was)
        return Finding("power", Level.WARN, said, supply)
    if power.past:
        said = say("doctor.power.slow_past", bits=was)
        return Finding("power", Level.WARN, said, cooler)
    return Finding("power", Level.OK, say("doctor.power.fine"))


def _temperature(root: Path) -> Finding:
    text = _text(root / "sys/class/thermal/thermal_zone0/temp").strip()
    if not text.isdigit():
        return Finding("temperature", Level.OK, say("doctor.temperature.none"))
    degrees = int(text) / 1000
    warmth, remedy = f"{degrees:.0f} °C.", say("doctor.power.cooler")
    if degrees >= HOT_C:
        return Finding("temperature", Level.FAIL, warmth, remedy)
    if degrees >= WARM_C:
        return Finding("temperature", Level.WARN, warmth, remedy)
    return Finding("temperature", Level.OK, warmth)


def _clock(root: Path) -> Finding:
    if not (root / "run/systemd/timesync").is_dir():
        return Finding("clock", Level.OK, say("doctor.clock.other"))
    if (root / "run/systemd/timesync/synchronized").exists():
        return Finding("clock", Level.OK, say("doctor.clock.set"))
    return Finding(
        "clock",
        Level.WARN,
        say("doctor.clock.unset"),
        say("doctor.clock.unset_do"),
    )


def _sound(root: Path) -> Finding:
    missing = [name for name in ("aplay", "espeak-ng") if shutil.which(name) is None]
    cards = _text(root / "proc/asound/cards").strip()
    if not cards or "no soundcards" in cards:
        return Finding(
            "sound",
            Level.WARN,
            say("doctor.sound.none"),
            say("doctor.sound.none_do"),
        )
    output = usb_output(root / "proc/asound")
    first = cards.splitlines()[0]
    if output is not None:
        # " 1 [UACDemo        ]: ..."; ALSA's name for it is in the brackets.
        card = output.partition("CARD=")[2].partition(",")[0]
        named = rf"^.*\[{re.escape(card)} *\]: .*$"
        first = (re.findall(named, cards, re.MULTILINE) or [first])[0]
    name = first.partition("]: ")[2] or first
    if missing:
        return Finding(
            "sound",
            Level.WARN,
            say("doctor.sound.missing", name=name, programs=", ".join(missing)),
            say("doctor.sound.missing_do"),
        )
    return Finding("sound", Level.OK, f"{name}.")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
