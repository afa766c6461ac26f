"""The lesson in which a copy is taught: its page, its camera, and what it keeps."""
