"""What a term of the model language denotes on a graph: its relations and events for ``denotation``.

Events are numbered in insertion order, then initial writes.

Not done: relations that a model declares are refused, except for those that the shipped models do.
"""

from __future__ import annotations

from collections.abc import Mapping

from mazurka.kat.meaning import terms
from mazurka.kat.meaning.denotation import Denotation
from mazurka.kat.meaning.rows import Rows, bits, closure, compose, union
from mazurka.reference.bases import BASES, Pairs, cells, initial_write
from mazurka.reference.graph import Graph
from mazurka.reference.predicates import facts, passes
from mazurka.reference.running.labels import EventId, ReferenceUnsupported

SYNONYMS = {"mo": "co", "moe": "coe", "moi": "coi"}


class Relations(Denotation):
    """The relations of one graph, under the views of one model."""

    def __init__(self, graph: Graph, views: Mapping[str, terms.Relation]) -> None:
        super().__init__()
        self.graph = graph
        self.views = views
        self.events: list[EventId] = [*graph.order, *map(initial_write, cells(graph))]
        self.size = len(self.events)
        self.numbers = {event: number for number, event in enumerate(self.events)}
        self._facts = [facts(graph, event) for event in self.events]
        self._bases: dict[str, Rows] = {}
        self._views: dict[str, Rows] = {}

    def pairs(self, term: terms.Relation) -> Pairs:
        """The same as a set of pairs of events."""
        return {(self.events[a], self.events[b]) for a, row in enumerate(self.rows(term)) for b in bits(row)}

    def passing(self, test: terms.Test) -> Rows:
        """The events that pass a test, each with itself."""
        return [passes(event, test) << number for number, event in enumerate(self._facts)]

    def rotation(self) -> Rows:
        """Not evaluated."""
        raise ReferenceUnsupported("the rotational closure, which only the prover knows")

    def base(self, name: str) -> Rows:
        """A built-in relation."""
        name = SYNONYMS.get(name, name)
        if name not in self._bases:
            self._bases[name] = self._build(name)
        return self._bases[name]

    def _build(self, name: str) -> Rows:
        match name:
            case "po":
                return closure(self.base("po-imm"))
            case "po-loc":
                return [a & b for a, b in zip(self.base("po"), self.base("loc-overlap"), strict=True)]
            case "any":
                return [(1 << self.size) - 1] * self.size
        if name not in BASES:
            raise ReferenceUnsupported(f"the relation {name}")
        rows = [0] * self.size
        for before, after in BASES[name](self.graph):
            rows[self.numbers[before]] |= 1 << self.numbers[after]
        if name == "ctrl":  # goes on into threads that are created, and past joins
            return union(rows, compose(rows, self.base("po")))
        return rows

    def view(self, name: str) -> Rows:
        """What a view stands for."""
        if name not in self._views:
            self._views[name] = self.rows(self.views[name])
        return self._views[name]
