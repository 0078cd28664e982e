"""Text in and out: records, diagnostics, sanitizing. Knows the IR package only."""
