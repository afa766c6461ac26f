"""Every page, and what is worked out for it alone."""
