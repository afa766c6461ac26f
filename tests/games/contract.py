"""What every game owes the table: checks that know no game, and playthroughs as text.

`test_contract` runs them over `GAMES`. After a change of rules, write the playthroughs
anew with ``python -m tests.games.contract GAME`` and read the difference.
"""

import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from companion.games import find
from companion.games.core import (
    LEGAL,
    Config,
    Game,
    Refused,
)
from companion.games.hidden import (
    Hidden,
    Viewer,
    redact,
)
from companion.table import LinePart, Moved, Placed, Removed
from companion.words import LANGUAGES, Words

GOLDEN = Path(__file__).parents[1] / "golden"
LISTED = 8
"""Legal moves that a playthrough lists at most; of more it lists half as many, and how
many more there are. The oracle's are compared with all of them."""

PLAYTHROUGHS = 3
"""Recorded games of each number of seats; fewer do not show every kind of event."""

LONGEST = 5_000
"""More moves than any random game takes; one that takes more is thought endless."""

AnyGame = Game[Any, Any, Any]


class Step(NamedTuple):
    """One move of a game: where it was made, what it was, what came of it."""

    before: Any
    legal: tuple[Any, ...]
    move: Any
    after: Any
    events: tuple[Any, ...]


def config(game: AnyGame, seats: int, options: tuple[tuple[str, str], ...] = ()):
    """Return a set-up with the stand-in box, the last seat beginning."""
    return Config(seats, game.stand_in, options, first=seats - 1)


def setup_lines(game: AnyGame) -> set[str]:
    """Return the ids of all lines that tell how a game is set up."""
    others = tuple((r.id, r.choices[-1]) for r in game.rulings if r.choices)
    return {
        step.told.line
        for seats in game.seats
        for options in ((), others)
        for step in game.setting_up(config(game, seats, options))
    }


def steps(game: AnyGame, setting: Config, seed: int) -> Iterator[Step]:
    """Yield a whole game of moves drawn from the legal ones."""
    dice = random.Random(seed)
    state = game.setup(setting)
    for _ in range(LONGEST):
        moves = tuple(game.legal(state))
        if not moves:
            return
        move = dice.choice(moves)
        after, events = game.apply(state, move)
        yield Step(state, moves, move, after, events)
        state = after
    raise AssertionError(f"{game.id} did not end in {LONGEST} moves (seed {seed})")


def viewers(seats: int) -> tuple[Viewer, ...]:
    """Return all eyes at the table: everybody who only watches, and each seat."""
    return (None, *range(seats))


def coded(thing: Any) -> bytes:
    """Return the JSON that the log would store."""
    return msgspec.json.encode(thing)


def check_codec(game: AnyGame, step: Step) -> None:
    """States, moves and events survive JSON as equal values with equal bytes."""
    things = [(step.after, game.state_type), (step.move, game.move_type)]
    things += [(event, game.event_type) for event in step.events]
    for thing, kind in things:
        back = msgspec.json.decode(coded(thing), type=kind)
        assert back == thing
        assert hash(back) == hash(thing)
        assert coded(back) == coded(thing)


def check_verdicts(game: AnyGame, step: Step, pool: tuple[Any, ...]) -> None:
    """The judge allows exactly the legal moves, and gives a reason for the others."""
    assert len(set(step.legal)) == len(step.legal)
    for move in (*step.legal, *pool):
        verdict = game.judge(step.before, move)
        assert (verdict == LEGAL) == (move in step.legal), (verdict, move)
        if isinstance(verdict, Refused):
            rulings = {game.id, *(ruling.id for ruling in game.rulings)}
            assert verdict.ruling in rulings
            assert verdict.cite.rulebook == game.id
            assert 1 <= verdict.cite.first <= verdict.cite.last


def check_apply(game: AnyGame, step: Step, pool: tuple[Any, ...]) -> None:
    """Applying changes nothing it was given; what makes no sense is a ValueError."""
    before = coded(step.before)
    for move in (*step.legal, *pool):
        try:
            after, events = game.apply(step.before, move)
        except ValueError:
            if move in step.legal:
                raise
        else:
            assert isinstance(after, game.state_type)
            assert isinstance(events, tuple)
    assert coded(step.before) == before


def check_notation(game: AnyGame, step: Step) -> None:
    """Each legal move has a line of its own, and the line leads back to the move."""
    lines = {game.notate(step.before, move): move for move in step.legal}
    assert len(lines) == len(step.legal)
    for line, move in lines.items():
        assert line.isascii()
        assert line.isprintable()
        assert game.parse(step.before, line) == move


