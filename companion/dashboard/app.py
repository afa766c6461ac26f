"""Makes the Flask application of a running table; holds nothing outside of it."""

import hashlib
import time
from collections.abc import Callable, Collection
from functools import cache
from pathlib import Path

from flask import Flask
from jinja2 import StrictUndefined

from companion.dashboard import compression
from companion.dashboard.api import acts, description, photo, stream
from companion.dashboard.api.streams import Streams
from companion.dashboard.context import Context
from companion.dashboard.door import guard
from companion.dashboard.door.auth import Authenticator
from companion.dashboard.pages import (
    amending,
    describing,
    evidence_pages,
    facts,
    figures,
    forecast,
    main,
    stored_games,
    tally,
    teaching,
)
from companion.dashboard.pages.game_summaries import GameSummaries
from companion.dashboard.view.view_cache import EvidencePictures, ViewCache
from companion.games.drachenhort.box import Box
from companion.running.offered_kits import OfferedKits
from companion.running.snapshot import RunningTable
from companion.running.wifi import WifiFiles
from companion.teaching.page import Teacher

STATIC = Path(__file__).parent / "static"
YEAR_S = 365 * 24 * 3600


def create_app(
    table: RunningTable,
    *,
    secret: bytes,
    pin: str,
    address: str,
    frames: Callable[[], bytes | None] | None = None,
    evidence: EvidencePictures | None = None,
    own_names: Callable[[], Collection[str]] = tuple,
    tally_box: Box | None = None,
    streams: Streams | None = None,
    clock: Callable[[], float] = time.monotonic,
    networks: WifiFiles | None = None,
    teacher: Teacher | None = None,
    offered: OfferedKits | None = None,
    forecaster: forecast.Forecaster | None = None,
    strict_words: bool = False,
) -> Flask:
    """Return the application that shows *table* to phones.

    Long, as each part that the page may be given has a line here and one below.

    Args:
        table: What is shown, and what wishes are handed to.
        secret: What all codes are derived from; at least 16 random bytes that are kept
            with the store, so that links outlive a restart.
        pin: The six digits that make a phone the host's.
        address: ``http://host:port`` as phones reach the table; links and QR codes.
        frames: Gives the camera's newest picture as JPEG, None while there is none.
        evidence: The pictures that readings rest on; None where none are kept.
        own_names: Gives the table's names beside addresses, plain and private names.
        tally_box: The owner's copy for the count alone; without one any three colours
            are a group.
        streams: Bounds of the open streams; the default is made for fifty phones.
        clock: Seconds that only ever grow; wrong PINs and streams are timed by it.
        networks: Where the Wi-Fi is kept that the big screen shows.
        teacher: Leads through teaching a copy; None where nobody can.
        offered: Copies that other tables of a club were taught; None without a club.
        forecaster: Reckons chances for spectators; the default has a thread of its own.
        strict_words: Raise for a line without words, as tests want it.

    Raises:
        ValueError: The secret is too short to derive unguessable codes from.
    """
    if len(secret) < 16:
        raise ValueError(f"the secret has {len(secret)} bytes; give at least 16")
    app = _bare_app()
    context = Context(
        table=table,
        auth=Authenticator(table, secret, pin, clock),
        views=ViewCache(app.jinja_env, strict=strict_words, evidence=evidence),
        streams=streams or Streams(),
        address=address,
        asset=_fingerprint(STATIC),
        frames=frames,
        evidence=evidence,
        networks=networks,
        teacher=teacher,
        offered=offered,
    )
    app.extensions["dragon_table"] = context
    compression.install(app)
    guard.install(app, context, own_names)
    summaries = GameSummaries(table, clock)
    for routes in (
        main.routes(context),
        acts.routes(context),
        photo.routes(context),
        stream.routes(context, clock),
        description.routes(context),
        tally.routes(context, tally_box),
        stored_games.routes(context, summaries),
        evidence_pages.routes(context),
        amending.routes(context),
        forecast.routes(context, forecaster or forecast.Forecaster()),
        teaching.routes(context),
        facts.routes(context),
        describing.routes(context),
        figures.routes(context, summaries),
    ):
        app.register_blueprint(routes)
    return app


def _bare_app() -> Flask:
    app = Flask(__name__)
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    # Every link to a file carries its fingerprint, so it may be kept for good.
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = YEAR_S
    return app


@cache
def _fingerprint(folder: Path) -> str:
    digest = hashlib.blake2b(digest_size=6)
    for path in sorted(folder.rglob("*.*")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
