"""``dragon-table see``: what the camera reads in photographs."""

import os
from pathlib import Path

import click
import msgspec

from companion.cli.device import own_language
from companion.cli.errors import BadInput, InputFile
from companion.cli.taught import open_kit
from companion.words import Words
from companion.words.said import Part, say
from vision.camera.files import PictureUnreadable
from vision.see import Sighting, read_picture_file, save_overlay


@click.command()
@click.argument("photos", nargs=-1, required=True, type=InputFile())
@click.option(
    "--kit", type=InputFile(), default=None,
    help="Kit folder, filled by dragon-table enrol.",
)  # fmt: skip
@click.option("--expect", default=None, help="Look only for this: d6, card, die:move.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object per photo."
)
@click.option(
    "--overlay", "overlay_path", type=click.Path(path_type=Path), default=None,
    help="Draw what was read into a copy of the (last) photo.",
)  # fmt: skip
def see(
    photos: tuple[Path, ...],
    kit: Path | None,
    expect: str | None,
    as_json: bool,
    overlay_path: Path | None,
) -> int:
    """Read dice and cards in PHOTOS; no kit is needed for ordinary pip dice."""
    taught = open_kit(kit, expect) if kit is not None else None
    words, failed = Words(own_language(os.environ)), 0
    for photo in photos:
        try:
            sighting = read_picture_file(photo, expect, taught=taught)
        except PictureUnreadable as error:
            click.echo(f"dragon-table: {error}", err=True)
            failed = 2
            continue
        click.echo(
            msgspec.json.encode(sighting) if as_json else _in_words(sighting, words)
        )
        if overlay_path is not None:
            _draw(photo, overlay_path, sighting)
    return failed


def _in_words(sighting: Sighting, words: Words) -> str:
    sure = " ".join(thing.face for thing in sighting.seen)
    sure = sure or words.say("terminal.see.nothing")
    either = words.say("terminal.see.or")
    doubts = [
        either.join(face for face, _ in doubt.choices) for doubt in sighting.unsure
    ]
    values = {"doubts": ", ".join(doubts)}
    unsure = f"; {words.say('terminal.see.unsure', values)}" if doubts else ""
    return f"{sighting.photo}: {sure}{unsure}  ({sighting.ms:.0f} ms)"


def _draw(photo: Path, target: Path, sighting: Sighting) -> None:
    try:
        save_overlay(photo, target, sighting)
    except OSError as error:
        values: dict[str, Part] = {"path": str(target), "why": str(error.strerror)}
        raise BadInput(say("terminal.unwritable", **values)) from error
