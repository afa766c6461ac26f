"""A hub: it gathers what tables send, keeps it, and knows the room."""
