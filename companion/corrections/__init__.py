"""Puts right what was recorded wrong: amends it, or sets it to what lies there."""
