"""The table while it runs: commands, their reducer, one writer, its snapshot."""
