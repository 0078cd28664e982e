"""Removes what readers cannot see and models can (draft, "Zero-Width and Homoglyph Attacks").

``classes`` says which code points are invisible, ``homoglyphs`` which words hold look-alikes of ASCII, ``context``
where an invisible character is part of honest text. ``engine`` puts the three together.
"""
