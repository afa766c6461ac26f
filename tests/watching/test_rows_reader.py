"""8 Dragons on a table that was taught as a real one: four taps, and all its cards."""

import random
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from companion.demo import simulated_players
from companion.demo.drawn_table import DrawnTable
from companion.demo.simulated_players import SimulatedPlayers
from companion.demo.tables import find as find_stand_in
from companion.games import find
from companion.games.hidden import is_private
from companion.kits.curriculum import course
from companion.kits.kit import keep_shots, stand_in_kit
from companion.kits.kit_files import begin_kit
from companion.kits.learn import learn_whole_decks, learn_whole_rounds
from companion.kits.own_dice import PieceLooks
from companion.kits.shots import shot_in
from companion.kits.spaces import Spaces, card_rows
from companion.running.snapshot import ButtonStatus, Setup
from companion.table import Claim, Glimpse, Moved, Pressed, Reading, Removed
from companion.watching import rows_reader
from companion.watching.rows_reader import RowsReader
from companion.watching.table_watcher import TableWatcher
from tests.running.table_setup import running
from tests.watching.drawn_lesson import teach_cards
from vision.camera.stillness import StillnessLimits
from vision.drawn.lessons import SIZE, random_pose
from vision.drawn.light import LIGHTS
from vision.drawn.tabletop import DrawnPiece, Hand, Tabletop

GAME = find("eight_dragons")
BOX = GAME.stand_in
STAND_IN = find_stand_in("eight_dragons")
PLAN = STAND_IN.table(BOX)
ROWS = card_rows("eight_dragons", BOX)
CARPET = PLAN.grounds[0].name

TAPPED_MM = 3.0
"""How far from the middle of a card people tap."""


@pytest.fixture(scope="module")
def kit(tmp_path_factory):
    """A copy of which every face was shown, here and there on the bare table."""
    folder = tmp_path_factory.mktemp("kits") / "ours"
    teach_cards(folder, GAME, PLAN)
    return folder


def taps(pose, seed):
    """Return where somebody taps the middles of the four cards at the corners."""
    hand = random.Random(seed)
    ends = ROWS[0][0], ROWS[0][-1], ROWS[-1][-1], ROWS[-1][0]
    spots = [
        next(s for s in PLAN.spots if s.place == p and "card" in s.holds) for p in ends
    ]
    at = [
        (
            s.x_mm + hand.uniform(-1, 1) * TAPPED_MM,
            s.y_mm + hand.uniform(-1, 1) * TAPPED_MM,
            0,
        )
        for s in spots
    ]
    seen = pose.project(np.array(at, np.float32))
    return tuple((float(x) / SIZE[1], float(y) / SIZE[0]) for x, y in seen)


def looks_of(kit):
    return PieceLooks(learn_whole_decks(kit), learn_whole_rounds(kit))


class Evening:
    """People who play under a camera that knows their cards and where they lie."""

    def __init__(self, table, kit, seed, light):
        table.open_game(Setup("eight_dragons", ("Ana", "Bo")))
        self.table = table
        pose = random_pose(PLAN, seed)
        self.drawn = DrawnTable(PLAN, Tabletop(PLAN, pose, LIGHTS[light], seed), seed)
        reader = RowsReader(
            Spaces(taps(pose, seed)),
            ROWS,
            looks_of(kit),
            lambda _: Reading(()),
            lambda: table.snapshot.story,
        )
        self.eye = TableWatcher(table, "pi", self.drawn, reader, StillnessLimits())
        table.notice_buttons(ButtonStatus("mock"), self._press)
        self.seed = seed

    def _press(self, button, seat):
        press = Glimpse(Pressed(button, seat), 1.0)
        self.table.hear(Reading((press,), source="button"))

    def play(self, acts):
        meanings = self.table.snapshot.story.header.meanings
        players = SimulatedPlayers(
            self.table, self.drawn, STAND_IN.ground, meanings, self.seed, acts
        )
        self.eye.start()
        try:
            players.play()
        finally:
            self.eye.stop()
        return players.counts


@pytest.fixture(autouse=True)
def _patience(monkeypatch):
    """Let no busy computer look like an eye that saw nothing."""
    monkeypatch.setattr(simulated_players, "SEEN_S", 600.0)


def play(folder, kit, seed, light, acts):
    with running(folder) as table:
        return Evening(table, kit, seed, light).play(acts)


