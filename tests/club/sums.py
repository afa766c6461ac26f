"""What one table sends in an evening: messages and bytes, game by game.

``python -m tests.club.sums`` prints the table of the README of `companion/club`.
Nothing goes over a network: each message is made as a table makes it when people play,
one entry at a time, and its bytes are counted with MQTT's own.
"""

import sys

import msgspec

from companion.club.messages import (
    Delivery,
    Stored,
    encode,
    entries_topic,
    home_topic,
    now_topic,
    stored_topic,
)
from companion.club.table import home_assistant
from companion.club.table.public import game_line, public_entry, table_now
from companion.games import GAMES
from companion.running.snapshot import Snapshot
from companion.story.log import Story
from tests.club.played import steps_of
from tests.dashboard.fakes import NOON

HEAD_BYTES = 9
"""Of a PUBLISH of QoS 1: 1 and at most 3 for the length, 2 for that of the topic, 2 for
the packet's number, 1 for no properties. Source: MQTT 5.0, 3.3.1 and 3.3.2."""

ACK_BYTES = 4
"""Of its acknowledgement. Source: MQTT 5.0, 3.4."""


def sent(story: Story, before: bytes) -> tuple[list[tuple[str, bytes]], bytes]:
    """Return what comes of an entry, up and down, and what the smart home has then."""
    shown = Snapshot(version=story.seq, game_id="0123456789abcdef", story=story)
    now = table_now(shown, "Table 7", NOON)
    entry = msgspec.Raw(public_entry(story.entries[-1]))
    line = game_line("0123456789abcdef", story)
    delivery = Delivery(
        story.seq, "Table 7", NOON, story.seq, line, story.seq, (entry,)
    )
    messages = [
        (now_topic("table-7"), encode(now)),
        (entries_topic("table-7"), encode(delivery)),
        (stored_topic("table-7"), encode(Stored(story.seq))),
    ]
    home = home_assistant.state(now, "fr")
    if home != before:
        messages.append((home_topic("table-7"), home))
    return messages, home


def sums(game: str) -> tuple[int, int, int]:
    """Return how many entries, messages and bytes a game comes to at its table."""
    messages, bytes_, home = 0, 0, b""
    steps = steps_of(game)
    for story in steps:
        made, home = sent(story, home)
        messages += len(made)
        bytes_ += sum(
            len(topic) + len(payload) + HEAD_BYTES + ACK_BYTES
            for topic, payload in made
        )
    return len(steps), messages, bytes_


def main() -> None:
    for game in GAMES:
        entries, messages, bytes_ = sums(game.id)
        sys.stdout.write(
            f"| {game.title} | {entries} | {messages:,} | {bytes_ / 1000:,.0f} kB | "
            f"{bytes_ / entries:,.0f} |\n"
        )


if __name__ == "__main__":
    main()
