"""``dragon-table enrol``: show the faces of a die or the cards of a deck."""

import re
from pathlib import Path
from typing import Literal

import click
from msgspec import Struct

from companion.cli.errors import BadInput, InputFile, refuse_device
from companion.games.copy import Kind
from companion.kits.kit import BadKit, KeptShot, NewShot, keep_shots, kept_shots
from companion.kits.kit_files import pack, unpack_to
from companion.kits.learn import learn_deck, learn_die, learn_hues
from companion.table import BoxPx
from companion.words.said import say
from vision.arrays import Picture
from vision.camera.files import PictureUnreadable, encode_png, open_picture
from vision.taught_dice.locating import locate_die

_MARGIN = 0.8
"""Surroundings that are kept about a die, in sides of its box."""

SYNTAX = {
    "die": "die:NAME/FACE", "card": "card:DECK/NAME", "example": "die:move/+2",
}  # fmt: skip
"""What is typed so in every language."""

_LEAST_PX = 12
_BOX = re.compile(r"@(-?\d+),(-?\d+),(-?\d+),(-?\d+)$")


class FaceShown(Struct, frozen=True):
    """What is shown: a face of a die, or a card of a deck."""

    kind: Literal[Kind.DIE, Kind.CARD]
    piece: str
    face: str


@click.command()
@click.argument("kit", type=click.Path(path_type=Path))
@click.argument("item", required=False)
@click.argument("photos", nargs=-1)
@click.option("--check", is_flag=True, help="Check the whole kit.")
@click.option(
    "--export",
    "target",
    type=click.Path(path_type=Path),
    default=None,
    help="Write the whole kit as one file.",
)
@click.option(
    "--import", "source", type=InputFile(), default=None,
    help="Make KIT from one file.",
)  # fmt: skip
def enrol(
    kit: Path,
    item: str | None,
    photos: tuple[str, ...],
    check: bool,
    target: Path | None,
    source: Path | None,
) -> int:
    """Show ITEM (die:NAME/FACE or card:DECK/NAME) of a KIT in PHOTOS.

    A photo may be followed by the box of the face in it, in pixels:
    a.jpg@310,200,420,310. Without one it has to show only that die or card.
    """
    try:
        if item is None:
            _without_item(kit, check, source, target)
            return 0
        thing = parse_item(item)
        if not photos:
            raise BadInput(say("terminal.enrol.no_photo", item=item))
        new = [_shot(thing, photo) for photo in photos]
        if len({(shot.content, shot.box) for shot in new}) < len(new):
            raise BadInput(say("terminal.enrol.twice"))
        every = keep_shots(kit, new)
        own = [s for s in every if (s.kind, s.piece) == (thing.kind, thing.piece)]
        count = sum(shot.face == thing.face for shot in own)
        click.echo(f"{item}: {count} picture{'s' if count > 1 else ''} kept in {kit}")
        if thing.kind is Kind.DIE or check:
            _tell_all(kit, every if check else tuple(own))
    except (BadKit, PictureUnreadable) as error:
        raise BadInput(str(error)) from error
    except OSError as error:
        raise BadInput(
            say("terminal.unwritable", path=str(kit), why=str(error.strerror))
        ) from error
    return 0


def _without_item(
    kit: Path, check: bool, source: Path | None, target: Path | None
) -> None:
    """Do what concerns the whole kit.

    Raises:
        BadInput: Nothing was asked for.
    """
    if source is not None or target is not None:
        click.echo(_carried(kit, source, target))
    elif check:
        _tell_all(kit, kept_shots(kit))
    else:
        raise BadInput(say("terminal.enrol.no_item"))


def _carried(kit: Path, source: Path | None, target: Path | None) -> str:
    """Make a kit from one file, or one file from a kit; return what was done."""
    if source is not None:
        unpack_to(source.read_bytes(), kit)
        return f"{kit} made from {source}"
    assert target is not None
    target.write_bytes(pack(kit))
    return f"{kit} kept in {target}"


def parse_item(text: str) -> FaceShown:
    """Return the item that ``die:NAME/FACE`` or ``card:DECK/NAME`` names.

    Raises:
        BadInput: It names none.
    """
    kind, colon, rest = text.partition(":")
    piece, slash, face = rest.partition("/")
    if kind not in ("die", "card") or not colon or not slash or not piece or not face:
        raise BadInput(say("terminal.enrol.not_an_item", item=repr(text), **SYNTAX))
    return FaceShown(Kind.DIE if kind == Kind.DIE else Kind.CARD, piece, face)


