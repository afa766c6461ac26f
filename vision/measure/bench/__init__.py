"""How well the eye reads, beside recipes that people know, on the same pictures."""
