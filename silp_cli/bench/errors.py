"""What stops a measurement: the message is one line and names the remedy."""

from __future__ import annotations


class EvalError(Exception):
    """A measurement cannot begin or go on; not what a model answered, which is a result."""
