"""``dragon-table doctor``: what was found, and what to do about it."""

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import click
import msgspec

from companion.cli import appliance
from companion.cli.errors import BadInput
from companion.cli.play import data_option, port_option
from companion.doctor import examine
from firmware.display import open_display
from firmware.doctor import look_at_pins
from firmware.finding import Finding, Level
from firmware.pins import open_pins
from firmware.trial import Trial
from firmware.wiring import read_wiring, wiring_path

MARKS = {Level.OK: "ok  ", Level.WARN: "warn", Level.FAIL: "FAIL"}


@click.command()
@click.option(
    "--hardware",
    is_flag=True,
    help="Go through every button, lamp and sound, with your help.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
@port_option
@data_option
def doctor(hardware: bool, as_json: bool, port: int, data: Path | None) -> int:
    """Say how the whole table is, from its board to its light, and what to do."""
    address = appliance.address(port)
    found = tuple(examine(data or appliance.default_data(), port, address))
    # A running table holds the pins: each would be reported busy.
    runs = any(f.id == "port" and "answers" in f.evidence for f in found)
    findings = (*found, *look_at_pins(wiring_path(), table_runs=runs))
    if hardware and runs:
        raise BadInput("the running table holds the pins; stop it for this test")
    if hardware:
        findings = (*findings, *_try_out(data or appliance.default_data()))
    if as_json:
        click.echo(msgspec.json.encode(findings))
    else:
        for finding in findings:
            click.echo(f"{MARKS[finding.level]}  {finding.id:11}  {finding.evidence}")
            if finding.remedy:
                click.echo(f"                   {finding.remedy}")
    return 1 if any(finding.level is Level.FAIL for finding in findings) else 0


def _try_out(data: Path) -> Iterator[Finding]:
    """Yield what came of the test plan; people are told what to do on stderr."""
    pins, wiring = open_pins(), read_wiring(wiring_path())
    if pins.simulated:
        pins.close()
        yield Finding(
            "trial", Level.WARN, "The pins are simulated: there is nothing to press.",
            "Run this on the Raspberry Pi of the table.",
        )  # fmt: skip
        return
    display, missing = open_display(pins, wiring, data / "display.png")
    if missing is not None:
        yield missing
    try:
        said = partial(click.echo, err=True)
        yield from Trial(pins, wiring, display, said, time.monotonic, time.sleep).run()
    finally:
        pins.close()
