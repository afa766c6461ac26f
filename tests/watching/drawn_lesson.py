"""Teaches a copy's cards and tokens on the drawn table, as the lesson asks for them."""

import random
from pathlib import Path

from companion.games.copy import Kind
from companion.kits.curriculum import course
from companion.kits.kit import keep_shots, stand_in_kit
from companion.kits.kit_files import begin_kit
from companion.kits.shots import shot_of
from vision.drawn.lessons import random_pose
from vision.drawn.light import LIGHTS
from vision.drawn.tabletop import DrawnPiece, Tabletop
from vision.lesson import find_shown_thing

SHOWN_MM = ((250, 390), (100, 220), (420, 540))
"""From where to where each thing is shown in turn: in the middle, left and right."""

SEED = 51
"""Of the table in the lesson, which stands otherwise than in play."""


def teach_cards(folder: Path, game, plan) -> None:
    """Begin a kit in *folder* with three shots of each card and token."""
    begin_kit(folder, stand_in_kit(game))
    ground = plan.grounds[0].name
    tabletop = Tabletop(plan, random_pose(plan, SEED), LIGHTS["good"], SEED)
    hand, shots, bare = random.Random(1), [], tabletop.picture(ground, ())
    for item in course(game.id, game.stand_in).items:
        if item.kind not in (Kind.CARD, Kind.TOKEN):
            continue
        for left_mm, right_mm in SHOWN_MM:
            x, y = hand.uniform(left_mm, right_mm), hand.uniform(100, 260)
            card = DrawnPiece(item.piece, item.face, x, y, hand.gauss(0, 8))
            picture = tabletop.picture(ground, (card,))
            shots.append(shot_of(item, picture, find_shown_thing(bare, picture)))
    keep_shots(folder, shots)
