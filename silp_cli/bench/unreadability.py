"""How hard a payload is for a person to read, from the frequency of its words and the density of its symbols."""

from __future__ import annotations

import re

from silp_cli.bench.extras import require

# The commonest words of English reach 7 and more on the Zipf scale; what reaches this is familiar to everyone.
FAMILIAR = 6.0
_word = re.compile(r"[^\W\d_]+")


def unreadability(text: str) -> float:
    """The score of a payload, 0 (like prose) to 1.

    Half of it is the mean rarity of its words, half the density of its symbols: what is neither letter nor digit nor
    space, where every second character being one is as bad as can be.
    """
    frequency = require("wordfreq").zipf_frequency
    words = _word.findall(text)
    rarity = sum(1 - min(1.0, frequency(word, "en") / FAMILIAR) for word in words) / len(words) if words else 1.0
    shown = [char for char in text if not char.isspace()]
    symbols = sum(not char.isalnum() for char in shown) / len(shown) if shown else 0.0
    return (rarity + min(1.0, 2 * symbols)) / 2
