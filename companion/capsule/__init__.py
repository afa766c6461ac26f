"""A game as one file that is played again to the bit, and what is kept for it."""
