"""The page of figures: who won how often, and how the dice fell."""

from functools import partial

from flask import Blueprint, Response
from msgspec import Struct

from companion.dashboard.context import Context, language
from companion.dashboard.pages.charts import Chart, chart
from companion.dashboard.pages.game_summaries import GameSummaries, Variant
from companion.dashboard.pages.rulings import choice_line
from companion.dashboard.pages.statistics import (
    Fairness,
    Ranking,
    fairness,
    rankings,
)
from companion.dashboard.showing import show
from companion.games import find
from companion.words import Words


class FigureTable(Struct, frozen=True):
    """The ranking of one game in words, as a drawing and as figures."""

    title: str
    rules: tuple[str, ...]
    ranking: Ranking
    chart: Chart


class Die(Struct, frozen=True):
    """One die: what is said of it, as a drawing and as (face, seen, due) figures."""

    title: str
    verdict: str
    fairness: Fairness
    chart: Chart
    rows: tuple[tuple[str, int, float], ...]


def routes(context: Context, summaries: GameSummaries) -> Blueprint:
    """Return the route of the figures, which *summaries* remembers."""
    pages = Blueprint("figures", __name__)
    pages.add_url_rule("/figures", "figures", partial(figures, context, summaries))
    return pages


def figures(context: Context, summaries: GameSummaries) -> Response:
    """Show who won how often, and whether the dice look fair."""
    played, waiting = summaries.played()
    words = Words(language())
    tables = tuple(_table(ranking, words) for ranking in rankings(played))
    dice = tuple(_die(die, words) for die in fairness(played))
    return show(context, "figures.html", tables=tables, dice=dice, waiting=waiting)


def _table(ranking: Ranking, words: Words) -> FigureTable:
    rows = [(r.name, float(r.percent), f"{r.percent} %", None) for r in ranking.records]
    game = find(ranking.game)
    label = words.say("dashboard.figures.chart", {"game": game.title})
    return FigureTable(
        title=game.title,
        rules=_rules(ranking.game, ranking.variant, words),
        ranking=ranking,
        chart=chart(label, rows, 100.0),
    )


def _rules(game_id: str, variant: Variant, words: Words) -> tuple[str, ...]:
    game = find(game_id)
    lines = {ruling.id: ruling.line for ruling in game.rulings}
    return tuple(
        f"{words.say(lines[ruling])} {words.say(choice_line(game, ruling, choice))}"
        for ruling, choice in variant
        if ruling in lines
    )


def _die(die: Fairness, words: Words) -> Die:
    rows = tuple(
        (_face(die, face, words), seen, round(due, 1)) for face, seen, due in die.faces
    )
    values = {"game": find(die.game).title}
    line = f"dashboard.dice.of.{die.game}.{die.piece}"
    title = words.say(line, values) if words.knows(line) else die.piece
    most = max(max(seen, due) for _, seen, due in rows)
    label = words.say("dashboard.dice.chart", {"die": title})
    bars = [(name, float(seen), str(seen), due) for name, seen, due in rows]
    return Die(title, _verdict(die, words), die, chart(label, bars, most), rows)


def _verdict(die: Fairness, words: Words) -> str:
    line = f"dashboard.dice.{die.verdict}"
    if die.chance is None:
        return words.say(line, {"n": die.missing})
    # Below one in ten thousand a figure would only pretend to be exact.
    times = round(1 / max(die.chance, 1e-4))
    return words.say(line, {"percent": round(100 * die.chance), "times": times})


def _face(die: Fairness, face: str, words: Words) -> str:
    game = find(die.game)
    name = words.text(game.copy.face_name(game.stand_in, die.piece, face))
    return name.replace("-", "−") if name == face else name
