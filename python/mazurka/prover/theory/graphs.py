"""Small execution graphs over any relations and predicates, and what terms denote on them.

This is the general evaluator (``denotation``) on graphs that do not come from a program. The prover checks
its counterexamples with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mazurka.kat.meaning import terms
from mazurka.kat.meaning.denotation import Denotation
from mazurka.kat.meaning.rows import Rows, is_within
from mazurka.kat.meaning.terms import Relation
from mazurka.prover.theory.events import EventKind


class CannotEvaluate(Exception):  # noqa: N818 - says what a term is, not that something broke
    """A term has no meaning on graphs alone."""


@dataclass(frozen=True)
class CandidateGraph:
    """Events with their predicates, and base relations as bit rows (bit b of row a: a is related to b)."""

    kinds: tuple[EventKind, ...]
    threads: tuple[int, ...]  # of each event; -1 for initial writes
    locations: tuple[int, ...]  # of each event; -1 if it accesses no location
    relations: Mapping[str, Rows] = field(hash=False)

    @property
    def size(self) -> int:
        """The number of events."""
        return len(self.kinds)


class Evaluator(Denotation):
    """What terms denote on a graph, under a model's views."""

    def __init__(self, graph: CandidateGraph, views: Mapping[str, Relation]) -> None:
        super().__init__()
        self.graph = graph
        self.size = graph.size
        self._predicates = [kind.predicates for kind in graph.kinds]
        self._views = views

    def holds(self, claim: terms.Inclusion) -> bool:
        """Whether an inclusion or equality holds."""
        left, right = self.rows(claim.left), self.rows(claim.right)
        return is_within(left, right) and (not claim.equal or is_within(right, left))

    def violation(self, left: Relation, right: Relation) -> tuple[int, int] | None:
        """A pair that is in the left term but not in the right one."""
        for a, (one, two) in enumerate(zip(self.rows(left), self.rows(right), strict=True)):
            if one & ~two:
                return a, (one & ~two).bit_length() - 1
        return None

    def base(self, name: str) -> Rows:
        """A relation of the graph; relations that it does not have are empty."""
        return self.graph.relations.get(name, [0] * self.size)

    def view(self, name: str) -> Rows:
        """What a view stands for."""
        return self.rows(self._views[name])

    def passing(self, test: terms.Test) -> Rows:
        """The events that pass a test, each with itself."""
        return [passes(held, test) << number for number, held in enumerate(self._predicates)]

    def rotation(self) -> Rows:
        """Refuses: ``rot`` has no value on a graph."""
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
