"""Count how taught dice are read on a folder of labelled photographs.

``python -m vision.measure.taught_dice FOLDER`` measures every set and writes the tables
in README.md beside this file; with names of sets it measures those and only prints.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import numpy as np

from vision.measure.accuracy import DiceFigures, count_dice, dice_table
from vision.measure.counts import Tally
from vision.measure.leave_one_out import best_limits, limits_in_words
from vision.measure.taught_dice_trials import (
    DieTrial,
    trials_by_halves,
    trials_of_numerals,
    trials_of_signs,
    trials_of_turned,
    trials_of_twenties,
)
from vision.pips.contest import DetectedDie
from vision.taught_dice.judging import DetectedTaughtDie
from vision.taught_dice.limits import TaughtDieLimits, taught_die_limits
from vision.taught_dice.reader import decide_places

BEGIN, END = "<!-- enrolled: begin -->", "<!-- enrolled: end -->"
LEFT_BEGIN, LEFT_END = "<!-- left out: begin -->", "<!-- left out: end -->"

TRIED = {
    "ratio": (0.5, 0.65, 0.8),
    "worst": (0.25, 0.45),
    "worst_together": (0.2, 0.3, 0.4),
    "safe": (0.5, 0.75, 0.9),
    "whole_left": (1.0, 1.25),
}
"""Values of each limit, the strictest first."""

_SETS: Mapping[str, tuple[str, Callable[[Path], Iterator[DieTrial]]]] = {
    "pi_pips": ("pi_pips", lambda folder: trials_by_halves(folder, "pi_pips")),
    "pi_numeral_d6": ("pi_numeral_d6, 3 of 5 shots", trials_of_numerals),
    "blue_dice_symbol_six": (
        "blue_dice_symbol_six",
        lambda folder: trials_by_halves(folder, "blue_dice_symbol_six"),
    ),
    "symbol_dice": ("symbol_dice, by the other throw", trials_of_signs),
    "digits_d20": ("digits_d20, 3 of 12 shots", trials_of_twenties),
    "d10": (
        "webcam d10, turned in software",
        lambda folder: trials_of_turned(folder, "d10"),
    ),
    "d100": (
        "webcam d100, turned in software",
        lambda folder: trials_of_turned(folder, "d100"),
    ),
    "d6n": (
        "webcam d6n, turned in software",
        lambda folder: trials_of_turned(folder, "d6n"),
    ),
}


def measure_folds(
    folder: Path, name: str, limits: TaughtDieLimits | None = None
) -> DiceFigures:
    """Return the counts of a set of pip dice, one half taught by the other."""
    return sum_up_trials(name, trials_by_halves(folder, name), limits)


def measure_numerals(
    folder: Path, limits: TaughtDieLimits | None = None, most: int = 10
) -> DiceFigures:
    """Return the counts over choices of three of the five shots of each face."""
    return sum_up_trials(
        "pi_numeral_d6, 3 of 5 shots", trials_of_numerals(folder, most), limits
    )


def measure_turned(
    folder: Path, kind: str, limits: TaughtDieLimits | None = None
) -> DiceFigures:
    """Return the counts of a set with one picture a face, turned in software."""
    name = f"webcam {kind}, turned in software"
    return sum_up_trials(name, trials_of_turned(folder, kind), limits)


def sum_up_trials(
    name: str, trials: Iterable[DieTrial], limits: TaughtDieLimits | None = None
) -> DiceFigures:
    """Return the counts of some trials."""
    every = list(trials)
    tallies = [tally_trial(trial, limits or taught_die_limits()) for trial in every]
    return DiceFigures(
        name,
        len(every),
        sum(len(trial.truth) for trial in every),
        sum(one.right for one in tallies),
        sum(one.asked for one in tallies),
        sum(one.missed for one in tallies),
        sum(one.wrong for one in tallies),
        sum(one.vain for one in tallies),
        round(float(np.median([trial.ms for trial in every])), 0),
    )


def tally_trial(trial: DieTrial, limits: TaughtDieLimits) -> Tally:
    """Return the counts of one photograph, judged by some limits."""
    dice = decide_places(trial.fitted, trial.model, trial.pips, limits)
    return count_dice(trial.truth, tuple(_as_pip_die(die) for die in dice), trial.size)


def _as_pip_die(die: DetectedTaughtDie) -> DetectedDie:
    faces = tuple((int(face), chance) for face, chance in die.faces)
    return DetectedDie(faces, die.sure, die.box, float(die.box[2] - die.box[0]))


def leave_one_out_table(trials: Mapping[str, list[DieTrial]]) -> str:
    """Return how each set is read by the limits that the other sets choose."""
    counted = {name: _counting(some) for name, some in trials.items()}
    lines = [
        "| set | limits that the others choose | right | asked | missed | wrong |",
        "|---|---|--:|--:|--:|--:|",
    ]
    for name, some in trials.items():
        others = [counted[other] for other in trials if other != name]
        limits = best_limits(taught_die_limits(), TRIED, others)
        row = sum_up_trials(_SETS[name][0], some, limits)
        lines.append(
            f"| {row.name} | {limits_in_words(limits, TRIED)} | {row.right} "
            f"({row.right / row.dice:.1%}) | {row.asked} | {row.missed} | {row.wrong} |"
        )
    return "\n".join(lines)


def _counting(trials: list[DieTrial]) -> Callable[[TaughtDieLimits], list[Tally]]:
    """Return what counts some trials by limits, each limits once."""
    return cache(lambda limits: [tally_trial(one, limits) for one in trials])


def main(folder: Path, names: list[str]) -> None:
    """Measure all sets and write the tables, or print those of some sets."""
    trials = {}
    rows = []
    for name in names or _SETS:
        title, look = _SETS[name]
        trials[name] = list(look(folder))
        rows.append(sum_up_trials(title, trials[name]))
        sys.stdout.write(dice_table(rows[-1:]).splitlines()[-1] + "\n")
    if names:
        return
    readme = Path(__file__).parents[1] / "taught_dice" / "README.md"
    text = readme.read_text(encoding="utf-8")
    text = _between(text, BEGIN, END, dice_table(rows))
    text = _between(text, LEFT_BEGIN, LEFT_END, leave_one_out_table(trials))
    readme.write_text(text, encoding="utf-8")


def _between(words: str, begin: str, end: str, text: str) -> str:
    head, tail = words.split(begin)[0], words.split(end)[1]
    return f"{head}{begin}\n{text}\n{end}{tail}"


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
