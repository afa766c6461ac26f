"""``dragon-table export`` and ``replay``: a game as a file, and back."""

import io
import os
from pathlib import Path

import click
import msgspec

from companion.capsule.file import pack, replay_log, unpack
from companion.capsule.replay import InputReplay, replay_inputs
from companion.cli.device import own_language
from companion.cli.errors import BadInput, CheckFailed, InputFile
from companion.cli.first_start import PICTURES_NAME, STORE_NAME, default_data
from companion.cli.play import data_option
from companion.corrections.adopt import note_meaning
from companion.referee.decisions import Thresholds
from companion.running.storage.archive import NoSuchGame, StoredGames, Unreadable
from companion.running.storage.game_file import (
    BadRecord,
    BreakingPoint,
    Replayed,
    as_bg_stats,
    as_csv,
    as_json,
)
from companion.running.storage.game_file import replay as replay_text
from companion.story.log import Edited, Made
from companion.table import LinePart
from companion.words import LANGUAGES, Words
from companion.words.said import in_words, say

ZIP = b"PK"
"""What a capsule starts with."""


@click.command()
@click.argument("game_id")
@click.option(
    "--format", "form", default="json", show_default=True,
    type=click.Choice(["json", "csv", "bgstats", "capsule"]),
)  # fmt: skip
@click.option(
    "--secrets", is_flag=True,
    help="Leave nothing out, even if the game is not over (json, capsule).",
)  # fmt: skip
@data_option
def export(game_id: str, form: str, secrets: bool, data: Path | None) -> None:
    """Print the stored game GAME_ID; `last` is the newest one.

    A capsule is one file with pictures of the table, presses and moves, for `replay`:
    export last --format capsule > game.capsule
    """
    data = data or default_data()
    shelf = StoredGames(data / STORE_NAME)
    try:
        if game_id == "last":
            game_id = next((g.id for g in shelf.games() if g.readable), game_id)
        found = shelf.game(game_id)
        story = found.story
        _warn(bool(shelf.mishaps), found.trouble)
        if form == "json":
            click.echo(as_json(game_id, story, secrets=secrets))
        elif form == "capsule":
            packed = io.BytesIO()
            folder = data / PICTURES_NAME / game_id
            pack(packed, game_id, story, folder, secrets=secrets)
            click.echo(packed.getvalue(), nl=False)
        elif form == "csv":
            click.echo(as_csv(story), nl=False)
        else:
            click.echo(as_bg_stats(game_id, story))
    except NoSuchGame as error:
        what = say("terminal.no_stored_game", game=repr(game_id), why=error.line)
        raise BadInput(what) from error
    except (Unreadable, BadRecord) as error:
        raise BadInput(str(error)) from error


def _warn(damaged: bool, trouble: LinePart | None) -> None:
    """Say what is wrong with the games' file and the game, beside what is printed."""
    words = Words(own_language(os.environ))
    if damaged:
        click.echo(in_words(say("terminal.damaged_store"), words), err=True)
    if trouble is not None:
        click.echo(words.part(trouble), err=True)


@click.command()
@click.argument("file", type=InputFile())
@click.option("--json", "in_json", is_flag=True, help="Print one JSON object.")
@click.option("--until", type=click.IntRange(0), help="Stop after this entry.")
@click.option("--lang", type=click.Choice(LANGUAGES), default="fr", show_default=True)
def replay(file: Path, in_json: bool, until: int | None, lang: str) -> None:
    """Replay a record or a capsule: what happened, and what is different now."""
    found: InputReplay | None = None
    try:
        content = file.read_bytes()
        if content.startswith(ZIP):
            if until is not None:
                raise BadInput(say("terminal.until"))
            replayed, found = replay_capsule(content)
        else:
            replayed = replay_text(content.decode("utf-8"), until)
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise BadInput(say("terminal.unreadable", path=str(file), why=why)) from error
    except BadRecord as error:
        raise BadInput(f"{file}: {error}") from error
    words = Words(lang, replayed.story.header.players)
    if in_json:
        click.echo(_json(replayed, words, found))
    else:
        lines = _report_lines(replayed, words) + (
            [] if found is None else [_again(found)]
        )
        click.echo("\n".join(lines))
    if replayed.stop is not None:
        raise CheckFailed(f"{file}: {_why(replayed.stop, words)}")
    if found is not None and found.differs is not None:
        raise CheckFailed(f"{file}: {found.differs} is different now")


def replay_capsule(content: bytes) -> tuple[Replayed, InputReplay]:
    """Replay a capsule: table, camera reader and buttons get the same inputs again.

    Raises:
        BadRecord: It is none, is torn, or one of its files was changed.
    """
    capsule = unpack(content)
    again = replay_log(capsule, Thresholds())
    return again.replayed, replay_inputs(capsule, again)


def _again(found: InputReplay) -> str:
    read = f"{found.readings} readings" if found.why_not is None else "no reading"
    why = "" if found.why_not is None else f" ({found.why_not})"
    return f"reproduced: {read}{why}, {found.presses} presses"


def _report_lines(replayed: Replayed, words: Words) -> list[str]:
    """Return what happened, a line an event, and how things stand."""
    story = replayed.story
    game = story.game
    lines = [f"{game.title}: {', '.join(story.header.players)}"]
    notes = {e.seq: e.body.note for e in story.entries if isinstance(e.body, Edited)}
    for step in story.steps:
        if step.seq in notes:
            part, ruling = note_meaning(notes[step.seq])
            text = words.part(part) if part else notes[step.seq]
            named = any(rule.id == ruling for rule in game.rulings)
            lines.append(f"{step.seq:4}  {text}" + (f" ({ruling})" if named else ""))
        lines += [
            f"{step.seq:4}  {words.part(game.describe_event(e))}" for e in step.events
        ]
    lines += [
        f"{words.name(score.seat)}: {score.low}"
        + (f"-{score.high}" if score.high != score.low else "")
        for score in game.scores(story.state)
    ]
    return lines


def _json(replayed: Replayed, words: Words, found: InputReplay | None) -> bytes:
    story = replayed.story
    outcome = story.game.outcome(story.state)
    stop = replayed.stop
    document = {
        "game": story.game.id,
        "players": story.header.players,
        "seq": story.seq,
        "moves": sum(isinstance(entry.body, Made) for entry in story.entries),
        "state": story.state,
        "scores": story.game.scores(story.state),
        "winners": None if outcome is None else outcome.winners,
        "stop": None
        if stop is None
        else {"at": stop.at, "move": stop.text, "why": _why(stop, words),
              "ruling": getattr(stop.verdict, "named", None),
              "lines": _lines(stop)},
        "again": found,
    }  # fmt: skip
    return msgspec.json.encode(document)


def _lines(stop: BreakingPoint) -> tuple[int, int] | None:
    cite = getattr(stop.verdict, "cite", None)
    return None if cite is None else (cite.first, cite.last)


def _why(stop: BreakingPoint, words: Words) -> str:
    reason = words.part(stop.why) if stop.why is not None else stop.text
    ruling, lines = getattr(stop.verdict, "named", None), _lines(stop)
    point = f"{ruling}, " if ruling else ""
    cite = f" ({point}rulebook l. {lines[0]}-{lines[1]})" if lines else ""
    return f"entry {stop.at}, {stop.text!r}: {reason}{cite}"
