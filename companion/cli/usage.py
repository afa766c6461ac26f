"""The help of each command in what its reader speaks.

Commands say in English what they do, where they are written; the catalogues have the
same and its French and German, by ``usage.<command>`` and ``usage.<command>.<option>``.
An option that several commands share is ``usage.all.<option>``.
"""

import re
from collections.abc import Iterable, Iterator

import click

from companion.cli.loading import LoadedWhenAsked
from companion.words import Words

ALL = "all"
LABELS = {
    "Options": "usage.label.options",
    "Commands": "usage.label.commands",
    "Show this message and exit.": "usage.label.help",
    "Show the version and exit.": "usage.label.version",
}
"""What click itself writes, word for word."""

TYPES = {
    "[OPTIONS]": "usage.label.type.options",
    "COMMAND [ARGS]...": "usage.label.type.args",
    "INTEGER RANGE": "usage.label.type.number",
    "INTEGER": "usage.label.type.number",
    "FLOAT": "usage.label.type.number",
    "TEXT": "usage.label.type.text",
    "PATH": "usage.label.type.path",
    "FILE": "usage.label.type.file",
    "DIRECTORY": "usage.label.type.folder",
}
"""What click itself writes of what is to be typed, at the end of a line."""

TYPED = {
    "die": "die:NAME/FACE",
    "card": "card:DECK/NAME",
    "move": "die:move",
    "broker": "mqtts://table-7@club.local",
    "database": "postgresql://club@localhost/club",
}
"""What is typed so in every language."""


def speak(group: click.Group, commands: LoadedWhenAsked, words: Words) -> None:
    """Let *commands* of a *group* give their help in *words*.

    May be called again in others.
    """
    context = _context_in(words)

    def say(command: click.Command) -> None:
        command.context_class = context
        command.help = words.say(line_of(command), TYPED)
        for option, of_option in options_told(command, words):
            option.help = words.say(of_option, TYPED)

    say(group)
    commands.change_each(say)


def line_of(command: click.Command) -> str:
    """Return the line of a command's help."""
    return f"usage.{command.name}"


def options_told(
    command: click.Command, words: Words
) -> Iterator[tuple[click.Option, str]]:
    """Yield each option that has a help, with its line."""
    for option in command.params:
        if isinstance(option, click.Option) and option.help and option.name:
            own = f"usage.{command.name}.{option.name}"
            shared = f"usage.{ALL}.{option.name}"
            line = own if words.knows(own) else shared
            if words.knows(line):
                yield option, line


def _context_in(words: Words) -> type[click.Context]:
    """Return contexts whose help is written in *words*."""

    class Formatter(click.HelpFormatter):
        def write_usage(
            self, prog: str, args: str = "", prefix: str | None = None
        ) -> None:
            said = f"{words.say('usage.label.usage')} "
            super().write_usage(prog, _typed(args, words), prefix or said)

        def write_heading(self, heading: str) -> None:
            super().write_heading(_label(heading, words))

        def write_dl(
            self,
            rows: Iterable[tuple[str, str]],
            col_max: int = 30,
            col_spacing: int = 2,
        ) -> None:
            said = [(_typed(name, words), _label(text, words)) for name, text in rows]
            super().write_dl(said, col_max, col_spacing)

    class Context(click.Context):
        formatter_class = Formatter

    return Context


def _label(text: str, words: Words) -> str:
    """Return what click writes beside our own words, in *words*."""
    if text in LABELS:
        return words.say(LABELS[text])
    text = re.sub(r"\brequired(?=[;\]])", words.say("usage.label.required"), text)
    default = words.say("usage.label.default")
    return re.sub(r"(?<=[\[ ])default: (?=[^\[]*\]$)", f"{default} ", text)


def _typed(text: str, words: Words) -> str:
    """Return how an option or a command is typed, its kinds of values in *words*."""
    for written, line in TYPES.items():
        pattern = rf"(?<!\S){re.escape(written)}(?!\S)"
        text = re.sub(pattern, words.say(line), text)
    return text
