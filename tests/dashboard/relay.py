"""Stands between phone and table, and falls silent as a table without power does."""

import socket
import threading
from contextlib import suppress

RESET = (1).to_bytes(4, "little") + (0).to_bytes(4, "little")
"""Closing with this tells the other side at once that nobody knows it any more."""


class Relay:
    """Passes bytes on to the table at *port* until it is cut.

    What was connected then hears nothing more, not even that it is over. Once mended,
    new connections work, and old ones are told when they next say something.
    """

    def __init__(self, port: int) -> None:
        self._port = port
        self._lost = threading.Event()
        self._silent = False
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.at = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        self._silent = True
        self._lost.set()

    def mend(self) -> None:
        self._lost = threading.Event()
        self._silent = False

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                phone, _ = self._listener.accept()
            except OSError:
                return
            lost = self._lost
            table = socket.create_connection(("127.0.0.1", self._port))
            for here, there in ((phone, table), (table, phone)):
                told = (here, there, lost, here is phone)
                passing = threading.Thread(target=self._pass, args=told)
                passing.daemon = True
                passing.start()

    def _pass(
        self,
        here: socket.socket,
        there: socket.socket,
        lost: threading.Event,
        from_phone: bool,
    ) -> None:
        try:
            while data := here.recv(1 << 16):
                if not lost.is_set():
                    there.sendall(data)
                elif from_phone and not self._silent:
                    here.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
                    break
        except OSError:
            pass  # one side left in the middle of a word
        here.close()
        with suppress(OSError):
            there.shutdown(socket.SHUT_RDWR)  # wakes the thread that reads there
