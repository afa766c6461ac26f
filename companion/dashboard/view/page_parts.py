"""Works out the parts of a page each on its own, so that none takes another along."""

import logging
from collections.abc import Callable
from typing import TypeVar

logger = logging.getLogger(__name__)

Part = TypeVar("Part")
Fallback = TypeVar("Fallback")


class PageParts:
    """Works out parts one by one: what fails is left out and named.

    A fault in what is said of a move must not take the board and its buttons along.

    Args:
        strict: Raise instead, as tests want it.
    """

    def __init__(self, *, strict: bool = False) -> None:
        self._strict = strict
        self._failed: dict[str, None] = {}

    @property
    def failed(self) -> tuple[str, ...]:
        """Return the names of the parts that failed."""
        return tuple(self._failed)

    def get(
        self, name: str, work: Callable[[], Part], otherwise: Fallback
    ) -> Part | Fallback:
        """Return what *work* gives; where it fails *otherwise*, and log a trace."""
        try:
            return work()
        except Exception:
            if self._strict:
                raise
            logger.exception("the part %r of a page could not be made", name)
            self._failed[name] = None
            return otherwise
