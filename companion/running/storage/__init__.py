"""Games on disk: written whole, checked by digests, read as far as they are sound."""
