"""A game goes into a file and comes back the same; a fault keeps what was sound."""

import csv
import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.games import GAMES
from companion.running.storage.game_file import (
    BadRecord,
    as_bg_stats,
    as_csv,
    as_json,
    replay,
)
from companion.story.log import Asked, Edited, Undone, extend
from companion.table import Flipped, Glimpse, LinePart, Reading, UnsureSight
from tests.running.table_setup import new_story, played

FOLDER = Path(__file__).parents[1] / "golden"
GOLDEN = [path for game in GAMES for path in sorted((FOLDER / game.id).glob("*-1.txt"))]


def finished(game="drachenhort"):
    path = next(path for path in GOLDEN if path.parent.name == game)
    return replay(path.read_text(encoding="utf-8")).story


class TestJson:
    def test_a_finished_game_comes_back_the_same(self):
        story = finished()

        again = replay(as_json("g", story).decode())

        assert again.stop is None
        assert again.story == story

    def test_a_running_game_leaves_out_what_players_hide(self):
        story = played(new_story(), "note 1 4")

        document = json.loads(as_json("g", story))

        move = document["entries"][-1]["body"]["move"]
        assert move["group"]["value"] is None
        assert '"value":4' not in as_json("g", story).decode()

    def test_a_running_game_of_memory_leaves_out_what_a_question_was_about(self):
        text = (FOLDER / "eight_dragons/2-seats-1.txt").read_text(encoding="utf-8")
        running = replay(text, until=4).story
        seen = Flipped("card", "red_tail", "grid/1/1")
        unsure = UnsureSight("card", "grid/1/2", (("blue_head", 0.5),))
        reading = Reading((Glimpse(seen, 0.6),), (unsure,))
        why = LinePart("core.ask.unsure")
        story = extend(running, Asked(reading, why, ("turn a1 red_tail",)), 1.0)

        document = as_json("g", story).decode()

        assert "red_tail" not in document
        assert "blue_head" not in document
        assert "red_tail" in as_json("g", story, secrets=True).decode()

    def test_it_stops_at_the_first_move_that_the_rules_refuse(self):
        story = played(
            new_story(), "throw 3", "advance green", "throw 4", "advance red"
        )
        text = as_json("g", story).decode()

        found = replay(text.replace('"adventurer":"red"', '"adventurer":"green"'))

        assert found.stop is not None
        assert (found.stop.at, found.stop.text) == (4, "advance green")
        assert found.story.seq == 3  # the sound start is kept

    def test_it_stops_at_an_undo_that_undoes_nothing(self):
        text = as_json("g", new_story()).decode().removesuffix("]}")
        undo = '{"seq":1,"at":0,"body":{"type":"undo","source":"x"}}'

        found = replay(f"{text},{undo}]}}")

        assert found.stop is not None
        assert "none stands before it" in found.stop.text

    def test_it_can_stop_after_an_entry(self):
        story = extend(played(new_story(), "throw 3"), Undone("x"), 1.0)

        found = replay(as_json("g", story).decode(), until=1)

        assert found.story.state.pips == 3

    @pytest.mark.parametrize(
        "text",
        [
            "{", "{}", '{"schema": "dragon-table/game/1", "entries": []}',
            '{"schema": "dragon-table/game/1", "entries": [{}]}',
            '{"schema": "x", "entries": [{"body": {"game": "chess"}}]}',
            '{"schema": "dragon-table/game/1", "entries": [3]}',
        ],
    )  # fmt: skip
    def test_what_is_no_game_is_said_in_one_line(self, text):
        with pytest.raises(BadRecord, match="not a game of Dragon Table") as refused:
            replay(text)
        assert "\n" not in str(refused.value)

    def test_another_schema_is_refused(self):
        text = as_json("g", new_story()).decode().replace("game/1", "game/99")

        with pytest.raises(BadRecord, match="dragon-table/game/1"):
            replay(text)


class TestText:
    @pytest.mark.parametrize("path", GOLDEN, ids=lambda p: f"{p.parent.name}-{p.stem}")
    def test_every_golden_game_is_legal_to_its_end(self, path):
        found = replay(path.read_text(encoding="utf-8"))

        assert found.stop is None
        assert found.story.game.outcome(found.story.state) is not None

    def test_a_text_names_players_options_and_who_begins(self):
        found = replay(
            "game drachenhort\nplayers Ana, Bo\nfirst 1\noptions DH1=optional\n"
            "# a remark\nthrow 3\n> pass\n"
        )

        assert found.stop is None
        assert found.story.header.players == ("Ana", "Bo")
        assert found.story.state.seat == 0  # Bo began and passed

    def test_it_stops_at_a_line_that_is_no_move(self):
        found = replay("game drachenhort\nthrow 3\nfly away\n")

        assert found.stop is not None
        assert (found.stop.at, found.stop.text) == (3, "fly away")

    def test_it_stops_at_a_move_that_the_rules_refuse(self):
        found = replay("game drachenhort\nadvance green\n")

        assert found.stop is not None
        assert found.stop.verdict is not None
        assert found.story.steps == ()

    def test_it_can_stop_after_a_move(self):
        found = replay("game drachenhort\nthrow 3\nadvance green\nthrow 3\n", until=2)

        assert found.story.seq == 2

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("", "first line"),
            ("hello", "first line"),
            ("game chess\n", "no game 'chess'"),
            ("game drachenhort\nfirst x\n", "heading"),
            ("game drachenhort\nseats many\n", "heading"),
            ("game drachenhort\nseats 1\n", "cannot begin"),
            ("game drachenhort\noptions DH1=never\n", "cannot begin"),
        ],
    )
    def test_a_heading_that_cannot_be_is_said(self, text, words):
        with pytest.raises(BadRecord, match=words):
            replay(text)


