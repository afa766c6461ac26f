"""Serves the pages of a table, at an address that phones can open."""

import socket
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from typing import Any

from companion.capsule.evidence_store import EvidenceStore
from companion.cli.errors import BadInput
from companion.cli.first_start import Secrets
from companion.dashboard import create_app
from companion.dashboard.door.hosts import own_names
from companion.dashboard.serve import Server
from companion.dashboard.serve import start as start_server
from companion.running.offered_kits import OfferedKits
from companion.running.service import Table
from companion.running.wifi import WifiFiles
from companion.teaching.page import Teacher

FREE_PORTS = 3
"""How many ports are tried where any will do."""


def address(port: int) -> str:
    """Return the address that a phone in the same network can open."""
    probe = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        # Connecting a datagram socket sends nothing; it only picks the interface.
        probe.connect(("192.0.2.1", 9))
        host = probe.getsockname()[0]
    except OSError:
        host = "127.0.0.1"
    finally:
        probe.close()
    return f"http://{host}:{port}"


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        number: int = probe.getsockname()[1]
        return number


def start_pages(
    stack: ExitStack, port: int, serve: Callable[[int], AbstractContextManager[Server]]
) -> Server:
    """Return the server of the pages; at any free port where 0 was asked for.

    Raises:
        BadInput: The port is taken.
    """
    for _ in range(0 if port else FREE_PORTS):
        # One that is free now may be somebody else's a moment later.
        with suppress(BadInput):
            return stack.enter_context(serve(port or free_port()))
    return stack.enter_context(serve(port or free_port()))


@contextmanager
def pages(
    table: Table,
    known: Secrets,
    port: int,
    frames: Callable[[], bytes | None] | None,
    box: Any | None = None,
    networks: WifiFiles | None = None,
    evidence: EvidenceStore | None = None,
    teacher: Teacher | None = None,
    offered: OfferedKits | None = None,
) -> Iterator[Server]:
    """Serve the pages of *table*.

    Raises:
        BadInput: The port is taken.
    """
    app = create_app(
        table,
        secret=known.key,
        pin=known.pin,
        address=address(port),
        frames=frames,
        own_names=own_names,
        tally_box=box,
        networks=networks,
        evidence=evidence,
        teacher=teacher,
        offered=offered,
    )
    try:
        server = start_server(app, "0.0.0.0", port)
    except OSError as error:
        raise BadInput(str(error)) from error
    try:
        yield server
    finally:
        server.close()