def over_backs(table, kit, pose, off_px=0):
    """Return a reader, and all cards as they lie face down.

    *off_px* rows of pixels are cut off the top of each picture.
    """
    story, high = table.snapshot.story, SIZE[0]
    corners = [(x, (y * high - off_px) / (high - off_px)) for x, y in taps(pose, 3)]
    reader = RowsReader(
        Spaces(tuple(corners)),
        ROWS,
        looks_of(kit),
        lambda _: Reading(()),
        lambda: story,
    )
    backs = tuple(
        DrawnPiece("card", "back", spot.x_mm, spot.y_mm)
        for spot in PLAN.spots
        if "card" in spot.holds and any(spot.place in row for row in ROWS)
    )
    return reader, backs


@pytest.mark.slow
def test_a_hand_that_rests_over_the_rows_is_no_question(tmp_path, kit):
    pose = random_pose(PLAN, 3)
    tabletop = Tabletop(PLAN, pose, LIGHTS["good"], 3)
    with running(tmp_path) as table:
        table.open_game(Setup("eight_dragons", ("Ana", "Bo")))
        reader, backs = over_backs(table, kit, pose)
        first = reader.read(tabletop.picture(CARPET, backs))
        covered = reader.read(tabletop.picture(CARPET, backs, Hand(330, 190)))
        after = reader.read(tabletop.picture(CARPET, backs))

    assert len(first.found) == len(after.found) == 42
    assert covered.obstacle == "core.eye.hand"
    assert covered.doubts == after.doubts == ()
    assert after.obstacle is None


@pytest.mark.slow
def test_the_fingers_of_a_hand_on_one_card_are_no_question(tmp_path, kit):
    """They hide few cells, but the arm comes in over the rim of the picture."""
    pose = random_pose(PLAN, 3)
    tabletop = Tabletop(PLAN, pose, LIGHTS["good"], 3)
    with running(tmp_path) as table:
        table.open_game(Setup("eight_dragons", ("Ana", "Bo")))
        reader, backs = over_backs(table, kit, pose)
        reader._story = lambda: table.snapshot.story
        story = table.snapshot.story
        move = next(m for m in story.game.legal(story.state) if not is_private(m))
        claim = Claim(story.game.notate(story.state, move), None, story.seq, "people")
        reader.read(tabletop.picture(CARPET, backs))
        table.act(claim)
        near = max(backs, key=lambda piece: piece.y_mm)
        covered = reader.read(
            tabletop.picture(CARPET, backs, Hand(near.x_mm, near.y_mm))
        )
        after = reader.read(tabletop.picture(CARPET, backs))

    assert (covered.obstacle, covered.doubts) == ("core.eye.hand", ())
    assert (after.obstacle, after.doubts) == (None, ())


@pytest.mark.slow
def test_what_a_knock_pushes_out_of_the_picture_lies_as_it_did(tmp_path, kit):
    tabletop = Tabletop(PLAN, random_pose(PLAN, 3), LIGHTS["good"], 3)
    with running(tmp_path) as table:
        table.open_game(Setup("eight_dragons", ("Ana", "Bo")))
        reader, backs = over_backs(table, kit, random_pose(PLAN, 3))
        reader.read(tabletop.picture(CARPET, backs))
        # The first row begins 69 px from the upper edge of the picture.
        knocked = tabletop.picture(CARPET, backs, None, (0.0, -88.0), 0.0)
        cut = reader.read(knocked)

    assert len(cut.found) == 42
    assert cut.doubts == ()
    assert cut.obstacle is None
    # People are told, as nothing that is done there is seen.
    assert cut.warning == "core.eye.cut"


@pytest.mark.slow
def test_what_is_done_with_a_card_that_a_knock_has_cut_is_seen(tmp_path, kit):
    """All but 14 px of 94: it is seen to go, and asked about where it was turned."""
    tabletop = Tabletop(PLAN, random_pose(PLAN, 3), LIGHTS["good"], 3)
    with running(tmp_path) as table:
        table.open_game(Setup("eight_dragons", ("Ana", "Bo")))
        reader, backs = over_backs(table, kit, random_pose(PLAN, 3))
        reader._story = lambda: table.snapshot.story

        def look(*pieces):
            return reader.read(
                tabletop.picture(CARPET, pieces, None, (0.0, -88.0), 0.0)
            )

        reader.read(tabletop.picture(CARPET, backs))
        table.act(Claim("turn d3 red_tail", None, table.snapshot.story.seq, "people"))
        here = spot_at("grid/1/3")
        rest = [one for one in backs if (one.x_mm, one.y_mm) != (here.x_mm, here.y_mm)]
        face_up = DrawnPiece("card", "silver_tail", here.x_mm, here.y_mm)
        turned = look(*rest, face_up)
        table.act(Claim("turn c1 silver_tail", None, table.snapshot.story.seq, "c1"))
        entered = look(*rest, face_up)
        taken = look(*rest)

    assert [one.place for one in turned.doubts] == ["grid/1/3"]
    # What people say is believed where nothing speaks against it.
    assert entered.doubts == taken.doubts == ()
    assert "silver_tail" in {one.face for one in entered.found}
    assert "grid/1/3" not in {one.place for one in taken.found}


