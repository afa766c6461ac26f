"""Threads between camera and inbox: what lies on the table, and what was thrown."""
