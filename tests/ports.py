"""Ports for the programs that tests start."""

import os
import socket
from itertools import cycle, islice

EACH = 1_500
WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))

# Linux gives 32768 and above to whoever connects: a port that was free up there may be
# some browser's a moment later. Each worker has ports of its own, one after the other.
_FIRST = 20_000 + WORKER % 8 * EACH
_START = _FIRST + os.getpid() % EACH
_PORTS = cycle([*range(_START, _FIRST + EACH), *range(_FIRST, _START)])


def free_port() -> int:
    """Return a port of loopback on which nobody listens."""
    for port in islice(_PORTS, EACH):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue  # somebody else's
        return port
    raise AssertionError(f"no port is free from {_FIRST} on")
