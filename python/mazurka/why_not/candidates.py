"""Executions that end as asked, whatever the memory model says, and the axioms that the closest one breaks.

The candidates are all executions of a program without a memory model: each read sees any write of its
location whose value is known, and the writes of a location are in any order (``reference.unordered``). Of
those that end as asked, one is shown that breaks the fewest axioms of the model; or one that breaks none.

Read-modify-writes are atomic in every candidate, as they are in every model.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from mazurka import deadline
from mazurka.errors import OutOfTime
from mazurka.kat.meaning import terms
from mazurka.program import Program
from mazurka.reference.consistency import holds
from mazurka.reference.graph import Graph
from mazurka.reference.machine import Frontier, Machine
from mazurka.reference.relations import Relations
from mazurka.reference.running.labels import ReferenceUnsupported
from mazurka.reference.unordered import full_graphs
from mazurka.why_not.paths import Step, cycle_of

MOST_GRAPHS = 30_000  # partial ones: about a minute
IMPOSSIBLE = "impossible in every model: no values that the reads can see lead to this outcome"
FROM_NOWHERE = (
    "no axiom, but some value would have to come out of thin air: the reads depend on each other in a circle"
)
LastBytes = dict[int, int]  # what was written last, by address


class Candidate(NamedTuple):
    """An execution that ends as asked, and the axioms that it breaks."""

    machine: Machine
    graph: Graph
    broken: Sequence[terms.Axiom]
    limit: str = ""  # why others were not looked at, one of which may break fewer axioms

    def cycle(self, model: terms.Model) -> list[Step]:
        """What the first of these axioms excludes; nothing if no axiom is broken."""
        return cycle_of(Relations(self.graph, model.views), self.broken[0]) if self.broken else []

    def reason(self) -> str:
        """What forbids the execution, in words."""
        return f"{self.broken[0].name}, {_meaning(self.broken[0])}" if self.broken else FROM_NOWHERE

    def others(self) -> list[str]:
        """The other axioms that it breaks."""
        return [axiom.name for axiom in self.broken[1:]]


def closest(
    program: Program,
    model: terms.Model,
    ends_so: Callable[[LastBytes], bool],
    can_end_so: Callable[[Graph], bool] = lambda _: True,
    *,
    is_allowed: bool = False,
    most_graphs: int = MOST_GRAPHS,
    unroll: int | None = None,
    in_order: Container[int] = (),
) -> Candidate | None:
    """An execution that ends as asked, and breaks no axiom or, if it is not allowed, as few as possible.

    None if there is none. Executions that break no axiom and are forbidden all the same come last. No part of
    an execution that ends as asked lacks ``can_end_so``. If the search ends early, one that was found until
    then is given, with the reason. No execution has more than ``unroll`` rounds of a loop. Reads at the
    addresses that are ``in_order`` see the latest write.
    """
    machine = Machine(program, unroll, confirms=False, tracks=True)
    best: Candidate | None = None
    try:
        for graph in _ended(machine, model, can_end_so, most_graphs, in_order):
            if not ends_so(_last_bytes(graph)):
                continue
            relations = Relations(graph, model.views)
            broken = [axiom for axiom in model.axioms if not holds(relations, axiom)]
            if is_allowed and not broken:
                return Candidate(machine, graph, broken)
            if not is_allowed and (best is None or _rank(broken) < _rank(best.broken)):
                best = Candidate(machine, graph, broken)
    except (ReferenceUnsupported, OutOfTime) as limit:
        if best is None:
            raise
        said = str(limit) if isinstance(limit, OutOfTime) else f"the search does not cover {limit}"
        return best._replace(limit=said)
    return best


def _ended(
    machine: Machine,
    model: terms.Model,
    can_end_so: Callable[[Graph], bool],
    most_graphs: int,
    in_order: Container[int],
) -> Iterator[Graph]:
    """All executions without a memory model, as long as the time lasts."""

    def keeps(graph: Graph) -> bool:
        deadline.look()
        return can_end_so(graph)

    anything = replace(model, axioms=(), pieces=(), ppo=None)
    for graph in full_graphs(machine, anything, most_graphs, keeps, in_order=in_order):
        if graph.is_mixed or graph.has_sections:
            raise ReferenceUnsupported("accesses of several sizes, or atomic sections")
        if _has_ended(machine.frontier(graph)):
            yield graph


def _has_ended(frontier: Frontier) -> bool:
    """Whether all threads are done, or something goes wrong: assertions often rule an outcome out."""
    return frontier.complete or bool(frontier.findings)


def _rank(broken: Sequence[terms.Axiom]) -> int:
    return len(broken) or MOST_GRAPHS


def _last_bytes(graph: Graph) -> LastBytes:
    last = (graph.labels[writes[-1]] for writes in graph.co.values() if writes)
    return {at: write.byte(at) for write in last for at in write.footprint}


def _meaning(axiom: terms.Axiom) -> str:
    match axiom.kind:
        case "empty":
            return "which excludes these steps"
        case "coherence":
            return "because coherence order must not contradict happens-before"
    return "which excludes this cycle"
