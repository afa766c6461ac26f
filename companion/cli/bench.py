"""``dragon-table bench``: speed beside programs that people know."""

import click
import msgspec

from companion.bench.rules import RulesFigures, measure


@click.command()
@click.argument(
    "area", type=click.Choice(["rules"]), default="rules", expose_value=False
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def bench(as_json: bool) -> None:
    """Measure how fast the rules of each game are."""
    figures = measure()
    click.echo(msgspec.json.encode(figures) if as_json else _table(figures))


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
