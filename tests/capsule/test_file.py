"""A game goes into one file, and what the table was told comes to the same again."""

import io
import json
import zipfile

import numpy as np
import pytest

from companion.capsule import replay as replay_module
from companion.capsule.evidence_store import EvidenceStore
from companion.capsule.file import pack, replay_log, unpack
from companion.capsule.input_log import Button, Recipe
from companion.capsule.input_recorder import InputRecorder
from companion.capsule.replay import replay_inputs
from companion.referee.decisions import Thresholds
from companion.running.snapshot import Setup
from companion.running.storage.game_file import BadRecord
from companion.table import Glimpse, Pressed, Reading
from firmware import edges
from tests.running.table_setup import SETUP, claim, running, saw
from tests.watching.scene import Camera, Reader, Scene, at, lying
from vision.camera.evidence import Framing
from vision.tabletop.seen import TableReading

RIM = Framing(np.array([[0, 0], [160, 0], [160, 120], [0, 120]], np.float32))


@pytest.fixture
def recorder(tmp_path):
    recorder = InputRecorder(tmp_path, Recipe("drachenhort", 1, "good"), 10_000_000)
    recorder.start()
    yield recorder
    recorder.stop()


@pytest.fixture
def table(tmp_path, recorder):
    with running(tmp_path, witness=recorder) as table:
        table.open_game(SETUP)
        yield table


def packed(table, recorder, folder, **how) -> bytes:
    """Return a capsule of all that has happened."""
    table.sync()
    recorder.stop()
    file = io.BytesIO()
    pack(file, "game-1", table.snapshot.story, folder / "game-1", **how)
    return file.getvalue()


def again(content):
    return replay_log(unpack(content), Thresholds())


def tap(table, move, seat=0):
    story = table.snapshot.story
    return table.act(claim(story, move, f"key/{story.seq}/{len(move)}", seat))


def changed(content: bytes, name: str, change) -> bytes:
    """Return a capsule with one of its files changed behind its back."""
    file = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(file, "w") as new,
    ):
        for one in old.namelist():
            new.writestr(one, change(old.read(one)) if one == name else old.read(one))
    return file.getvalue()


class TestWhatTheTableWasTold:
    def test_comes_to_the_same_entries_and_the_same_state(
        self, table, recorder, tmp_path
    ):
        table.hear(saw("3"))
        tap(table, "advance green")
        assert tap(table, "advance green")  # refused, and told all the same
        table.hear(saw("4", confidence=0.5))
        tap(table, "throw 4", 1)
        table.undo(None, table.snapshot.story.seq, "undo")
        table.rest(pause=True)
        table.rest(pause=False)

        found = again(packed(table, recorder, tmp_path, secrets=True))

        assert found.replayed.stop is None
        assert found.replayed.story.entries == table.snapshot.story.entries
        assert found.replayed.story.state == table.snapshot.story.state
        assert (found.left_out, found.commands >= 8) == (0, True)

    def test_a_restart_in_between_changes_nothing(self, tmp_path):
        for move in ("throw 3", "advance green"):
            recorder = InputRecorder(tmp_path)
            recorder.start()
            with running(tmp_path, witness=recorder) as table:
                if table.snapshot.story is None:
                    table.open_game(SETUP)
                tap(table, move)
                content = packed(table, recorder, tmp_path)

        found = again(content)

        assert found.replayed.stop is None
        assert found.replayed.story.seq == 2

    def test_entries_of_which_nothing_was_kept_are_taken_as_they_stand(
        self, table, recorder, tmp_path
    ):
        tap(table, "throw 3")
        tap(table, "advance green")
        content = packed(table, recorder, tmp_path / "elsewhere")

        found = again(content)

        assert found.replayed.stop is None
        assert (found.replayed.story.seq, found.left_out) == (2, 2)

    def test_other_rules_of_today_are_told_with_the_entry(
        self, table, recorder, tmp_path
    ):
        """As if the table had believed a throw that it asks about today."""
        table.hear(saw("3", confidence=0.95))
        tap(table, "advance green")

        content = packed(table, recorder, tmp_path)
        found = replay_log(unpack(content), Thresholds(accept=0.97))

        assert found.replayed.stop.at == 1
        assert found.replayed.stop.why.line == "core.capsule.other"

    def test_a_torn_line_is_a_gap_and_no_error(self, table, recorder, tmp_path):
        tap(table, "throw 3")
        tap(table, "advance green")
        packed(table, recorder, tmp_path)
        path = tmp_path / "game-1" / "told.jsonl"
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join([*lines[:-1], lines[-1][:40]]))

        found = again(packed(table, recorder, tmp_path))

        assert found.replayed.stop is None
        assert found.left_out == 1


