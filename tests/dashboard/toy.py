"""A game of two minutes that has no drawing and no words: one secret, then coins.

Each seat may note a secret number; seats take a coin in turn; three coins end it.
"""

from collections.abc import Iterator
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from companion.games.copy import Copy, Kind
from companion.games.core import (
    LEGAL,
    Cite,
    Config,
    Game,
    NotAMove,
    Outcome,
    Prompt,
    Refused,
    Score,
    Verdict,
)
from companion.games.hidden import (
    Hidden,
)
from companion.table import Cue, Layout, LinePart


class State(Struct, frozen=True):
    seat: int
    coins: tuple[int, ...]
    secrets: tuple[Hidden[int], ...]


class Take(Struct, frozen=True, tag="take"):
    pass


class Note(Struct, frozen=True, tag="note"):
    seat: int
    number: Hidden[int]


Move: TypeAlias = Take | Note


class Took(Struct, frozen=True, tag="took"):
    seat: int


class Noted(Struct, frozen=True, tag="noted"):
    seat: int
    number: Hidden[int]


Event: TypeAlias = Took | Noted


def setup(config: Config) -> State:
    nothing = tuple(Hidden[int](None, (seat,)) for seat in range(config.seats))
    return State(config.first, (0,) * config.seats, nothing)


def legal(state: State) -> Iterator[Move]:
    if sum(state.coins) == 3:
        return
    yield Take()
    for seat, secret in enumerate(state.secrets):
        if secret.value is None:
            yield from (Note(seat, Hidden(n, (seat,))) for n in (7001, 7002))


def judge(state: State, move: Move) -> Verdict:
    return LEGAL if move in legal(state) else Refused("T1", "toy.no", Cite("toy", 1, 2))


def apply(state: State, move: Move) -> tuple[State, tuple[Event, ...]]:
    match move:
        case Take():
            coins = list(state.coins)
            coins[state.seat] += 1
            after = replace(state, seat=(state.seat + 1) % len(coins))
            return replace(after, coins=tuple(coins)), (Took(state.seat),)
        case Note():
            secrets = list(state.secrets)
            secrets[move.seat] = move.number
            told = Noted(move.seat, move.number)
            return replace(state, secrets=tuple(secrets)), (told,)


def notate(state: State, move: Move) -> str:
    return "take" if isinstance(move, Take) else f"note {move.seat} {move.number.value}"


def parse(state: State, text: str) -> Move:
    match text.split():
        case ["take"]:
            return Take()
        case ["note", seat, number] if seat.isdigit() and number.isdigit():
            return Note(int(seat), Hidden(int(number), (int(seat),)))
        case _:
            raise NotAMove(f"{text!r} is no move of the toy")


def describe_event(event: Event) -> LinePart:
    if isinstance(event, Took):
        return LinePart("toy.took", (("seat", event.seat),))
    number = event.number.value or 0
    return LinePart("toy.noted", (("seat", event.seat), ("number", number)))


def layout(state: State) -> Layout:
    coins = enumerate(state.coins)
    return frozenset(("coin", str(n), f"seat/{seat}") for seat, n in coins)


TOY: Game[State, Move, Event] = Game(
    id="toy",
    title="Toy",
    seats=range(2, 4),
    rulings=(),
    pieces=(),
    box_type=dict,
    stand_in={},
    check_box=lambda box: (),
    state_type=State,
    move_type=Move,
    event_type=Event,
    setup=setup,
    legal=legal,
    judge=judge,
    apply=apply,
    actor=lambda state, move: move.seat if isinstance(move, Note) else state.seat,
    expects=lambda state: (Prompt(state.seat, "toy.prompt", (("seat", state.seat),)),),
    layout=layout,
    evidence=lambda state, move: frozenset(),
    chance=lambda state: (),
    resample=lambda state, viewer, seed: state,
    notate=notate,
    parse=parse,
    describe_move=lambda state, move: LinePart(f"toy.{notate(state, move)}"),
    describe_event=describe_event,
    cue=lambda event: Cue(),
    check=lambda state: (),
    scores=lambda state: tuple(
        Score(seat, coins, coins) for seat, coins in enumerate(state.coins)
    ),
    grounds=lambda before, event: None,
    objection=lambda state, changes: None,
    adopt=lambda state, lying: None,
    outcome=lambda state: (
        Outcome((0,), "toy.end", Cite("toy", 3, 4)) if sum(state.coins) == 3 else None
    ),
    copy=Copy(lesson=lambda box: ((Kind.TOKEN, "coin", ("0", "1", "2")),)),
)
