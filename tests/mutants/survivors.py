"""The small faults that nothing notices, each with the reason why it is no fault.

A line is what ``python -m tests.mutants GAME all`` prints of it.
"""

REASONS: dict[str, dict[str, str]] = {}