class TestADiskThatRefuses:
    def test_loses_the_journal_and_no_move(self, tmp_path, caplog):
        (tmp_path / "pictures").write_text("no folder can be made here")
        recorder = InputRecorder(tmp_path / "pictures")
        recorder.start()
        with running(tmp_path, witness=recorder) as table:
            table.open_game(SETUP)
            tap(table, "throw 3")
            tap(table, "advance green")
            recorder.stop()

            assert table.snapshot.story.seq == 2
        assert caplog.text.count("the journal loses lines") == 1

    def test_a_loose_wire_fills_no_card(self, table, recorder, tmp_path, monkeypatch):
        monkeypatch.setattr("companion.capsule.input_recorder.MOST_BYTES", 1_000)
        for number in range(500):
            recorder.note_edge("next", bool(number % 2), number / 1000)
        tap(table, "throw 3")

        found = again(packed(table, recorder, tmp_path))

        path = tmp_path / "game-1" / "told.jsonl"
        assert path.stat().st_size < 1_200
        assert found.replayed.stop is None
        assert found.replayed.story.seq == 1


class TestACapsule:
    @pytest.mark.parametrize(
        "name", ["game.json", "told.jsonl", "capsule.json"]
    )  # fmt: skip
    def test_that_was_changed_is_refused_in_one_line(
        self, name, table, recorder, tmp_path
    ):
        tap(table, "throw 3")
        content = packed(table, recorder, tmp_path)

        with pytest.raises(BadRecord) as refused:
            unpack(changed(content, name, lambda old: old.replace(b"3", b"4")))

        assert "\n" not in str(refused.value)
        assert "changed" in str(refused.value)

    @pytest.mark.parametrize("content", [b"PK", b"PK\3\4" + bytes(99), b""])
    def test_that_is_none_is_refused_in_one_line(self, content):
        with pytest.raises(BadRecord, match="not a whole capsule"):
            unpack(content)

    def test_of_another_kind_is_refused(self, table, recorder, tmp_path):
        content = packed(table, recorder, tmp_path)

        with pytest.raises(BadRecord, match="another kind"):
            unpack(
                changed(content, "capsule.json", lambda t: t.replace(b"e/1", b"e/9"))
            )

    def test_takes_the_pictures_along_that_entries_rest_on(
        self, table, recorder, tmp_path
    ):
        evidence = EvidenceStore(tmp_path)
        name = evidence.keep(b"\xff\xd8 a die")
        seen = Glimpse(saw("3").glimpses[0].sight, 0.99, None, name)
        table.hear(Reading((seen,)))
        tap(table, "advance green")
        evidence.take_in(table.snapshot, ())

        content = packed(table, recorder, tmp_path)

        with zipfile.ZipFile(io.BytesIO(content)) as files:
            assert files.read(f"pictures/000001-{name}.jpg") == b"\xff\xd8 a die"

    def test_of_the_same_game_is_the_same_file(self, table, recorder, tmp_path):
        tap(table, "throw 3")

        assert packed(table, recorder, tmp_path) == packed(table, recorder, tmp_path)


class TestSecrets:
    def test_are_left_out_while_the_game_runs(self, table, recorder, tmp_path):
        tap(table, "note 1 4", 1)
        tap(table, "note 2 9", 2)  # there is no such group
        tap(table, "throw 3")

        content = packed(table, recorder, tmp_path)

        with zipfile.ZipFile(io.BytesIO(content)) as files:
            told = b"".join(files.read(name) for name in files.namelist())
            assert json.loads(files.read("capsule.json"))["secrets"] is False
        assert b"note 1" not in told
        assert b"note 2" not in told
        assert b'"value":4' not in told
        found = again(content)
        assert found.replayed.stop is None
        assert (found.replayed.story.seq, found.left_out) == (2, 1)
        assert found.replayed.story.state.pips == 3

    def test_are_in_it_for_whoever_asks(self, table, recorder, tmp_path):
        tap(table, "note 1 4", 1)

        found = again(packed(table, recorder, tmp_path, secrets=True))

        assert found.replayed.story.state == table.snapshot.story.state
        assert found.left_out == 0

    def test_in_a_game_of_memory_no_picture_goes_along_before_the_end(self, tmp_path):
        recorder = InputRecorder(tmp_path, None, 1_000_000)
        recorder.start()
        with running(tmp_path, witness=recorder) as table:
            table.open_game(Setup("eight_dragons", ("Ana", "Bo")))
            recorder.note_picture(np.zeros((20, 20, 3), np.uint8), first=True)
            story = table.snapshot.story
            move = next(iter(story.game.legal(story.state)))
            tap(table, story.game.notate(story.state, move))
            content = packed(table, recorder, tmp_path)

        with zipfile.ZipFile(io.BytesIO(content)) as files:
            assert not any(name.endswith(".png") for name in files.namelist())
            assert b"turn " not in files.read("told.jsonl")
        stop = again(content).replayed.stop
        assert stop is None or stop.why.line == "core.capsule.left_out"


