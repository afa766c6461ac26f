"""Answers the questions by which phones find out whether a network is worth staying in.

A phone that joins the table's own network asks its maker's server for a known answer.
Without it the phone says "no internet", and leaves. `hotspot.sh` sends these names to
the table; nothing but these pairs of name and path is answered under a strange name.
"""

from flask import Request, Response
from msgspec import Struct


class ProbeAnswer(Struct, frozen=True):
    """What a phone wants to hear: the very bytes, of a type, under a status."""

    body: bytes = b""
    mimetype: str = "text/plain"
    status: int = 200


NOTHING = ProbeAnswer(status=204)
APPLE = ProbeAnswer(
    b"<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>",
    "text/html",
)
MOZILLA = ProbeAnswer(
    b'<meta http-equiv="refresh" content="0;'
    b'url=https://support.mozilla.org/kb/captive-portal"/>',
    "text/html",
)
ONLINE = ProbeAnswer(b"NetworkManager is online\n")

PROBES = {
    # Android, ChromeOS, and makers that ask their own servers.
    ("connectivitycheck.gstatic.com", "/generate_204"): NOTHING,
    ("connectivitycheck.android.com", "/generate_204"): NOTHING,
    ("clients3.google.com", "/generate_204"): NOTHING,
    ("connectivity.samsung.com.cn", "/generate_204"): NOTHING,
    ("connect.rom.miui.com", "/generate_204"): NOTHING,
    ("connectivitycheck.platform.hicloud.com", "/generate_204"): NOTHING,
    # iPhones, iPads and Macs.
    ("captive.apple.com", "/hotspot-detect.html"): APPLE,
    ("captive.apple.com", "/"): APPLE,
    # Windows 10 and later, and what it asked before.
    ("www.msftconnecttest.com", "/connecttest.txt"): ProbeAnswer(
        b"Microsoft Connect Test"
    ),
    ("ipv6.msftconnecttest.com", "/connecttest.txt"): ProbeAnswer(
        b"Microsoft Connect Test"
    ),
    ("www.msftncsi.com", "/ncsi.txt"): ProbeAnswer(b"Microsoft NCSI"),
    # Firefox, on any system.
    ("detectportal.firefox.com", "/success.txt"): ProbeAnswer(b"success\n"),
    ("detectportal.firefox.com", "/canonical.html"): MOZILLA,
    # NetworkManager as GNOME, Debian, Ubuntu and KDE set it up.
    ("nmcheck.gnome.org", "/check_network_status.txt"): ONLINE,
    ("network-test.debian.org", "/nm"): ONLINE,
    ("connectivity-check.ubuntu.com", "/"): NOTHING,
    ("networkcheck.kde.org", "/"): ProbeAnswer(b"OK\n"),
}
"""What is answered, by name and path.

Source: Android, NetworkMonitor's default probes; Apple, "captive.apple.com"; Microsoft,
"NCSI overview"; Firefox, ``captivedetect.canonicalContent`` and
``network.captive-portal-service``; NetworkManager.conf(5), connectivity, ``uri`` and
``response``.
"""

ONLINE_SIGN = ("X-NetworkManager-Status", "online")
"""Believed by NetworkManager whatever the answer says."""


def answer(request: Request) -> Response | None:
    """Return what a phone that probes its network wants to hear, None to anybody else.

    A port stands in no probe; whoever names one was not sent here by `hotspot.sh`.
    """
    if request.method not in ("GET", "HEAD"):
        return None
    name = request.headers.get("Host", "").lower().removesuffix(":80")
    wanted = PROBES.get((name, request.path))
    if wanted is None:
        return None
    answered = Response(wanted.body, wanted.status, mimetype=wanted.mimetype)
    answered.headers.add(*ONLINE_SIGN)
    return answered
