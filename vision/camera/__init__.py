"""Cameras, live or recorded: pictures, their health, and when the table lies still."""