def _shot(thing: FaceShown, text: str) -> NewShot:
    path, box = _split(text)
    refuse_device(path)
    photo = open_picture(path)
    high, wide = photo.size
    if box is None:
        found = locate_die(photo.picture) if thing.kind is Kind.DIE else None
        if found is None and thing.kind is Kind.DIE:
            raise BadInput(say("terminal.enrol.no_die", path=str(path)))
        small = found or (0, 0, *photo.picture.shape[1::-1])
    else:
        _check_box(path, box, wide, high)
        left, top, right, bottom = (round(edge / photo.scale) for edge in box)
        small = left, top, right, bottom
    cut, inner = _cut(photo.picture, small, _MARGIN if thing.kind is Kind.DIE else 0.0)
    return NewShot(
        thing.kind, thing.piece, thing.face, encode_png(cut), inner,
        float(max(photo.picture.shape[:2])),
    )  # fmt: skip


def _split(text: str) -> tuple[Path, BoxPx | None]:
    """Return a photo's path and the box after it, if there is one."""
    found = _BOX.search(text)
    if found is None:
        if "@" in text and not Path(text).exists():
            raise BadInput(say("terminal.enrol.no_box", photo=text))
        return Path(text), None
    left, top, right, bottom = (int(edge) for edge in found.groups())
    return Path(text[: found.start()]), (left, top, right, bottom)


def _check_box(path: Path, box: BoxPx, wide: int, high: int) -> None:
    left, top, right, bottom = box
    if not (0 <= left < right <= wide and 0 <= top < bottom <= high):
        raise BadInput(
            say(
                "terminal.enrol.outside",
                box=f"{left},{top},{right},{bottom}",
                path=str(path),
                size=f"{wide}x{high}",
            )
        )
    if min(right - left, bottom - top) < _LEAST_PX:
        raise BadInput(
            say(
                "terminal.enrol.small",
                box=f"{left},{top},{right},{bottom}",
                path=str(path),
                least=_LEAST_PX,
            )
        )


def _cut(picture: Picture, box: BoxPx, margin: float) -> tuple[Picture, BoxPx]:
    """Return a box with its surroundings, and where the box lies in them."""
    left, top, right, bottom = box
    more = round(margin * max(right - left, bottom - top))
    x, y = max(0, left - more), max(0, top - more)
    cut = picture[y : bottom + more, x : right + more]
    return cut, (left - x, top - y, right - x, bottom - y)


def _tell_all(kit: Path, shots: tuple[KeptShot, ...]) -> None:
    """Say what to mend in each die and deck."""
    if not shots:
        raise BadInput(say("terminal.enrol.empty", kit=str(kit)))
    for kind, piece in sorted({(shot.kind, shot.piece) for shot in shots}):
        own = [shot for shot in shots if (shot.kind, shot.piece) == (kind, piece)]
        for line in _TELL[kind](kit, own):
            click.echo(f"  {kind}:{piece}: {line}")


def _die_told(kit: Path, shots: list[KeptShot]) -> list[str]:
    model = learn_die(kit, shots)
    faces = sorted({shot.face for shot in shots})
    few = [face for face in faces if sum(s.face == face for s in shots) < 3]
    lines = [f"faces shown: {' '.join(faces)}"]
    lines += [f"two faces called {a} and {b} look alike: always asked"
              for a, b in model.always_ask]  # fmt: skip
    lines += [
        f"{shots[number].file} looks like no other picture of {shots[number].face} and "
        "is left out; show that face again"
        for number in model.bad
    ]
    lines += [
        f"{shots[number].file} was shown as {shots[number].face} but looks like "
        f"{face}; it is left out"
        for number, face in model.mistaken
    ]
    if few:
        lines.append(f"three pictures per face are safer: more of {' '.join(few)}")
    return lines


def _deck_told(kit: Path, shots: list[KeptShot]) -> list[str]:
    audit = learn_deck(kit, shots).audit
    lines = [f"cards shown: {len({shot.face for shot in shots})}"]
    lines += [f"{a} and {b} look alike: always asked" for a, b in audit.always_ask]
    lines += [f"picture {n + 1} of {face} is left out; show it again"
              for face, n in audit.bad]  # fmt: skip
    if audit.tested:
        lines.append(
            f"self-test: {audit.tested - len(audit.mistaken)} of {audit.tested} "
            "left-out pictures look most like their own card"
        )
    return lines


def _hues_told(kit: Path, shots: list[KeptShot]) -> list[str]:
    model = learn_hues(kit, shots)
    faces = sorted({shot.face for shot in shots})
    lines = [f"colours shown: {' '.join(faces)}"]
    return lines + [f"{a} and {b} look alike: always asked"
                    for a, b in model.always_ask]  # fmt: skip


def _tokens_told(kit: Path, shots: list[KeptShot]) -> list[str]:
    del kit
    return [f"tokens shown: {len({shot.face for shot in shots})}"]


_TELL = {
    Kind.DIE: _die_told, Kind.COLOUR: _hues_told,
    Kind.CARD: _deck_told, Kind.TOKEN: _tokens_told,
}  # fmt: skip
