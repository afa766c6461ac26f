"""What a hub shows: the room, its wall, results, and what staff do."""
