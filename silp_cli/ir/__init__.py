"""Layer 1 of the draft: the intermediate representation. Knows nothing of the other packages."""
