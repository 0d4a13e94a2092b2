"""Divisions of a constant by the constant 0, such as ``1 / 0``, of which nothing is left in the IR.

The compiler computes them itself. The result is poison, which may be anything, and in some places not even
that remains (``a[1 / 0]``). A program that may have one is therefore compiled again, with a call in front of
every division (``CHECKED``). Other programs do not get these calls: a branch in front of a division would be
a dependency in models of machines.
"""

from __future__ import annotations

import re

CHECKED = tuple(
    f"-f{flag}=integer-divide-by-zero" for flag in ("sanitize", "no-sanitize-recover", "no-sanitize-trap")
)
_WARNING = "[-Wdivision-by-zero]"
# The branch in front of a division by a constant that is 0.
_ALWAYS = re.compile(r"^  br i1 false, label %\S+, label %handler\.divrem_overflow", re.M)


def may_divide_by_zero(text: str, said: str) -> bool:
    """Whether there may be such a division: the compiler warns of it, or there is poison."""
    return _WARNING in said or " poison" in text


def divides_by_zero(text: str) -> bool:
    """Whether there is such a division in IR that was compiled with ``CHECKED``."""
    return _ALWAYS.search(text) is not None
