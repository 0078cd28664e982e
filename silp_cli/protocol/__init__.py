"""Layer 3 of the draft: negotiation, sessions, locks and envelopes."""
