"""The eye of the table: frames in, readings out. It knows no rules."""
