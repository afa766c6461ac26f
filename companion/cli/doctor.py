"""``dragon-table doctor``: what was found, and what to do about it."""

from pathlib import Path

import click
import msgspec

from companion.cli import appliance
from companion.cli.play import data_option, port_option
from companion.doctor import examine
from firmware.doctor import look_at_pins
from firmware.finding import Level
from firmware.wiring import wiring_path

MARKS = {Level.OK: "ok  ", Level.WARN: "warn", Level.FAIL: "FAIL"}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
@port_option
@data_option
def doctor(as_json: bool, port: int, data: Path | None) -> int:
    """Say how the whole table is, from its board to its light, and what to do."""
    address = appliance.address(port)
    found = tuple(examine(data or appliance.default_data(), port, address))
    # A running table holds the pins: each would be reported busy.
    runs = any(f.id == "port" and "answers" in f.evidence for f in found)
    findings = (*found, *look_at_pins(wiring_path(), table_runs=runs))
    if as_json:
        click.echo(msgspec.json.encode(findings))
    else:
        for finding in findings:
            click.echo(f"{MARKS[finding.level]}  {finding.id:11}  {finding.evidence}")
            if finding.remedy:
                click.echo(f"                   {finding.remedy}")
    return 1 if any(finding.level is Level.FAIL for finding in findings) else 0
