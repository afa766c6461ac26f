"""``dragon-table bench``: speed and sight beside what people know."""

from pathlib import Path

import click
import msgspec

from companion.cli.acts_by_sight import count_acts, sight_table
from companion.cli.errors import BadInput
from companion.cli.rules_speed import RulesFigures, measure
from companion.games import GAMES

AREAS = ("rules", "vision", "sight")


@click.command()
@click.argument("area", type=click.Choice(AREAS), default="rules")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--photos",
    type=click.Path(path_type=Path),
    help="For vision: a folder of labelled photographs with its labels.csv.",
)
@click.option(
    "--tables",
    type=click.IntRange(0, 1000),
    default=12,
    show_default=True,
    help="For vision: how many drawn tables to read.",
)
@click.option(
    "--traced",
    type=click.IntRange(0, 1000),
    default=0,
    help="For vision: how many scenes of the second renderer, half a minute each.",
)
@click.option(
    "--games",
    type=click.IntRange(1, 1000),
    default=3,
    show_default=True,
    help="For sight: how many whole games of each are counted.",
)
def bench(
    area: str, as_json: bool, photos: Path | None, tables: int, traced: int, games: int
) -> None:
    """Measure how fast the rules are, or how well the eye reads (vision).

    Sight counts which acts of whole games a real camera follows.
    """
    if area == "sight":
        acts = [count_acts(game, games) for game in GAMES]
        click.echo(msgspec.json.encode(acts) if as_json else sight_table(acts))
        return
    if area == "vision":
        _bench_vision(as_json, photos, tables, traced)
        return
    figures = measure()
    click.echo(msgspec.json.encode(figures) if as_json else _table(figures))


def _bench_vision(as_json: bool, photos: Path | None, tables: int, traced: int) -> None:
    if photos is not None and not (photos / "labels.csv").is_file():
        raise BadInput(
            f"{photos} has no labels.csv; give the folder that holds the sets"
        )
    try:
        # What measures the eye is in the sources, not in what is installed on a Pi.
        from vision.measure.bench import every_set
        from vision.measure.bench.rows import bench_table
        from vision.measure.bench.traced import mitsuba
    except ModuleNotFoundError as error:
        raise BadInput(
            "bench vision runs in a checkout of the sources alone: git clone, then make"
        ) from error
    if traced and mitsuba() is None:
        raise BadInput("Mitsuba is not installed; try: pip install --group traced")
    rows = list(every_set.bench_rows(photos, tables, traced))
    click.echo(msgspec.json.encode(rows) if as_json else bench_table(rows))


def _table(figures: RulesFigures) -> str:
    peers = tuple(figures.peers)
    lines = ["game            steps/s  games/s  judge+record  replay    undo"]
    lines[0] += "".join(f"  x {name}" for name in peers)
    for name, one in figures.games.items():
        line = f"{name:14} {one.steps_per_s:8.0f} {one.games_per_s:8.1f}"
        line += f"  {one.judge_and_record_us:9.1f} us {one.replay_ms:7.2f} ms"
        line += f" {one.undo_ms:6.3f} ms"
        line += "".join(f"  {one.ratios[peer]:{len(peer) + 2}.1f}" for peer in peers)
        lines.append(line)
    lines += [f"{name}: {pace:.0f} steps/s" for name, pace in figures.peers.items()]
    lines += [f"{name}: not installed" for name in figures.missing]
    return "\n".join(lines)
