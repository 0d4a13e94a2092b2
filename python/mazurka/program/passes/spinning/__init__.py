"""Rounds of loops that change nothing: which they are, and how code is changed so that more of them show.

``terms`` has values as expressions and what is known about them, ``ways`` follows the ways round a loop,
``code`` knows the loops of a draft, ``notes`` says what became of each loop. The pass itself is
``passes.spin_assume``.
"""
