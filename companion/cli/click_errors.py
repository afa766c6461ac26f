"""What click itself says of a wrong command line, in what its reader speaks.

click writes its sentences in English where it raises them, and asks gettext for others
only through files that an installed program would have to carry. Here its sentences are
known word for word, as its labels are in `companion.cli.usage`; whatever is not known
stays as click wrote it.
"""

import re
from collections.abc import Iterator

import click

from companion.words import Words
from companion.words.said import Said, in_words

SENTENCES = {
    "Invalid value for {what}: {why}": "at",
    "Invalid value: {why}": "value",
    "{value} is not a valid integer.": "integer",
    "{value} is not a valid integer range.": "integer",
    "{value} is not a valid float.": "number",
    "{value} is not a valid float range.": "number",
    "{value} is not in the range {least}<=x<={most}.": "between",
    "{value} is not in the range x>={least}.": "least",
    "{value} is not in the range x<={most}.": "most",
    "{value} is not one of {choices}.": "choices",
    "{kind} {value} does not exist.": "gone",
    "{kind} {value} is a file.": "is_file",
    "{kind} {value} is a directory.": "is_folder",
    "{kind} {value} is not readable.": "unreadable",
    "{kind} {value} is not writable.": "unwritable",
    "Missing argument {what}. Choose from: {choices}": "missing_choice",
    "Missing argument {what}.": "missing_argument",
    "Missing option {what}. Choose from: {choices}": "missing_choice",
    "Missing option {what}.": "missing_option",
    "Missing command.": "missing_command",
    "No such option {what}. Did you mean {near}?": "option_near",
    "No such option {what}. (Did you mean one of: {near}?)": "option_near",
    "No such option {what}.": "option",
    "No such command {what}. Did you mean {near}?": "command_near",
    "No such command {what}. (Did you mean one of: {near}?)": "command_near",
    "No such command {what}.": "command",
    "Option {what} does not take a value.": "no_value",
    "Option {what} requires an argument.": "needs_value",
    "Got unexpected extra argument ({what})": "extra",
    "Got unexpected extra arguments ({what})": "extra",
    "{value} is not {choices}.": "choices",
}
"""What click 8.5 says, with our names for its values, to ``terminal.click.<word>``.

The first that fits is meant: a sentence stands before the shorter one in it.

Source: click 8.5.1, exceptions.py, types.py, parser.py and core.py.
"""


def error_in(error: click.ClickException, words: Words) -> str:
    """Return what *error* says on one line, in *words*."""
    message = error.message
    if isinstance(message, Said):
        return " ".join(in_words(message, words).split())
    return translated(" ".join(error.format_message().split()), words)


def translated(sentence: str, words: Words) -> str:
    """Return a sentence of click's in *words*; one that is not known as it is."""
    for pattern, line in _PATTERNS:
        if found := pattern.fullmatch(sentence):
            values = {
                name: translated(value, words) if name == "why" else value
                for name, value in found.groupdict().items()
            }
            return words.say(line, values)
    return sentence


def _patterns() -> Iterator[tuple[re.Pattern[str], str]]:
    for sentence, word in SENTENCES.items():
        parts = re.split(r"\{(\w+)\}", sentence)
        # Every other part is a name.
        text = "".join(
            f"(?P<{part}>.+?)" if number % 2 else re.escape(part)
            for number, part in enumerate(parts)
        )
        yield re.compile(text, re.DOTALL), f"terminal.click.{word}"


_PATTERNS = tuple(_patterns())
