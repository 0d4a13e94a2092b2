"""What a broken axiom excludes, as steps of built-in relations: a cycle, or a pair of events.

A term denotes pairs; a pair that it contains is taken apart along the operators of the term until only
built-in relations are left. Closures take a shortest path.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from mazurka.kat.meaning import terms
from mazurka.kat.meaning.rows import Rows, bits
from mazurka.kat.meaning.show import show
from mazurka.reference.consistency import ECO
from mazurka.reference.graph import Graph
from mazurka.reference.relations import Relations
from mazurka.reference.running.labels import EventId, Kind


class Step(NamedTuple):
    """One event is before another in a relation."""

    before: EventId
    name: str
    after: EventId


def cycle_of(relations: Relations, axiom: terms.Axiom) -> list[Step]:
    """The steps that a broken axiom excludes: from an event back to itself, or for ``empty`` to any other."""
    finder = _Finder(relations)
    match axiom.kind:
        case "acyclic":
            pairs = finder.shortest_cycle(relations.rows(axiom.relation))
            steps = [finder.steps(axiom.relation, a, b) for a, b in pairs]
        case "coherence":
            term = terms.Sequence(axiom.relation, ECO)
            steps = [finder.shortest_pair(term, loops=True)]
        case "irreflexive":
            steps = [finder.shortest_pair(axiom.relation, loops=True)]
        case _:
            steps = [finder.shortest_pair(axiom.relation, loops=False)]
    return _joined(relations.graph, [step for some in steps for step in some])


def _joined(graph: Graph, steps: list[Step]) -> list[Step]:
    """With neighbouring steps of po as one, unless there is a fence between them."""
    found: list[Step] = []
    for step in steps:
        is_fence = step.before in graph.labels and graph.labels[step.before].kind is Kind.FENCE
        if found and found[-1].name == step.name == "po" and not is_fence:
            found[-1] = Step(found[-1].before, "po", step.after)
        else:
            found.append(step)
    return found


class _Finder:
    """Takes pairs of terms apart. Events are numbers here, as in ``Relations``."""

    def __init__(self, relations: Relations) -> None:
        self.relations = relations
        self._known: dict[
            tuple[int, int, int], list[Step]
        ] = {}  # by the identity of the term, which the model keeps

    def has(self, term: terms.Relation, a: int, b: int) -> bool:
        return bool(self.relations.rows(term)[a] >> b & 1)

    def shortest_cycle(self, rows: Rows) -> list[tuple[int, int]]:
        """The pairs of a shortest cycle."""
        cycles = (self.path(rows, start, start) for start in range(self.relations.size))
        return min((cycle for cycle in cycles if cycle), key=len)

    def shortest_pair(self, term: terms.Relation, *, loops: bool) -> list[Step]:
        """The shortest way to take a pair of a term apart; with ``loops`` that of an event and itself."""
        rows = self.relations.rows(term)
        pairs = ((a, b) for a, row in enumerate(rows) for b in bits(row) if not loops or a == b)
        return min((self.steps(term, a, b) for a, b in pairs), key=len)

    def path(self, rows: Rows, start: int, end: int) -> list[tuple[int, int]]:
        """The pairs of a shortest path of at least one step; none if there is no path."""
        before: dict[int, int] = {}
        waiting = deque([start])
        while waiting:
            at = waiting.popleft()
            for following in bits(rows[at]):
                if following in before:
                    continue
                before[following] = at
                if following == end:
                    return self._back(before, start, end)
                waiting.append(following)
        return []

    def _back(self, before: dict[int, int], start: int, end: int) -> list[tuple[int, int]]:
        pairs, at = [(before[end], end)], before[end]
        while at != start:
            pairs.append((before[at], at))
            at = before[at]
        return pairs[::-1]

    def steps(self, term: terms.Relation, a: int, b: int) -> list[Step]:
        """The steps that lead from one event to another by a term that has this pair."""
        known = self._known.get((id(term), a, b))
        if known is None:
            known = self._known[id(term), a, b] = self._take_apart(term, a, b)
        return known

    def _take_apart(self, term: terms.Relation, a: int, b: int) -> list[Step]:
        match term:
            case terms.Guard() | terms.Identity():
                return []
            case terms.Union(left, right):
                sides = (side for side in (left, right) if self.has(side, a, b))
                return min((self.steps(side, a, b) for side in sides), key=len)
            case terms.Sequence(left, right):
                row = self.relations.rows(left)[a]
                middles = (m for m in bits(row) if self.has(right, m, b))
                return min(
                    (self.steps(left, a, m) + self.steps(right, m, b) for m in middles),
                    key=len,
                )
            case terms.Intersection(left, _) | terms.Difference(left, _):
                return self.steps(left, a, b)
            case terms.Plus(body):
                return self._along(body, a, b)
            case terms.Star(body):
                return [] if a == b else self._along(body, a, b)
            case terms.Maybe(body):
                return [] if a == b else self.steps(body, a, b)
            case terms.View(name):
                return self.steps(self.relations.views[name], a, b)
            case terms.Inverse(body):
                name = body.name if isinstance(body, terms.Base) else show(body)
                return [self._step(a, f"{name}^-1", b)]
            case terms.Base(name):
                return [self._step(a, name, b)]
            case terms.Fixpoint(name):
                return [self._step(a, name, b)]
        return [self._step(a, show(term), b)]

    def _along(self, body: terms.Relation, a: int, b: int) -> list[Step]:
        path = self.path(self.relations.rows(body), a, b)
        return [step for one, two in path for step in self.steps(body, one, two)]

    def _step(self, a: int, name: str, b: int) -> Step:
        return Step(self.relations.events[a], name, self.relations.events[b])
