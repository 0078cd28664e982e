"""Reports: what an audit found, for people (tables, HTML) and for programs (JSON, JSON Lines, CSV)."""
