"""Payloads in the messages of other protocols (draft, "Relationship to Existing Agent Protocols").

A payload is put in by cutting it into the envelope's text, so everything else in there stays as it was,
byte for byte.
"""
