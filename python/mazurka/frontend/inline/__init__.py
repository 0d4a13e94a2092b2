"""Inline assembly with the meaning that it has: barriers and pauses of several machines, and idioms of x86.

``template`` splits the text of an ``asm`` into instructions, ``constraints`` says what its operands are,
``barriers`` knows what only orders or pauses, and ``x86`` runs short pieces of x86 code on the operands.
``docs/c.md`` has the table. Everything else is refused where it is reached, by its line.
"""
