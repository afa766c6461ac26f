"""A table without a box: drawn pieces, and simulated players who move them."""
