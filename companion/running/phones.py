"""The phones that were let in, by the hashes of their tokens.

The writer of the running table alone changes it.
"""

from companion.running.snapshot import PhoneToken
from companion.running.storage.store import Store
from companion.running.unsaved import TokensRevoked, Unsaved
from companion.running.wishes import RevokeTokens


class Phones:
    """What phones were let in with: at once, and for good when the disk takes it.

    Args:
        store: The open store.
        unsaved: What waits for the disk.
    """

    def __init__(self, store: Store, unsaved: Unsaved) -> None:
        self._store = store
        self._unsaved = unsaved
        self.tokens = store.tokens()

    def carry_out(self, command: PhoneToken | RevokeTokens) -> None:
        """Let a phone in, or some out."""
        if isinstance(command, PhoneToken):
            self.tokens = (*self.tokens, command)
            self._unsaved.add(command)
        else:
            gone = command.hashes
            self.tokens = tuple(t for t in self.tokens if t.hash not in gone)
            self._unsaved.add(TokensRevoked(gone))

    def drop_game(self, game_id: str) -> None:
        """Forget who was let in for a game that is no more."""
        self.tokens = tuple(t for t in self.tokens if t.game_id != game_id)

    def reread(self) -> None:
        """Take what the file holds, where it could not be read before.

        Raises:
            StoreTrouble: It cannot be read now.
        """
        self.tokens = self._store.tokens()
