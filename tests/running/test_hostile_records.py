"""A record that anybody may have made is replayed, or refused in one line."""

import json
import random
import tracemalloc
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from companion.games import GAMES
from companion.running.storage import game_file
from companion.running.storage.archive import StoredGames
from companion.running.storage.game_file import BadRecord, as_csv, as_json, replay
from companion.story.log import Header, Story, begin
from tests.kits.test_hostile_kits import mutated
from tests.trust.keeping import KEPT, STORE

FUZZED_S = 60.0


def as_text(story: Story) -> bytes:
    """Return the first moves of a game, one a line."""
    state = story.start
    lines = [f"game {story.game.id}", f"players {', '.join(story.header.players)}"]
    for step in story.steps[:12]:
        if step.made.move is None:
            break
        lines.append(f"> {story.game.notate(state, step.made.move)}")
        state = step.state
    return "\n".join(lines).encode()


@pytest.fixture(scope="module")
def records() -> list[bytes]:
    """Games of each kind in both forms, and whole games as text."""
    archive = StoredGames(KEPT / "0.1.0" / STORE)
    stories = [archive.game(game.id).story for game in archive.games()]
    golden = sorted((Path(__file__).parents[1] / "golden").rglob("*.txt"))
    return [
        *(as_json("g", story, secrets=True) for story in stories),
        *map(as_text, stories),
        *(path.read_bytes()[:3_000] for path in golden),
    ]


def tried(rng: random.Random, records: list[bytes]) -> str:
    """Replay one that was changed; return what became of it."""
    text = mutated(rng, rng.choice(records)).decode("utf-8", "replace")
    try:
        replayed = replay(text)
    except BadRecord as error:
        return "refused" if "\n" not in str(error) else "not in one line"
    as_csv(replayed.story)
    as_json("g", replayed.story)
    return "whole" if replayed.stop is None else "stopped"


@pytest.mark.parametrize("seed", range(3))
def test_a_changed_record_is_replayed_or_refused_in_one_line(
    seed: int, records: list[bytes]
):
    rng = random.Random(seed)

    found = Counter(tried(rng, records) for _ in range(500))

    assert set(found) == {"refused", "stopped", "whole"}


def test_more_seats_than_a_game_has_are_not_even_counted():
    """Ten thousand million would have taken all memory before they were refused."""
    tracemalloc.start()
    with pytest.raises(BadRecord, match="3000000 seats; Drachenhort has 7 at most"):
        replay("game drachenhort\nseats 3000000\nthrow 3")
    _, most_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert most_bytes < 1_000_000


def test_a_box_that_no_copy_can_be_is_refused(records: list[bytes]):
    text = next(one for one in records if b'"game":"dragon_run"' in one).decode()
    assert text.count('"id":"dragon"') == 1

    with pytest.raises(BadRecord, match="its box is none of Dragon Run"):
        replay(text.replace('"id":"dragon"', '"id":"dragoon"'))


def edited(rng: random.Random, thing: Any, share: float) -> Any:
    """Return some JSON in which a share of all values is another one of its kind."""
    if isinstance(thing, dict):
        return {name: edited(rng, part, share) for name, part in thing.items()}
    if isinstance(thing, list):
        parts = [edited(rng, part, share) for part in thing]
        if parts and rng.random() < share:
            return rng.choice(
                ([], parts[: rng.randrange(len(parts))], parts * 2, [parts[0]])
            )
        return parts
    if rng.random() >= share:
        return thing
    if isinstance(thing, bool):
        return not thing
    if isinstance(thing, int):
        return rng.choice((0, -1, thing + 1, -thing, 400, 2**63 - 1))
    return rng.choice(("", f"{thing}x", "red")) if isinstance(thing, str) else thing


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_game_begins_with_an_edited_box_or_is_refused_in_one_line(game: Any):
    rng, found = random.Random(f"boxes/{game.id}"), Counter[str]()
    header = Header(game.id, ("Ana", "Bo", "Cy"), game.stand_in)
    plain = json.loads(as_json("g", begin(game, header, 0.0)))
    box = plain["entries"][0]["body"]["box"]
    for _ in range(400):
        share = rng.choice((0.02, 0.1, 0.3))
        plain["entries"][0]["body"]["box"] = edited(rng, box, share)
        try:
            replay(json.dumps(plain))
        except BadRecord as error:
            found["refused" if "\n" not in str(error) else "not in one line"] += 1
        else:
            found["begun"] += 1

    assert not found["not in one line"]
    assert found["begun"] > 10
    # Of 8 Dragons no box says anything that could be wrong.
    assert (found["refused"] > 10) == (game.id != "eight_dragons")


def test_a_mistake_of_ours_is_not_taken_for_a_strange_box(
    records: list[bytes], monkeypatch: pytest.MonkeyPatch
):
    def broken(*_: object) -> None:
        raise AttributeError("begun")

    monkeypatch.setattr(game_file, "begin", broken)
    text = next(one for one in records if b'"game":"dragonix"' in one).decode()

    with pytest.raises(AttributeError, match="begun"):
        replay(text)


def test_a_state_that_cannot_be_ends_what_is_replayed(records: list[bytes]):
    """Of its seats none has a note: no points could be counted."""
    text = next(one for one in records if b'"game":"drachenhort"' in one).decode()
    document = json.loads(text)
    bodies = [entry["body"] for entry in document["entries"]]
    (edit,) = (number for number, one in enumerate(bodies) if one["type"] == "edit")
    bodies[edit]["state"]["noted"] = []

    replayed = replay(json.dumps(document))

    assert replayed.stop is not None
    assert replayed.stop.at == edit
    assert replayed.stop.text == "no such state can be: seat_missing"
    as_csv(replayed.story)


@pytest.mark.parametrize("part", ["box", "seats"])
def test_a_state_with_another_box_or_other_seats_ends_what_is_replayed(
    part: str, records: list[bytes]
):
    """Points are counted by the groups of its heroes, of which one is in no box."""
    text = next(one for one in records if b'"game":"drachenhort"' in one).decode()
    document = json.loads(text)
    bodies = [entry["body"] for entry in document["entries"]]
    (edit,) = (number for number, one in enumerate(bodies) if one["type"] == "edit")
    setting = bodies[edit]["state"]["setting"]
    if part == "box":
        setting["box"]["groups"][0][0] = "violet"
    else:
        setting["seats"] = 7

    replayed = replay(json.dumps(document))

    assert replayed.stop is not None
    assert replayed.stop.at == edit
    assert replayed.stop.text == "no such state can be: another box"
    as_csv(replayed.story)


@pytest.mark.parametrize("at", [1e300, -1e300, 300e9, -70e9])
def test_a_time_that_is_in_no_calendar_is_refused(at: float, records: list[bytes]):
    """No day could be written into the table of scores."""
    document = json.loads(records[0])
    document["entries"][1]["at"] = at

    with pytest.raises(BadRecord, match="a time in it is in no calendar"):
        replay(json.dumps(document))


@pytest.mark.parametrize("at", [-59e9, 199e9])
def test_a_clock_that_is_wrong_by_thousands_of_years_is_written_as_it_was(
    at: float, records: list[bytes]
):
    document = json.loads(records[0])
    for entry in document["entries"]:
        entry["at"] = at

    replayed = replay(json.dumps(document))

    assert replayed.stop is None
    assert as_csv(replayed.story)