@pytest.mark.slow
@pytest.mark.parametrize(("legal", "unsure"), [("take", []), ("shift", ["grid/1/3"])])
def test_a_move_to_where_nobody_sees_it_is_not_taken_for_another(
    tmp_path, kit, legal, unsure
):
    """A card that is gone was taken, or shifted to a place beyond the picture."""
    moves = {
        "take": frozenset({Removed("card", "grid/5/3")}),
        "shift": frozenset({Moved("card", "grid/5/3", "grid/1/3")}),
    }
    tabletop, off_px = Tabletop(PLAN, random_pose(PLAN, 3), LIGHTS["good"], 3), 60
    with running(tmp_path) as table:
        table.open_game(Setup("eight_dragons", ("Ana", "Bo")))
        reader, backs = over_backs(table, kit, random_pose(PLAN, 3), off_px)
        reader.read(tabletop.picture(CARPET, backs)[off_px:].copy())
        story = table.snapshot.story
        layout = story.game.layout(story.state)
        game = SimpleNamespace(
            layout=lambda _: frozenset(one for one in layout if one[2] != "grid/1/3"),
            legal=lambda _: ("take", legal),
            evidence=lambda _, move: moves[move],
        )
        later = SimpleNamespace(header=story.header, steps=(1,), state=None, game=game)
        reader._story = lambda: later
        gone = spot_at("grid/5/3")
        rest = [one for one in backs if (one.x_mm, one.y_mm) != (gone.x_mm, gone.y_mm)]
        # The cells of the first row begin 14 px from the edge and are 94 px high.
        knocked = tabletop.picture(CARPET, rest, None, (0.0, -60.0), 0.0)
        seen = reader.read(knocked[off_px:].copy())

    assert [one.place for one in seen.doubts] == unsure
    assert "grid/5/3" not in {one.place for one in seen.found}


def spot_at(place):
    """Return where the card of a place lies."""
    (card,) = (s for s in PLAN.spots if s.place == place and "card" in s.holds)
    return card


def token_beside(place):
    # A card is 30 mm wide, a token 20.
    card = spot_at(place)
    return DrawnPiece("token", None, card.x_mm + 24, card.y_mm)


@pytest.mark.slow
def test_a_token_that_was_shown_is_read_beside_the_card_that_it_blocks(tmp_path, kit):
    tabletop = Tabletop(PLAN, random_pose(PLAN, 3), LIGHTS["good"], 3)
    with running(tmp_path) as table:
        table.open_game(Setup("eight_dragons", ("Ana", "Bo")))
        reader, backs = over_backs(table, kit, random_pose(PLAN, 3))
        reader.read(tabletop.picture(CARPET, backs))
        token = token_beside("grid/5/3")
        seen = reader.read(tabletop.picture(CARPET, (*backs, token)))

    assert seen.doubts == ()
    assert [one.place for one in seen.found if one.piece == "token"] == ["grid/5/3"]
    assert len(seen.found) == 43


