"""``dragon-table club-files``: what the broker and each table of a club need."""

from pathlib import Path

import click

from companion.cli.errors import BadInput, no_extra
from companion.cli.play import split_names
from companion.words.said import Part, say


@click.command("club-files")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--tables", required=True, help="Names of the tables: Table 1,Table 2")
@click.option(
    "--host", default="club.local", show_default=True,
    help="The broker's machine, as tables reach it.",
)  # fmt: skip
@click.option(
    "--on-broker", type=click.Path(path_type=Path), default=Path("/etc/dragon-table"),
    show_default=True, help="Where these files will lie on the broker's machine.",
)  # fmt: skip
@click.option(
    "--no-tls", is_flag=True,
    help="Do not encrypt: for a wire of its own, or a broker on the same machine.",
)  # fmt: skip
def club_files(
    folder: Path, tables: str, host: str, on_broker: Path, no_tls: bool
) -> None:
    """Write the broker's configuration, and what each table puts into its settings.

    Passwords are new each time, so give all tables at once.
    """
    try:
        from companion.club import broker_files as files
    except ImportError as error:
        raise BadInput(no_extra(error)) from error
    names, tls = split_names(tables), not no_tls
    try:
        made = files.members(names)
        folder.mkdir(parents=True, exist_ok=True)
        # Before anything is written: passwords are for this user's eyes.
        folder.chmod(0o700)
        users = [member.user for member in made]
        port = 8883 if tls else 1883
        written = {
            files.CONFIG: files.config(on_broker, port, tls=tls),
            files.ACL: files.acl(users),
            files.PASSWORDS: files.passwords(made),
        }
        for member, name in zip(made, (*names, "hub", "home"), strict=True):
            settings = files.table_settings(member, name, host, tls=tls)
            written[f"{member.user}.settings"] = settings
        for file, text in written.items():
            (folder / file).write_text(text, encoding="utf-8")
    except files.BadTables as error:
        raise BadInput(str(error)) from error
    except OSError as error:
        values: dict[str, Part] = {"path": str(folder), "why": str(error.strerror)}
        raise BadInput(say("terminal.unwritable", **values)) from error
    click.echo(f"{len(written)} files in {folder}; how to use them: firmware/pi/club")
