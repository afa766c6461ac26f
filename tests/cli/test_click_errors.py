"""What click says of a wrong command line is said in what its reader speaks."""

from collections.abc import Iterator

import click
import pytest

from companion.cli import COMMANDS, commands, main
from companion.cli.click_errors import SENTENCES, error_in, translated
from companion.words import Words


def said(capsys, monkeypatch, language: str, *arguments: str) -> str:
    monkeypatch.setenv("LC_ALL", f"{language}_XX.UTF-8")
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert len(told.splitlines()) == 1
    return told.removeprefix("dragon-table: ").strip().replace("\u202f", " ")


@pytest.mark.parametrize(
    ("line", "french", "german"),
    [
        (
            "serve --port 99999",
            "'--port' : 99999 ne va pas ; donnez de 0 à 65535",
            "'--port': 99999 geht nicht; nimm 0 bis 65535",
        ),
        (
            "demo dragorun --players 9",
            "'--players' : 9 ne va pas ; donnez de 1 à 7",
            "'--players': 9 geht nicht; nimm 1 bis 7",
        ),
        (
            "serve --pictures-mb -1",
            "'--pictures-mb' : -1 est trop peu ; donnez au moins 0",
            "'--pictures-mb': -1 ist zu wenig; nimm mindestens 0",
        ),
        (
            "serve --xyz",
            "il n’y a pas d’option '--xyz' ; --help les montre toutes",
            "die Option '--xyz' gibt es nicht; --help zeigt alle",
        ),
        (
            "serve --prot 1",
            "il n’y a pas d’option '--prot' ; peut-être : '--port'",
            "die Option '--prot' gibt es nicht; vielleicht '--port'",
        ),
        (
            "serv",
            "il n’y a pas de commande 'serv' ; peut-être : 'serve'",
            "den Befehl 'serv' gibt es nicht; vielleicht 'serve'",
        ),
        (
            "demo chess",
            "il n’y a pas de jeu 'chess' ; choisissez : dragorun, dragon_run, "
            "drachenhort, eight_dragons, dragonix",
            "das Spiel 'chess' gibt es nicht; wähle aus dragorun, dragon_run, "
            "drachenhort, eight_dragons, dragonix",
        ),
        (
            "play",
            "il manque 'GAME' ; --help montre comment l’indiquer",
            "'GAME' fehlt; --help zeigt, wie man es angibt",
        ),
        (
            "play dragorun",
            "il manque l’option '--players' ; --help montre comment la donner",
            "die Option '--players' fehlt; --help zeigt, wie man sie angibt",
        ),
        (
            "bench dice",
            "'[rules|vision|sight]' : 'dice' n’existe pas ; choisissez : "
            "'rules', 'vision', 'sight'",
            "'[rules|vision|sight]': 'dice' gibt es nicht; wähle aus "
            "'rules', 'vision', 'sight'",
        ),
        (
            "serve --port",
            "'--port' demande une valeur ; écrivez-la derrière",
            "'--port' braucht einen Wert; schreib ihn dahinter",
        ),
        (
            "pin a",
            "a est de trop ; --help montre ce qui est pris",
            "a ist zu viel; --help zeigt, was genommen wird",
        ),
    ],
)
def test_a_wrong_command_line_is_said_in_french_and_german(
    line, french, german, capsys, monkeypatch
):
    assert said(capsys, monkeypatch, "fr", *line.split()) == french
    assert said(capsys, monkeypatch, "de", *line.split()) == german


def wrong_values(param: click.Parameter) -> Iterator[str]:
    """Yield what the type of *param* refuses, one of each kind.

    Raises:
        AssertionError: It is of a type whose errors nobody has looked at.
    """
    match param.type:
        case (
            click.IntRange(min=least, max=most) | click.FloatRange(min=least, max=most)
        ):
            yield "x"
            yield from (str(least - 1),) if least is not None else ()
            yield from (str(most + 1),) if most is not None else ()
        case click.Choice():
            yield "x"
        case click.Path(dir_okay=dirs, file_okay=files):
            yield from ("/",) if not dirs else ()
            yield from (__file__,) if not files else ()
        case other:
            yield from ("x",) if other.name in ("integer", "float") else ()
            known = ("integer", "float", "text", "boolean")
            assert other.name in known, f"{param.name} has a type of its own: {other}"


@pytest.mark.parametrize("language", ["fr", "de"])
def test_no_option_of_any_command_refuses_a_value_in_english(language):
    words, tried = Words(language, strict=True), 0
    for command in COMMANDS.values():
        context = click.Context(command, info_name=command.name)
        for param in command.params:
            for value in wrong_values(param):
                # Of paths only those that are there are looked at.
                if isinstance(param.type, click.Path):
                    param.type.exists = False
                with pytest.raises(click.UsageError) as refused:
                    param.type.convert(value, param, context)
                tried += 1
                english = error_in(refused.value, Words("en", strict=True))
                assert error_in(refused.value, words) != english, (param.name, value)

    # So many options take a number, a choice, or a file where a folder may be.
    assert tried > 30


@pytest.mark.parametrize("language", ["fr", "de"])
def test_each_sentence_of_click_has_words(language):
    words = Words(language, strict=True)

    for sentence in SENTENCES:
        values = dict.fromkeys(("what", "kind", "value", "choices", "near", "why"), "a")
        written = sentence.format_map({**values, "least": 1, "most": 2})
        assert translated(written, words) != written


def test_what_click_may_say_one_day_stands_as_it_says_it():
    assert translated("Something else is wrong.", Words("fr")) == (
        "Something else is wrong."
    )


@pytest.mark.parametrize(
    ("language", "usage", "types"),
    [
        ("fr", "[OPTIONS] COMMANDE [ARGS]...", ("NOMBRE", "CHEMIN", "TEXTE")),
        ("de", "[OPTIONEN] BEFEHL [ANGABEN]...", ("ZAHL", "PFAD", "TEXT")),
    ],
)
def test_help_names_what_is_to_be_typed(language, usage, types, capsys, monkeypatch):
    monkeypatch.setenv("LC_ALL", f"{language}_XX.UTF-8")
    printed = []
    for line in (["--help"], ["serve", "--help"]):
        with pytest.raises(SystemExit):
            main(line)
        printed.append(" ".join(capsys.readouterr().out.split()))

    assert usage in printed[0]
    port, data, camera = types
    assert f"--port {port} " in printed[1]
    assert f"--data {data} " in printed[1]
    assert f"--camera {camera} " in printed[1]
    assert commands.name == "commands"