def check_chance(game: AnyGame, step: Step) -> None:
    """Odds are those of legal moves, exact, and sum to one."""
    odds = game.chance(step.before)
    if odds:
        assert sum(part for _, part in odds) == 1
        assert all(part > 0 for _, part in odds)
        assert len({move for move, _ in odds}) == len(odds)
        assert {move for move, _ in odds} <= set(step.legal)


def check_evidence(game: AnyGame, step: Step) -> None:
    """No two moves look alike, and a move looks like the change that it makes."""
    looks = [game.evidence(step.before, move) for move in step.legal]
    seen = [look for look in looks if look]
    assert len(set(seen)) == len(seen)
    before = {(piece, place) for piece, _, place in game.layout(step.before)}
    after = {(piece, place) for piece, _, place in game.layout(step.after)}
    for sight in game.evidence(step.before, step.move):
        match sight:
            case Moved():
                assert (sight.piece, sight.here) in before
                assert (sight.piece, sight.there) in after
            case Placed():
                assert (sight.piece, sight.place) in after
            case Removed():
                assert (sight.piece, sight.place) in before


def check_layout(game: AnyGame, step: Step) -> None:
    """Only what is in the box lies on the table, with faces that it has."""
    kinds = {kind.piece: kind for kind in game.pieces}
    layout = game.layout(step.after)
    for piece, face, _ in layout:
        assert face is None or face in kinds[piece].faces
    for name, kind in kinds.items():
        assert len([piece for piece, _, _ in layout if piece == name]) <= kind.count


def check_secrets(game: AnyGame, step: Step, seats: int, seed: int) -> None:
    """What a viewer gets does not change with what the viewer cannot know."""
    state = step.after
    truth = {score.seat: score for score in game.scores(state)}
    for viewer in viewers(seats):
        seen = redact(state, viewer)
        other = game.resample(state, viewer, seed)
        assert not game.check(other)
        assert coded(redact(other, viewer)) == coded(seen)
        assert open_secrets(seen, viewer) == []
        assert prompts_for(game, seen, viewer) == prompts_for(game, state, viewer)
        assert redact(game.resample(state, viewer, seed), viewer) == seen
        assert list(game.legal(seen)) is not None
        for score in game.scores(seen):
            assert score.low <= truth[score.seat].low
            assert truth[score.seat].high <= score.high
    for event in step.events:
        public = redact(event, None)
        assert game.describe_event(public) == game.describe_event(event)
        assert game.cue(public) == game.cue(event)


def prompts_for(game: AnyGame, state: Any, viewer: Viewer) -> list[Any]:
    """Return the prompts that *viewer* is shown."""
    prompts = game.expects(state)
    return [prompt for prompt in prompts if prompt.only_for in (None, viewer)]


def open_secrets(thing: Any, viewer: Viewer) -> list[Hidden[Any]]:
    """Return every hidden value in *thing* that *viewer* should not see."""
    if isinstance(thing, Hidden):
        mine = viewer is not None and viewer in thing.seen_by
        return [] if mine or thing.value is None else [thing]
    if isinstance(thing, msgspec.Struct):
        thing = [getattr(thing, name) for name in thing.__struct_fields__]
    if isinstance(thing, list | tuple | frozenset):
        return [secret for part in thing for secret in open_secrets(part, viewer)]
    return []


def check_turn(game: AnyGame, step: Step, seats: int) -> None:
    """Somebody at the table acts and is told to, and the state is sound."""
    everybody = viewers(seats)
    assert not game.check(step.after)
    assert game.expects(step.before)
    assert all(prompt.who in everybody for prompt in game.expects(step.before))
    assert all(game.actor(step.before, move) in everybody for move in step.legal)
    scores = game.scores(step.after)
    assert [score.seat for score in scores] == list(range(seats))
    for score in scores:
        assert score.low <= score.high
        if score.low == score.high and score.parts:
            assert sum(points for _, points in score.parts) <= score.high


def check_end(game: AnyGame, state: Any, seats: int) -> None:
    """Nothing may happen after the end, nothing is hidden, and it is told why."""
    outcome = game.outcome(state)
    assert outcome is not None
    assert list(game.legal(state)) == []
    assert set(outcome.winners) <= set(range(seats))
    assert outcome.cite.rulebook == game.id
    for score in game.scores(redact(state, None)):
        assert score.low == score.high
        assert sum(points for _, points in score.parts) == score.low


