"""Who sits at a new game: the chairs of the form, the people known here, who begins."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from werkzeug.datastructures import MultiDict

from companion.dashboard.view.moves import AnyGame
from companion.games.player_names import common_form, tidy
from companion.running.snapshot import StoredGame
from companion.table import Seat

MOST_GROUPS = 4
MOST_NAMES = 12
"""Offered at once: two rows of a phone each; whoever is not among them is typed."""


class Chair(Struct, frozen=True):
    """A line for a name; *needed* for as many as the game asks for."""

    number: int
    name: str
    needed: bool
    first: bool


class Group(Struct, frozen=True):
    """Players who sat together, in their order around the table, at the game *id*."""

    id: str
    names: tuple[str, ...]


class Seating(Struct, frozen=True):
    """Who sits where, and who else may be asked to.

    *spare* are those for whom this game has no chair: they come back with one that has.
    *names* are the people known here who sit nowhere yet, the latest first.
    """

    chairs: tuple[Chair, ...]
    spare: tuple[str, ...]
    groups: tuple[Group, ...]
    names: tuple[str, ...]


def seating(
    game: AnyGame, typed: MultiDict[str, str], stored: Sequence[StoredGame], first: Seat
) -> Seating:
    """Return who sits at a new game.

    Args:
        game: What is to be played.
        typed: The fields of the form so far: ``name`` for each chair, ``first`` its
            number, ``spare`` without a chair; ``add`` is a name for the next free one,
            ``group`` the stored game whose players are to sit down. Without any name
            the players of the newest game sit there again.
        stored: All games that are stored, the newest first.
        first: The chair that begins where the form does not say.
    """
    groups = list(_groups(stored))
    names, first = _names(typed, stored, groups, first)
    chairs, spare, first = _seated(names, first, game.seats.stop - 1)
    sitting = {common_form(name) for name in (*chairs, *spare)}
    known = {
        common_form(name): name for group in reversed(groups) for name in group.names
    }  # the latest way to write a name counts
    order = dict.fromkeys(common_form(name) for group in groups for name in group.names)
    free = [known[like] for like in order if like not in sitting]
    now = tuple(name for name in chairs if name)
    return Seating(
        tuple(
            Chair(n, name, n < game.seats.start, n == first)
            for n, name in enumerate(chairs)
        ),
        tuple(spare),
        tuple(group for group in groups if group.names != now)[:MOST_GROUPS],
        tuple(free[:MOST_NAMES]) if not all(chairs) else (),
    )


def _names(
    typed: MultiDict[str, str],
    stored: Sequence[StoredGame],
    groups: Sequence[Group],
    first: Seat,
) -> tuple[list[str], Seat]:
    """Return a name for each chair, "" for an empty one, and which begins."""
    wanted = [game.players for game in stored if game.id == typed.get("group")]
    if wanted:
        return [name for name in wanted[0] if not name.isdigit()], 0
    if "name" not in typed:
        return [*groups[0].names] if groups else [], first
    names = typed.getlist("name") + typed.getlist("spare")
    added = tidy(typed.get("add", ""))
    empty = [n for n, name in enumerate(names) if not tidy(name)]
    if added and empty:
        names[empty[0]] = added
    return names, typed.get("first", 0, type=int)


def _seated(
    names: list[str], first: Seat, count: int
) -> tuple[list[str], list[str], Seat]:
    """Return the names in *count* chairs, those left over, and the chair that begins.

    Chairs left empty stay so, unless somebody would have none for that.
    """
    if any(tidy(name) for name in names[count:]):
        begins = names[first] if 0 <= first < len(names) else ""
        names = [name for name in names if tidy(name)]
        first = names.index(begins) if begins in names[:count] else 0
    chairs = (names + [""] * count)[:count]
    return chairs, [name for name in names[count:] if tidy(name)], first


def _groups(stored: Iterable[StoredGame]) -> Iterator[Group]:
    """Yield who has sat together, the latest first, each once in whatever order.

    A name that was deleted is a number by now, and belongs to nobody.
    """
    met: set[frozenset[str]] = set()
    for game in stored:
        names = tuple(name for name in game.players if not name.isdigit())
        likes = frozenset(map(common_form, names))
        if names and likes not in met:
            met.add(likes)
            yield Group(game.id, names)


def next_to_begin(game: AnyGame, before: Seat, seats: int) -> Seat:
    """Return who begins when the same people play again; *before* began the last time.

    By the rulebook where that says who, otherwise the next one around the table.
    """
    return before if game.begins_again else (before + 1) % max(1, seats)