class TestOtherForms:
    def test_the_table_of_scores_opens_in_a_spreadsheet(self):
        story = finished()

        rows = list(csv.DictReader(as_csv(story).removeprefix("\ufeff").splitlines()))

        scores = [score.low for score in story.game.scores(story.state)]
        assert [int(row["points"]) for row in rows] == scores
        assert [row["player"] for row in rows] == ["1", "2"]
        best = [int(points == max(scores)) for points in scores]
        assert [int(row["won"]) for row in rows] == best

    def test_a_name_is_no_formula(self):
        names = ('=HYPERLINK("http://x.example","Ana")', "@SUM(A1)", "Zoë =")

        text = as_csv(new_story(names)).removeprefix("\ufeff")

        rows = list(csv.DictReader(text.splitlines()))
        assert [row["player"] for row in rows] == [
            f"'{names[0]}",
            f"'{names[1]}",
            names[2],
        ]

    @pytest.mark.parametrize("parts", [",", ";", "|", "\t"])
    @pytest.mark.parametrize(
        "name",
        [
            'Bo;=HYPERLINK("http://x.fr","y")',
            "Bo; =1+1",
            'Bo;"=1+1"',
            "Bo;'=1+1",
            "Bo|@SUM(A1)",
            "Bo\t-1",
            "=1;=2;+3",
            "＝1+1",
            "Bo,＠SUM(A1)",
            "\t=1",
        ],
    )
    def test_a_name_is_no_formula_wherever_cells_are_parted_otherwise(
        self, name: str, parts: str
    ):
        """An Excel in French takes semicolons for the ends of cells, not commas."""
        text = as_csv(new_story((name, "Cy"))).removeprefix("\ufeff")

        rows = csv.reader(text.splitlines(), delimiter=parts)
        cells = [cell.strip(' "') for row in rows for cell in row]
        assert not [cell for cell in cells if cell[:1] in set("=+-@＝＋－＠\t\r")]

    def test_a_name_with_a_semicolon_stays_what_it_is(self):
        text = as_csv(new_story(("Ana; Bo", "C-3")))

        assert ",Ana; Bo," in text
        assert ",C-3," in text

    def test_a_running_game_shows_only_what_everybody_may_know(self):
        story = played(new_story(), "note 1 4")

        assert len(as_csv(story).splitlines()) == 4  # a heading and three players

    def test_a_finished_game_is_handed_on_to_bg_stats(self):
        play = json.loads(as_bg_stats("g", finished()))

        assert play["sourcePlayId"] == "g"
        assert (play["game"]["highestWins"], play["game"]["noPoints"]) == (True, False)
        assert play["game"]["name"] == "Drachenhort"
        assert sum(player["startPlayer"] for player in play["players"]) == 1

    def test_bg_stats_hears_when_a_game_ended_and_how_long_it_took(self):
        """Ten moves a minute apart, then a night, then ten more, by a set clock."""
        story, minute = finished(), 60.0
        times = [n * minute for n in range(11)]
        times += [times[-1] + 8 * 3600 + n * minute for n in range(11)]
        last = 1_800_000_000.0
        times += [last] * (len(story.entries) - len(times))
        entries = tuple(
            replace(entry, at=at)
            for entry, at in zip(story.entries, times, strict=True)
        )

        play = json.loads(as_bg_stats("g", replace(story, entries=entries)))

        # Neither the night nor the step of the clock was played.
        assert play["durationMin"] == 20
        assert play["playDate"] == "2027-01-15 08:00:00"

    @pytest.mark.parametrize(
        ("game", "most", "none"),
        [
            ("dragorun", False, True),
            ("dragonix", False, False),
            ("eight_dragons", True, False),
        ],
    )
    def test_bg_stats_hears_what_wins(self, game: str, most: bool, none: bool):
        told = json.loads(as_bg_stats("g", finished(game)))["game"]

        assert (told["highestWins"], told["noPoints"]) == (most, none)

    def test_a_french_spreadsheet_parts_cells_by_semicolons(self):
        text = as_csv(finished(), ";", tuple("abcdefgh"))

        heading, one, two = text.splitlines()
        assert heading == "\ufeffa;b;c;d;e;f;g;h"
        assert one.split(";")[0] == "drachenhort"
        assert one.split(";")[4] == "1"
        assert two.count(";") == 7

    def test_a_running_game_is_not_handed_on(self):
        with pytest.raises(BadRecord, match="over"):
            as_bg_stats("g", new_story())


def test_a_record_set_to_what_lay_there_is_replayed_to_the_same_state():
    story = played(new_story(), "throw 3", "advance green")
    cells = (5, *story.state.cells[1:])
    state = replace(story.state, cells=cells)
    story = extend(story, Edited(state, "house:DH12", 1, "k"), 2.0)
    story = played(story, "throw 2")

    replayed = replay(as_json("g", story).decode())

    assert replayed.stop is None
    assert replayed.story.state == story.state
    assert replayed.story.entries[3].body.note == "house:DH12"


def test_what_players_hide_is_left_out_of_a_state_that_was_set_too():
    story = played(new_story(), "note 1 4", "throw 3")
    story = extend(story, Edited(story.state, "table"), 2.0)

    text = as_json("g", story).decode()

    assert '"value":4' not in text
