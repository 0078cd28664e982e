"""Negotiation: how two sides settle on a frontend, and what to do where one is missing."""
