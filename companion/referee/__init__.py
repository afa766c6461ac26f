"""From what was seen or claimed to one legal move, a question, or nothing."""
