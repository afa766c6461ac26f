"""Read what lies flat on its spots: round pieces and cards, by their print."""

from functools import partial

from msgspec.structs import replace

from companion.table import BoxPx, Face, Piece, SurePiece, UnsurePiece
from vision.arrays import Floats, Mask
from vision.tabletop.cards import (
    CardPosition,
    card_outline,
    find_card,
    locate_card,
    read_card,
    sample_card_finely,
)
from vision.tabletop.memory import AnswerCache
from vision.tabletop.plan import CARD, DIE, TOKEN, Plan, Spot, Thing
from vision.tabletop.pose import CameraPose
from vision.tabletop.prints import (
    PointMm,
    PrintBank,
    points_near,
    rank_names,
    sample_print,
)
from vision.tabletop.surface import (
    MARGIN_MM,
    PX_PER_MM,
    Surface,
    box_about_thing,
    clear_outline,
    hidden_outline,
    window_of_spot,
)
from vision.tabletop.teaching import TaughtPieces, middle_of_mask
from vision.tabletop.verdict import decide_card, decide_piece


class FlatReader:
    """Reads cards and round pieces; a spot that looks as before keeps its answer."""

    def __init__(self, plan: Plan, pose: CameraPose, taught: TaughtPieces) -> None:
        self._plan = plan
        self._pose = pose
        self._taught = taught
        self._kinds = {thing.piece: thing for thing in plan.things}
        self._across = {
            (look.piece, look.same_as): look.face for look in plan.looks if look.quarter
        }
        self._tokens: AnswerCache[tuple[SurePiece | UnsurePiece, PointMm]] = (
            AnswerCache()
        )
        self._cards: AnswerCache[SurePiece | UnsurePiece] = AnswerCache()

    def read(
        self,
        seen: Surface,
        bare: Surface,
        left: Mask,
        found: list[SurePiece],
        doubts: list[UnsurePiece],
    ) -> list[Floats]:
        """Read the cards and round pieces of all spots.

        Returns the outlines of what is unsure: it may be part of a hand.
        """
        unsure: list[Floats] = []
        for spot in self._plan.spots:
            shape = self._kinds[spot.holds[0]].shape
            if shape is TOKEN and self._taught.prints is not None:
                read = self._token_at(self._taught.prints, seen, left, spot)
            elif shape is CARD and self._taught.cards is not None:
                read = self._card_at(self._taught.cards, (seen, bare), left, spot)
            else:
                continue
            if read is None:
                continue
            answer, outline = read
            if isinstance(answer, SurePiece):
                found.append(answer)
                clear_outline(left, outline)
            else:
                doubts.append(answer)
                unsure.append(outline)
        return unsure

    def _token_at(
        self, taught: PrintBank, seen: Surface, left: Mask, spot: Spot
    ) -> tuple[SurePiece | UnsurePiece, Floats] | None:
        """Return the round piece on a spot, and what it hides of the plane."""
        thing = self._kinds[spot.holds[0]]
        rows, columns = window_of_spot(spot)
        middle = middle_of_mask(left[rows, columns], thing)
        if middle is None:
            return None
        at = (
            (middle[0] + columns.start) / PX_PER_MM,
            (middle[1] + rows.start) / PX_PER_MM,
        )
        a, b, c, d = box_of_spot(self._pose, spot, thing)
        answer, at = self._tokens.get(
            spot,
            seen.evened[b:d, a:c],
            partial(_token, taught, seen, spot, thing, at),
        )
        return answer, hidden_outline(self._pose, thing, *at) * PX_PER_MM

    def _card_at(
        self, taught: PrintBank, views: tuple[Surface, Surface], left: Mask, spot: Spot
    ) -> tuple[SurePiece | UnsurePiece, Floats] | None:
        """Return the card on a spot, and what it hides of the plane."""
        seen, bare = views
        thing = self._kinds[spot.holds[0]]
        rows, columns = window_of_spot(spot)
        card = find_card(left[rows, columns], thing)
        if card is None:
            return None
        x, y = columns.start / PX_PER_MM, rows.start / PX_PER_MM
        card = card._replace(at=(card.at[0] + x, card.at[1] + y))
        a, b, c, d = box_of_spot(self._pose, spot, thing)

        def read() -> SurePiece | UnsurePiece:
            fine = locate_card(seen, bare, spot, thing)
            return self._card(taught, seen, spot, fine or card)

        answer = self._cards.get(spot, seen.evened[b:d, a:c], read)
        return answer, card_outline(thing, card, MARGIN_MM) * PX_PER_MM

    def _card(
        self, taught: PrintBank, seen: Surface, spot: Spot, card: CardPosition
    ) -> SurePiece | UnsurePiece:
        """Return which card of those that a spot may hold lies there."""
        thing = self._kinds[spot.holds[0]]
        ranked, best = read_card(taught, seen, thing, card)
        box = box_about_thing(seen.pose, thing, *card.at)
        closer = partial(sample_card_finely, seen, thing, best)
        answer = decide_card(taught, ranked, closer, spot, box)
        if not card.across:
            return answer
        if isinstance(answer, SurePiece):
            return replace(answer, face=self._lying_across(answer.piece, answer.face))
        choices = tuple(
            (piece, self._lying_across(piece, face), chance)
            for piece, face, chance in answer.choices
        )
        return replace(answer, choices=choices)

    def _lying_across(self, piece: Piece, face: Face | None) -> Face | None:
        """Return the face that a card shows by lying across, if it has one."""
        return self._across.get((piece, face), face)


def _token(
    taught: PrintBank, seen: Surface, spot: Spot, thing: Thing, at: PointMm
) -> tuple[SurePiece | UnsurePiece, PointMm]:
    """Return which round piece of those that a spot may hold lies about a point."""
    ranked, _ = rank_names(
        taught, [sample_print(seen, thing, near) for near in points_near(at)]
    )
    return decide_piece(
        taught, ranked, spot, box_about_thing(seen.pose, thing, *at)
    ), at


def box_of_spot(pose: CameraPose, spot: Spot, thing: Thing) -> BoxPx:
    """Return where a spot and what stands in it are seen."""
    whole = Thing("", DIE, spot.width_mm, spot.height_mm, thing.tall_mm)
    return box_about_thing(pose, whole, spot.x_mm, spot.y_mm)
