"""Payloads inside the messages of other protocols (draft, section "Relationship to Existing Agent Protocols").

A payload is put in by cutting it into the envelope's text, so everything else in there stays as it was, byte for byte.
"""
