"""The long documentation, shipped in the wheel: one page a topic, and the table of rules."""
