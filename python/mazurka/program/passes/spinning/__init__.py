"""Rounds of loops that change nothing: which they are, and how code is changed so that more of them show.

``terms`` has values as expressions and what is known about them, ``walking`` follows a way round a loop, and
``ways`` judges what it did. ``code`` knows the loops of a draft, ``stopping`` looks at each of them,
``editing`` changes their code, and ``notes`` says what became of them. ``recursion`` does so for functions
that call themselves to wait. The passes themselves are in ``passes.spin_assume``.
"""
