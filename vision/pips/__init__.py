"""Dice with pips, read without having been shown: from spots to sure faces."""
