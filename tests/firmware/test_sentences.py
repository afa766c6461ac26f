"""What firmware says of pins and parts has words in every language."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

import firmware
from companion.table import Said
from companion.words import LANGUAGES, Words, catalogue
from companion.words.said import in_words
from firmware.doctor import check_pins, describe_pins
from firmware.finding import (
    BUTTONS,
    COLOURS,
    LAMPS,
    PARTS,
    Finding,
    button_name,
    colour_name,
    part_name,
)
from firmware.pins import open_pins
from firmware.trial import Trial
from firmware.wiring import ButtonPin, Wiring, WiringError, read_wiring, wiring_faults

FOLDER = Path(firmware.__file__).parent


def calls(name: str) -> Iterator[tuple[str, ast.Call]]:
    """Yield where a function of that name is called, and each call of it."""
    for path in sorted(FOLDER.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == name:
                yield f"{path.name}:{node.lineno}", node


def test_english_says_what_stands_in_firmware():
    """A log has the sentence of the code, a terminal that of the words."""
    english, found = Words("en", strict=True), 0
    known = {message.id: message.string for message in catalogue("en")}
    for where, call in calls("sentence"):
        match call.args:
            case [ast.Constant(value=str(line)), ast.Constant(value=str(text))]:
                curved = known[f"firmware.{line}"].replace("’", "'")
                assert re.sub("[“”]", '"', curved) == text, where
                found += 1

    assert found > 80
    for name in (
        *map(button_name, (*BUTTONS, "seat 3")),
        *map(part_name, (*PARTS, "button undo", "lamp ask")),
        *map(part_name, (f"lamp {lamp}" for lamp in LAMPS)),
        *map(colour_name, COLOURS),
    ):
        assert isinstance(name, Said)
        assert in_words(name, english)


def test_no_finding_of_firmware_is_a_bare_sentence():
    """Each names its line, by `sentence` or by a name that holds one."""
    for where, call in calls("Finding"):
        named = {one.arg: one.value for one in call.keywords}
        for said in [*call.args[2:], *(named.get(i) for i in ("evidence", "remedy"))]:
            assert not isinstance(said, ast.JoinedStr), where
            assert not (isinstance(said, ast.Constant) and " " in str(said.value)), (
                where
            )


@pytest.mark.parametrize(
    ("language", "evidence", "remedy"),
    [
        (
            "fr",
            "bouton place 3 : rien entendu en 20 s.",
            "Vérifiez ses fils : GPIO18, broche 12 et la masse sur la broche 14.",
        ),
        (
            "de",
            "Knopf Platz 3 war 20 s lang nicht zu hören.",
            "Prüf die Drähte: GPIO18, Stift 12 und Masse an Stift 14.",
        ),
    ],
)
def test_a_button_that_is_not_connected_is_named_in_the_readers_language(
    language, evidence, remedy, pins, wiring, clock
):
    words, told = Words(language, strict=True), []
    seat = next(one for one in wiring.button if one.label == "seat 3")
    alone = replace(wiring, button=(seat,), knob=None)
    trial = Trial(pins, alone, None, told.append, clock, clock.pass_by, part="buttons")

    (found,) = trial.run()

    assert plain(in_words(found.evidence, words)) == evidence
    assert plain(in_words(found.remedy, words)) == remedy
    assert "GPIO18" in in_words(told[0], words)
    assert "Press" not in in_words(told[0], words)


def plain(text: str) -> str:
    return text.replace("\u202f", " ")


@pytest.mark.parametrize("language", LANGUAGES[:1] + LANGUAGES[2:])
def test_the_pins_of_a_laptop_and_of_a_broken_pi_are_said_in_words(
    language, no_pi, pi_model, tmp_path
):
    words = Words(language, strict=True)
    broken = describe_pins(open_pins(model_path=pi_model))
    laptop = check_pins(
        FOLDER.parent / "hardware" / "pins.toml",
        open_=lambda: open_pins(model_path=no_pi),
    )
    missing = check_pins(tmp_path / "pins.toml")
    for finding in (broken, *laptop, *missing):
        assert_said(finding, words)


def assert_said(finding: Finding, words: Words) -> None:
    for text in (finding.evidence, finding.remedy):
        if text:
            assert isinstance(text, Said), text
            assert in_words(text, words) != text


def test_a_wrong_wiring_is_said_in_words_too(tmp_path):
    wrong = Wiring(button=(ButtonPin("undo", 3, 5, 6, "blue"),))
    french = Words("fr", strict=True)

    for fault in wiring_faults(wrong):
        assert isinstance(fault, Said)
        assert in_words(fault, french) != fault
    (tmp_path / "pins.toml").write_text("button = 3")
    with pytest.raises(WiringError) as refused:
        read_wiring(tmp_path / "pins.toml")
    assert "comparez avec hardware/pins.toml" in in_words(refused.value.args[0], french)
