"""Tells systemd that the service is ready, alive or stopping.

Source: man page sd_notify(3); one datagram, so no library is needed.
"""

import socket


def notify(address: str | None, state: str) -> bool:
    """Send *state* to the service manager and return whether it was sent.

    Args:
        address: Value of ``$NOTIFY_SOCKET``; None where nobody waits for it.
        state: ``"READY=1"``, ``"WATCHDOG=1"``, ``"STOPPING=1"`` or ``"STATUS=..."``.
    """
    if not address:
        return False
    # A leading @ stands for a name that is on no disk.
    place = "\0" + address[1:] if address.startswith("@") else address
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            # A full queue must not stop the loop whose life this proves.
            sender.setblocking(False)
            sender.sendto(state.encode(), place)
    except OSError:
        return False
    return True
