"""Removes what readers cannot see and models can (draft, "Zero-Width and Homoglyph Attacks").

``classes`` says which code points are invisible, ``homoglyphs`` which words hold look-alikes of ASCII, ``context``
where an invisible character is part of honest text. ``engine`` puts the three together.
``stream`` runs it over bytes, ``honest_grammar`` tells it what needs no look, ``jsonmode`` goes into JSON's strings,
``reports`` and ``visible`` show what was found.
"""
