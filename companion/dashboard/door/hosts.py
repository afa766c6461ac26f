"""Which names of the table a browser may ask it by.

A name on the internet can be made to point at an address in somebody's home, and a page
from there would then be a page of ours to the browser. So a name counts only where no
stranger can publish it.
"""

import re
import socket
from collections.abc import Callable, Collection
from ipaddress import IPv6Address, ip_address
from pathlib import Path

RESOLVER = Path("/etc/resolv.conf")

PRIVATE = (
    "local",
    "localhost",
    "home.arpa",
    "internal",
    "intranet",
    "private",
    "corp",
    "home",
    "lan",
    "localdomain",
    "fritz.box",
)
"""Endings that name nothing on the internet, so that a household's router gives them.

Source: RFC 6762 (local) and its appendix G (intranet, internal, private, corp, home,
lan); RFC 6761 (localhost); RFC 8375 (home.arpa); ICANN Board, 29 July 2024 (internal);
not delegated: localdomain. ``fritz.box`` is a name on the internet that belongs to the
maker of these routers.
"""

MOST_LETTERS = 253
"""Source: RFC 1035, 2.3.4, without the last dot."""

_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME = re.compile(rf"({_LABEL}(?:\.{_LABEL})*)\.?(?::[0-9]{{1,5}})?", re.ASCII)
_ADDRESS = re.compile(r"([0-9.]+)(?::[0-9]{1,5})?", re.ASCII)
_ADDRESS_6 = re.compile(r"\[([0-9a-f:.]+)(?:%[a-z0-9._~%-]+)?\](?::[0-9]{1,5})?")


def is_ours(host: str, own: Callable[[], Collection[str]]) -> bool:
    """Tell whether *host*, as a browser sends it, can only mean this table.

    An address, a name without a dot and one with a `PRIVATE` ending cannot be pointed
    here from the internet; any other name must be one of the table's *own*, which are
    only looked up then.
    """
    host = host.lower()
    six = _ADDRESS_6.fullmatch(host)
    if six is not None:
        return _is_address(six[1], IPv6Address)
    four = _ADDRESS.fullmatch(host)
    if four is not None:
        return _is_address(four[1], ip_address)
    found = _NAME.fullmatch(host)
    if found is None or len(found[1]) > MOST_LETTERS:
        return False
    name = found[1]
    if "." not in name or name.endswith(tuple(f".{ending}" for ending in PRIVATE)):
        return True
    return name in own()


def _is_address(text: str, kind: Callable[[str], object]) -> bool:
    try:
        kind(text)
    except ValueError:
        return False
    return True


def own_names(
    hostname: Callable[[], str] = socket.gethostname, resolver: Path = RESOLVER
) -> frozenset[str]:
    """Return the names that this computer has in the network that it is in now.

    Its hostname, alone and with each domain that the router told it to search.
    """
    name = hostname().lower().rstrip(".")
    try:
        lines = resolver.read_text(errors="replace").lower().splitlines()
    except OSError:
        lines = []
    words = [line.split() for line in lines]
    domains = [
        domain.strip(".")
        for line in words
        if line[:1] in (["search"], ["domain"])
        for domain in line[1:]
    ]
    short = name.partition(".")[0]
    return frozenset([name, *(f"{short}.{domain}" for domain in domains if domain)])
