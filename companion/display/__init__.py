"""What the small display at the table says, and the thread that says it."""
