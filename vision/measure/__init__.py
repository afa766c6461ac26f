"""Right, asked and wrong on pictures with labels; the product needs none of it."""
