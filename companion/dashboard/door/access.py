"""Which role may use which route: what is not in this table is refused."""

VIEWER, SEAT, HOST = "viewer", "seat", "host"
ALL = frozenset({VIEWER, SEAT, HOST})
TABLE = frozenset({SEAT, HOST})
HOSTS = frozenset({HOST})

ACCESS = {
    ("GET", "/"): ALL,
    ("GET", "/table"): ALL,
    ("GET", "/j/<code>"): ALL,
    ("GET", "/host"): ALL,
    ("POST", "/host"): ALL,
    ("GET", "/tally"): ALL,
    ("POST", "/tally"): ALL,
    ("GET", "/picture"): ALL,
    ("GET", "/rules"): ALL,
    ("GET", "/odds"): ALL,
    ("GET", "/help"): ALL,
    ("GET", "/evidence/<game_id>/<name>"): ALL,
    ("GET", "/past"): ALL,
    ("GET", "/past/<game_id>"): ALL,
    ("GET", "/past/<game_id>/<form>"): ALL,
    ("GET", "/past/<game_id>/points/<int:seat>"): ALL,
    ("GET", "/past/<game_id>/delete"): HOSTS,
    ("GET", "/figures"): ALL,
    ("GET", "/forget"): HOSTS,
    ("GET", "/amend/<int:step>"): HOSTS,
    ("GET", "/box/<game>"): HOSTS,
    ("POST", "/box/<game>"): HOSTS,
    ("GET", "/teach"): HOSTS,
    ("GET", "/teach/now"): HOSTS,
    ("GET", "/teach/facts"): HOSTS,
    ("POST", "/teach/facts"): HOSTS,
    ("GET", "/teach/spaces"): HOSTS,
    ("POST", "/teach/spaces"): HOSTS,
    ("GET", "/teach/map"): HOSTS,
    ("GET", "/teach/picture"): HOSTS,
    ("GET", "/teach/kit/<name>"): HOSTS,
    ("POST", "/api/teach"): HOSTS,
    ("POST", "/api/teach/kit"): HOSTS,
    ("GET", "/api/state"): ALL,
    ("GET", "/api/events"): ALL,
    ("GET", "/api/openapi.json"): ALL,
    ("GET", "/static/<path:filename>"): ALL,
    ("GET", "/favicon.ico"): ALL,
    ("POST", "/api/act"): TABLE,
    ("POST", "/api/undo"): TABLE,
    ("POST", "/api/adopt"): TABLE,
    ("POST", "/api/sim/press"): TABLE,
    ("POST", "/api/game"): HOSTS,
    ("POST", "/api/resume"): HOSTS,
    ("POST", "/api/leave"): HOSTS,
    ("POST", "/api/sit"): ALL,
    ("POST", "/api/wifi"): HOSTS,
    ("POST", "/api/pause"): HOSTS,
    ("POST", "/api/go_on"): HOSTS,
    ("POST", "/api/rematch"): HOSTS,
    ("POST", "/api/forget"): HOSTS,
    ("POST", "/api/delete"): HOSTS,
    ("POST", "/api/amend"): TABLE,
    ("POST", "/api/photo"): HOSTS,
    ("POST", "/api/free"): HOSTS,
    ("POST", "/api/step_down"): HOSTS,
}
"""Method and route to the roles that may; ``/host`` shows a viewer the PIN alone."""


def is_allowed(method: str, rule: str, *, seated: bool, host: bool) -> bool:
    """Tell whether somebody with these roles may use a route."""
    roles = {VIEWER} | ({SEAT} if seated else set()) | ({HOST} if host else set())
    asked = "GET" if method == "HEAD" else method
    return bool(roles & ACCESS.get((asked, rule), frozenset()))
