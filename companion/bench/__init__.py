"""Speed figures beside those of programs that people know, as ratios in one run.

Nothing here is asserted: a machine's speed is its own affair, the ratio is ours.
"""