def check_words(game: AnyGame, step: Step, pool: tuple[Any, ...]) -> None:
    """Whatever a game says has words in every language."""
    parts = [LinePart(p.line, p.params) for p in game.expects(step.before)]
    parts += [game.describe_move(step.before, move) for move in (*step.legal, *pool)]
    parts += [game.describe_event(event) for event in step.events]
    cues = [game.cue(event) for event in step.events]
    parts += [cue.spoken for cue in cues if cue.spoken is not None]
    for score in game.scores(step.after):
        parts += [part for part, _ in score.parts]
    for move in pool:
        verdict = game.judge(step.before, move)
        if verdict != LEGAL:
            parts.append(LinePart(verdict.reason, verdict.params))
    if (outcome := game.outcome(step.after)) is not None:
        parts.append(LinePart(outcome.reason, outcome.params))
    for language in LANGUAGES:
        words = Words(language, ("Ana", "Bo"), strict=True)
        for part in parts:
            assert words.part(part)


def transcript(game: AnyGame, setting: Config, moves: list[str]) -> str:
    """Return a game as text: what is asked, allowed, done, told, and on the table."""
    state = game.setup(setting)
    words = Words("en", strict=True)
    options = " ".join(f"{ruling}={choice}" for ruling, choice in setting.options)
    lines = [
        f"game {game.id}",
        f"seats {setting.seats}",
        f"first {setting.first}",
        f"options {options}".rstrip(),
    ]
    shown: list[str] = []
    for move in [*moves, None]:
        now = _position(game, state, words)
        lines += ["", *_asked(game, state, words)]
        lines += [f"  - {line}" for line in shown if line not in now]
        lines += [f"  + {line}" for line in now if line not in shown]
        shown = now
        if move is not None:
            lines.append(f"> {move}")
            state, events = game.apply(state, game.parse(state, move))
            lines += [f"  {words.part(game.describe_event(event))}" for event in events]
    outcome = game.outcome(state)
    if outcome is not None:
        seats = " ".join(str(seat) for seat in outcome.winners) or "nobody"
        lines += ["", f"won by {seats}: {words.say(outcome.reason, outcome.params)}"]
    return "\n".join(lines) + "\n"


def _asked(game: AnyGame, state: Any, words: Words) -> list[str]:
    asked = [words.say(prompt.line, prompt.params) for prompt in game.expects(state)]
    names = [game.notate(state, move) for move in game.legal(state)]
    if len(names) > LISTED:
        # Nobody reads a thousand cards that may turn up; how many there are is enough.
        names = [*names[: LISTED // 2], f"and {len(names) - LISTED // 2} more"]
    legal = ", ".join(names)
    return [*(f"  {line}" for line in dict.fromkeys(asked)), f"  legal: {legal}"]


def _position(game: AnyGame, state: Any, words: Words) -> list[str]:
    """Return what lies on the table and what everybody may know of the points."""
    lying = [
        f"{piece}{'' if face is None else f'={face}'} at {place}"
        for piece, face, place in game.layout(state)
    ]
    points = [
        f"{words.name(score.seat)}: {score.low}"
        + ("" if score.low == score.high else f" to {score.high}")
        for score in game.scores(redact(state, None))
    ]
    return [*sorted(lying), *points]


def recorded(text: str) -> tuple[Config, list[str]]:
    """Return the set-up and the moves of a playthrough."""
    lines = text.splitlines()
    head = dict(line.partition(" ")[::2] for line in lines[:4])
    options = tuple(
        (ruling, choice)
        for ruling, _, choice in (
            pair.partition("=") for pair in head["options"].split()
        )
    )
    game = find(head["game"])
    setting = Config(int(head["seats"]), game.stand_in, options, int(head["first"]))
    return setting, [line[2:] for line in lines if line.startswith("> ")]


def playthrough_paths(game: AnyGame) -> list[Path]:
    """Return where the playthroughs of a game lie, whether or not they do."""
    return [
        GOLDEN / game.id / f"{seats}-seats-{number}.txt"
        for seats in game.seats
        for number in range(1, PLAYTHROUGHS + 1)
    ]


def record(game: AnyGame) -> None:
    """Write all playthroughs of a game anew; every third one with other options."""
    other = tuple((r.id, r.choices[-1]) for r in game.rulings if len(r.choices) > 1)
    for seed, path in enumerate(playthrough_paths(game)):
        seats = int(path.name.partition("-")[0])
        is_last = seed % PLAYTHROUGHS == PLAYTHROUGHS - 1
        setting = config(game, seats, other if is_last else ())
        moves = [
            game.notate(step.before, step.move) for step in steps(game, setting, seed)
        ]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(transcript(game, setting, moves), encoding="utf-8")


def retell(game: AnyGame) -> None:
    """Write the same playthroughs again, after their form changed."""
    for path in playthrough_paths(game):
        setting, moves = recorded(path.read_text(encoding="utf-8"))
        path.write_text(transcript(game, setting, moves), encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        record(find(name))
