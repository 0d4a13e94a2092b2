"""Small execution graphs over any relations and predicates, and what terms denote on them.

The general evaluator's operations (``rows``) on graphs that no program made: the prover checks
its counterexamples here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mazurka.kat import terms
from mazurka.kat.terms import Relation
from mazurka.prover.events import Kind
from mazurka.rows import Rows, closure, compose, identity, inverse, is_within, union


class CannotEvaluate(Exception):  # noqa: N818 - says what a term is, not that something broke
    """A term has no meaning on graphs alone."""


@dataclass(frozen=True)
class CandidateGraph:
    """Events with what holds of them, and base relations as bit rows (bit b of row a: a is related to b)."""

    kinds: tuple[Kind, ...]
    threads: tuple[int, ...]  # of each event; -1 for initial writes
    locations: tuple[int, ...]  # of each event; -1 if it accesses none
    relations: Mapping[str, Rows] = field(hash=False)

    @property
    def size(self) -> int:
        """The number of events."""
        return len(self.kinds)


class Evaluator:
    """What terms denote on a graph, under a model's views."""

    def __init__(self, graph: CandidateGraph, views: Mapping[str, Relation]) -> None:
        self.graph = graph
        self._predicates = [kind.predicates for kind in graph.kinds]
        self._views = views
        # By the identity of the term, which is kept here so that no other term can get it.
        self._known: dict[int, tuple[Relation, Rows]] = {}

    def rows(self, term: Relation) -> Rows:
        """The pairs of a term."""
        known = self._known.get(id(term))
        if known is None:
            known = self._known[id(term)] = term, self._evaluate(term)
        return known[1]

    def holds(self, claim: terms.Inclusion) -> bool:
        """Whether an inclusion or equality holds."""
        left, right = self.rows(claim.left), self.rows(claim.right)
        return is_within(left, right) and (not claim.equal or is_within(right, left))

    def violation(self, left: Relation, right: Relation) -> tuple[int, int] | None:
        """A pair of one term that is not one of another."""
        for a, (one, two) in enumerate(zip(self.rows(left), self.rows(right), strict=True)):
            if one & ~two:
                return a, (one & ~two).bit_length() - 1
        return None

    def _evaluate(self, term: Relation) -> Rows:
        size = self.graph.size
        match term:
            case terms.Empty():
                return [0] * size
            case terms.Identity():
                return identity(size)
            case terms.Base(name):
                return self.graph.relations.get(name, [0] * size)
            case terms.View(name):
                return self.rows(self._views[name])
            case terms.Guard(test):
                return [passes(held, test) << number for number, held in enumerate(self._predicates)]
            case terms.Union(left, right):
                return union(self.rows(left), self.rows(right))
            case terms.Sequence(left, right):
                return compose(self.rows(left), self.rows(right))
            case terms.Intersection(left, right):
                return [a & b for a, b in zip(self.rows(left), self.rows(right), strict=True)]
            case terms.Difference(left, right):
                return [a & ~b for a, b in zip(self.rows(left), self.rows(right), strict=True)]
            case terms.Plus(body):
                return closure(self.rows(body))
            case terms.Star(body):
                return union(closure(self.rows(body)), identity(size))
            case terms.Maybe(body):
                return union(self.rows(body), identity(size))
            case terms.Inverse(body):
                return inverse(self.rows(body))
            case terms.Rotation():
                raise CannotEvaluate("rot, which is about words and not about pairs of events")


def passes(held: frozenset[str], test: terms.Test) -> bool:
    """Whether an event with some predicates passes a test."""
    match test:
        case terms.Anything():
            return True
        case terms.Primitive(name):
            return name in held
        case terms.Not(body):
            return not passes(held, body)
        case terms.Both(left, right):
            return passes(held, left) and passes(held, right)
        case terms.Either(left, right):
            return passes(held, left) or passes(held, right)
