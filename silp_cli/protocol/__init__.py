"""Layer 3 of the draft: errors as payloads, negotiation, sessions, the compile lock, foreign envelopes."""