class TestTheEye:
    """Pictures that were read are read again, and tell the same."""

    @pytest.fixture
    def scene(self, table, recorder):
        return Scene(table, RIM, witness=recorder)

    @pytest.fixture
    def seen(self, monkeypatch):
        """What the eye of the second time sees, look by look."""
        seen = []

        class Second(Reader):
            framing = RIM

            def read(self, picture, **_):
                self.looks += 1
                return seen[self.looks - 1]

        monkeypatch.setattr(
            replay_module, "drawn_table", lambda *_: (Camera(), Second())
        )
        return seen

    def play(self, scene, seen):
        """Throw, move wrongly, put it back, move; keep what was seen at each look."""
        die = at("d6", "tray", "3")
        bare = lying(scene.story)
        shown = [bare, lying(scene.story, die)]
        thrown = scene.show(shown[1])
        shown.append(lying(thrown, die, at("red", "cell/9/dark"), without=["red"]))
        shown.append(lying(thrown, die))
        shown.append(lying(thrown, die, at("red", "cell/3/dark"), without=["red"]))
        for one in shown[2:]:
            scene.show(one)
        seen += shown  # nothing is in doubt: each is read once

    def test_sees_the_same_again(self, scene, seen, table, recorder, tmp_path):
        self.play(scene, seen)
        capsule = unpack(packed(table, recorder, tmp_path))

        told = replay_log(capsule, Thresholds())
        found = replay_inputs(capsule, told)

        # An eye that is quicker than the writer may tell one look twice.
        assert table.snapshot.story.steps[-1].made.source == "camera"
        assert found.readings == len(told.heard) >= 4
        assert (found.why_not, found.differs) == (None, None)

    def test_is_told_where_it_sees_something_else_today(
        self, scene, seen, table, recorder, tmp_path
    ):
        self.play(scene, seen)
        seen[4] = TableReading(seen[4].found[1:])
        capsule = unpack(packed(table, recorder, tmp_path))

        found = replay_inputs(capsule, replay_log(capsule, Thresholds()))

        assert found.differs.startswith(f"reading {found.readings + 1} of ")
        assert found.readings >= 3

    def test_does_not_read_where_a_picture_is_missing(
        self, scene, seen, table, recorder, tmp_path
    ):
        self.play(scene, seen)
        packed(table, recorder, tmp_path)
        next((tmp_path / "game-1" / "frames").glob("*.png")).unlink()
        capsule = unpack(packed(table, recorder, tmp_path))

        found = replay_inputs(capsule, replay_log(capsule, Thresholds()))

        assert found.why_not == "not all pictures that were read were kept"

    def test_no_pixel_beyond_the_rim_is_kept(self, table, recorder, tmp_path):
        scene = Scene(table, Framing(RIM.outline / 2), witness=recorder)
        scene.show(lying(scene.story, at("d6", "tray", "3")))

        capsule = unpack(packed(table, recorder, tmp_path))

        for frame in capsule.frames.values():
            picture = replay_module.decode_png(frame)
            assert (picture[62:] == 128).all()
            assert (picture[:, 82:] == 128).all()


def test_presses_come_out_of_their_edges_again(table, recorder, tmp_path):
    """A press of 50 ms counts 10 ms after the contact closed, once it is let go."""
    recorder.note_button(Button("next", "next", None, 0.8, None, 0.0))
    rules, contact = edges.PressTimes(long_s=0.8), edges.start(False, 0.0)
    for closed, at_s in ((True, 1.0), (False, 1.05), (True, 2.0), (False, 2.05)):
        recorder.note_edge("next", closed, at_s)
        contact, _ = edges.hear(contact, rules, closed, at_s)
        contact, told = edges.wait(contact, rules, at_s + 0.04)
        for one in told:
            pressed = Glimpse(Pressed("next", None), 1.0)
            table.hear(Reading((pressed,), taken_at=one.at_s, source="button"))
    capsule = unpack(packed(table, recorder, tmp_path))

    found = replay_inputs(capsule, replay_log(capsule, Thresholds()))

    assert (found.presses, found.differs) == (2, None)