@pytest.mark.slow
def test_the_glare_of_a_lamp_on_a_card_is_no_token_that_was_shown(tmp_path, kit):
    tabletop = Tabletop(PLAN, random_pose(PLAN, 3), LIGHTS["good"], 3)
    with running(tmp_path) as table:
        table.open_game(Setup("eight_dragons", ("Ana", "Bo")))
        reader, backs = over_backs(table, kit, random_pose(PLAN, 3))
        lit = tabletop.picture(CARPET, backs)
        reader.read(lit.copy())
        left, top, right, bottom = reader._known.box(reader._places["grid/5/3"])
        shine = np.zeros(lit.shape[:2], np.float32)
        # About as wide as a token, which is 39 px here.
        cv2.circle(shine, ((left + right) // 2, (top + bottom) // 2), 16, 1.0, -1)
        shine = cv2.GaussianBlur(shine, (0, 0), 6)[..., None]
        glaring = (lit + 90 * shine).clip(0, 255).astype(np.uint8)
        seen = reader.read(glaring)
        reader._rounds, reader._known = {}, None
        reader.read(lit)
        unshown = reader.read(glaring)

    assert (seen.doubts, len(seen.found)) == ((), 42)
    # Without a lesson nobody knows.
    assert [one.place for one in unshown.doubts] == ["grid/5/3"]


@pytest.mark.slow
def test_a_token_that_nobody_showed_is_asked_about(tmp_path, kit):
    tabletop = Tabletop(PLAN, random_pose(PLAN, 3), LIGHTS["good"], 3)
    with running(tmp_path) as table:
        table.open_game(Setup("eight_dragons", ("Ana", "Bo")))
        reader, backs = over_backs(table, kit, random_pose(PLAN, 3))
        reader._story, reader._rounds = lambda: table.snapshot.story, {}
        reader.read(tabletop.picture(CARPET, backs))
        token = token_beside("grid/5/3")
        seen = reader.read(tabletop.picture(CARPET, (*backs, token)))
        table.act(Claim("token c5", None, table.snapshot.story.seq, "people"))
        entered = reader.read(tabletop.picture(CARPET, (*backs, token)))

    assert [(one.place, one.choices) for one in seen.doubts] == [
        ("grid/5/3", (("token", None, 0.7),))
    ]
    assert entered.doubts == ()
    assert ("token", "grid/5/3") in {(one.piece, one.place) for one in entered.found}


@pytest.mark.slow
def test_a_card_that_touches_the_rim_of_the_picture_is_no_hand(
    tmp_path, kit, monkeypatch
):
    # The cards of this table are smaller than a hand, those of a real one are not.
    monkeypatch.setattr(rows_reader, "HAND_PART", 0.001)
    pose, off_px = random_pose(PLAN, 3), 84
    tabletop = Tabletop(PLAN, pose, LIGHTS["good"], 3)
    with running(tmp_path) as table:
        table.open_game(Setup("eight_dragons", ("Ana", "Bo")))
        reader, backs = over_backs(table, kit, pose, off_px)
        reader._story = lambda: table.snapshot.story

        def look(*pieces):
            """Read the table of which the first card is a pixel from the edge."""
            return reader.read(tabletop.picture(CARPET, pieces)[off_px:].copy())

        look(*backs)
        table.act(Claim("turn d3 red_tail", None, table.snapshot.story.seq, "people"))
        rim = min(backs, key=lambda piece: (piece.y_mm, piece.x_mm))
        rest = [one for one in backs if one is not rim]
        turned = look(*rest, DrawnPiece("card", "silver_tail", rim.x_mm, rim.y_mm))
        taken = look(*rest)

    assert (turned.obstacle, turned.doubts) == (None, ())
    assert "silver_tail" in {one.face for one in turned.found}
    assert (taken.obstacle, taken.doubts) == (None, ())
    assert len(taken.found) == len(turned.found) - 1


@pytest.mark.slow
def test_the_turning_of_cards_is_seen(tmp_path, kit):
    counts = play(tmp_path, kit, 2, "good", 18)

    # Of 18 acts at most 4 leave no trace on the table, as drawing from a hand.
    assert counts.shown >= 14
    assert counts.asked <= 1
    assert counts.wrong_accepted == 0


@pytest.mark.long
@pytest.mark.parametrize("light", ["good", "warm", "cool", "side", "mixed"])
def test_cards_are_seen_in_any_light(tmp_path, kit, light, record_property):
    shown = asked = wrong = 0
    for seed in (11, 12):
        counts = play(tmp_path / str(seed), kit, seed, light, 70)
        shown, asked = shown + counts.shown, asked + counts.asked
        wrong += counts.wrong_accepted

    record_property("figures", f"{shown} acts seen, {asked} asked, {wrong} wrong")
    assert wrong == 0
    assert asked <= 0.15 * shown


def test_a_deck_of_which_a_face_was_never_shown_is_not_played_with(tmp_path):
    folder = tmp_path / "ours"
    begin_kit(folder, stand_in_kit(GAME))
    picture = np.full((90, 60, 3), 200, np.uint8)
    items = course("eight_dragons", BOX).items
    keep_shots(folder, [shot_in(items[0], picture, (0, 0, 60, 90))])

    assert learn_whole_decks(folder) == {}
