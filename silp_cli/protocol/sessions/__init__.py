"""Sessions: turns counted, heartbeats, and how much context a receiver holds."""
