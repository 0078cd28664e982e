"""Explains payloads: which part of a text became which slot, as a listing, as JSON and as a page."""
