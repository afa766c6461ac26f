"""Cards: where they lie, what they show, and which of them were never shown."""
