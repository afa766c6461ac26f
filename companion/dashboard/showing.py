"""Renders a whole page for whoever asks."""

from functools import partial
from typing import Any

from babel.numbers import format_decimal
from flask import Response, g, make_response, render_template, request

from companion.dashboard.context import Context
from companion.dashboard.door.auth import VIEWER
from companion.dashboard.door.language import NAMES
from companion.dashboard.view.view_cache import speaker

REFRESH_S = 10
"""How often a page loads itself anew where no script can keep it fresh."""


def show(context: Context, template: str, **values: Any) -> Response:
    """Return the page that *template* makes of *values*, in the asker's language."""
    # A request that was turned away at the door has no language and nobody behind it.
    words = context.views.words(context.table.snapshot, g.get("language", "fr"))
    common = {
        "say": speaker(words),
        "named": words.text,
        "number": partial(format_decimal, format="#,##0.0", locale=words.language),
        "language": words.language,
        "languages": NAMES,
        "who": g.get("who", VIEWER),
        "asset": context.asset,
        # What answers a form cannot be asked for again.
        "refresh_s": REFRESH_S if request.method == "GET" else 0,
        "warnings": [words.part(line) for line in context.table.snapshot.warnings],
        "path": request.path if request.method == "GET" else "/",
    }
    return make_response(render_template(template, **(common | values)))
