"""Floating-point constants that are added to ``_Atomic`` integers, of which nothing is left in the IR.

For ``i += 0.5``, clang converts the number to the type of ``i`` before it adds, and computes the conversion
itself if the number is a constant. A program that may have such an assignment is therefore compiled again,
with conversions that it may not compute (``UNFOLDED``). ``cleaning.compound`` says which of them are wrong.
"""

from __future__ import annotations

import re

UNFOLDED = ("-frounding-math",)
# The value is used again to compute the result of the assignment, unlike in ``x++`` and atomic_fetch_add.
_ADDED = re.compile(
    r"^  (?P<old>%\S+) = atomicrmw (?P<op>add|sub) ptr .*, (?P<type>i\d+) (?P<value>-?\d+|poison) .*"
    r"!dbg (?P<place>!\d+)\n  %\S+ = (?P=op) (?:nsw )?(?P=type) (?P=old), (?P=value)(?:,|$)",
    re.M,
)
_LOCATION = re.compile(r"^(!\d+) = (?:distinct )?!DILocation\(line: (\d+), column: (\d+),", re.M)
# What cannot be such an assignment: an integer is added, or there is no assignment.
_HARMLESS = re.compile(r"[-+]=\s*\d+[uUlL]*\s*[;,)]|\+\+|--|__(?:sync|atomic)_")


def may_add_constant(text: str, source: str) -> bool:
    """Whether an assignment in the IR may add a floating-point constant, as far as its source shows."""
    added = list(_ADDED.finditer(text))
    if not added:
        return False
    places = {name: (int(line), int(column)) for name, line, column in _LOCATION.findall(text)}
    lines = source.split("\n")
    return not all(_is_harmless(lines, *places.get(found["place"], (0, 0))) for found in added)


def _is_harmless(lines: list[str], line: int, column: int) -> bool:
    """Whether the source has there what adds no floating-point number; it may be another file's place."""
    if not 0 < line <= len(lines) or column == 0:
        return False
    # Columns count bytes.
    at = lines[line - 1].encode()[column - 1 :].decode(errors="replace")
    return _HARMLESS.match(at) is not None
