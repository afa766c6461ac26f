"""A board by its corners and spaces: what has come to them or gone."""
