"""The page that phones open: views of the table, and the way in.

`create_app` makes the Flask application for a running table, `serve.start` carries it.
Nothing here changes a game: every wish is handed to the running table, which answers.
"""

from companion.dashboard.app import create_app
from companion.dashboard.door.auth import host_link, seat_link, watch_link
from companion.dashboard.serve import CannotServe, Server, start

__all__ = [
    "CannotServe",
    "Server",
    "create_app",
    "host_link",
    "seat_link",
    "start",
    "watch_link",
]
