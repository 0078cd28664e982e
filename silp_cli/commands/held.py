"""Moved to ``silp_cli.text.held``."""

from silp_cli.text.held import Held

__all__ = ["Held"]
