"""Starts the parts of a table one by one; one that fails is left out and said."""

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from typing import TypeVar

from companion.running.missing import MissingParts
from companion.table import LinePart

Part = TypeVar("Part")


class PartStarter:
    """Starts parts in their order; *stack* stops them in the other."""

    def __init__(self, stack: ExitStack, missing: MissingParts) -> None:
        self._stack = stack
        self._missing = missing

    def enter(
        self, part: str, make: Callable[[], AbstractContextManager[Part]]
    ) -> Part | None:
        """Return a part that runs as long as the table, None where it does not start.

        *part* names the line ``core.missing.<part>`` that tells people.
        """
        try:
            return self._stack.enter_context(make())
        except Exception as error:  # noqa: BLE001
            # Drivers raise what they like, and no part may take the table down.
            self._leave_out(part, error)
            return None

    def begin(
        self, part: str, start: Callable[[], object], stop: Callable[[], object]
    ) -> None:
        """Start a thread of the table, and stop it with the table."""
        try:
            start()
        except Exception as error:  # noqa: BLE001
            # As above; where there is no room for a thread it is a RuntimeError.
            self._leave_out(part, error)
        else:
            self._stack.callback(stop)

    def _leave_out(self, part: str, error: Exception) -> None:
        what = LinePart(f"core.missing.{part}")
        self._missing.note(part, what, error, in_play=True)
