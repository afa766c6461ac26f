"""What happened: the log of a game, what it rests on, and how it may go on."""
