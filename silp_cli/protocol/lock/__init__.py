"""The compile lock: what was compiled, frozen line by line, and whether it still holds."""
