"""The help of the command line, in what its reader speaks."""

import re

import click
import pytest

from companion.cli import COMMANDS, commands, main
from companion.cli.usage import TYPED, line_of, options_told, speak
from companion.words import LANGUAGES, Words

EVERY = [*commands.commands]


def helped(capsys, monkeypatch, language: str, *arguments: str) -> str:
    monkeypatch.setenv("LC_ALL", f"{language}_XX.UTF-8")
    with pytest.raises(SystemExit) as ended:
        main([*arguments, "--help"])
    assert ended.value.code == 0
    return " ".join(capsys.readouterr().out.split())


def plain(text: str) -> str:
    return " ".join(text.replace("’", "'").replace("‘", "'").split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_and_every_option_that_has_a_help_is_said(language):
    words = Words(language, strict=True)
    for command in (commands, *COMMANDS.values()):
        assert words.say(line_of(command), TYPED)
        said = {option.name for option, _ in options_told(command, words)}
        with_help = {
            option.name
            for option in command.params
            if isinstance(option, click.Option) and option.help
        }
        assert with_help - {"version"} == said, command.name


def test_english_says_what_stands_in_the_commands():
    """What a developer reads beside the code is what --help prints."""
    speak(commands, COMMANDS, Words("en"))
    for command in commands.commands.values():
        assert command.callback is not None
        written = plain(command.callback.__doc__ or "")
        assert plain(command.help or "").replace("\b", "") == written, command.name


@pytest.mark.parametrize("command", EVERY)
def test_no_english_is_left_in_french_and_german(command, capsys, monkeypatch):
    english = Words("en")
    for language in ("fr", "de"):
        text = helped(capsys, monkeypatch, language, command)
        assert "Show this message" not in text
        assert "default:" not in text
        assert "required]" not in text
        for option, line in options_told(commands.commands[command], english):
            assert plain(english.say(line, TYPED)) not in plain(text), option.name


def test_what_click_writes_is_said_too(capsys, monkeypatch):
    french = helped(capsys, monkeypatch, "fr", "play")

    assert french.startswith("Usage : ")
    assert "[obligatoire]" in french
    assert re.search(r"\[par défaut\s?: 8000; 0<=x<=65535\]", french)
    german = helped(capsys, monkeypatch, "de")
    assert german.startswith("Aufruf: ")
    assert " Befehle: " in german
    assert "[default: 8000; 0<=x<=65535]" in helped(capsys, monkeypatch, "en", "play")


@pytest.mark.parametrize(
    ("arguments", "french"),
    [
        (["demo", "dragorun", "--players", "7"], "ne se joue pas avec 7 joueurs"),
        (["see", "/dev/zero"], "/dev/zero est un périphérique"),
        (["enrol", "kit"], "nommez un dé ou une carte"),
        (["enrol", "kit", "die"], "écrivez die:NAME/FACE ou card:DECK/NAME"),
        (["enrol", "kit", "die:move/+2"], "au moins une photo qui montre die:move/+2"),
        (["pin", "--data", "/nowhere"], "aucun code lisible dans /nowhere"),
    ],
)
def test_an_error_is_said_in_french_too(arguments, french, capsys, monkeypatch):
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")

    with pytest.raises(SystemExit) as ended:
        main(arguments)

    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert french in told
    assert len(told.splitlines()) == 1
