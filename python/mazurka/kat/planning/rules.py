"""Error rules: conflicting accesses that a view must order.

A rule has the form ``unless conflict <= view``, where the conflict is a union of ``[P] ; loc-overlap ; [Q]``.
Such a relation has a conflicting pair both ways round, and an access is never both before and after another.
So the rule requires that the view or its inverse has the pair (``view | view^-1`` may be written, too).
"""

from __future__ import annotations

from collections.abc import Mapping

from mazurka.kat.automata.builder import Builder
from mazurka.kat.automata.guarded import row_list
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.plan import PlanRule, Symbol
from mazurka.kat.meaning.rewrite import expand, normalise
from mazurka.kat.planning.checks import Views


class NotAConflict(Exception):  # noqa: N818 - says what a relation is, not that something broke
    """The left side of a rule is not a union of ``[P] ; loc-overlap ; [Q]``."""


def plan_rule(rule: terms.ErrorRule, views: Views) -> list[PlanRule]:
    """The rule as pairs of sets of classes; ``soundness.expressible`` refuses other forms beforehand."""
    order = order_of(rule)
    name = order.name if isinstance(order, terms.View | terms.Base) else rule.name
    view = views.keep(name, order, rule.span)
    return [
        PlanRule(rule.name, rule.name.lower(), rule.warning, first, second, view)
        for first, second in conflicts_of(rule, views.definitions)
    ]


def order_of(rule: terms.ErrorRule) -> terms.Relation:
    """The order of accesses that the constraint's right side requires."""
    match rule.constraint.right:
        case terms.Union(order, terms.Inverse(other)) if order == other:
            return order
        case terms.Union(terms.Inverse(other), order) if order == other:
            return order
        case order:
            return order


def conflicts_of(rule: terms.ErrorRule, views: Mapping[str, terms.Relation]) -> list[tuple[int, int]]:
    """The classes of conflicting accesses; NotRegular or NotAConflict if the rule does not have that form."""
    term = normalise(expand(rule.constraint.left, views))
    union = Builder({}, {}, rule.span).guarded(term)
    if rule.constraint.equal or set(union) - {(Symbol.LOC_OVERLAP, False)}:
        raise NotAConflict
    return symmetric_rectangles(row_list(union.get((Symbol.LOC_OVERLAP, False), 0)))


def symmetric_rectangles(rows: list[int]) -> list[tuple[int, int]]:
    """A few pairs of sets of classes such that each related pair of classes lies across one, either way."""
    both = list(rows)
    for c, row in enumerate(rows):
        for d in range(len(rows)):
            if row >> d & 1:
                both[d] |= 1 << c
    left = [row & ~((1 << c) - 1) for c, row in enumerate(both)]  # each unordered pair once
    found: list[tuple[int, int]] = []
    while any(left):
        first, second = max(_products(both), key=lambda product: (_gain(left, *product), product))
        found.append((first, second))
        left = [row & ~_reach(c, first, second) for c, row in enumerate(left)]
    return found


def _products(rows: list[int]) -> list[tuple[int, int]]:
    """For each row, the largest product whose second side it is."""
    distinct = {row for row in rows if row}
    return [(sum(1 << c for c, row in enumerate(rows) if row & after == after), after) for after in distinct]


def _reach(index: int, first: int, second: int) -> int:
    """The classes that a class is paired with by two sets."""
    return (second if first >> index & 1 else 0) | (first if second >> index & 1 else 0)


def _gain(left: list[int], first: int, second: int) -> int:
    return sum((row & _reach(c, first, second)).bit_count() for c, row in enumerate(left))
