"""Layer 2 of the draft: the surface frontends. Knows the IR and the text helpers only."""
