"""What a term of the model language denotes on a graph (thesis §3.1): a set of pairs, as rows of bits.

Row ``a`` has bit ``b`` iff the pair (a, b) is in the relation; events are numbered in insertion order, then
initial writes. Each operator is its definition. A term is evaluated once a graph, and a composition with
nothing is nothing, without looking at the other side; that changes nothing but time.

Not done: dependencies (ctrl, addr, data), detour, and relations that a model declares: all are refused.
"""

from __future__ import annotations

from collections.abc import Mapping

from mazurka.kat import terms
from mazurka.reference.bases import BASES, Pairs, initial_write, locations
from mazurka.reference.graph import Graph
from mazurka.reference.labels import EventId, ReferenceUnsupported
from mazurka.reference.predicates import facts, passes
from mazurka.rows import Rows, bits, closure, compose, identity, inverse, union

SYNONYMS = {"mo": "co", "moe": "coe", "moi": "coi"}


class Relations:
    """The relations of one graph, under the views of one model."""

    def __init__(self, graph: Graph, views: Mapping[str, terms.Relation]) -> None:
        self.graph = graph
        self.views = views
        self.events: list[EventId] = [*graph.order, *map(initial_write, locations(graph))]
        self.size = len(self.events)
        self.numbers = {event: number for number, event in enumerate(self.events)}
        self._facts = [facts(graph, event) for event in self.events]
        self._bases: dict[str, Rows] = {}
        self._views: dict[str, Rows] = {}
        # By the identity of the term, which is kept here so that no other term can get it.
        self._values: dict[int, tuple[terms.Relation, Rows]] = {}

    def rows(self, term: terms.Relation) -> Rows:
        """The relation that a term denotes."""
        known = self._values.get(id(term))
        if known is None:
            known = self._values[id(term)] = term, self._evaluate(term)
        return known[1]

    def pairs(self, term: terms.Relation) -> Pairs:
        """The same as a set of pairs of events."""
        return {(self.events[a], self.events[b]) for a, row in enumerate(self.rows(term)) for b in bits(row)}

    def _evaluate(self, term: terms.Relation) -> Rows:
        match term:
            case terms.Empty():
                return [0] * self.size
            case terms.Identity():
                return identity(self.size)
            case terms.Base(name):
                return self._base(SYNONYMS.get(name, name))
            case terms.View(name):
                return self._view(name)
            case terms.Guard(test):
                return [passes(event, test) << number for number, event in enumerate(self._facts)]
            case terms.Sequence(left, right):
                first = self.rows(left)
                return compose(first, self.rows(right)) if any(first) else first
            case terms.Union(left, right):
                return union(self.rows(left), self.rows(right))
            case terms.Intersection(left, right):
                return [a & b for a, b in zip(self.rows(left), self.rows(right), strict=True)]
            case terms.Difference(left, right):
                return [a & ~b for a, b in zip(self.rows(left), self.rows(right), strict=True)]
            case terms.Plus(body):
                return closure(self.rows(body))
            case terms.Star(body):
                return union(closure(self.rows(body)), identity(self.size))
            case terms.Maybe(body):
                return union(self.rows(body), identity(self.size))
            case terms.Inverse(body):
                return inverse(self.rows(body))
            case terms.Rotation():
                raise ReferenceUnsupported("the rotational closure, which only the prover knows")

    def _base(self, name: str) -> Rows:
        if name not in self._bases:
            self._bases[name] = self._build(name)
        return self._bases[name]

    def _build(self, name: str) -> Rows:
        match name:
            case "po":
                return closure(self._base("po-imm"))
            case "po-loc":
                return [a & b for a, b in zip(self._base("po"), self._base("loc-overlap"), strict=True)]
            case "any":
                return [(1 << self.size) - 1] * self.size
        if name not in BASES:
            raise ReferenceUnsupported(f"the relation {name}")
        rows = [0] * self.size
        for before, after in BASES[name](self.graph):
            rows[self.numbers[before]] |= 1 << self.numbers[after]
        return rows

    def _view(self, name: str) -> Rows:
        if name not in self._views:
            self._views[name] = self.rows(self.views[name])
        return self._views[name]
