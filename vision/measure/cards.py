"""Count how well cards are found and read on a folder of labelled photographs.

``python -m vision.measure.cards FOLDER`` measures every set and writes the table in
README.md beside this file. The photographs stay where they are; only counts are kept.
"""

import sys
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import msgspec
import numpy as np

from companion.table import Face
from vision.arrays import Floats, Picture
from vision.cards.quads import find_cards
from vision.cards.raster import picture_corners
from vision.cards.reader import CardReader
from vision.cards.references import Deck, build_deck
from vision.cards.see import see_cards, see_whole
from vision.measure.card_counts import (
    CardFigures,
    card_table,
    count_one_card,
    face_or_none,
    sum_up_cards,
)
from vision.measure.card_labels import scene_cards, single_cards
from vision.measure.card_trials import (
    CardTrial,
    crop_trials,
    memory_trials,
    one_shot_each,
    playing_trial,
)

BEGIN, END = "<!-- cards: begin -->", "<!-- cards: end -->"

TUNING_DRAWS = (0, 1)
"""Draws that limits were chosen on, with 2 and 3 for their weights."""

REPORT_DRAWS = (4, 5)
"""Draws that nothing was looked at on; weights were tried on 0 to 3."""


def measure_trials(name: str, trials: Iterable[CardTrial]) -> CardFigures:
    """Return the counts of some trials of one set."""
    counts: Counter[str] = Counter()
    times: list[float] = []
    for trial in trials:
        reader = CardReader(build_deck(trial.items))
        see = see_whole if trial.whole else see_cards
        for picture, tally in trial.pictures:
            start = time.process_time()
            cards = see(picture, reader)
            times.append(time.process_time() - start)
            counts += tally(cards)
    return sum_up_cards(name, counts, times)


def measure_playing(folder: Path) -> CardFigures:
    """Return the counts of scenes of playing cards, enrolled from one picture each."""
    return measure_trials("playing_cards", [playing_trial(folder)])


def measure_memory(
    folder: Path, back: bool = False, times_over: int = 2
) -> CardFigures:
    """Return the counts of a memory grid; see `memory_trials`."""
    name = "memory_grid, back taught" if back else "memory_grid"
    return measure_trials(name, memory_trials(folder, back, times_over))


def measure_crops(
    folder: Path, draws: tuple[int, ...] = REPORT_DRAWS, every: int = 1
) -> CardFigures:
    """Return the counts of single-card crops; see `crop_trials`."""
    name = "set_cards, draws " + " ".join(str(seed) for seed in draws)
    return measure_trials(name, crop_trials(folder, draws, every))


def measure_single(folder: Path, name: str) -> CardFigures:
    """Return the counts of a set with one picture a card and no scene.

    Each card is read turned by half and under a yellow lamp, and as foreign to a deck
    of all others.
    """
    pictures = single_cards(folder, name)
    deck = build_deck(one_shot_each(pictures))
    reader = CardReader(deck)
    counts: Counter[str] = Counter()
    times: list[float] = []
    for picture, face in pictures:
        changed = _yellow(picture[::-1, ::-1])
        corners = _largest(changed)
        start = time.process_time()
        answer = reader.read(changed, corners)
        times.append(time.process_time() - start)
        counts += count_one_card(True, face, face_or_none(answer))
        others = CardReader(_without(deck, face))
        counts += count_one_card(
            False, face, face_or_none(others.read(changed, corners))
        )
    return sum_up_cards(f"{name}, turned and lit in software", counts, times)


def _yellow(picture: Picture) -> Picture:
    lamp = np.array([0.6, 0.85, 0.95], np.float32)
    return np.asarray((picture * lamp).astype(np.uint8))


def _largest(picture: Picture) -> Floats:
    cards = find_cards(picture)
    return cards[0].array() if cards else picture_corners(picture)


def _without(deck: Deck, face: Face) -> Deck:
    kept = tuple(one for one in deck.references if one.face != face)
    return msgspec.structs.replace(deck, references=kept)


def measure_found(folder: Path) -> CardFigures:
    """Return how many cards of scenes are found, right where their number is."""
    counts: Counter[str] = Counter()
    times: list[float] = []
    for picture, there in scene_cards(folder):
        start = time.process_time()
        found = len(find_cards(picture))
        times.append(time.process_time() - start)
        counts += Counter(
            cards=there,
            right=min(found, there),
            missed=max(0, there - found),
            wrong=max(0, found - there),
        )
    return sum_up_cards("all scenes, cards found", counts, times)


def main(folder: Path) -> None:
    """Measure all sets and write the table in README.md beside this file."""
    figures = [
        measure_found(folder),
        measure_playing(folder),
        measure_memory(folder),
        measure_memory(folder, back=True),
        measure_single(folder, "uno_cards"),
        measure_crops(folder, TUNING_DRAWS),
        measure_crops(folder, REPORT_DRAWS),
    ]
    readme = Path(__file__).parents[1] / "cards" / "README.md"
    words = readme.read_text(encoding="utf-8")
    head, tail = words.split(BEGIN)[0], words.split(END)[1]
    text = f"{head}{BEGIN}\n{card_table(figures)}\n{END}{tail}"
    readme.write_text(text, encoding="utf-8")
    sys.stdout.write(msgspec.json.encode(figures).decode() + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
