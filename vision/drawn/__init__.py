"""The drawn table: pictures as a camera would see them, for demo and tests."""
