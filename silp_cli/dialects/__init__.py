"""What models and interfaces write: the table of dialects, the notations, the reader. Gives calls, not IR."""
