"""What every route of the page shares, and who asks in the request at hand."""

from collections.abc import Callable

from flask import Request, g
from msgspec import Struct

from companion.dashboard.api.streams import Streams
from companion.dashboard.door.auth import Authenticator, Who
from companion.dashboard.view.view_cache import EvidencePictures, ViewCache
from companion.running.offered_kits import OfferedKits
from companion.running.snapshot import RunningTable
from companion.running.wifi import Wifi, WifiFiles
from companion.teaching.page import Teacher


class Context(Struct, frozen=True):
    """One running table and all that shows it.

    *address* is ``http://host:port`` as phones reach it, and *networks* keep the Wi-Fi
    where they do, None where none is to be shown; *frames* gives the newest
    picture of the camera as JPEG, or None while there is none; *evidence* keeps the
    pictures that readings rest on, None where nobody does. *teacher* leads through
    teaching a copy, None where nobody can. *offered* are copies that other tables of a
    club were taught, None without a club. *asset* changes with the page's files, so
    that a phone never runs an old script.
    """

    table: RunningTable
    auth: Authenticator
    views: ViewCache
    streams: Streams
    address: str
    asset: str
    frames: Callable[[], bytes | None] | None = None
    evidence: EvidencePictures | None = None
    networks: WifiFiles | None = None
    teacher: Teacher | None = None
    offered: OfferedKits | None = None

    @property
    def wifi(self) -> Wifi | None:
        """Return the network that phones join, if anybody has entered it."""
        return self.networks.read() if self.networks is not None else None

    def link(self, path: str = "") -> str:
        """Return an address of ours as phones open it, in the network they join."""
        wifi = self.wifi
        at = self.address if wifi is None else wifi.address or self.address
        return f"{at.rstrip('/')}/{path.lstrip('/')}"


def asker() -> Who:
    """Return who asks in the present request; set by `guard` before any route runs."""
    who = g.who
    assert isinstance(who, Who)
    return who


def language() -> str:
    """Return the language of the present request."""
    return str(g.language)


def cookie_name(role: str, request: Request) -> str:
    """Return the name of a role's cookie in the present request."""
    return named(role, request.environ.get("SERVER_PORT", "80"))


def named(role: str, port: object) -> str:
    """Return the name of a role's cookie; cookies of two ports would mix without it."""
    return f"dragon_{role}_{port}"
