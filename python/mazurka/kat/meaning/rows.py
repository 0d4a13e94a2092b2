"""Relations on a few events as rows of bits, and the operations of the model language on them (thesis §3.1).

Row ``a`` has bit ``b`` iff the pair (a, b) is in the relation. Each operation follows its definition. The
reference evaluates terms with these, and so does the prover on its counterexamples.
"""

from __future__ import annotations

from typing import TypeAlias

Rows: TypeAlias = list[int]


def bits(row: int) -> list[int]:
    """The numbers of the bits of a row."""
    return [number for number in range(row.bit_length()) if row >> number & 1]


def identity(size: int) -> Rows:
    """Every event with itself."""
    return [1 << number for number in range(size)]


def union(one: Rows, two: Rows) -> Rows:
    """The pairs of either relation."""
    return [a | b for a, b in zip(one, two, strict=True)]


def compose(one: Rows, two: Rows) -> Rows:
    """A step of one relation, then a step of the other."""
    result = []
    for row in one:
        reached = 0
        while row:
            lowest = row & -row
            reached |= two[lowest.bit_length() - 1]
            row ^= lowest
        result.append(reached)
    return result


def inverse(rows: Rows) -> Rows:
    """The pairs turned around."""
    result = [0] * len(rows)
    for a, row in enumerate(rows):
        for b in bits(row):
            result[b] |= 1 << a
    return result


def closure(rows: Rows) -> Rows:
    """One or more steps (Warshall: after round k, paths through the events up to k are in)."""
    result = list(rows)
    for k in range(len(result)):
        via, bit = result[k], 1 << k
        if via:
            result = [row | via if row & bit else row for row in result]
    return result


def is_irreflexive(rows: Rows) -> bool:
    """Whether no event is related to itself."""
    return not any(row >> number & 1 for number, row in enumerate(rows))


def is_within(one: Rows, two: Rows) -> bool:
    """Whether every pair of one relation is in the other."""
    return not any(a & ~b for a, b in zip(one, two, strict=True))
