"""A running table with the real desk, without threads, disk or camera."""

from typing import Any

from msgspec.structs import replace

from companion.referee.decisions import Thresholds
from companion.running.commands import Adopt, Amend, Command, Heard, Rest, TakeBack
from companion.running.reducer import carry_out
from companion.running.snapshot import Answer, ButtonStatus, Snapshot
from companion.table import Claim, Cue, Glimpse, Pressed, Reading, Seat
from tests.dashboard.fakes import NOON, FakeTable


class DeskTable(FakeTable):
    """Carries out every order at the desk, and keeps the cues that came of it."""

    def __init__(self, shown: Snapshot) -> None:
        super().__init__()
        self.cues: list[Cue] = []
        self._take(replace(shown, buttons=ButtonStatus("mock", simulated=True)))

    def tell_desk(self, order: Command) -> Answer:
        result = carry_out(self.snapshot, order, NOON, Thresholds())
        self.cues += result.cues
        if result.shown is not self.snapshot:
            self._take(result.shown)
        return result.answer

    def act(self, claim: Claim) -> Answer:
        return self.tell_desk(claim)

    def undo(self, seat: Seat | None, seq: int, key: str) -> Answer:
        return self.tell_desk(TakeBack(seat, seq, key))

    def amend(
        self, step: int, move: str, seat: Seat | None, seq: int, key: str
    ) -> Answer:
        return self.tell_desk(Amend(step, move, seat, seq, key))

    def adopt(self, seat: Seat | None, seq: int, key: str, house: bool) -> Answer:
        return self.tell_desk(Adopt(seat, seq, key, house))

    def rest(self, *, pause: bool) -> Answer:
        return self.tell_desk(Rest(pause))

    def press(self, button: str, seat: Seat | None) -> None:
        pressed = Glimpse(Pressed(button, seat), 1.0)
        self.tell_desk(Heard(Reading((pressed,), source="button")))

    def see(self, *sights: Any, sure: float = 1.0) -> Answer:
        """Show the whole table to the camera: what is new on it."""
        glimpses = tuple(Glimpse(sight, sure) for sight in sights)
        return self.tell_desk(Heard(Reading(glimpses, whole=True)))

    def _take(self, shown: Snapshot) -> None:
        game_id, story = shown.game_id, shown.story
        assert game_id is not None
        assert story is not None
        self._stored[game_id] = story
        changes = {name: getattr(shown, name) for name in shown.__struct_fields__}
        del changes["version"]
        self.show(**changes)
