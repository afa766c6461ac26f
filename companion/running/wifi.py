"""The Wi-Fi that phones join before they can open the page: kept, and as a code.

The host tells it once, or `hotspot.sh` makes one; it is shown on the big screen alone.
Never changes the network itself.
"""

from pathlib import Path

import msgspec
from msgspec import Struct

from companion.files import UNREADABLE, write_whole

HOTSPOT = Path("/run/dragon-table-hotspot.json")
"""Where `hotspot.sh on` tells of the table's own network; gone with the next start."""

MOST_NAME_BYTES = 32
PASSWORD_LETTERS = range(8, 64)
"""Source: IEEE 802.11-2020, 9.4.2.2 (SSID) and annex J.4.1 (passphrase)."""


class Wifi(Struct, frozen=True, omit_defaults=True):
    """A network: its name, its password ("" for an open one).

    *address* is ``http://host:port`` of the page there, None where it is as always.
    """

    name: str
    password: str
    address: str | None = None

    @property
    def code(self) -> str:
        """Return what a phone's camera understands as this network.

        Not segno's `make_wifi_data`: 1.6.6 leaves a comma as it is.

        Source: ZXing wiki, "Barcode Contents", Wi-Fi network config.
        """
        kind = "WPA" if self.password else "nopass"
        secret = f"P:{_escaped(self.password)};" if self.password else ""
        return f"WIFI:T:{kind};S:{_escaped(self.name)};{secret};"


class WifiUnreadable(OSError):
    """A file should hold a network and does not."""


class WifiFiles(Struct, frozen=True):
    """Where the networks are kept: the household's *own*, and the table's *hotspot*."""

    own: Path
    hotspot: Path = HOTSPOT

    def read(self) -> Wifi | None:
        """Return the network to join: the hotspot while it is on, else the own one."""
        return _read(self.hotspot) or _read(self.own)

    def keep(self, wifi: Wifi | None) -> None:
        """Remember the household's network, None to forget it.

        Raises:
            OSError: The disk refuses.
        """
        if wifi is None:
            self.own.unlink(missing_ok=True)
            return
        # Only the table's own user may read a password.
        write_whole(self.own, msgspec.json.encode(wifi), mode=0o600)

    def check(self) -> None:
        """Say if the household's network was kept and cannot be read.

        Raises:
            WifiUnreadable: The file holds no network.
        """
        if self.own.exists() and _read(self.own) is None:
            raise WifiUnreadable(
                f"{self.own} holds no network; tell it again on the host's page"
            )


def is_sound(wifi: Wifi) -> bool:
    """Tell whether there can be a network of that name and password."""
    if not 0 < len(wifi.name.encode()) <= MOST_NAME_BYTES:
        return False
    letters = wifi.password
    plain = letters.isascii() and letters.isprintable()
    return not letters or (len(letters) in PASSWORD_LETTERS and plain)


def _read(path: Path) -> Wifi | None:
    """Return the network in a file; one that cannot be read is none."""
    try:
        wifi = msgspec.json.decode(path.read_bytes(), type=Wifi)
    except UNREADABLE:
        return None
    return wifi if is_sound(wifi) else None


def _escaped(text: str) -> str:
    return "".join(f"\\{letter}" if letter in '\\;,":' else letter for letter in text)
