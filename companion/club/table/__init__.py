"""What a table has of a club: it publishes, delivers, calls, and exchanges kits."""
