"""Reads dice that their owner has shown once: any signs, any colours."""
